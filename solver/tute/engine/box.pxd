"""Boxes of point histories: what the points so far may be for a proof to hold as it stands.

Who loses depends on how the players' points compare with each other and, in cabrón and cabrero,
with a fixed number. A box has an interval for every difference of two players' points, and for
every player's own: that is his difference from nobody, who has none. Points made later move a
history and its box alike, so a box found at the end of a hand is one of the start, shifted.
"""

from libc.stdint cimport int16_t

from tute.engine.alone cimport (
    CABRERO,
    CABRON,
    LOSES_BY_RANK,
    LOSES_MIDDLE,
    MIDDLE_BOTH,
    Losing,
    State,
    number_of,
)
from tute.engine.packed cimport MAX_PLAYERS, lowest

cdef enum:
    NOBODY = MAX_PLAYERS       # as a player: no points
    GAPS = 16                  # differences of two of MAX_PLAYERS and nobody: 15, filled up
    ANY = 30000                # beyond every difference, by more than what a hand can shift it

cdef struct Box:
    int16_t low[GAPS]
    int16_t high[GAPS]

cdef inline int gap_of(int one, int other) noexcept nogil:
    """The place of the difference of two players, the first the lower number."""
    return one * (2 * MAX_PLAYERS + 1 - one) // 2 + other - one - 1

cdef inline void take_gaps(const int16_t* points, int16_t* gaps) noexcept nogil:
    """Every difference of these points."""
    cdef int one, other, gap = 0
    for one in range(MAX_PLAYERS):
        for other in range(one + 1, MAX_PLAYERS):
            gaps[gap] = points[one] - points[other]
            gap += 1
        gaps[gap] = points[one]
        gap += 1
    gaps[gap] = 0

cdef inline void open_box(Box* box) noexcept nogil:
    """Every history."""
    cdef int gap
    for gap in range(GAPS):
        box.low[gap] = -ANY
        box.high[gap] = ANY

cdef inline bint holds(const Box* box, const int16_t* gaps) noexcept nogil:
    """Whether a history lies in the box."""
    cdef int gap, outside = 0
    for gap in range(GAPS):
        outside |= (gaps[gap] < box.low[gap]) | (gaps[gap] > box.high[gap])
    return outside == 0

cdef inline void meet(Box* box, const Box* other) noexcept nogil:
    """Keep what lies in another box too."""
    cdef int gap
    for gap in range(GAPS):
        box.low[gap] = max(box.low[gap], other.low[gap])
        box.high[gap] = min(box.high[gap], other.high[gap])

cdef inline void before_gain(Box* box, int player, int points) noexcept nogil:
    """From the histories after a player made points to those before."""
    cdef int other, gap
    for other in range(player):
        gap = gap_of(other, player)
        box.low[gap] += points
        box.high[gap] += points
    for other in range(player + 1, MAX_PLAYERS + 1):
        gap = gap_of(player, other)
        box.low[gap] -= points
        box.high[gap] -= points

cdef inline void narrow(Box* box, int one, int other, int low, int high) noexcept nogil:
    """Keep the histories in which one player has so many points more than another."""
    cdef int gap
    if one > other:
        narrow(box, other, one, -high, -low)
        return
    gap = gap_of(one, other)
    box.low[gap] = max(box.low[gap], low)
    box.high[gap] = min(box.high[gap], high)

cdef inline int compare(Box* box, const int16_t* points, int one, int other) noexcept nogil:
    """The sign of one player's lead over another; the box keeps where it is the same."""
    if points[one] == points[other]:
        narrow(box, one, other, 0, 0)
        return 0
    if points[one] > points[other]:
        narrow(box, one, other, 1, ANY)
        return 1
    narrow(box, one, other, -ANY, -1)
    return -1

# ---------------------------------------------------------------------- where the losers are the same
#
# Each of these functions follows the rules (alone.pxd, losers.py) and narrows the box at every
# comparison that the result hangs on. All other histories in the box compare alike there, so the
# rules take the same course for them and name the same losers.

cdef inline void cabron_box(
    const Losing* rules, const int16_t* points, int takers, Box* box
) noexcept nogil:
    cdef int seat, low = 0, high = 0, between = 0
    cdef bint over = False
    if takers != (1 << rules.players) - 1:
        return
    for seat in range(rules.players):
        if points[seat] > rules.level:
            over = True
            narrow(box, seat, NOBODY, rules.level + 1, ANY)
        else:
            narrow(box, seat, NOBODY, -ANY, rules.level)
        if points[seat] > points[high]:
            high = seat
        if points[seat] < points[low]:
            low = seat
    if over:
        return
    for seat in range(rules.players):
        # Who is level with the highest or the lowest, and so who is in the middle.
        if seat != high:
            compare(box, points, high, seat)
        if seat != low:
            compare(box, points, seat, low)
        if points[low] < points[seat] < points[high]:
            between |= 1 << seat
    if rules.middle4 != MIDDLE_BOTH and number_of(between) == 2:
        compare(box, points, lowest(between), lowest(between & (between - 1)))

