# cython: language_level=3
"""Alpha-beta for two sides and a point total, with every hand open and no stock.

Side 0 maximises. A value is what side 0 still gains from here, in units that the caller chooses
(`Units`): points, twice the points, tricks. So it does not depend on what was made before, and
the table serves every history that leads to the same cards, and hands that differ in honours only
(`key_of` of state.pxd). Where the outcome depends on both totals (more than 100 of habanero and
guiñote) they are part of the state and the value is the outcome itself.

Declarations are not searched as choices between declaring and not: for a side that gains from
it, declaring at once is never worse. Which of two pairs to declare, where only one may be, is.
"""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tute.engine.bounds cimport limits, neighbour_bound
from tute.engine.evaluation cimport POINT, estimate, log2_eighths, played_out, weigh
from tute.engine.packed cimport (
    Trick,
    add_card,
    begin_trick,
    close_gaps,
    lowest,
    lowest_bit,
    mix,
    mixed,
    playable,
    suit_of,
    without_twins,
)
from tute.engine.state cimport (
    HIGHER,
    KINDS,
    RANKS,
    SUITS,
    Game,
    State,
    drop_broken,
    key_of,
    load_game,
    load_state,
    pair_suits,
    set_apart,
    tell_honours_apart,
)
from tute.engine.stoppable cimport POLL, Stoppable, interrupted
from tute.engine.table cimport (
    NO_LOWER,
    NO_MOVE,
    NO_UPPER,
    Bucket,
    Table,
    table_clear,
    table_close,
    table_find,
    table_open,
    table_store,
)

cdef enum:
    SURE_WIN = 10000           # a tute shown: beyond every sum of units
    TOO_LATE = 2
    MOST_CARDS = 24            # in a hand: two players share 48
    # What a large subtree costs in the order of moves, in eighths of a point for each doubling
    # of the ways in which the trick may end.
    SIZE_COST_LEAD = 32
    SIZE_COST_FOLLOW = 24

cdef struct Search:
    Game game
    Table table
    uint64_t nodes
    bint stopped
    bint watch_signals
    int16_t worth[MOST_CARDS + 1][64]  # by cards in each hand: what each card is worth
    # For tests, independent ways to the same value:
    bint without_table
    bint without_bounds
    uint64_t order_seed        # if not 0, cards are tried in a random order
    void* owner


cdef bint poll(Search* c) noexcept nogil:
    """Whether to stop."""
    c.stopped = interrupted(c.owner, c.nodes, c.watch_signals)
    return c.stopped


cdef inline int second_card(
    const Game* g, const State* s, const Trick* t, int player, uint64_t card
) noexcept nogil:
    """AT_SECOND_CARD: the points of the card just put on the table as the second of its pair."""
    cdef int suit = suit_of(card)
    cdef int mates = g.partners[player] | 1 << player
    if g.owner[suit] != player or g.pair[suit] & card == 0:
        return 0
    if s.hands[player] & g.pair[suit] or (s.declared >> suit) & 1:
        return 0
    if not s.won & mates and not (mates >> t.best_player) & 1:
        return 0
    return g.pair_points[suit]


cdef int end_value(const Game* g, const State* s, int last_side) noexcept nogil:
    """Outcome mode: who has won a finished hand (objectives.py)."""
    cdef bint first = s.made[0] > 100
    cdef bint second = s.made[1] > 100
    if s.ended:
        return s.ended
    if first and second and (g.by_last or s.made[0] == s.made[1]):
        return 1 if last_side == 0 else -1
    if first and second:
        return 1 if s.made[0] > s.made[1] else -1
    return first - second


cdef inline void make(const Game* g, State* s, int side, int points) noexcept nogil:
    """Outcome mode: add points to a total, and in a second hand note who passes 100 first."""
    s.made[side] += points
    if g.vuelta and s.ended == 0 and s.made[side] > 100:
        s.ended = 1 if side == 0 else -1


