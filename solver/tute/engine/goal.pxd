"""What a seat aims at, and the least that the totals must say for it to be reached or missed.

Who loses depends on how the totals compare, with each other and (`score_limit`, no points) with a
number; on nothing else about them. So a goal looks at the sign of each difference of two totals,
the number counting as one of them. For a given set of signs that can still come about it says
whether the goal is reached in every case, missed in every case, or open; and where it is decided,
which signs may be forgotten without opening it again. Those left are what a proof hangs on.
"""

from libc.stdint cimport int16_t, uint8_t, uint64_t
from libc.string cimport memset

from tute.engine.alone cimport CABRERO, CABRON, Losing, losers_by
from tute.engine.packed cimport MAX_PLAYERS

cdef extern from "bits.h" nogil:
    uint64_t mix "tute_mix" (uint64_t key, uint64_t part)

cdef enum Aim:
    SAFE = 0                   # not to lose
    HIGH = 1                   # not to lose, with more points than everyone else
    LOW = 2                    # not to lose, with fewer; in cabrero, or without a trick
    MORE = 3                   # more points than the level
    NOT_MORE = 4

cdef enum:
    MAX_TOTALS = 6             # the players', and a number
    MAX_PAIRS = 15             # of totals
    ROOMS = 32                 # pairs in both orders, filled up
    ORDERINGS = 4683           # weak orders of six totals
    LESS = 1                   # signs, as bits: three for each pair
    EQUAL = 2
    GREATER = 4
    ANY = 7
    OPEN = 2                   # neither reached (1) nor missed (0)
    MEMO = 16384
    ENDLESS = 20000            # room beyond every difference of totals
    UNKNOWN = -2               # who takes the last trick

cdef struct Verdict:
    uint64_t signature
    int16_t held[ROOMS]        # -1 where the difference may not grow at will, else 0
    int16_t extra[ROOMS]       # its room beyond a draw: 0, -1 where a draw is too much, or ENDLESS
    uint8_t reached            # 0, 1 or OPEN
    uint8_t known

cdef struct Goal:
    int aim
    int seat
    Losing losing
    int level
    int totals                 # players, and the level last if it counts
    int who[MAX_TOTALS]        # a player, or -1 for the level
    int pairs
    int one[MAX_PAIRS]
    int other[MAX_PAIRS]
    int drop_order[MAX_PAIRS]
    int width                  # rooms in use, a multiple of eight
    bint by_takers             # who has a trick matters
    bint by_last               # who takes the last one matters
    int orderings
    uint64_t signs[ORDERINGS]
    uint8_t ranks[ORDERINGS][MAX_TOTALS]
    uint8_t reached[ORDERINGS]  # scratch
    Verdict memo[MEMO]

cdef inline void list_orderings(Goal* q) noexcept nogil:
    """Every weak order of the totals, as ranks from 0 without gaps, and its signs."""
    cdef uint8_t ranks[MAX_TOTALS]
    cdef int place, pair, top, seen
    cdef uint64_t signs
    # In cabrero the level is no points, and nobody has fewer.
    cdef bint floor = q.totals > q.losing.players and q.losing.kind == CABRERO
    memset(ranks, 0, sizeof(ranks))
    q.orderings = 0
    while True:
        seen = top = 0
        for place in range(q.totals):
            seen |= 1 << ranks[place]
            top = max(top, <int> ranks[place])
        if seen == (1 << (top + 1)) - 1 and not (floor and ranks[q.totals - 1]):
            signs = 0
            for pair in range(q.pairs):
                if ranks[q.one[pair]] < ranks[q.other[pair]]:
                    signs |= <uint64_t> LESS << 3 * pair
                elif ranks[q.one[pair]] == ranks[q.other[pair]]:
                    signs |= <uint64_t> EQUAL << 3 * pair
                else:
                    signs |= <uint64_t> GREATER << 3 * pair
            q.signs[q.orderings] = signs
            for place in range(q.totals):
                q.ranks[q.orderings][place] = ranks[place]
            q.orderings += 1
        place = 0
        while place < q.totals and ranks[place] == q.totals - 1:
            ranks[place] = 0
            place += 1
        if place == q.totals:
            return
        ranks[place] += 1

cdef inline void set_goal(Goal* q, const Losing* losing, int seat, int aim, int level) noexcept nogil:
    """Prepare a goal; `level` counts for MORE and NOT_MORE only.

    Of the games in which one does not want to lose, cabrón compares with `score_limit`, and cabrero
    asks under `zero_all_lose` whether all takers but one have no points. With equal totals sharing
    a rank that rule changes nothing: the takers without points are then all those below the
    highest, at one level, so whichever rank loses, they do. So the level counts only by seat.
    """
    cdef int one, other, kind, place
    memset(q, 0, sizeof(Goal))
    q.aim = aim
    q.seat = seat
    q.losing = losing[0]
    q.level = losing.level
    if aim == MORE or aim == NOT_MORE:
        q.level = level
        q.who[0] = seat
        q.who[1] = -1
        q.totals = 2
    else:
        for one in range(losing.players):
            q.who[one] = one
        q.totals = losing.players
        if losing.kind == CABRERO and not losing.by_seat:
            q.losing.zero_all_lose = False
        if losing.kind == CABRON or (losing.kind == CABRERO and q.losing.zero_all_lose):
            q.who[q.totals] = -1
            q.totals += 1
        q.by_takers = losing.kind == CABRON or losing.kind == CABRERO
        q.by_last = losing.by_last and not q.by_takers
    for one in range(q.totals):
        for other in range(one + 1, q.totals):
            q.one[q.pairs] = one
            q.other[q.pairs] = other
            q.pairs += 1
    # Which signs to try to forget first: those between others, those with the level, the seat's own.
    place = 0
    for kind in range(3):
        for one in range(q.pairs):
            other = 0
            if q.who[q.one[one]] == seat or q.who[q.other[one]] == seat:
                other = 2
            elif q.who[q.other[one]] < 0:
                other = 1
            if other == kind:
                q.drop_order[place] = one
                place += 1
    q.width = (2 * q.pairs + 7) & ~7
    list_orderings(q)

