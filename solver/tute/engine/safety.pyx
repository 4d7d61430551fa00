# cython: language_level=3
"""Can a seat be sure of a goal against all the others together? (cabrón, cabrero, tute individual)

A yes or no for one seat: at its own turns one move that reaches the goal is enough, at the others'
all must. The search is depth-first; its table holds proofs (proofs.pxd), each with the box of point
histories for which it holds.

Where a box comes from. A finished hand gives the signs of the differences of totals on which the
outcome hangs (goal.pxd), and so how much *room* each difference has: by how much the first total
might be further ahead of the second without changing any of those signs. The points made on the way
from a position to the end are the same for every history, so the room at the end is the room at the
start of the line. A position decided by one move has the room of that move: the proof is its proof.
One where every move has to fail has, for each difference, the least room of all of them: for every
history within it each of those proofs holds. The room never leaves out the history at hand.
"""

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tute.engine.alone cimport (
    CABRERO,
    COMPULSORY,
    SUITS,
    TUTE,
    Game,
    Hand,
    State,
    call,
    finish_trick,
    is_over,
    number_of,
    open_calls,
    playable_cards,
    put_card,
)
from tute.engine.goal cimport (
    ENDLESS,
    EQUAL,
    GREATER,
    LESS,
    MAX_TOTALS,
    MORE,
    OPEN,
    ROOMS,
    UNKNOWN,
    Goal,
    Verdict,
    judge,
    set_goal,
)
from tute.engine.packed cimport (
    Trick,
    add_card,
    begin_trick,
    highest,
    lowest,
    lowest_bit,
    mix,
    mixed,
    without_twins,
)
from tute.engine.proofs cimport (
    NO_MOVE,
    Proof,
    Proofs,
    proofs_clear,
    proofs_close,
    proofs_find,
    proofs_open,
    proofs_store,
)
from tute.engine.stoppable cimport POLL, interrupted

cdef enum:
    CONTEXTS = 20              # of the history: whose turn, the suit led or none, who is winning
    MOST_MOVES = 64
    FIRST = 10000              # a score above all others

cdef struct Room:
    # By how much each difference of totals may grow without touching the proof.
    int16_t pairs[ROOMS]

cdef struct Tried:
    uint32_t times
    uint32_t decided

cdef struct Search:
    Game game
    Goal goal
    Proofs table
    uint64_t nodes
    bint stopped
    bint watch_signals
    Tried history[CONTEXTS][64]
    # For tests, independent ways to the same answer:
    bint without_table
    bint without_early
    uint64_t order_seed        # if not 0, moves are tried in a random order
    void* owner


cdef bint poll(Search* c) noexcept nogil:
    """Whether to stop."""
    c.stopped = interrupted(c.owner, c.nodes, c.watch_signals)
    return c.stopped


# ---------------------------------------------------------------------- totals and room


cdef inline void compare(const Goal* q, const State* s, int16_t* ahead) noexcept nogil:
    """How far each total is ahead of each other."""
    cdef int totals[MAX_TOTALS]
    cdef int place, pair
    for place in range(q.totals):
        totals[place] = s.points[q.who[place]] if q.who[place] >= 0 else q.level
    for pair in range(q.pairs):
        ahead[2 * pair] = <int16_t> (totals[q.one[pair]] - totals[q.other[pair]])
        ahead[2 * pair + 1] = -ahead[2 * pair]
    for pair in range(2 * q.pairs, ROOMS):
        ahead[pair] = 0


cdef inline void narrow(Room* room, const Room* other) noexcept nogil:
    """Keep the histories that both leave room for."""
    cdef int pair
    for pair in range(ROOMS):
        if other.pairs[pair] < room.pairs[pair]:
            room.pairs[pair] = other.pairs[pair]


