# cython: language_level=3
"""What players who look after themselves make of a hand: riesgo, credible safety, equilibria.

A decision belongs to the player to move: a card, or, before the lead, whether to declare. Three
things are found for every position, one from another, from the end of the hand backwards:

* riesgo: each player's probability of losing when the player to move takes, with equal chances, one
  of the choices that put him least at risk (every physical card is a choice);
* credible safety: how many choices that put the one who makes them at more risk than he need be it
  takes to make a player lose, who does what he can against it;
* equilibria: the sets of losers that some subgame-perfect equilibrium reaches, if each player cares
  about nothing but not losing.

`outlook` finds them exactly, in one pass over the rest of the hand, with a table between tricks
whose entries hold for a box of point histories (box.pxd). All choices count here, so that a
position's box is what the boxes after all its choices have in common. `estimate` samples riesgo by
an upper-confidence tree search.
"""

from libc.math cimport log, sqrt
from libc.stdint cimport int8_t, int16_t, int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from tute.engine.alone cimport (
    CABRERO,
    CLOSED,
    COMPULSORY,
    INDIVIDUAL,
    SUITS,
    TUTE,
    Game,
    Hand,
    State,
    call,
    finish_trick,
    is_over,
    losers,
    open_calls,
    playable_cards,
    put_card,
)
from tute.engine.box cimport (
    GAPS,
    Box,
    before_gain,
    holds,
    losers_box,
    meet,
    open_box,
    take_gaps,
)
from tute.engine.packed cimport MAX_PLAYERS, Trick, begin_trick, lowest_bit, mix, mixed
from tute.engine.stoppable cimport POLL, interrupted

cdef extern from "bits.h" nogil:
    uint64_t next_random "tute_next_random" (uint64_t* state)

cdef enum:
    NEVER = 255                # credible safety against any number of harmful plays
    MOST_CHOICES = 24
    MOST_MOVES = 128           # in a hand, declarations included
    OPTIONS_A_NODE = 8         # on average, before a tree counts as full

cdef double SAME = 1e-9        # risks no further apart than this are equal
cdef double EXPLORE = 0.5

cdef struct Outlook:
    double risk[MAX_PLAYERS]
    uint8_t credible[MAX_PLAYERS]
    uint32_t losers            # sets of losers, as bits: bit 5 stands for the set 0b101

cdef struct Entry:
    # The outlook of all positions with the same cards whose points lie in the box.
    uint64_t key
    uint32_t next              # the next entry of the same chain, or 0
    Box box
    Outlook outlook

cdef struct Table:
    uint32_t* heads            # by key: an entry, or 0
    Entry* entries             # the first is never used
    uint32_t chains            # a power of two
    uint32_t size              # of entries
    uint32_t used

cdef struct Moment:
    State state
    Trick trick

cdef struct Choice:
    uint64_t card              # or 0:
    int8_t called              # a declaration as `alone.call` takes it, or NONE to decline
    uint8_t weight             # how many physical cards are alike

cdef enum:
    NONE = -1

cdef struct Search:
    Game game
    Table table
    uint64_t nodes
    bint stopped
    bint watch_signals
    bint without_boxes         # for tests: an entry serves its own history only
    uint32_t losing[MAX_PLAYERS]  # the sets of losers with each player in them
    void* owner


cdef bint poll(Search* c) noexcept nogil:
    """Whether to stop."""
    c.stopped = interrupted(c.owner, c.nodes, c.watch_signals)
    return c.stopped


# ---------------------------------------------------------------------- the table


cdef inline uint64_t key_of(const Game* g, const State* s) noexcept nogil:
    """The table's key: all that matters of a state at the lead but the points."""
    cdef uint64_t in_play = 0, key
    cdef uint8_t declared = s.declared, parted = s.parted & ~s.declared, takers = s.takers
    cdef uint8_t sung = s.sung, barred = 0
    cdef int seat, suit, rank
    for seat in range(g.players):
        in_play |= s.hands[seat]
    for suit in range(SUITS):
        # A pair that is broken can be credited no more, but for its second card.
        if in_play & g.pair[suit] != g.pair[suit]:
            declared &= ~(1 << suit)
        if in_play & g.pair[suit] == 0:
            parted &= ~(1 << suit)
    if g.losing.kind == INDIVIDUAL and not g.at_second_card:
        takers = 0
    if sung:
        # It turns a capote against its player, and bars a tute.
        if g.losing.kind != CABRERO:
            sung = 0
        elif takers & (takers - 1):
            for rank in range(2):
                for seat in range(g.players):
                    if g.fours[rank] and s.hands[seat] & g.fours[rank] == g.fours[rank]:
                        barred |= 1 << seat
            sung &= barred
    key = mix(
        0,
        <uint64_t> (
            s.leader | (declared << 4) | (parted << 8) | (takers << 12) | (sung << 20)
        ),
    )
    key = mix(key, s.trumps)
    for seat in range(g.players):
        key = mix(key, s.hands[seat])
    return mixed(key)


