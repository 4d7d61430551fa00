"""Bounds of a value without search, each with its proof.

They speak of the start of a trick, and of values that side 0 still gains. None is used where a
tute may end the hand or where the value is an outcome rather than a sum.
"""

from libc.stdint cimport uint8_t, uint64_t

from tute.engine.packed cimport highest, lowest, suit_mask
from tute.engine.state cimport SEATS, SUITS, Game, State, whole_pairs

cdef inline int cheapest(const Game* g, uint64_t cards, int number) noexcept nogil:
    """The points of so many of the cards, the weakest first."""
    cdef int points = 0
    while number and cards:
        points += g.duties.points[lowest(cards)]
        cards &= cards - 1
        number -= 1
    return points

cdef inline int cash_out(const Game* g, const State* s, uint64_t in_play, int* tricks) noexcept nogil:
    """Points that the leader's side is sure of beside its own trumps, and of how many tricks.

    The leader leads his trumps from the top, then his plain suits from the top.

    Proof. While his trumps are the highest in play nobody beats them. After `tricks` such leads a
    player who had more trumps than that has followed each time and thrown nothing; one who had
    no more has no trump left. Then each plain card led is the highest of its suit in play, and is
    beaten only by a trump: by a player who has one left and is void. A player with a trump left
    has thrown nothing, so he is not void before as many leads of the suit as he holds cards of it;
    a run ends there, so he follows every plain lead counted and throws nothing on those either.
    The partner ends a run in the same way: void, he would have to ruff and would take the lead
    away. So the leader wins every trick counted, and with it the plain cards that he led and
    whatever the others play to it. Of a suit led `run` times a player plays `run` cards, or all he
    has; those that he throws earlier the leader takes as well; so at least the weakest so many,
    which are worth the least (`cheapest`). Trumps of the leader's side are left to `own_trumps`.
    No cante is counted.
    """
    cdef int leader = s.leader
    cdef int suit, seat, place, run, points = 0, led = 0
    cdef bint followed
    cdef uint64_t suit_cards, cards, mine = s.hands[leader]
    cdef uint64_t trumps[SEATS]
    cdef uint64_t held[SEATS]
    for seat in range(g.players):
        trumps[seat] = s.hands[seat] & g.trumps
    suit_cards = in_play & g.trumps
    while suit_cards:
        place = highest(suit_cards)
        if not (mine >> place) & 1:
            break
        suit_cards ^= <uint64_t> 1 << place
        led += 1
        for seat in range(g.players):
            trumps[seat] &= trumps[seat] - (trumps[seat] != 0)
    trumps[leader] = 0
    for seat in range(g.players):
        if g.side[seat] != g.side[leader]:
            points += cheapest(g, s.hands[seat] & g.trumps, led)
    for suit in range(SUITS):
        cards = suit_mask(suit)
        suit_cards = in_play & cards
        if suit_cards & mine == 0 or cards & g.trumps:
            continue
        for seat in range(g.players):
            # Whoever has no trump left cannot stop a run, however short he is.
            held[seat] = s.hands[seat] & cards if trumps[seat] else ~<uint64_t> 0
        run = 0
        while suit_cards:
            place = highest(suit_cards)
            followed = (mine >> place) & 1
            for seat in range(g.players):
                if held[seat] == 0:
                    followed = False
                held[seat] &= held[seat] - (held[seat] != 0)
            if not followed:
                break
            suit_cards ^= <uint64_t> 1 << place
            points += g.duties.points[place]
            led += 1
            run += 1
        if run:
            for seat in range(g.players):
                if seat != leader:
                    points += cheapest(g, s.hands[seat] & cards, run)
    tricks[0] = led
    return points

cdef inline int own_trumps(
    const Game* g, uint64_t trumps, uint64_t first_side, int* side
) noexcept nogil:
    """Points of the highest trumps in play as far as one side holds them all, and that side.

    Proof. The trick to which such a trump is played is won by it or by a higher trump in play,
    and all of those belong to the same side.
    """
    cdef int place, points = 0
    side[0] = 0
    if trumps == 0:
        return 0
    side[0] = 0 if (first_side >> highest(trumps)) & 1 else 1
    while trumps:
        place = highest(trumps)
        if (0 if (first_side >> place) & 1 else 1) != side[0]:
            break
        trumps ^= <uint64_t> 1 << place
        points += g.duties.points[place]
    return points

