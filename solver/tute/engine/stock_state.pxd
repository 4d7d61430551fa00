"""A game with a stock inside the search: what may be played, declared, exchanged; the table's key.

`position.py` is the definition; the names here are its names.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

from tute.engine.packed cimport (
    Trick,
    above,
    count,
    lowest,
    mix,
    mixed,
    playable,
    suit_mask,
)
from tute.engine.state cimport SEATS, SUITS, Game, State, whole_pairs
from tute.engine.table cimport HONOURS, HONOURS_MASK

cdef enum:
    MOST_STOCK = 48
    LAST_EIGHT = 8
    MOST_RANKS = 10            # in a suit
    EACH_SUIT = 0x0001000100010001  # its lowest bit

cdef enum StockDuty:
    ANY_CARD = 0
    FOLLOW_TRUMPS = 1
    BEAT_TRUMPS = 2
    ALL_DUTIES = 3

cdef enum Until:
    WHOLE_HAND = 0
    STOCK_ONLY = 1
    UNTIL_TWO_LEFT = 2
    FIRST_WIN = 3

cdef struct Stock:
    # The cards to draw, by how many are left: `draw[left]` is the next one. The last is the
    # turned-up card, which changes with every exchange, so that it stands in the node.
    uint64_t draw[MOST_STOCK + 1]
    uint64_t undrawn[MOST_STOCK + 1]  # all that are left but the turned-up one
    uint64_t salt[MOST_STOCK + 1]     # of the table's keys: which cards those are, in order
    int duty
    int until
    bint until_lead            # the card just drawn may complete a pair
    bint last_draw             # the turned-up card may be exchanged before it is drawn
    bint capote
    uint64_t seven             # the cards that are exchanged, and for which
    uint64_t two
    uint64_t for_seven
    uint64_t for_two

cdef struct Node:
    # The state at the start of a trick, or on the way to it.
    State s
    int left                   # cards in the stock
    uint64_t shown             # the turned-up card; 0 when the stock is gone
    uint8_t parted             # AT_SECOND_CARD: suits of which one card of a whole pair is played
    uint8_t capote             # 1 + the side that announced the last eight tricks, or 0
    bint failed                # and has lost one of them

cdef inline int tricks_left(const Game* g, const Node* n) noexcept nogil:
    """How many tricks there are from the start of this one."""
    return n.s.cards + n.left // g.players

cdef inline uint64_t in_stock(const Stock* k, const Node* n) noexcept nogil:
    return k.undrawn[n.left] | n.shown

cdef inline uint64_t in_hands(const Game* g, const Node* n) noexcept nogil:
    cdef uint64_t cards = n.s.hands[0] | n.s.hands[1]
    if g.players == 4:
        cards |= n.s.hands[2] | n.s.hands[3]
    return cards

cdef inline void draw(const Game* g, const Stock* k, Node* n) noexcept nogil:
    """The winner draws, then the others in turn."""
    cdef int seat = n.s.leader, number
    if n.left == 0:
        return
    for number in range(g.players):
        n.s.hands[seat] |= n.shown if n.left == 1 else k.draw[n.left]
        n.left -= 1
        seat = seat + 1 if seat + 1 < g.players else 0
    n.s.cards += 1
    if n.left == 0:
        n.shown = 0

cdef inline bint may_exchange(const Game* g, const Stock* k, const Node* n) noexcept nogil:
    """Whether exchanges are allowed in the window before the next draw, or in a later one."""
    return n.left > 0 and (k.last_draw or n.left > g.players)

cdef inline uint64_t exchangeable(const Game* g, const Stock* k, const Node* n) noexcept nogil:
    """The seven and the two of trumps, each if it may still be exchanged by somebody.

    The two also where the seven may be turned up first.
    """
    cdef uint64_t cards, special = 0
    if not may_exchange(g, k, n):
        return 0
    cards = in_hands(g, n) | k.undrawn[n.left]
    if n.shown & k.for_seven:
        special = cards & k.seven
    if special or n.shown & k.for_two:
        special |= cards & k.two
    return special

cdef inline uint64_t apart(
    uint64_t moves, uint64_t worthless, uint64_t special, uint64_t in_play
) noexcept nogil:
    """The moves without those that come to the same as another one.

    Two worthless cards of a hand with no card in play between them (on the table, in other hands
    or in the stock) win and lose to the same cards; the highest of each run stays. A card that may
    be exchanged is like no other.
    """
    cdef uint64_t low = moves & worthless & ~special
    cdef uint64_t gone = worthless & ~in_play
    cdef uint64_t below = low >> 1
    below |= (below & gone) >> 1
    below |= (below & gone) >> 1
    below |= (below & gone) >> 1
    return moves & ~(low & below)

cdef inline int neighbour(
    const Game* g,
    uint64_t others,
    uint64_t unlike,
    const uint8_t* places,
    const int* values,
    int number,
    int point,
    bint maximise,
    int worst,
) noexcept nogil:
    """A bound for card `number` from those of the same hand before it.

    For a side that maximises it is an upper bound, else a lower one; `values` are bounds of that
    kind, a card point counts `point` in them, and `worst` is returned where there is none. Two cards of a hand with no card of `others`
    between them win and lose to the same cards, so to play one and keep the other, or the reverse,
    leads to the same tricks; of the two one goes to the winner of this trick and the other to that
    of a later one, so a side's points differ at most by theirs. That fails for cards which are more
    than their rank (`unlike`): those of a pair that may still be declared, and those that may be
    exchanged.
    """
    cdef int card = places[number], other, low, high, differ, best = worst
    if (unlike >> card) & 1:
        return worst
    for other in range(number):
        if places[other] >> 4 != card >> 4 or (unlike >> places[other]) & 1:
            continue
        low = min(card, <int> places[other])
        high = max(card, <int> places[other])
        if others & (((<uint64_t> 1 << high) - 1) ^ ((<uint64_t> 2 << low) - 1)):
            continue
        differ = point * (g.duties.points[high] - g.duties.points[low])
        best = min(best, values[other] + differ) if maximise else max(best, values[other] - differ)
    return best

cdef inline uint64_t legal(
    const Game* g, const Stock* k, const Node* n, const Trick* t
) noexcept nogil:
    """The cards that the next player may play to a trick with at least one card."""
    cdef uint64_t hand = n.s.hands[t.next_player], mine, over
    if n.left and k.duty != ALL_DUTIES:
        mine = hand & g.trumps
        if k.duty == ANY_CARD or suit_mask(t.led) != g.trumps or mine == 0:
            return hand
        over = mine & above(t.best)
        return over if over and k.duty == BEAT_TRUMPS else mine
    return playable(
        &g.duties, hand, t, g.trumps, (g.partners[t.next_player] >> t.best_player) & 1
    )

cdef inline bint pairs_are_over(const Stock* k, const Node* n) noexcept nogil:
    """Whether `cante_until` forbids every pair from the trick on that begins here."""
    if k.until == STOCK_ONLY:
        return n.left == 0
    return k.until == UNTIL_TWO_LEFT and n.left <= 2

cdef inline uint8_t open_pairs(const Game* g, const Node* n) noexcept nogil:
    """The suits (as bits) whose pair may be declared by the leader's callers with these cards."""
    cdef uint64_t held
    cdef uint8_t suits = 0
    cdef int seat, suit
    for seat in range(g.players):
        if (g.callers[n.s.leader] >> seat) & 1:
            held = whole_pairs(g, n.s.hands[seat])
            while held:
                suits |= 1 << (lowest(held) >> 4)
                held &= held - 1
    return suits & ~n.s.declared