cdef inline const Entry* find(const Table* table, uint64_t key, const int16_t* gaps) noexcept nogil:
    """An entry for that key with these differences of points in its box, or NULL."""
    cdef uint32_t place = table.heads[key & (table.chains - 1)]
    while place:
        if table.entries[place].key == key and holds(&table.entries[place].box, gaps):
            return &table.entries[place]
        place = table.entries[place].next
    return NULL


cdef inline void keep(
    Table* table, uint64_t key, const Outlook* outlook, const Box* box
) noexcept nogil:
    """Add an entry. When the table is full it is emptied first."""
    cdef Entry* entry
    cdef uint32_t* head = &table.heads[key & (table.chains - 1)]
    if table.used + 1 >= table.size:
        clear(table)
    table.used += 1
    entry = &table.entries[table.used]
    entry.key = key
    entry.next = head[0]
    entry.box = box[0]
    entry.outlook = outlook[0]
    head[0] = table.used


cdef inline void clear(Table* table) noexcept nogil:
    memset(table.heads, 0, table.chains * sizeof(uint32_t))
    table.used = 0


# ---------------------------------------------------------------------- moves


cdef int choices(const Game* g, const Moment* m, Choice* found) noexcept nogil:
    """What the player to move may choose between; cards that are alike are one choice.

    Worthless cards of a hand that are neighbours among the cards in play, the table's included,
    win and lose to the same cards, so they are alike (`packed.without_twins`).
    """
    cdef const State* s = &m.state
    cdef int calls = open_calls(g, s), number = 0, what
    cdef uint64_t cards, card, alike = 0
    if calls:
        for what in range(TUTE + 1):
            if (calls >> what) & 1:
                found[number] = Choice(0, what, 1)
                number += 1
        if s.window != COMPULSORY:
            found[number] = Choice(0, NONE, 1)
            number += 1
        return number
    cards = playable_cards(g, s, &m.trick)
    while cards:
        card = lowest_bit(cards)
        cards ^= card
        if alike == card:
            found[number - 1].weight += 1
            found[number - 1].card = card
        else:
            found[number] = Choice(card, NONE, 1)
            number += 1
        # What the next card up must be to be like this one.
        alike = (card << 1) & g.duties.worthless if card & g.duties.worthless else 0
    return number


cdef inline void choose(const Game* g, Moment* m, const Choice* choice) noexcept nogil:
    """Make a choice."""
    if choice.card:
        put_card(g, &m.state, &m.trick, choice.card)
        if m.trick.size == g.players:
            finish_trick(g, &m.state, &m.trick)
            begin_trick(&m.trick, m.state.leader)
    elif choice.called == NONE:
        m.state.window = CLOSED
    else:
        call(g, &m.state, choice.called)


# ---------------------------------------------------------------------- a decision

cdef struct Decision:
    # What is known of a player's choice from the choices weighed so far.
    int mover
    double least               # his smallest risk
    double weight              # of the choices with that risk
    double risk[MAX_PLAYERS]   # their risks, added up by weight
    # Credible safety: the smallest number after choices that put the mover at least risk, and
    # after the others, which harm him; for himself the largest after any.
    uint8_t unharmful[MAX_PLAYERS]
    uint8_t harmful[MAX_PLAYERS]
    # Equilibria.
    uint32_t reached           # every set of losers after any choice
    bint may_always_lose       # after every choice there is a set with him in it
    Box box


cdef inline void begin(Decision* d, int player) noexcept nogil:
    cdef int seat
    d.mover = player
    d.least = 2
    d.weight = 0
    d.reached = 0
    d.may_always_lose = True
    for seat in range(MAX_PLAYERS):
        d.unharmful[seat] = NEVER
        d.harmful[seat] = NEVER
    d.unharmful[player] = 0
    open_box(&d.box)


