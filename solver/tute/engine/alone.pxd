"""A hand in which each plays for himself: its state, its moves, and who loses (cabrón, cabrero, tute
individual).

This is position.py and losers.py over packed hands: every step has its counterpart there. A search
goes from one state to the next by `call` (a declaration between tricks), `put_card` and
`finish_trick`; it copies the state to come back.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint64_t

from tute.engine.packed cimport (
    MAX_PLAYERS,
    Duties,
    Trick,
    add_card,
    close_gaps,
    lowest,
    playable,
    suit_mask,
    suit_of,
)
from tute.engine.stoppable cimport Stoppable

cdef enum:
    SUITS = 4
    TUTE = SUITS               # a call: the four kings or knights shown; 0 to 3: the pair of a suit

cdef enum Kind:
    CABRON = 0
    CABRERO = 1
    INDIVIDUAL = 2             # whoever does not win the hand counts as a loser

cdef enum Window:
    # What the player about to lead may still declare.
    CLOSED = 0                 # nothing: he leads, or the trick is under way
    OPENED = 1
    DECLARED = 2               # he has declared a pair since the last trick
    COMPULSORY = 3             # he may not lead before he has declared a pair

cdef enum Middle:
    MIDDLE_BOTH = 0
    MIDDLE_SECOND = 1
    MIDDLE_THIRD = 2

cdef enum LoserRule:
    LOSES_BY_RANK = 0
    LOSES_SECOND = 1
    LOSES_MIDDLE = 2

cdef struct Losing:
    # The switches that decide who loses.
    int kind
    int players
    int first                  # who led the first trick
    int middle4
    bint all_tied_none
    int loser_rule
    bint by_seat               # cabrero_tie
    bint tied_lose             # top_tie
    bint zero_all_lose         # zero_point_takers
    bint by_last               # tie_hand
    int level                  # cabrón: `score_limit`; cabrero: no points, 0

cdef struct Game:
    Duties duties
    Losing losing
    int players
    uint64_t pair[SUITS]       # the two cards of each suit's pair
    uint64_t fours[2]          # the four cards of each rank that makes a tute; 0 without
    bint declares              # pairs are declared from the hand
    bint catches               # pairs that fall in one trick are credited to its winner
    bint makes_trumps          # the first pair credited makes trumps
    bint by_completion         # double_pair: the pair completed first, not that of the suit led
    bint at_second_card
    bint several
    bint forty_first
    bint tute_exact
    bint sung_bars_tute
    bint caught_is_sung        # capote_forced_counts
    int last_trick             # points

cdef struct State:
    uint64_t hands[MAX_PLAYERS]
    uint64_t trumps            # 0 while there are none
    int16_t points[MAX_PLAYERS]
    int16_t rest               # card points still in hands or on the table
    int8_t leader              # who leads the trick; at the end, who took the last one, or -1
    int8_t cards               # in each hand, at the start of the trick
    int8_t shown               # who showed a tute, or -1; it ends the hand
    uint8_t takers             # players with a trick, as bits
    uint8_t sung               # players who have sung, for capote and tute
    uint8_t declared           # suits whose pair has been credited, as bits
    uint8_t parted             # AT_SECOND_CARD: suits of which one card left a hand that had both
    uint8_t window

cdef inline bint is_over(const State* s) noexcept nogil:
    return s.cards == 0 or s.shown >= 0

# ---------------------------------------------------------------------- declarations

cdef inline bint has_tute(const Game* g, const State* s, int seat) noexcept nogil:
    cdef uint64_t hand = s.hands[seat]
    cdef int rank
    if g.sung_bars_tute and (s.sung >> seat) & 1:
        return False
    if g.tute_exact and s.cards != SUITS:
        return False
    for rank in range(2):
        if g.fours[rank] and hand & g.fours[rank] == g.fours[rank]:
            return True
    return False

cdef inline int open_calls(const Game* g, const State* s) noexcept nogil:
    """The declarations open to the leader, as bits: a pair by its suit, the tute as `TUTE`."""
    cdef int suit, calls = 0, forty = 0
    cdef uint64_t hand = s.hands[s.leader]
    if s.window == CLOSED or not g.declares:
        return 0
    if not g.at_second_card and (s.window != DECLARED or g.several):
        for suit in range(SUITS):
            if hand & g.pair[suit] == g.pair[suit] and not (s.declared >> suit) & 1:
                calls |= 1 << suit
                if g.pair[suit] & s.trumps:
                    forty = 1 << suit
        if forty and g.forty_first:
            calls = forty
    if s.window != COMPULSORY and has_tute(g, s, s.leader):
        calls |= 1 << TUTE
    return calls

cdef inline void credit(const Game* g, State* s, int seat, int suit) noexcept nogil:
    """Give a pair's points; in cabrón the first pair of the hand makes trumps."""
    if s.trumps == 0 and g.makes_trumps:
        s.trumps = suit_mask(suit)
    s.points[seat] += 40 if s.trumps & suit_mask(suit) else 20
    s.declared |= 1 << suit