cdef inline void room_of(
    const Verdict* verdict, const int16_t* ahead, const int16_t* gain, Room* room
) noexcept nogil:
    """What a verdict leaves, if the first of a pair may still gain so much on the second."""
    cdef int pair
    for pair in range(ROOMS):
        room.pairs[pair] = ((-ahead[pair] - gain[pair]) & verdict.held[pair]) + verdict.extra[pair]


cdef int finished(Search* c, const State* s, Room* room) noexcept nogil:
    """The hand is over: whether the goal is reached."""
    cdef Goal* q = &c.goal
    cdef int16_t ahead[ROOMS]
    cdef int16_t gain[ROOMS]
    cdef uint64_t allowed = 0
    cdef int pair, takers = s.takers if q.by_takers else 0
    cdef Verdict* verdict
    compare(q, s, ahead)
    memset(gain, 0, sizeof(gain))
    for pair in range(q.pairs):
        if ahead[2 * pair] < 0:
            allowed |= <uint64_t> LESS << 3 * pair
        elif ahead[2 * pair] == 0:
            allowed |= <uint64_t> EQUAL << 3 * pair
        else:
            allowed |= <uint64_t> GREATER << 3 * pair
    verdict = judge(
        q,
        allowed,
        takers,
        0,
        takers & (takers - 1) == 0 and takers & s.sung != 0,
        s.shown,
        s.leader if q.by_last else -1,
    )
    room_of(verdict, ahead, gain, room)
    return verdict.reached


cdef inline bint tute_possible(const Game* g, const State* s) noexcept nogil:
    """Whether somebody may still show a tute."""
    cdef int seat, rank
    for rank in range(2):
        if g.fours[rank]:
            for seat in range(g.players):
                if s.hands[seat] & g.fours[rank] == g.fours[rank]:
                    return True
    return False


cdef inline int left_to_win(const Game* g, const State* s) noexcept nogil:
    """All that can still be made from here, by anybody.

    A pair in one hand can only be declared, since one player plays one card to a trick; one in two
    hands can only be caught.
    """
    cdef int suit, seat, most = s.rest + g.last_trick
    cdef uint64_t in_play = 0
    cdef bint whole, possible, forty = False
    for seat in range(g.players):
        in_play |= s.hands[seat]
    for suit in range(SUITS):
        if (s.declared >> suit) & 1:
            continue
        possible = (s.parted >> suit) & 1
        if in_play & g.pair[suit] == g.pair[suit]:
            whole = False
            for seat in range(g.players):
                whole |= s.hands[seat] & g.pair[suit] == g.pair[suit]
            possible = g.declares if whole else g.catches
        if possible:
            most += 20
            forty |= s.trumps & g.pair[suit] != 0 or (g.makes_trumps and s.trumps == 0)
    return most + (20 if forty else 0)


cdef int decided_early(Search* c, const State* s, const int16_t* ahead, Room* room) noexcept nogil:
    """Whether what is left to win cannot change the outcome: 0 or 1, or OPEN.

    Proof. Each total grows by 0 to `left_to_win`, the level by nothing, and no more players win
    a trick than there are tricks. So a difference of two totals grows by no more than that in
    either direction; `judge` is asked with every sign that this allows, for every set of further
    takers, and says OPEN unless the outcome is always the same. A tute would end the hand with
    other totals, and a lone taker may yet sing; there nothing is decided early.
    """
    cdef Goal* q = &c.goal
    cdef Game* g = &c.game
    cdef int left, pair, side, takers = 0, more = 0
    cdef int16_t gain[ROOMS]
    cdef uint64_t allowed = 0, signs
    cdef Verdict* verdict
    if tute_possible(g, s):
        return OPEN
    if q.by_takers:
        takers = s.takers
        more = min(<int> s.cards, g.players - number_of(takers))
        if takers & (takers - 1) == 0 and q.losing.kind == CABRERO:
            return OPEN
    left = left_to_win(g, s)
    memset(gain, 0, sizeof(gain))
    for pair in range(q.pairs):
        # The first of the pair is a player always.
        gain[2 * pair] = <int16_t> left
        gain[2 * pair + 1] = <int16_t> (left if q.who[q.other[pair]] >= 0 else 0)
        signs = 0
        if ahead[2 * pair] + gain[2 * pair] > 0:
            signs |= GREATER
        if ahead[2 * pair + 1] + gain[2 * pair + 1] > 0:
            signs |= LESS
        if ahead[2 * pair] + gain[2 * pair] >= 0 and ahead[2 * pair + 1] + gain[2 * pair + 1] >= 0:
            signs |= EQUAL
        allowed |= signs << 3 * pair
    verdict = judge(q, allowed, takers, more, 0, -1, UNKNOWN if q.by_last else -1)
    if verdict.reached != OPEN:
        room_of(verdict, ahead, gain, room)
    return verdict.reached