cdef int declare(
    Search* c, State* s, int done, int alpha, int beta
) noexcept nogil:
    """After a trick: what the side of its winner declares, then the search of the next trick.

    `done`: 0, 1 when a pair has been declared in this window, TOO_LATE when none may be.
    """
    cdef Game* g = &c.game
    cdef int winner = s.leader
    cdef int side = g.side[winner]
    cdef int suits, suit, gain, value, best, seat, rank
    cdef uint8_t callers = g.callers[winner]
    cdef State after
    if callers == 0:
        return search(c, s, alpha, beta)
    for rank in range(2):
        if g.fours[rank]:
            for seat in range(g.players):
                if (callers >> seat) & 1 and s.hands[seat] & g.fours[rank] == g.fours[rank]:
                    if g.outcome:
                        return 1 if side == 0 else -1
                    return SURE_WIN if side == 0 else -SURE_WIN
    if done == TOO_LATE or (done and not g.several):
        return search(c, s, alpha, beta)
    if g.at_second_card or (g.units.cante[side] == 0 and not g.outcome):
        return search(c, s, alpha, beta)
    suits = pair_suits(g, s, callers) & ~s.declared
    if suits == 0:
        return search(c, s, alpha, beta)
    after = s[0]
    if g.several:
        gain = 0
        for suit in range(SUITS):
            if (suits >> suit) & 1:
                gain += g.pair_points[suit]
        after.declared |= suits
        return credited(c, &after, side, gain, alpha, beta)
    if g.forty_first:
        for suit in range(SUITS):
            if (suits >> suit) & 1 and g.pair_points[suit] == 40:
                suits = 1 << suit
                break
    best = NO_LOWER if side == 0 else NO_UPPER
    for suit in range(SUITS):
        if not (suits >> suit) & 1:
            continue
        after = s[0]
        after.declared |= 1 << suit
        value = credited(c, &after, side, g.pair_points[suit], alpha, beta)
        if c.stopped:
            return 0
        if side == 0:
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


cdef inline int credited(
    Search* c, State* s, int side, int points, int alpha, int beta
) noexcept nogil:
    """The value with a pair's points added, searched on from there."""
    cdef int gain
    if c.game.outcome:
        make(&c.game, s, side, points)
        return search(c, s, alpha, beta)
    gain = c.game.units.cante[side] * points
    return gain + search(c, s, alpha - gain, beta - gain)


cdef int finish(Search* c, State* s, const Trick* t, int alpha, int beta) noexcept nogil:
    """The trick is complete: who takes it, what it is worth, and what follows."""
    cdef Game* g = &c.game
    cdef State after = s[0]
    cdef int side = g.side[t.best_player]
    cdef int gain = 0, done = 0
    after.leader = t.best_player
    after.cards -= 1
    after.rest -= t.points
    if g.at_second_card:
        after.won |= 1 << t.best_player | g.partners[t.best_player]
    elif g.first_win:
        done = TOO_LATE if after.won & g.callers[after.leader] else 0
        after.won |= 1 << after.leader
    if g.outcome:
        make(g, &after, side, t.points + (g.trick_points if after.cards == 0 else 0))
        if after.cards == 0 or after.ended:
            return end_value(g, &after, side)
    elif side == 0:
        gain = g.units.card * t.points + g.units.trick
        if after.cards == 0:
            gain += g.units.last
    if after.cards == 0:
        return gain
    close_gaps(after.hands, g.players, t, g.duties.worthless)
    drop_broken(g, &after)
    return gain + declare(c, &after, done, alpha - gain, beta - gain)


cdef int play(
    Search* c, State* s, const Trick* t, uint64_t card, int alpha, int beta
) noexcept nogil:
    """The value after a card; the state comes back as it was."""
    cdef Game* g = &c.game
    cdef Trick next_trick = t[0]
    cdef int player = t.next_player
    cdef int value, points, gain = 0
    cdef int16_t made0, made1
    cdef int8_t ended
    s.hands[player] ^= card
    add_card(&next_trick, card, player, g.players, &g.duties, g.trumps)
    if g.at_second_card:
        points = second_card(g, s, &next_trick, player, card)
        if points and g.outcome:
            made0, made1, ended = s.made[0], s.made[1], s.ended
            make(g, s, g.side[player], points)
            value = follow(c, s, &next_trick, alpha, beta)
            s.made[0], s.made[1], s.ended = made0, made1, ended
            s.hands[player] ^= card
            return value
        gain = g.units.cante[g.side[player]] * points
    value = gain + follow(c, s, &next_trick, alpha - gain, beta - gain)
    s.hands[player] ^= card
    return value