cdef inline bint ahead(
    const Losing* rules, const int16_t* points, int one, int other
) noexcept nogil:
    """Whether one player ranks above another in cabrero."""
    if rules.by_seat and points[one] == points[other]:
        return nearer(rules, one, other)
    return points[one] > points[other]

cdef inline bint nearer(const Losing* rules, int one, int other) noexcept nogil:
    """Whether one player sits nearer to the mano than another."""
    cdef int players = rules.players
    return (one - rules.first + players) % players < (other - rules.first + players) % players

cdef inline void rank_apart(
    const Losing* rules, const int16_t* points, int one, int other, Box* box
) noexcept nogil:
    """Narrow the box to where two players of cabrero rank as they do here."""
    if not rules.by_seat:
        compare(box, points, one, other)
    elif ahead(rules, points, one, other):
        # He may be level only if he sits nearer.
        narrow(box, one, other, 0 if nearer(rules, one, other) else 1, ANY)
    else:
        narrow(box, one, other, -ANY, -1 if nearer(rules, one, other) else 0)

cdef inline void cabrero_box(
    const Losing* rules, const int16_t* points, int takers, int lost, Box* box
) noexcept nogil:
    cdef int seat, number = number_of(takers), top = -1, low = -1, second = -1
    cdef int above = 0, loser
    cdef bint shared = False, third
    if number < 2:
        return
    loser = lowest(lost)
    for seat in range(rules.players):
        if (takers >> seat) & 1:
            if top < 0 or ahead(rules, points, seat, top):
                second = top
                top = seat
            elif second < 0 or ahead(rules, points, seat, second):
                second = seat
            if low < 0 or ahead(rules, points, low, seat):
                low = seat
    if rules.zero_all_lose and rules.by_seat:
        # Where equal totals share a rank the rule changes nothing: those without points are then
        # all of those below the top, at one level, so by whatever rank, they lose.
        if points[top] > 0 and points[second] > 0:
            # Two with points: whatever the others have, not all takers but one are without.
            narrow(box, top, NOBODY, 1, ANY)
            narrow(box, second, NOBODY, 1, ANY)
        else:
            for seat in range(rules.players):
                if (takers >> seat) & 1:
                    narrow(box, seat, NOBODY, min(1, points[seat]), ANY if points[seat] else 0)
            if points[top] > 0:
                return
    for seat in range(rules.players):
        if (takers >> seat) & 1 and ahead(rules, points, seat, loser):
            above += 1
    third = rules.loser_rule == LOSES_BY_RANK and rules.players > 3
    if above == 2 and third and (rules.by_seat or not rules.tied_lose):
        # He loses as the third, and no less where the two above are level or change places.
        for seat in range(rules.players):
            if (takers >> seat) & 1 and seat != loser:
                rank_apart(rules, points, seat, loser, box)
        return
    for seat in range(rules.players):
        # Who shares the top.
        if (takers >> seat) & 1 and seat != top:
            rank_apart(rules, points, top, seat, box)
            shared |= not rules.by_seat and points[seat] == points[top]
    if shared:
        if rules.tied_lose or lost & (1 << top):
            return
    elif rules.loser_rule == LOSES_MIDDLE and number > 2:
        # At the bottom or not, for everyone below the top: those who are not lose, or else
        # everyone there is level and they lose by rank.
        for seat in range(rules.players):
            if (takers >> seat) & 1 and seat != top and seat != low:
                rank_apart(rules, points, seat, low, box)
        return
    for seat in range(rules.players):
        # Above, level with, or below those who lose: how many are where makes them lose.
        if (takers >> seat) & 1 and seat != loser and seat != top:
            rank_apart(rules, points, seat, loser, box)

cdef inline void individual_box(
    const Losing* rules, const int16_t* points, int last, Box* box
) noexcept nogil:
    cdef int seat, top = 0
    for seat in range(rules.players):
        if points[seat] > points[top]:
            top = seat
    if rules.by_last and last >= 0 and points[last] == points[top]:
        # The winner of the last trick wins the hand with as many points as anybody.
        for seat in range(rules.players):
            if seat != last:
                narrow(box, last, seat, 0, ANY)
        return
    for seat in range(rules.players):
        if seat != top:
            compare(box, points, top, seat)

cdef inline void losers_box(const Losing* rules, const State* s, int lost, Box* box) noexcept nogil:
    """The box of histories with which the same players as here (as bits) lose a finished hand."""
    open_box(box)
    if s.shown >= 0:
        return
    if rules.kind == CABRON:
        cabron_box(rules, s.points, s.takers, box)
    elif rules.kind == CABRERO:
        cabrero_box(rules, s.points, s.takers, lost, box)
    else:
        individual_box(rules, s.points, s.leader, box)