# ---------------------------------------------------------------------- the table's key


cdef inline uint64_t hash_of(const Search* c, const State* s) noexcept nogil:
    """The table's key: all that matters but points.

    A pair credited matters while both its cards are in play, since it can be neither declared
    nor caught again; who has sung, for a capote while there is no second taker, and for a tute
    as long as he holds the four.
    """
    cdef const Game* g = &c.game
    cdef int seat, suit
    cdef int declared = 0, parted = 0, sung = 0, takers = s.takers
    cdef uint64_t key, in_play = 0
    for seat in range(g.players):
        in_play |= s.hands[seat]
    for suit in range(SUITS):
        if (s.declared >> suit) & 1 and in_play & g.pair[suit] == g.pair[suit]:
            declared |= 1 << suit
        if (s.parted >> suit) & 1 and in_play & g.pair[suit] and not (s.declared >> suit) & 1:
            parted |= 1 << suit
    if c.goal.by_takers and c.goal.losing.kind == CABRERO and takers & (takers - 1) == 0:
        sung = s.sung
    if g.sung_bars_tute and g.fours[0]:
        for seat in range(g.players):
            if (
                s.hands[seat] & g.fours[0] == g.fours[0]
                or s.hands[seat] & g.fours[1] == g.fours[1]
            ):
                sung |= s.sung & (1 << seat)
    if not c.goal.by_takers and not g.at_second_card:
        takers = 0
    key = mix(
        s.trumps,
        <uint64_t> (
            s.leader
            | (takers << 3)
            | (sung << 8)
            | (declared << 13)
            | (parted << 17)
            | (s.window << 21)
        ),
    )
    for seat in range(g.players):
        key = mix(key, s.hands[seat])
    return mixed(key)


# ---------------------------------------------------------------------- the search


cdef int endings(const Search* c, const State* s, const Trick* t) noexcept nogil:
    """In how many ways the trick may end."""
    cdef uint64_t card
    cdef uint64_t moves = without_twins(playable_cards(&c.game, s, t), c.game.duties.worthless)
    cdef Trick after
    cdef int number = 0
    while moves:
        card = lowest_bit(moves)
        moves ^= card
        if t.size == c.game.players - 1:
            number += 1
            continue
        after = t[0]
        add_card(&after, card, t.next_player, c.game.players, &c.game.duties, s.trumps)
        number += endings(c, s, &after)
    return number


cdef inline int log2_64ths(uint64_t n) noexcept nogil:
    """The binary logarithm of n >= 1, in 64ths, between powers of two by the chord."""
    cdef int whole = highest(n)
    return 64 * whole + <int> (((n << 6) >> whole) & 63)


cdef int promise(
    const Search* c, const State* s, const Trick* t, uint64_t card, const Tried* tried
) noexcept nogil:
    """How good it is to try a card now rather than later: how often it has decided in the same
    context (relative history), against the size of what would have to be searched."""
    cdef int score = log2_64ths(tried.decided + 1) - log2_64ths(tried.times + 2)
    cdef Trick after
    if t.size == c.game.players - 1:
        return score
    after = t[0]
    add_card(&after, card, t.next_player, c.game.players, &c.game.duties, s.trumps)
    return score - log2_64ths(endings(c, s, &after)) * (1 if t.size else 2)