cdef int follow(Search* c, State* s, const Trick* t, int alpha, int beta) noexcept nogil:
    """The rest of a trick with at least one card on the table."""
    cdef Game* g = &c.game
    cdef int player = t.next_player
    cdef uint64_t moves
    if t.size == g.players:
        return finish(c, s, t, alpha, beta)
    moves = playable(
        &g.duties, s.hands[player], t, g.trumps, (g.partners[player] >> t.best_player) & 1
    )
    moves = without_twins(moves, g.alike)
    if moves & (moves - 1) == 0:
        return play(c, s, t, moves, alpha, beta)
    return best_of(c, s, t, moves, NO_MOVE, alpha, beta, NULL)


cdef int best_of(
    Search* c,
    State* s,
    const Trick* t,
    uint64_t moves,
    int first,
    int alpha,
    int beta,
    int* best_move,
) noexcept nogil:
    """The best value over several cards; `first`, if any, is tried before the others are ordered."""
    cdef const Game* g = &c.game
    cdef int scores[64]
    cdef int values[64]
    cdef uint8_t places[64]
    cdef int listed = 0
    cdef int player = t.next_player
    cdef bint maximise = g.side[player] == 0
    cdef int worst = NO_LOWER if maximise else NO_UPPER
    cdef int best = worst
    cdef int place = 0, value
    cdef uint64_t others = 0
    for value in range(g.players):
        if value != player:
            others |= s.hands[value]
    for value in range(t.size):
        others |= t.cards[value]
    if first != NO_MOVE and (moves >> first) & 1:
        places[0] = <uint8_t> first
        listed = 1
        moves ^= <uint64_t> 1 << first
    while alpha < beta:
        if place == listed:
            if moves == 0:
                break
            listed = order(c, s, t, moves, listed, places, scores)
            moves = 0
        pick_best(place, listed, places, scores)
        if g.neighbours and place and not c.without_bounds:
            value = neighbour_bound(
                g, s.hands[player], others, places, values, place, maximise, -worst
            )
            if value <= alpha if maximise else value >= beta:
                values[place] = value
                best = max(best, value) if maximise else min(best, value)
                place += 1
                continue
        value = play(c, s, t, <uint64_t> 1 << places[place], alpha, beta)
        if c.stopped:
            return 0
        values[place] = value
        if value > best if maximise else value < best:
            best = value
            if best_move != NULL:
                best_move[0] = places[place]
            if maximise:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
        place += 1
    return best


cdef inline void pick_best(int place, int number, uint8_t* places, int* scores) noexcept nogil:
    """Bring the highest score from `place` on to `place`."""
    cdef int other, pick = place
    for other in range(place + 1, number):
        if scores[other] > scores[pick]:
            pick = other
    if pick != place:
        scores[pick], scores[place] = scores[place], scores[pick]
        places[pick], places[place] = places[place], places[pick]


cdef int order(
    Search* c,
    const State* s,
    const Trick* t,
    uint64_t moves,
    int listed,
    uint8_t* places,
    int* scores,
) noexcept nogil:
    """List cards with a score each, after those listed before; the highest is tried first.

    The score is the estimate of the trick played out, less a price for the size of what would
    have to be searched: of two cards about as good, the one that forces more goes first.
    """
    cdef const Game* g = &c.game
    cdef const int16_t* worth = c.worth[s.cards]
    cdef int place, score, leaves, player = t.next_player
    cdef int size_cost = SIZE_COST_FOLLOW if t.size else SIZE_COST_LEAD
    cdef uint64_t card
    cdef Trick after
    while moves:
        card = lowest_bit(moves)
        moves ^= card
        place = lowest(card)
        if c.order_seed:
            score = shuffled(c.order_seed, c.nodes, place)
        else:
            leaves = 0
            if t.size == g.players - 1:
                leaves = 1
                score = estimate(g, t, player, card, worth)
            else:
                after = t[0]
                add_card(&after, card, player, g.players, &g.duties, g.trumps)
                score = played_out(g, s, &after, worth, &leaves) - worth[place]
            if g.side[player] != 0:
                score = -score
            score -= size_cost * log2_eighths(leaves) // 8
        places[listed] = <uint8_t> place
        scores[listed] = score
        listed += 1
    return listed