cdef inline void weigh(
    const Search* c, Decision* d, const Outlook* after, const Box* box, int weight
) noexcept nogil:
    """Take one more choice, with what comes after it, into account."""
    cdef int seat, players = c.game.players, mover = d.mover
    cdef double risk = after.risk[mover]
    cdef bint harms = risk > d.least + SAME
    if risk < d.least - SAME:
        # What seemed best so far harms him.
        d.least = risk
        d.weight = 0
        for seat in range(players):
            d.risk[seat] = 0
            if seat != mover:
                d.harmful[seat] = min(d.harmful[seat], d.unharmful[seat])
                d.unharmful[seat] = NEVER
    if not harms:
        d.weight += weight
    for seat in range(players):
        if not harms:
            d.risk[seat] += weight * after.risk[seat]
        if seat == mover:
            d.unharmful[seat] = max(d.unharmful[seat], after.credible[seat])
        elif harms:
            d.harmful[seat] = min(d.harmful[seat], after.credible[seat])
        else:
            d.unharmful[seat] = min(d.unharmful[seat], after.credible[seat])
    d.reached |= after.losers
    d.may_always_lose &= after.losers & c.losing[mover] != 0
    meet(&d.box, box)


cdef inline void decide(const Search* c, const Decision* d, Outlook* out, Box* box) noexcept nogil:
    """The outlook of the decision, and the histories for which it is this.

    Equilibria: a strategy of the rest fixes one set of losers after each choice, and the player
    takes one in which he does not lose, if there is one. So a set without him can be reached
    through its own choice always; a set with him only if after every other choice there is one
    with him too, that is, if after every choice there is one.
    """
    cdef int seat
    for seat in range(c.game.players):
        out.risk[seat] = d.risk[seat] / d.weight
        out.credible[seat] = d.unharmful[seat]
        if d.harmful[seat] < d.unharmful[seat]:
            out.credible[seat] = d.harmful[seat] + 1
    out.losers = d.reached if d.may_always_lose else d.reached & ~c.losing[d.mover]
    box[0] = d.box


# ---------------------------------------------------------------------- the exact pass


cdef void look(Search* c, const Moment* m, Outlook* out, Box* box) noexcept nogil:
    """The outlook of a position, and the histories of points with which it is the same."""
    cdef const Game* g = &c.game
    cdef const State* s = &m.state
    cdef const Entry* entry
    cdef int16_t gaps[GAPS]
    cdef uint64_t key = 0
    cdef bint at_lead = m.trick.size == 0 and s.window == CLOSED and s.cards > 1
    cdef Choice found[MOST_CHOICES]
    cdef int number, place, lost, seat
    cdef Decision decision
    cdef Outlook after
    cdef Box within
    if is_over(s):
        lost = losers(g, s)
        for seat in range(g.players):
            out.risk[seat] = (lost >> seat) & 1
            out.credible[seat] = 0 if (lost >> seat) & 1 else NEVER
        out.losers = <uint32_t> 1 << lost
        losers_box(&g.losing, s, lost, box)
        return
    if at_lead:
        c.nodes += 1
        if c.nodes & (POLL - 1) == 0 and poll(c):
            return
        key = key_of(g, s)
        take_gaps(s.points, gaps)
        entry = find(&c.table, key, gaps)
        if entry != NULL:
            out[0] = entry.outlook
            box[0] = entry.box
            return
    number = choices(g, m, found)
    if number == 1:
        look_after(c, m, found, out, box)
    else:
        begin(&decision, m.trick.next_player)
        for place in range(number):
            look_after(c, m, &found[place], &after, &within)
            if c.stopped:
                return
            weigh(c, &decision, &after, &within, found[place].weight)
        decide(c, &decision, out, box)
    if at_lead and not c.stopped:
        if c.without_boxes:
            for place in range(GAPS):
                box.low[place] = box.high[place] = gaps[place]
        keep(&c.table, key, out, box)


cdef void look_after(
    Search* c, const Moment* m, const Choice* choice, Outlook* out, Box* box
) noexcept nogil:
    """The outlook after a choice, and the histories before it with which it is the same."""
    cdef Moment after = m[0]
    cdef int seat, gain
    choose(&c.game, &after, choice)
    look(c, &after, out, box)
    for seat in range(c.game.players):
        gain = after.state.points[seat] - m.state.points[seat]
        if gain:
            before_gain(box, seat, gain)


# ---------------------------------------------------------------------- the estimate

cdef struct Option:
    # A choice in the tree, with what came of it.
    Choice choice
    int32_t node               # the decision after it, or 0 while there is none in the tree
    int32_t visits
    double lost                # by the player who chooses: his risks, added up