cdef inline int context_of(const Search* c, const Trick* t, int player) noexcept nogil:
    cdef int mine = player == c.goal.seat
    if t.size == 0:
        return 10 * mine
    return 10 * mine + 2 + 2 * t.led + (t.best_player == c.goal.seat)


cdef int decide(
    Search* c,
    const State* s,
    const Trick* t,
    uint64_t moves,
    int first,
    Room* room,
    int* best_move,
) noexcept nogil:
    """Whether the goal is reached, over these cards; `first`, if any, is tried before the others."""
    cdef int player = t.next_player
    cdef int wanted = player == c.goal.seat
    cdef Tried* history = c.history[context_of(c, t, player)]
    cdef int scores[MOST_MOVES]
    cdef uint8_t places[MOST_MOVES]
    cdef int listed = 0, place, other, pick, value, number
    cdef uint64_t card
    cdef Room after
    while moves:
        card = lowest_bit(moves)
        moves ^= card
        place = lowest(card)
        if c.order_seed:
            scores[listed] = mixed(mix(mix(c.order_seed, c.nodes), <uint64_t> place)) & 0xFFFF
        elif place == first:
            scores[listed] = FIRST
        else:
            scores[listed] = promise(c, s, t, card, &history[place])
        places[listed] = <uint8_t> place
        listed += 1
    for number in range(listed):
        pick = number
        for other in range(number + 1, listed):
            if scores[other] > scores[pick]:
                pick = other
        place = places[pick]
        places[pick], scores[pick] = places[number], scores[number]
        value = play(c, s, t, <uint64_t> 1 << place, &after)
        if c.stopped:
            return 0
        if listed > 1:
            history[place].times += 1
        if value == wanted:
            if listed > 1:
                history[place].decided += 1
            room[0] = after
            if best_move != NULL:
                best_move[0] = place
            return value
        if number == 0:
            room[0] = after
        else:
            narrow(room, &after)
    return 1 - wanted


cdef inline int play(
    Search* c, const State* s, const Trick* t, uint64_t card, Room* room
) noexcept nogil:
    """Whether the goal is reached after a card."""
    cdef State after = s[0]
    cdef Trick next_trick = t[0]
    cdef Game* g = &c.game
    put_card(g, &after, &next_trick, card)
    if next_trick.size < g.players:
        return follow(c, &after, &next_trick, room)
    finish_trick(g, &after, &next_trick)
    return search(c, &after, room)


cdef int follow(Search* c, const State* s, const Trick* t, Room* room) noexcept nogil:
    """The rest of a trick with at least one card on the table."""
    cdef uint64_t moves = without_twins(playable_cards(&c.game, s, t), c.game.duties.worthless)
    if moves & (moves - 1) == 0:
        return play(c, s, t, moves, room)
    return decide(c, s, t, moves, NO_MOVE, room, NULL)