cdef int shuffled(uint64_t seed, uint64_t nodes, int place) noexcept nogil:
    """A repeatable random score."""
    return <int> (mixed(mix(mix(seed, nodes), <uint64_t> place)) & 0xFFFF)


cdef int last_trick(Search* c, State* s, int alpha, int beta) noexcept nogil:
    """One card each: nobody has a choice."""
    cdef Game* g = &c.game
    cdef Trick t
    cdef State copy
    cdef int turn, player, gain = 0, points
    cdef uint64_t card
    copy = s[0]
    begin_trick(&t, s.leader)
    for turn in range(g.players):
        player = t.next_player
        card = copy.hands[player]
        copy.hands[player] = 0
        add_card(&t, card, player, g.players, &g.duties, g.trumps)
        if g.at_second_card:
            points = second_card(g, &copy, &t, player, card)
            if points and g.outcome:
                make(g, &copy, g.side[player], points)
            else:
                gain += g.units.cante[g.side[player]] * points
    return gain + finish(c, &copy, &t, alpha, beta)


cdef inline int search(Search* c, State* s, int alpha, int beta) noexcept nogil:
    """The value at the start of a trick, once sure trumps are counted and set apart."""
    cdef int gain = 0
    if c.game.sure and not c.without_bounds:
        gain = set_apart(&c.game, s)
    return gain + searched(c, s, alpha - gain, beta - gain)


cdef int searched(Search* c, State* s, int alpha, int beta) noexcept nogil:
    """The value at the start of a trick: exact within the window, a bound outside (fail-soft)."""
    cdef Game* g = &c.game
    cdef int low = NO_LOWER, high = NO_UPPER, value, move = NO_MOVE
    cdef int alpha_in, beta_in
    cdef uint64_t key, moves
    cdef uint32_t honours
    cdef bint found = False
    cdef Trick t
    c.nodes += 1
    if c.nodes & (POLL - 1) == 0 and poll(c):
        return 0
    if s.ended:
        return s.ended
    if s.cards == 1:
        return last_trick(c, s, alpha, beta)
    key = key_of(g, s, &honours)
    if not c.without_table:
        found = table_find(&c.table, key, honours, &low, &high, &move)
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
    if not found and not g.outcome and g.fours[0] == 0 and not c.without_bounds:
        limits(g, s, &low, &high)
        if low >= beta:
            return low
        if high <= alpha:
            return high
    alpha = max(alpha, low)
    beta = min(beta, high)
    alpha_in, beta_in = alpha, beta
    begin_trick(&t, s.leader)
    weigh(g, s, &t, c.worth[s.cards])
    moves = without_twins(s.hands[s.leader], g.alike)
    if moves & (moves - 1) == 0:
        move = lowest(moves)
        value = play(c, s, &t, moves, alpha, beta)
    else:
        value = best_of(c, s, &t, moves, move, alpha, beta, &move)
    if c.stopped or c.without_table:
        return value
    table_store(
        &c.table,
        key,
        honours,
        s.cards,
        value if value > alpha_in else low,
        value if value < beta_in else high,
        move,
    )
    return value