cdef inline void call(const Game* g, State* s, int what) noexcept nogil:
    """The leader declares a pair, by its suit, or shows a tute."""
    if what == TUTE:
        s.shown = s.leader
        s.window = CLOSED
        return
    credit(g, s, s.leader, what)
    s.sung |= 1 << s.leader
    s.window = DECLARED
    if open_calls(g, s) == 0:
        s.window = CLOSED

# ---------------------------------------------------------------------- tricks

cdef inline uint64_t playable_cards(const Game* g, const State* s, const Trick* t) noexcept nogil:
    """The cards that the player to move may play."""
    cdef uint64_t hand = s.hands[t.next_player]
    return hand if t.size == 0 else playable(&g.duties, hand, t, s.trumps, False)

cdef inline void put_card(const Game* g, State* s, Trick* t, uint64_t card) noexcept nogil:
    """The player to move plays a card; what was open before the lead is closed."""
    cdef int seat = t.next_player, suit = suit_of(card)
    s.window = CLOSED
    s.hands[seat] ^= card
    add_card(t, card, seat, g.players, &g.duties, s.trumps)
    if not g.at_second_card or g.pair[suit] & card == 0:
        return
    if s.hands[seat] & g.pair[suit]:
        s.parted |= 1 << suit
    elif (s.parted >> suit) & 1 and not (s.declared >> suit) & 1:
        if t.best_player == seat or (s.takers >> seat) & 1:
            credit(g, s, seat, suit)
            s.sung |= 1 << seat

cdef inline int caught_pairs(const Game* g, const Trick* t, int* suits) noexcept nogil:
    """The suits whose pair lies in a complete trick, in the order in which they are credited."""
    cdef uint64_t seen = 0
    cdef int place, suit, number = 0
    for place in range(t.size):
        suit = suit_of(t.cards[place])
        seen |= t.cards[place]
        if t.cards[place] & g.pair[suit] and seen & g.pair[suit] == g.pair[suit]:
            suits[number] = suit
            number += 1
    if number == 2 and not g.by_completion and suits[1] == t.led:
        suits[0], suits[1] = suits[1], suits[0]
    return number

cdef inline void finish_trick(const Game* g, State* s, const Trick* t) noexcept nogil:
    """The trick is complete: its points, pairs caught in it, and the time before the next lead."""
    cdef int suits[2]
    cdef int winner = t.best_player, place
    s.leader = winner
    s.cards -= 1
    s.rest -= t.points
    s.points[winner] += t.points + (g.last_trick if s.cards == 0 else 0)
    s.takers |= 1 << winner
    if g.catches:
        for place in range(caught_pairs(g, t, suits)):
            if not (s.declared >> suits[place]) & 1:
                credit(g, s, winner, suits[place])
                if g.caught_is_sung:
                    s.sung |= 1 << winner
    s.window = OPENED
    if s.cards == 0 or open_calls(g, s) == 0:
        s.window = CLOSED
    close_gaps(s.hands, g.players, t, g.duties.worthless)

# ---------------------------------------------------------------------- who loses

cdef inline int scorers(
    const int16_t* points, int seats, int at_least, int at_most
) noexcept nogil:
    """Which of these seats (as bits) have so many points, as bits."""
    cdef int seat, found = 0
    for seat in range(MAX_PLAYERS):
        if (seats >> seat) & 1 and at_least <= points[seat] <= at_most:
            found |= 1 << seat
    return found

cdef inline int number_of(int seats) noexcept nogil:
    cdef int number = 0
    while seats:
        seats &= seats - 1
        number += 1
    return number

cdef inline void extremes(
    const int16_t* points, int seats, int* low, int* high
) noexcept nogil:
    """The lowest and the highest points among these seats (as bits, at least one)."""
    cdef int seat
    low[0] = 32767
    high[0] = -32768
    for seat in range(MAX_PLAYERS):
        if (seats >> seat) & 1:
            low[0] = min(low[0], <int> points[seat])
            high[0] = max(high[0], <int> points[seat])