cdef int search(Search* c, const State* s, Room* room) noexcept nogil:
    """Whether the goal is reached from between two tricks (or at the end of the hand)."""
    cdef Game* g = &c.game
    cdef int16_t ahead[ROOMS]
    cdef int reached, move = NO_MOVE, calls, what, pair, value, wanted
    cdef uint64_t key = 0, moves
    cdef Proof* proof
    cdef Proof* hint
    cdef Trick t
    cdef State after
    cdef Room other
    cdef bint some = False
    c.nodes += 1
    if c.nodes & (POLL - 1) == 0 and poll(c):
        return 0
    if is_over(s):
        return finished(c, s, room)
    compare(&c.goal, s, ahead)
    if not c.without_early:
        reached = decided_early(c, s, ahead, room)
        if reached != OPEN:
            return reached
    if s.cards > 1 and not c.without_table:
        key = hash_of(c, s)
        proof = proofs_find(&c.table, key, ahead, &hint)
        if proof != NULL:
            for pair in range(ROOMS):
                room.pairs[pair] = ENDLESS
            for pair in range(c.goal.width):
                if proof.most[pair] - ahead[pair] < ENDLESS // 2:
                    room.pairs[pair] = proof.most[pair] - ahead[pair]
            return proof.reached
        if hint != NULL:
            move = hint.move
    begin_trick(&t, s.leader)
    wanted = s.leader == c.goal.seat
    reached = 1 - wanted
    calls = open_calls(g, s)
    for what in range(TUTE, -1, -1):
        if not (calls >> what) & 1:
            continue
        after = s[0]
        call(g, &after, what)
        value = search(c, &after, &other)
        if c.stopped:
            return 0
        if some and value != wanted:
            narrow(room, &other)
        else:
            room[0] = other
        some = True
        if value == wanted:
            reached = wanted
            break
    if reached != wanted and s.window != COMPULSORY:
        moves = without_twins(s.hands[s.leader], g.duties.worthless)
        value = decide(c, s, &t, moves, move, &other, &move)
        if c.stopped:
            return 0
        if some and value != wanted:
            narrow(room, &other)
        else:
            room[0] = other
        reached = value
    if s.cards > 1 and not c.without_table:
        proofs_store(&c.table, key, s.cards, reached, move, ahead, room.pairs)
    return reached


cdef class Solver(Hand):
    """One search with its table. Not to be used by two threads at once; `stop` may be called from any.

    Args:
        memory: MiB that the table may use, at least 1.
    """

    cdef Search c

    def __cinit__(self, int memory):
        memset(&self.c, 0, sizeof(Search))
        self.c.owner = <void*> self
        if not proofs_open(&self.c.table, <uint64_t> memory << 20):
            raise MemoryError("no memory for the table")

    def __dealloc__(self):
        proofs_close(&self.c.table)

    @property
    def nodes(self):
        """Trick starts searched since the solver was made."""
        return self.c.nodes

    def set_test_mode(self, *, bint table=True, bint early=True, uint64_t order_seed=0):
        """Search without the table or early ends, or in a random order: slower, same answers."""
        self.c.without_table = not table
        self.c.without_early = not early
        self.c.order_seed = order_seed

    def set_goal(self, int seat, int aim):
        """Ask about a seat (from 0) of the loaded game and an aim of goal.pxd; empties the table."""
        self.c.game = self.game
        set_goal(&self.c.goal, &self.game.losing, seat, aim, 0)
        proofs_clear(&self.c.table, self.c.goal.width)
        memset(self.c.history, 0, sizeof(self.c.history))

    def test(self):
        """Whether the seat can be sure of the goal in the loaded position; None if stopped."""
        cdef Room room
        cdef int reached = self.run(&room)
        return None if self.c.stopped else bool(reached)

    def test_points(self, int level):
        """Whether the seat's sure points are more than a level; the aim is MORE or NOT_MORE.

        They are the most that it can be sure to have, or the fewest. The room that the proof leaves
        tells for which other levels it holds.

        Returns:
            A proven lower bound of the points if they are more than `level`, else a proven upper
            bound, which is `level` or less; None if the search was stopped.
        """
        cdef Room room
        cdef int reached
        self.c.goal.level = level
        reached = self.run(&room)
        if self.c.stopped:
            return None
        if reached == (self.c.goal.aim == MORE):
            return level + room.pairs[1] + 1
        return level - room.pairs[0]

    cdef int run(self, Room* room) except? -1:
        """Search the loaded position."""
        cdef int reached = 0
        self.c.stopped = not self.ready(&self.c.watch_signals)
        if self.c.stopped:
            return reached
        with nogil:
            if self.trick.size:
                reached = follow(&self.c, &self.state, &self.trick, room)
            else:
                reached = search(&self.c, &self.state, room)
        self.give_raised()
        return reached