cdef struct Node:
    int32_t first              # its options
    int32_t number
    int32_t visits

cdef struct Tree:
    Node* nodes                # the first is never used
    Option* options
    int32_t root               # a node, or 0 while there is none
    int32_t nodes_used
    int32_t options_used
    int32_t most_nodes
    int32_t most_options


cdef inline int below(uint64_t* random, int bound) noexcept nogil:
    """A random number from 0 to bound − 1."""
    return <int> ((next_random(random) >> 32) % <uint64_t> bound)


cdef inline int drawn(const Choice* found, int number, uint64_t* random) noexcept nogil:
    """One of these choices at random, every physical card as likely as another."""
    cdef int place, weights = 0, draw
    for place in range(number):
        weights += found[place].weight
    draw = below(random, weights)
    for place in range(number):
        draw -= found[place].weight
        if draw < 0:
            return place
    return number - 1


cdef inline int32_t add_node(Tree* tree, const Choice* found, int number) noexcept nogil:
    """A decision that nobody has tried yet; 0 if the tree is full."""
    cdef Option* option
    cdef int place
    if tree.options_used + number > tree.most_options or tree.nodes_used == tree.most_nodes:
        return 0
    for place in range(number):
        option = &tree.options[tree.options_used + place]
        option.choice = found[place]
        option.node = 0
        option.visits = 0
        option.lost = 0
    tree.nodes[tree.nodes_used] = Node(tree.options_used, number, 0)
    tree.options_used += number
    tree.nodes_used += 1
    return tree.nodes_used - 1


cdef int promising(const Tree* tree, const Node* node, uint64_t* random) noexcept nogil:
    """The option to try next: one not tried before, at random; else the highest bound (UCB1).

    An option that stands for several cards counts as so many options, tried in equal parts.
    """
    cdef const Option* option
    cdef int place, untried = 0, draw, best = 0
    cdef double score, highest = -1e300, spread
    for place in range(node.number):
        option = &tree.options[node.first + place]
        if option.visits == 0:
            untried += option.choice.weight
    if untried:
        draw = below(random, untried)
        for place in range(node.number):
            option = &tree.options[node.first + place]
            if option.visits == 0:
                draw -= option.choice.weight
                if draw < 0:
                    return place
    spread = EXPLORE * sqrt(log(node.visits + 1.0))
    for place in range(node.number):
        option = &tree.options[node.first + place]
        score = spread * sqrt(<double> option.choice.weight / option.visits)
        score -= option.lost / option.visits
        if score > highest:
            highest = score
            best = place
    return best


cdef void sample(
    Search* c, const Moment* root, Tree* tree, int exact_cards, uint64_t* random, double* risk
) noexcept nogil:
    """One hand: down the tree, on at random, and exact riesgo from few cards on."""
    cdef const Game* g = &c.game
    cdef Moment m = root[0]
    cdef Choice found[MOST_CHOICES]
    cdef Option* tried[MOST_MOVES]
    cdef Node* decided[MOST_MOVES]
    cdef int movers[MOST_MOVES]
    cdef int depth = 0, number, place
    cdef int32_t* node = &tree.root
    cdef Option* option
    cdef Outlook outlook
    cdef Box box
    c.nodes += 1
    if c.nodes & (POLL - 1) == 0 and poll(c):
        return
    while not (is_over(&m.state) or (m.trick.size == 0 and m.state.cards <= exact_cards)):
        number = choices(g, &m, found)
        place = 0
        if number > 1 and node != NULL and node[0] == 0:
            node[0] = add_node(tree, found, number)
            if node[0] == 0:
                node = NULL
        if number > 1 and node != NULL:
            decided[depth] = &tree.nodes[node[0]]
            place = promising(tree, decided[depth], random)
            option = &tree.options[decided[depth].first + place]
            tried[depth] = option
            movers[depth] = m.trick.next_player
            depth += 1
            node = &option.node if option.visits else NULL
        elif number > 1:
            place = drawn(found, number, random)
        choose(g, &m, &found[place])
    look(c, &m, &outlook, &box)
    if c.stopped:
        return
    for place in range(depth):
        decided[place].visits += 1
        tried[place].visits += 1
        tried[place].lost += outlook.risk[movers[place]]
    for place in range(g.players):
        risk[place] += outlook.risk[place]


# ---------------------------------------------------------------------- from Python