cdef class Solver(Stoppable):
    """One search with its table. Not to be used by two threads at once; `stop` may be called from any.

    Args:
        memory: MiB that the table may use, at least 1.
    """

    cdef Search c
    cdef State state
    cdef Trick trick
    cdef int done
    cdef bint open_window

    def __cinit__(self, int memory):
        cdef uint64_t most = 1024
        while (most * 2 + 1) * sizeof(Bucket) <= (<uint64_t> memory) << 20:
            most *= 2
        memset(&self.c, 0, sizeof(Search))
        self.c.owner = <void*> self
        if not table_open(&self.c.table, most):
            raise MemoryError("no memory for the table")

    def __dealloc__(self):
        table_close(&self.c.table)

    @property
    def nodes(self):
        """Trick starts searched since the solver was made."""
        return self.c.nodes

    @property
    def table_bytes(self):
        """The size of the part of the table that is in use."""
        return (self.c.table.mask + 2) * sizeof(Bucket)

    def set_test_mode(self, *, bint table=True, bint bounds=True, uint64_t order_seed=0):
        """Search without the table or the bounds, or in a random order: slower, same values."""
        self.c.without_table = not table
        self.c.without_bounds = not bounds
        self.c.order_seed = order_seed

    def set_game(self, dict game):
        """Load the fixed facts, as `Question.packed_game` has them, and empty the table."""
        cdef Game* g = &self.c.game
        cdef int rank, place, side, kind, higher, index
        load_game(g, game)
        tell_honours_apart(g, self.c.table.differ, g.units.card)
        if g.neighbours:
            # A suit's last place stays free: what is there would be next to the following suit.
            g.sure = g.trumps & g.trumps >> 1
            for place in game["points"]:
                g.sure &= ~(<uint64_t> 1 << place)
        g.alike = g.duties.worthless | g.sure
        weights = game["weights"]
        index = 0
        for side in range(2):
            for kind in range(KINDS):
                for rank in range(RANKS):
                    for higher in range(HIGHER):
                        g.evaluation.card[side][kind][rank][higher] = weights[index]
                        index += 1
        g.evaluation.lead = game["lead"]
        table_clear(&self.c.table)

    def set_position(self, dict position):
        """Load a position of the game, as `Question.packed_position` has it."""
        cdef Game* g = &self.c.game
        cdef State* s = &self.state
        cdef int suit
        load_state(g, s, &self.trick, position)
        if not 0 <= s.cards <= MOST_CARDS:
            raise ValueError(f"no hand has {s.cards} cards")
        g.salt = 0
        for suit in range(SUITS):
            g.owner[suit] = position["owner"][suit]
            g.salt = mix(g.salt, <uint64_t> (g.owner[suit] + 1))
        drop_broken(g, s)
        self.open_window = position["open_window"]
        self.done = position["done"]

    def estimate(self):
        """What side 0 will gain from the loaded position, roughly, in eighths of a point.

        The constant of the fit is not in it.
        """
        cdef Game* g = &self.c.game
        cdef State s = self.state
        cdef int16_t* worth = self.c.worth[s.cards]
        cdef uint64_t cards, card
        cdef int seat, total = 0
        if g.sure and self.trick.size == 0:
            total = POINT * set_apart(g, &s)
        weigh(g, &s, &self.trick, worth)
        for seat in range(g.players):
            cards = s.hands[seat]
            while cards:
                card = lowest_bit(cards)
                cards ^= card
                total += worth[lowest(card)]
        seat = self.state.leader
        if self.trick.size:
            seat = self.trick.best_player
            total += POINT * self.trick.points if g.side[seat] == 0 else 0
        return total + (g.evaluation.lead if g.side[seat] == 0 else 0)

    def test(self, int bound):
        """Fail-soft zero-window test of the loaded position.

        Returns:
            A proven lower bound of the value if it is at least `bound`, else a proven upper bound
            (which is less than `bound`); None if the search was stopped.
        """
        cdef int value
        cdef State state = self.state
        if not self.ready(&self.c.watch_signals):
            return None
        self.c.stopped = False
        with nogil:
            if self.trick.size:
                weigh(&self.c.game, &state, &self.trick, self.c.worth[state.cards])
                value = follow(&self.c, &state, &self.trick, bound - 1, bound)
            elif self.open_window:
                value = declare(&self.c, &state, self.done, bound - 1, bound)
            else:
                value = search(&self.c, &state, bound - 1, bound)
        self.give_raised()
        return None if self.c.stopped else value