cdef inline bint reaches(
    const Goal* q, const uint8_t* ranks, int takers, int sung, int shown, int last
) noexcept nogil:
    """Whether a hand that ends with totals in this order reaches the goal."""
    cdef Losing losing = q.losing
    cdef int16_t points[MAX_PLAYERS]
    cdef int place
    if q.aim == MORE:
        return ranks[0] > ranks[1]
    if q.aim == NOT_MORE:
        return ranks[0] <= ranks[1]
    for place in range(losing.players):
        points[place] = ranks[place]
    losing.level = ranks[losing.players] if q.totals > losing.players else -1
    if (losers_by(&losing, points, takers, sung, shown, last) >> q.seat) & 1:
        return False
    if q.aim == LOW and losing.kind == CABRERO and not (takers >> q.seat) & 1:
        return True
    if q.aim != SAFE:
        for place in range(losing.players):
            if place == q.seat:
                continue
            if q.aim == HIGH and points[place] >= points[q.seat]:
                return False
            if q.aim == LOW and points[place] <= points[q.seat]:
                return False
    return True

cdef inline int reaches_always(
    const Goal* q, const uint8_t* ranks, int takers, int more, int sung, int shown, int last
) noexcept nogil:
    """The same for up to `more` further takers, whoever they are: 0, 1 or OPEN."""
    cdef int everybody = (1 << q.losing.players) - 1
    cdef int extra, left, number, reached, found = -1, who
    for extra in range(everybody + 1):
        if extra & takers or (extra and not more):
            continue
        number = 0
        left = extra
        while left:
            left &= left - 1
            number += 1
        if number > more:
            continue
        for who in range(q.losing.players):
            if last != UNKNOWN and who:
                break
            reached = reaches(
                q, ranks, takers | extra, sung, shown, who if last == UNKNOWN else last
            )
            if found < 0:
                found = reached
            elif found != reached:
                return OPEN
    return found

cdef inline int outcome_within(const Goal* q, uint64_t allowed) noexcept nogil:
    """Whether every order with these signs allowed reaches the goal: 0, 1 or OPEN."""
    cdef int ordering, found = -1
    for ordering in range(q.orderings):
        if q.signs[ordering] & ~allowed == 0:
            if found < 0:
                found = q.reached[ordering]
            if q.reached[ordering] != found or found == OPEN:
                return OPEN
    return found

cdef inline uint64_t forget(const Goal* q, uint64_t allowed, int reached) noexcept nogil:
    """Allow more signs, as many as leave the outcome what it is."""
    cdef int place, shift, step
    cdef uint64_t signs, wider
    for place in range(q.pairs):
        shift = 3 * q.drop_order[place]
        for step in range(3):
            signs = (allowed >> shift) & ANY
            if signs == ANY:
                break
            # All signs, else a draw beside what is allowed, else what lies beyond the draw.
            wider = ANY
            if step == 1:
                wider = signs | EQUAL if signs != EQUAL else LESS | EQUAL
            elif step == 2:
                wider = GREATER | EQUAL if signs == EQUAL else ANY
            wider = (allowed & ~(<uint64_t> ANY << shift)) | (wider << shift)
            if outcome_within(q, wider) == reached:
                allowed = wider
    return allowed

cdef inline Verdict* judge(
    Goal* q, uint64_t allowed, int takers, int more, int sung, int shown, int last
) noexcept nogil:
    """The verdict where these signs are possible at the end of the hand.

    `takers` have a trick, and up to `more` others still may; `sung` counts only for a single taker,
    `shown` showed a tute (or -1) and `last` took the last trick (or is UNKNOWN).
    """
    cdef uint64_t signature = allowed | <uint64_t> (
        takers | (more << 5) | (sung << 8) | ((shown + 1) << 9) | ((last + 2) << 12)
    ) << 45
    cdef Verdict* found = &q.memo[mix(0, signature) >> 40 & (MEMO - 1)]
    cdef int ordering, pair, side
    cdef uint64_t signs
    if found.known and found.signature == signature:
        return found
    found.known = True
    found.signature = signature
    for ordering in range(q.orderings):
        q.reached[ordering] = <uint8_t> reaches_always(
            q, q.ranks[ordering], takers, more, takers if sung else 0, shown, last
        )
    found.reached = <uint8_t> outcome_within(q, allowed)
    if found.reached == OPEN:
        return found
    allowed = forget(q, allowed, found.reached)
    for pair in range(ROOMS):
        found.held[pair] = 0
        found.extra[pair] = ENDLESS
    for pair in range(q.pairs):
        signs = (allowed >> 3 * pair) & ANY
        for side in range(2):
            # The difference of the pair, then that of the pair turned round, may grow so far.
            if signs & (LESS if side else GREATER):
                continue
            found.held[2 * pair + side] = -1
            found.extra[2 * pair + side] = 0 if signs & EQUAL else -1
    return found