cdef class Solver(Hand):
    """One search with its table. Not to be used by two threads at once; `stop` may be called from any.

    Args:
        memory: MiB that the table may use, at least 1.
    """

    cdef Search c

    def __cinit__(self, int memory):
        cdef Table* table = &self.c.table
        # An entry and at most two heads for it; places of entries have 32 bits.
        cdef uint64_t room = (<uint64_t> memory << 20) // (sizeof(Entry) + 2 * sizeof(uint32_t))
        room = min(room, <uint64_t> 1 << 30)
        table.chains = 1024
        while table.chains < room:
            table.chains *= 2
        table.size = <uint32_t> room
        self.c.owner = <void*> self
        # The system provides pages of zeros as they are touched.
        table.heads = <uint32_t*> calloc(table.chains, sizeof(uint32_t))
        table.entries = <Entry*> malloc(table.size * sizeof(Entry))
        if table.heads == NULL or table.entries == NULL:
            raise MemoryError("no memory for the table")

    def __dealloc__(self):
        free(self.c.table.heads)
        free(self.c.table.entries)

    @property
    def nodes(self):
        """Leads searched exactly, and hands sampled, since the solver was made."""
        return self.c.nodes

    @property
    def table_bytes(self):
        """The size of the part of the table that is in use."""
        return self.c.table.chains * sizeof(uint32_t) + (self.c.table.used + 1) * sizeof(Entry)

    def set_test_mode(self, *, bint boxes=True):
        """Let an entry of the table serve the points that it was found with only."""
        self.c.without_boxes = not boxes
        clear(&self.c.table)

    def set_game(self, dict game):
        """Load the fixed facts, as `alone.packed_game` has them, and empty the table."""
        cdef int seat, lost
        Hand.set_game(self, game)
        self.c.game = self.game
        for seat in range(MAX_PLAYERS):
            self.c.losing[seat] = 0
            for lost in range(1 << MAX_PLAYERS):
                if (lost >> seat) & 1:
                    self.c.losing[seat] |= <uint32_t> 1 << lost
        clear(&self.c.table)

    def outlook(self):
        """The exact outlook of the loaded position.

        Returns:
            Each seat's risk; each seat's credible safety, 255 against any number of harmful plays;
            the sets of losers that equilibria reach, each as bits. None if the search was stopped.
        """
        cdef Moment m
        cdef Outlook found
        cdef Box box
        cdef int lost, seat
        if not self.ready(&self.c.watch_signals):
            return None
        self.c.stopped = False
        m.state = self.state
        m.trick = self.trick
        with nogil:
            look(&self.c, &m, &found, &box)
        self.give_raised()
        if self.c.stopped:
            return None
        seats = range(self.game.players)
        return (
            [found.risk[seat] for seat in seats],
            [found.credible[seat] for seat in seats],
            [lost for lost in range(1 << MAX_PLAYERS) if (found.losers >> lost) & 1],
        )

    def estimate(self, uint64_t seed, int hands, int exact_cards):
        """Each seat's risk in the loaded position, estimated by one upper-confidence tree search.

        Args:
            seed: any number; the same gives the same estimate.
            hands: how many hands to sample.
            exact_cards: from how many cards in each hand on risks are exact.

        Returns:
            The mean of the sampled hands. None if the search was stopped.
        """
        cdef Moment m
        cdef Tree tree
        cdef double risk[MAX_PLAYERS]
        cdef uint64_t random = mix(mix(0, seed), 1) | 1
        cdef int seat, hand
        if not self.ready(&self.c.watch_signals):
            return None
        self.c.stopped = False
        m.state = self.state
        m.trick = self.trick
        memset(risk, 0, sizeof(risk))
        memset(&tree, 0, sizeof(Tree))
        tree.most_nodes = hands + 1
        tree.most_options = hands * OPTIONS_A_NODE
        tree.nodes = <Node*> malloc(tree.most_nodes * sizeof(Node))
        tree.options = <Option*> malloc(tree.most_options * sizeof(Option))
        tree.nodes_used = 1
        try:
            if tree.nodes == NULL or tree.options == NULL:
                raise MemoryError("no memory for the tree")
            with nogil:
                for hand in range(hands):
                    sample(&self.c, &m, &tree, exact_cards, &random, risk)
                    if self.c.stopped:
                        break
        finally:
            free(tree.nodes)
            free(tree.options)
        self.give_raised()
        if self.c.stopped:
            return None
        return [risk[seat] / hands for seat in range(self.game.players)]