cdef inline uint64_t pairs_to_come(const Game* g, const State* s, int seat) noexcept nogil:
    """A card of each pair that may still be credited to a seat."""
    cdef uint64_t pairs, found = 0
    cdef int suit
    if g.at_second_card:
        for suit in range(SUITS):
            if g.owner[suit] == seat:
                pairs = s.hands[seat] & g.pair[suit]
                found |= pairs & ~(pairs >> 1)
        return found
    if not (g.callers[seat] >> seat) & 1:
        return 0
    pairs = whole_pairs(g, s.hands[seat])
    if s.declared:
        for suit in range(SUITS):
            if (s.declared >> suit) & 1:
                pairs &= ~suit_mask(suit)
    return pairs

cdef inline void limits(const Game* g, const State* s, int* low, int* high) noexcept nogil:
    """Narrow the least and the most that side 0 can still gain.

    From nothing, or all the points left, with every pair that may still be declared; less what
    `own_trumps` and `cash_out` secure for either side. The two count different cards, and what
    `own_trumps` secures stays so whatever is played. A leader who is sure of every trick leaves
    the other side nothing but its pairs.
    """
    cdef int seat, side, tricks, cashed, value
    cdef int mine = 0, theirs = 0, least, most
    cdef int everything = g.units.card * s.rest + g.units.trick * s.cards + g.units.last
    cdef uint64_t pairs, in_play = 0, first_side = 0
    for seat in range(g.players):
        in_play |= s.hands[seat]
        if g.side[seat] == 0:
            first_side |= s.hands[seat]
        pairs = pairs_to_come(g, s, seat)
        while pairs:
            value = g.pair_points[lowest(pairs) >> 4]
            pairs &= pairs - 1
            if g.side[seat] == 0:
                mine += g.units.cante[0] * value
            else:
                theirs += g.units.cante[1] * value
    least = theirs
    most = everything + mine
    cashed = g.units.card * own_trumps(g, in_play & g.trumps, first_side, &side)
    if side == 0:
        least += cashed
    else:
        most -= cashed
    cashed = g.units.card * cash_out(g, s, in_play, &tricks)
    if tricks >= s.cards:
        if g.side[s.leader] == 0:
            least = everything + theirs
        else:
            most = mine
    elif g.side[s.leader] == 0:
        least += cashed + g.units.trick * tricks
    else:
        most -= cashed + g.units.trick * tricks
    low[0] = max(low[0], least)
    high[0] = min(high[0], most)

cdef inline int neighbour_bound(
    const Game* g,
    uint64_t hand,
    uint64_t others,
    const uint8_t* places,
    const int* values,
    int number,
    bint maximise,
    int worst,
) noexcept nogil:
    """A bound for card `number` from those before it, whose values are bounds of the same kind.

    For a side that maximises it is an upper bound, else a lower one; `worst` where there is none.

    Proof. Take two cards of one hand with no card of another player between them in rank. Playing
    one now and keeping the other, or the reverse, leads to the same game but for the name of the
    card kept: both beat, and lose to, the same cards of others, so duties and winners of tricks
    are the same. The points differ: of the two cards one goes to the winner of this trick and the
    other to that of a later one, so a line's total changes by at most the difference of their
    points. It fails where a rule asks for points (no_cargar, obligada) or for the very card (a
    pair, a tute): there it is not used.
    """
    cdef int card = places[number], other, low, high, differ, best = worst
    cdef int suit = card >> 4
    cdef uint64_t between, pair = g.pair[suit]
    cdef bint intact = hand & pair == pair
    if intact and (pair >> card) & 1:
        return worst
    for other in range(number):
        if places[other] >> 4 != suit or (intact and (pair >> places[other]) & 1):
            continue
        low = min(card, <int> places[other])
        high = max(card, <int> places[other])
        between = ((<uint64_t> 1 << high) - 1) ^ ((<uint64_t> 2 << low) - 1)
        if others & between:
            continue
        differ = g.units.card * (g.duties.points[high] - g.duties.points[low])
        if differ < 0:
            differ = -differ
        if maximise:
            best = min(best, values[other] + differ)
        else:
            best = max(best, values[other] - differ)
    return best
