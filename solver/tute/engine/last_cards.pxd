"""The last few cards of two players, when nothing is left to draw or to declare.

The search in small: no table, no estimate, hardly any state, so that a few cards each cost less
than one look into the table.
"""

from libc.stdint cimport uint32_t, uint64_t

from tute.engine.packed cimport above, highest, lowest, mix, mixed, suit_mask, takes
from tute.engine.state cimport Game
from tute.engine.stock_state cimport apart, close_up, honours_of, with_points

cdef enum:
    FEW_CARDS = 4              # so many in each hand are looked at without the table
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

cdef inline uint64_t duel_key(
    const Game* g, uint64_t mine, uint64_t yours, uint32_t* honours
) noexcept nogil:
    """The table's key of an ending that is nothing but two hands, the leader's first.

    It is the shape, as in `key_of`: who holds the highest card in play of each suit, who the next.
    """
    cdef uint64_t in_play = mine | yours
    cdef uint64_t hands[2]
    hands[0] = mine
    hands[1] = yours
    honours[0] = honours_of(g, in_play)
    close_up(hands, 2, (g.duties.worthless | with_points(g)) & ~in_play)
    return mixed(mix(mix(DUEL_SALT, hands[0]), hands[1]))

cdef inline int weakest(const Game* g, uint64_t cards, int number) noexcept nogil:
    """The points of so many of the cards of a suit, the weakest first."""
    cdef int points = 0
    while number and cards:
        points += g.duties.points[lowest(cards)]
        cards &= cards - 1
        number -= 1
    return points

cdef inline int run_of(
    const Game* g, uint64_t own, uint64_t theirs, bint follows, int* tricks
) noexcept nogil:
    """The points of a plain suit led from the top, and of the least that falls to it.

    Args:
        own: the cards of the suit that the player on lead holds.
        theirs: those of the other.
        follows: whether the other has trumps, so that a run ends where he need not follow.
        tricks: raised by the number of leads.
    """
    cdef int points = 0, place
    while own:
        if theirs > own or (follows and theirs == 0):
            break
        place = highest(own)
        own ^= <uint64_t> 1 << place
        points += g.duties.points[place]
        if theirs:
            points += g.duties.points[lowest(theirs)]
            theirs &= theirs - 1
        tricks[0] += 1
    return points

cdef inline void duel_limits(
    const Game* g, uint64_t mine, uint64_t yours, int cards, int rest, int* low, int* high
) noexcept nogil:
    """The least and the most that the leader can still take.

    Trumps that are kept. A trump wins the trick to which it is played unless the other plays a
    higher one to it, and each of his trumps is played to one trick only. So, from the highest on,
    each trump of the other takes at most one lower one; where there are not enough above it, a trump
    is kept. As points grow with rank, taking the highest that can be taken leaves the fewest points.

    The least. The leader leads his trumps while they are the highest, then his plain suits from the
    top. The rival follows with trumps while he has any. Once he has none every trump wins, and of a
    plain suit every card that is above all of his; while he has one a plain card wins that is above
    all of his as long as he follows, and till then he throws nothing away. What he plays to the
    leads of a suit, or has thrown on others, is worth at least his weakest cards of it. Trumps that
    were not led are kept as above: the rival's have only become fewer.

    The most: all but what the rival is sure of. The trumps that he keeps; and, if he is sure to win
    a trick, his plain suits led from the top as long as the leader has to follow, or longer if the
    leader has no trumps. Proof: he is sure
    to win a trick if he keeps a trump, or if no card of the leader's wins whatever follows (a duty
    makes him beat it). Until he has won one he throws nothing away, since with a trump left he ruffs
    where he cannot follow; and the leader's cards of a suit go only by being led, to the highest
    card of the rival's. Then he leads those that are left, and the leader has to follow each, or
    cannot beat it.
    """
    cdef uint64_t trumps = g.trumps, in_play, card, own, theirs
    cdef int suit, place, number = 0, led = 0, kept = 0, lost = 0, points = 0, theirs_kept = 0
    cdef int above_mine = 0, above_yours = 0, held = 0
    cdef bint top = True, bare, follows
    in_play = (mine | yours) & trumps
    while in_play:
        place = highest(in_play)
        card = <uint64_t> 1 << place
        in_play ^= card
        if mine & card:
            held += 1
            if top:
                number += 1
            if above_mine:
                above_mine -= 1
            else:
                kept += 1
                points += g.duties.points[place]
            above_yours += 1
        else:
            top = False
            if above_yours:
                above_yours -= 1
            else:
                lost += 1
                theirs_kept += g.duties.points[place]
            above_mine += 1
    theirs = yours & trumps
    points += weakest(g, theirs, number)
    led = number
    while theirs and number:
        theirs &= theirs - 1
        number -= 1
    bare = theirs == 0
    if bare:
        # Every trump of the leader's wins.
        own = mine & trumps
        points = weakest(g, yours & trumps, led) + weakest(g, own, held)
        led = kept = held
    number = 0
    for suit in range(4):
        if suit_mask(suit) != trumps and mine & suit_mask(suit):
            points += run_of(
                g, mine & suit_mask(suit), yours & suit_mask(suit), not bare, &number
            )
    low[0] = rest if kept + number >= cards else points
    if lost or unbeaten(g, mine, yours) == 0:
        follows = mine & trumps != 0
        number = 0
        for suit in range(4):
            if suit_mask(suit) != trumps and yours & suit_mask(suit):
                theirs_kept += run_of(
                    g, yours & suit_mask(suit), mine & suit_mask(suit), follows, &number
                )
        if lost + number >= cards:
            theirs_kept = rest
    high[0] = rest - theirs_kept