cdef inline uint8_t forty_first(const Game* g, uint8_t suits) noexcept nogil:
    """Of the open pairs, those that may come next."""
    cdef int suit
    if g.forty_first and suits & (suits - 1):
        for suit in range(SUITS):
            if (suits >> suit) & 1 and g.pair_points[suit] == 40:
                return 1 << suit
    return suits

cdef inline uint8_t pairs_alive(const Game* g, const Stock* k, const Node* n) noexcept nogil:
    """The suits (as bits) whose pair somebody holds, or may yet hold."""
    cdef uint64_t stock = in_stock(k, n), reach
    cdef uint8_t suits = 0
    cdef int seat, suit
    for suit in range(SUITS):
        for seat in range(g.players):
            reach = (n.s.hands[seat] | stock) & g.pair[suit]
            if reach and reach == g.pair[suit]:
                suits |= 1 << suit
    return suits

cdef inline uint64_t unlike_others(const Game* g, const Stock* k, const Node* n) noexcept nogil:
    """The cards that are more than their rank: of an open pair, or exchangeable."""
    cdef uint64_t cards = exchangeable(g, k, n)
    cdef uint8_t suits
    cdef int suit
    if not pairs_are_over(k, n):
        suits = pairs_alive(g, k, n) & ~n.s.declared
        for suit in range(SUITS):
            if (suits >> suit) & 1:
                cards |= g.pair[suit]
    return cards