cdef inline int cabron_losers(
    const Losing* rules, const int16_t* points, int takers
) noexcept nogil:
    cdef int everybody = (1 << rules.players) - 1
    cdef int low, high, least, most, middle, over, seat, same, tied = 0
    if takers != everybody:
        return everybody & ~takers
    over = scorers(points, everybody, rules.level + 1, 32767)
    if over:
        return over
    extremes(points, everybody, &low, &high)
    middle = scorers(points, everybody, low + 1, high - 1)
    if number_of(middle) == 2 and rules.middle4 != MIDDLE_BOTH:
        extremes(points, middle, &least, &most)
        if rules.middle4 == MIDDLE_SECOND:
            least = most
        return scorers(points, middle, least, least)
    if middle:
        return middle
    if high == low and rules.all_tied_none:
        return 0
    for seat in range(rules.players):
        same = scorers(points, everybody, points[seat], points[seat])
        if same & (same - 1):
            tied |= same
    return tied

cdef inline int cabrero_losers(
    const Losing* rules, const int16_t* points, int takers, int sung, int shown
) noexcept nogil:
    cdef int everybody = (1 << rules.players) - 1
    cdef int16_t rank[MAX_PLAYERS]
    cdef int number = number_of(takers)
    cdef int pointless, seat, low, high, at_top, others, between, losing, left
    if shown >= 0:
        return everybody & ~(1 << shown)
    if number == 0:
        return 0
    if number == 1:
        return takers if takers & ~sung == 0 else everybody & ~takers
    if rules.zero_all_lose:
        pointless = scorers(points, takers, rules.level, rules.level)
        if number_of(pointless) == number - 1:
            return pointless
    for seat in range(rules.players):
        rank[seat] = points[seat]
        if rules.by_seat:
            # Equal points are ranked by nearness to the mano.
            rank[seat] = <int16_t> (
                points[seat] * MAX_PLAYERS
                - (seat - rules.first + rules.players) % rules.players
            )
    extremes(rank, takers, &low, &high)
    at_top = scorers(rank, takers, high, high)
    if at_top & (at_top - 1):
        others = takers & ~at_top
        if others == 0 or rules.tied_lose:
            return at_top
        extremes(rank, others, &low, &high)
        return scorers(rank, others, high, high)
    if rules.loser_rule == LOSES_MIDDLE:
        between = scorers(rank, takers, low + 1, high - 1)
        if between:
            return between
    losing = 1
    if rules.loser_rule != LOSES_SECOND and rules.players > 3 and number > 2:
        losing = 2
    # Take away the highest, one player of equal rank at a time, until the losing place is reached.
    left = takers
    while losing:
        extremes(rank, left, &low, &high)
        at_top = scorers(rank, left, high, high)
        left &= ~(at_top & -at_top)
        losing -= 1
    extremes(rank, left, &low, &high)
    return scorers(rank, takers, high, high)

cdef inline int not_winning(
    const Losing* rules, const int16_t* points, int shown, int last
) noexcept nogil:
    """Tute individual: everybody but the one who wins the hand, if one does (objectives.py)."""
    cdef int everybody = (1 << rules.players) - 1
    cdef int low, high, best
    if shown >= 0:
        return everybody & ~(1 << shown)
    extremes(points, everybody, &low, &high)
    best = scorers(points, everybody, high, high)
    if best & (best - 1):
        best = best & (1 << last) if rules.by_last and last >= 0 else 0
    return everybody & ~best

cdef inline int losers_by(
    const Losing* rules, const int16_t* points, int takers, int sung, int shown, int last
) noexcept nogil:
    """Who loses, as bits; in tute individual who does not win.

    `takers` have a trick and `sung` have sung, as bits; `shown` and `last` showed a tute and took
    the last trick, or are -1.
    """
    if rules.kind == CABRON:
        return cabron_losers(rules, points, takers)
    if rules.kind == CABRERO:
        return cabrero_losers(rules, points, takers, sung, shown)
    return not_winning(rules, points, shown, last)

cdef inline int losers(const Game* g, const State* s) noexcept nogil:
    """Who loses a hand that is over, as bits; in tute individual who does not win."""
    return losers_by(&g.losing, s.points, s.takers, s.sung, s.shown, s.leader)

# ---------------------------------------------------------------------- from Python

cdef class Hand(Stoppable):
    """A packed hand to which a search is bound; see alone.pyi."""

    cdef Game game
    cdef State state
    cdef Trick trick
