"""The estimate that orders moves: worth of the cards in play, and the trick played out by it.

It is linear in the cards, with weights fitted on solved endings (benchmarks/fit_evaluation.py). It
never decides a value.
"""

from libc.stdint cimport int16_t, uint64_t

from tute.engine.packed cimport (
    Trick,
    add_card,
    highest,
    lowest,
    lowest_bit,
    playable,
    suit_mask,
    takes,
    without_twins,
)
from tute.engine.state cimport SUITS, Game, State

cdef enum:
    PLAIN = 0
    TRUMPS = 1
    RUFFABLE = 2               # a plain suit in which a rival is void and has trumps
    POINT = 8                  # the estimate's unit is an eighth of a point
    LEAD = 80                  # what having the lead is worth when moves are compared: tuned by the
                               # nodes searched, it is more than the fit of values gives it

cdef inline int log2_eighths(int n) noexcept nogil:
    """The binary logarithm of n >= 1, in eighths, between powers of two by the chord."""
    cdef int whole = highest(<uint64_t> n)
    return 8 * whole + (((n << 3) >> whole) & 7)

cdef inline void weigh(const Game* g, const State* s, const Trick* t, int16_t* worth) noexcept nogil:
    """Fill in, by bit, what each card in play is worth to side 0 while it stays in its hand."""
    cdef uint64_t in_play = 0, first_side = 0, cards, suit_cards
    cdef int suit, seat, place, side, higher
    cdef int kind[2]
    for seat in range(g.players):
        in_play |= s.hands[seat]
        if g.side[seat] == 0:
            first_side |= s.hands[seat]
    for place in range(t.size):
        in_play |= t.cards[place]
    for suit in range(SUITS):
        cards = suit_mask(suit)
        suit_cards = in_play & cards
        if suit_cards == 0:
            continue
        kind[0] = kind[1] = TRUMPS if cards & g.trumps else PLAIN
        if kind[0] == PLAIN:
            for seat in range(g.players):
                if s.hands[seat] & cards == 0 and s.hands[seat] & g.trumps:
                    kind[1 - g.side[seat]] = RUFFABLE
        higher = 0
        while suit_cards:
            place = highest(suit_cards)
            suit_cards ^= <uint64_t> 1 << place
            side = 0 if (first_side >> place) & 1 else 1
            worth[place] = g.evaluation.card[side][kind[side]][place & 15][higher]
            higher += 1

cdef inline int estimate(
    const Game* g, const Trick* t, int player, uint64_t card, const int16_t* worth
) noexcept nogil:
    """The estimate of the trick once its last card is played: its points, the lead, that card."""
    cdef int place = lowest(card)
    cdef int winner = player if takes(card, t.best, g.trumps) else t.best_player
    if g.side[winner] != 0:
        return -worth[place]
    return POINT * (t.points + g.duties.points[place]) + LEAD - worth[place]

cdef inline int played_out(
    const Game* g, const State* s, const Trick* t, const int16_t* worth, int* leaves
) noexcept nogil:
    """What an unfinished trick comes to, played out for the best by the estimate.

    Args:
        worth: what each card is worth, from `weigh`.
        leaves: raised by the number of ways in which the trick may end.
    """
    cdef int player = t.next_player
    cdef bint maximise = g.side[player] == 0
    cdef int value, best = -30000 if maximise else 30000
    cdef uint64_t card, moves
    cdef Trick after
    moves = playable(
        &g.duties, s.hands[player], t, g.trumps, (g.partners[player] >> t.best_player) & 1
    )
    moves = without_twins(moves, g.alike)
    while moves:
        card = lowest_bit(moves)
        moves ^= card
        if t.size == g.players - 1:
            leaves[0] += 1
            value = estimate(g, t, player, card, worth)
        else:
            after = t[0]
            add_card(&after, card, player, g.players, &g.duties, g.trumps)
            value = played_out(g, s, &after, worth, leaves) - worth[lowest(card)]
        best = max(best, value) if maximise else min(best, value)
    return best