cdef inline void drop_broken(const Game* g, const Stock* k, Node* n) noexcept nogil:
    """Forget that a pair was declared where that bears on nothing any more, so that equal states
    look equal."""
    if n.s.declared:
        n.s.declared &= 0 if pairs_are_over(k, n) else pairs_alive(g, k, n)

cdef inline uint64_t with_points(const Game* g) noexcept nogil:
    """The places of the honours."""
    return <uint64_t> EACH_SUIT * <uint64_t> (HONOURS_MASK << g.worthless_ranks)

cdef inline uint32_t honours_of(const Game* g, uint64_t in_play) noexcept nogil:
    """Which honours are in play, HONOURS bits a suit."""
    cdef int suit
    cdef uint32_t honours = 0
    in_play >>= g.worthless_ranks
    for suit in range(SUITS):
        honours |= <uint32_t> ((in_play >> 16 * suit) & HONOURS_MASK) << HONOURS * suit
    return honours

cdef inline void close_up(uint64_t* hands, int players, uint64_t gone) noexcept nogil:
    """Move the cards below each place that is gone up by one, in every hand."""
    cdef uint64_t hole, below
    cdef int place, seat
    for place in range(1, MOST_RANKS):
        hole = (gone >> place) & EACH_SUIT
        below = (hole << place) - hole
        for seat in range(players):
            hands[seat] += hands[seat] & below

cdef inline uint64_t key_of(
    const Game* g, const Stock* k, const Node* n, uint32_t* honours
) noexcept nogil:
    """The table's key of the start of a trick: its shape, and apart from it the honours in play.

    The shape is, for each suit, where the highest card in play is (in which hand, or as which card
    of the stock), where the next, and so on; with the leader and the pairs that somebody may yet
    declare, at their places. Cards in play are those of the hands and of the stock. Moved up over
    the gaps the hands show all places but those of the stock. These are the ones left over, and
    which card has which of them follows from the order of their ranks: so it is enough to name the
    undrawn cards as they lie (`salt`) and the turned-up one.

    Two states of one shape are the same game but for points. Duties and winners go by rank among
    the cards in play, and cards of the same place are drawn at the same time. The cards of a pair
    have the same places in both, where it may yet be declared; other pairs do not matter any
    more. The turned-up card is the same in both, and so, of what may be exchanged for it, is the two,
    the lowest trump. The seven is the highest trump without points, so its place is that after the
    trumps with points, whose number is in the key while it matters. So a line of play in one is a
    line in the other, and the values differ as `state.key_of` says. Honours drawn later count
    among the others.

    Where a rule asks for more of a card than its rank (not `neighbours`) only worthless cards are
    moved up, over worthless ones that are out of play, and there are no honours.
    """
    cdef uint64_t in_play = in_hands(g, n) | in_stock(k, n)
    cdef uint64_t special = exchangeable(g, k, n)
    cdef uint64_t gone = g.duties.worthless
    cdef uint64_t hands[SEATS]
    cdef uint64_t key = <uint64_t> (n.s.leader | (n.s.won << 4) | (n.parted << 8))
    cdef uint32_t pairs = n.s.declared, mask
    cdef uint8_t suits
    cdef int seat, suit
    key |= <uint64_t> ((n.capote << 12) | (n.failed << 14))
    key |= (<uint64_t> (special & k.seven != 0) << 15) | (<uint64_t> (special & k.two != 0) << 16)
    honours[0] = 0
    if g.neighbours:
        gone |= with_points(g)
        honours[0] = honours_of(g, in_play)
        if special:
            key |= <uint64_t> count(in_play & g.trumps & with_points(g)) << 17
        pairs = 0
        suits = 0 if pairs_are_over(k, n) else pairs_alive(g, k, n) & ~n.s.declared
        for suit in range(SUITS):
            if (suits >> suit) & 1:
                # One for the pair, and one for each honour over it.
                mask = (honours[0] >> HONOURS * suit) & HONOURS_MASK
                mask >>= (lowest(g.pair[suit]) & 15) - g.worthless_ranks + 2
                pairs |= <uint32_t> (1 + count(mask)) << 2 * suit
    if n.shown:
        key |= <uint64_t> (1 + lowest(n.shown)) << 20
    key |= <uint64_t> pairs << 32
    for seat in range(g.players):
        hands[seat] = n.s.hands[seat]
    close_up(hands, g.players, gone & ~in_play)
    key = mix(k.salt[n.left], key)
    if g.outcome:
        key = mix(key, <uint64_t> (n.s.made[0] | (n.s.made[1] << 16)))
    for seat in range(g.players):
        key = mix(key, hands[seat])
    return mixed(key)
