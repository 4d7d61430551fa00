"""The last few cards of two players, when nothing is left to draw or to declare.

The search in small: no table, no estimate, hardly any state, so that a few cards each cost less
than one look into the table.
"""

from libc.stdint cimport uint64_t

from tute.engine.packed cimport above, highest, lowest, suit_mask, takes
from tute.engine.state cimport Game
from tute.engine.stock_state cimport apart

cdef enum:
    FEW_CARDS = 4              # so many in each hand are looked at without the table

cdef inline uint64_t answers(const Game* g, uint64_t hand, int led, uint64_t card) noexcept nogil:
    """The cards that may follow one card of suit `led`: montar, asistir, fallar."""
    cdef uint64_t following = hand & suit_mask(led), over
    if following:
        over = following & above(card)
        return over if over else following
    over = hand & g.trumps
    return over if over else hand

cdef inline uint64_t unbeaten(const Game* g, uint64_t mine, uint64_t yours) noexcept nogil:
    """The cards of the leader that win the trick whatever follows."""
    cdef uint64_t found = 0, cards, theirs
    cdef int suit
    for suit in range(4):
        cards = mine & suit_mask(suit)
        if cards == 0:
            continue
        theirs = yours & suit_mask(suit)
        if theirs:
            found |= cards & above(<uint64_t> 1 << highest(theirs))
        elif yours & g.trumps == 0 or suit_mask(suit) == g.trumps:
            found |= cards
    return found

cdef inline int last_cards(
    const Game* g, uint64_t mine, uint64_t yours, int cards, int rest, int alpha, int beta
) noexcept nogil:
    """The points that the leader still takes: exact within the window, a bound outside.

    Args:
        mine, yours: the hands, the leader's first.
        cards: how many each holds.
        rest: the points of them all and of the last trick.
    """
    cdef uint64_t worthless = g.duties.worthless, in_play = mine | yours
    cdef uint64_t sure = unbeaten(g, mine, yours), leads, moves, card, reply, over
    cdef int place, other, led, points, value, worst, best = -1, turn
    if cards == 1:
        return rest if sure else 0
    if rest <= alpha:
        return rest
    if beta <= 0:
        return 0
    if sure == mine and (yours & g.trumps == 0 or mine & ~g.trumps == 0):
        # He wins every trick: without trumps the rival never beats the highest cards of a suit, and
        # trumps above all of his are beaten by nothing.
        return rest
    leads = apart(mine, worthless, 0, in_play)
    for turn in range(2):
        moves = leads & sure if turn == 0 else leads & ~sure
        while moves:
            place = highest(moves)
            card = <uint64_t> 1 << place
            moves ^= card
            led = place >> 4
            over = apart(answers(g, yours, led, card), worthless, 0, in_play)
            worst = 1000
            while over:
                other = lowest(over)
                reply = <uint64_t> 1 << other
                over ^= reply
                points = g.duties.points[place] + g.duties.points[other]
                if takes(reply, card, g.trumps):
                    value = rest - points
                    value -= last_cards(
                        g, yours ^ reply, mine ^ card, cards - 1, value,
                        value - min(beta, worst), value - max(alpha, best),
                    )
                else:
                    value = points + last_cards(
                        g, mine ^ card, yours ^ reply, cards - 1, rest - points,
                        max(alpha, best) - points, min(beta, worst) - points,
                    )
                worst = min(worst, value)
                if worst <= alpha or worst <= best:
                    break
            best = max(best, worst)
            if best >= beta:
                return best
    return best
