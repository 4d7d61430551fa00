"""The last few cards of two players, when nothing is left to draw or to declare.

The search in small: no table, no estimate, hardly any state, so that a few cards each cost less
than one look into the table.
"""

from libc.stdint cimport uint64_t

from tute.engine.packed cimport above, highest, lowest, mix, mixed, suit_mask, takes
from tute.engine.state cimport Game
from tute.engine.stock_state cimport EACH_SUIT, apart

cdef enum:
    FEW_CARDS = 4              # so many in each hand are looked at without the table
    WORTHLESS = 5              # ranks of a suit without points
    DUEL_SALT = 0x5bd1e995

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

cdef inline uint64_t duel_key(const Game* g, uint64_t mine, uint64_t yours) noexcept nogil:
    """The table's key of an ending that is nothing but two hands, the leader's first.

    Worthless cards are moved up over those that are out of play, as in `key_of`.
    """
    cdef uint64_t gone = g.duties.worthless & ~(mine | yours), hole, below
    cdef int place
    for place in range(1, WORTHLESS):
        hole = (gone >> place) & EACH_SUIT
        below = (hole << place) - hole
        mine += mine & below
        yours += yours & below
    return mixed(mix(mix(DUEL_SALT, mine), yours))

cdef inline int weakest(const Game* g, uint64_t cards, int number) noexcept nogil:
    """The points of so many of the cards of a suit, the weakest first."""
    cdef int points = 0
    while number and cards:
        points += g.duties.points[lowest(cards)]
        cards &= cards - 1
        number -= 1
    return points

cdef inline void duel_limits(
    const Game* g, uint64_t mine, uint64_t yours, int cards, int rest, int* low, int* high
) noexcept nogil:
    """The least and the most that the leader can still take.

    The least: he leads his trumps from the top, then his plain suits from the top. His trumps win
    while they are the highest in play; the rival follows with trumps while he has any. Once he has
    none, or while he has cards of the plain suit led, the highest card of that suit wins; and where
    he has neither, any card does. What the rival plays to a suit that he follows is worth at least
    his weakest cards of it.

    The most: all but what the rival's highest trumps in play win, with the least that can fall to
    them: each wins the trick to which it is played.
    """
    cdef uint64_t trumps = g.trumps, theirs, own, run
    cdef int suit, led = 0, points = 0, place, number, left
    cdef bint bare
    # The highest trumps in play.
    own = mine & trumps
    theirs = yours & trumps
    if own > theirs:
        run = own & above(<uint64_t> 1 << highest(theirs)) if theirs else own
        left = 0
        number = 0
        while run:
            place = highest(run)
            run ^= <uint64_t> 1 << place
            number += 1
            points += g.duties.points[place]
        led = number
        points += weakest(g, theirs, number)
        while theirs and number:
            theirs &= theirs - 1
            number -= 1
        if theirs == 0:
            # The rival's trumps are drawn: so the leader's others win as well.
            run = own ^ (own & above(<uint64_t> 1 << highest(yours & trumps))) if yours & trumps else 0
            while run:
                place = highest(run)
                run ^= <uint64_t> 1 << place
                led += 1
                points += g.duties.points[place]
    elif theirs:
        run = theirs & above(<uint64_t> 1 << highest(own)) if own else theirs
        number = 0
        while run:
            place = highest(run)
            run ^= <uint64_t> 1 << place
            number += 1
            high[0] -= g.duties.points[place]
    bare = theirs == 0
    for suit in range(4):
        own = mine & suit_mask(suit)
        if own == 0 or suit_mask(suit) == trumps:
            continue
        theirs = yours & suit_mask(suit)
        number = 0
        while own:
            place = highest(own)
            if theirs:
                if theirs > own:
                    break
            elif not bare:
                break
            own ^= <uint64_t> 1 << place
            if theirs:
                points += g.duties.points[lowest(theirs)]
                theirs &= theirs - 1
            points += g.duties.points[place]
            number += 1
        led += number
    if led >= cards:
        low[0] = rest
    else:
        low[0] = points
