"""The state of a two-sided game inside the search, what it counts, and the table's key."""

from libc.stdint cimport int8_t, int16_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from tute.engine.packed cimport (
    Duties,
    Trick,
    add_card,
    begin_trick,
    count,
    highest,
    lowest,
    lowest_bit,
    mix,
    mixed,
    suit_mask,
)
from tute.engine.table cimport HONOURS, HONOURS_MASK

cdef enum:
    SEATS = 4
    SUITS = 4
    KINDS = 3                  # of suits, in the evaluation: PLAIN, TRUMPS, RUFFABLE
    RANKS = 16                 # as bits in a suit
    HIGHER = 12                # cards of a suit above another, from none

cdef struct State:
    uint64_t hands[SEATS]
    int leader
    int cards                  # in each hand, at the start of the trick
    int rest                   # card points still in hands
    uint8_t declared           # suits whose pair is intact and has been declared
    uint8_t won                # seats that have a trick (AT_SECOND_CARD: or a partner who has)
    int16_t made[2]            # totals (outcome mode only)
    int8_t ended               # a second hand was decided: 1 or -1 (outcome mode only)

cdef struct Units:
    # How side 0 counts.
    int card                   # for each card point of a trick that it takes
    int trick                  # for each trick
    int last                   # for the last trick
    int cante[2]               # for each point of a pair that side 0, 1 declares

cdef struct Evaluation:
    # Estimated worth to side 0, in eighths of a point; it orders moves and decides nothing.
    int16_t card[2][KINDS][RANKS][HIGHER]  # by side, kind of suit, rank, higher cards in play
    int lead

cdef struct Game:
    Duties duties
    Units units
    Evaluation evaluation
    int players
    int side[SEATS]
    uint64_t trumps
    uint64_t sure              # the places over the trumps', for `set_apart`; 0 where it is not used
    uint64_t alike             # the bits without points: sure trumps and worthless cards
    uint8_t partners[SEATS]    # who plays with each seat, as bits
    uint8_t callers[SEATS]     # who may declare after a trick that a seat won, as bits
    uint64_t pair[SUITS]       # the two cards of each suit's pair; 0 where there are none
    uint64_t pair_low          # the lower cards of all pairs: a pair's cards are next in rank
    int pair_points[SUITS]
    int8_t owner[SUITS]        # AT_SECOND_CARD: who held the pair at the root, or -1
    uint64_t fours[2]          # the four cards of each rank that makes a tute; 0 without
    bint at_second_card
    bint several
    bint forty_first
    bint first_win             # a pair may be declared only after a seat's first trick
    bint outcome               # the value is who gets more than 100
    bint by_last               # and if both do, who has the last trick, not the higher total
    bint vuelta                # which the first side to pass 100 decides
    bint neighbours            # of a card nothing counts but points and rank among those in play
    int worthless_ranks        # how many ranks of a suit have no points: the lowest ones
    uint8_t closed[HONOURS_MASK + 1][HONOURS_MASK + 1]  # by honours in play and held: no gaps
    int trick_points           # outcome mode: points for the last trick
    uint64_t salt              # of the table's keys: what `owner` says

cdef inline uint64_t whole_pairs(const Game* g, uint64_t hand) noexcept nogil:
    """The lower cards of the pairs that a hand holds."""
    return hand & (hand >> 1) & g.pair_low

cdef inline uint64_t key_of(const Game* g, const State* s, uint32_t* honours) noexcept nogil:
    """The table's key: the shape of a state, and apart from it which honours are in play.

    The shape is, for each suit, who holds the highest card in play, who the next, and so on; with
    the leader and the pairs that may still be declared, at their places. `honours` has the cards
    with points that are in play, HONOURS bits a suit: with the shape they are the whole state.

    Two states of one shape are the same game but for points: duties and winners go by rank among the
    cards in play. So a line of play in one is a line in the other, the same pairs are declared, and
    its totals differ by the points that the cards of the tricks won differ by. The values, best of
    the same lines, differ by at most the sum over all cards. Where a rule asks for more of a card
    than its rank (not `neighbours`), the key is the state as it is and there are no honours.

    Each part is mixed before the next is added: no bit of one can stand for a bit of another.
    """
    cdef uint64_t key, cards, whole = 0, in_play = 0
    cdef uint64_t hands[SEATS]
    cdef int seat, suit, base, mask, gaps
    cdef int low = g.worthless_ranks, top = g.worthless_ranks + HONOURS
    cdef uint32_t pairs = s.declared
    honours[0] = 0
    for seat in range(g.players):
        hands[seat] = s.hands[seat]
    if g.neighbours:
        pairs = 0
        for seat in range(g.players):
            in_play |= hands[seat]
            whole |= whole_pairs(g, hands[seat])
            hands[seat] &= g.sure
        for suit in range(SUITS):
            base = 16 * suit
            mask = (in_play >> (base + low)) & HONOURS_MASK
            honours[0] |= <uint32_t> mask << HONOURS * suit
            gaps = HONOURS - count(mask)
            for seat in range(g.players):
                cards = (s.hands[seat] >> base) & (((<uint64_t> 1) << top) - 1)
                cards = (
                    <uint64_t> g.closed[mask][cards >> low] << low
                    | cards & (((<uint64_t> 1) << low) - 1)
                )
                hands[seat] |= cards << gaps << base
            cards = (whole >> base) & 0xFFFF
            if cards and not (s.declared >> suit) & 1:
                # One for the pair, and one for each honour over it.
                pairs |= <uint32_t> (1 + count(mask >> (lowest(cards) - low + 2))) << 2 * suit
    key = mix(g.salt, s.leader | pairs << 4 | <uint64_t> s.won << 12)
    if g.outcome:
        key = mix(key, <uint64_t> (s.made[0] | (s.made[1] << 16)))
    for seat in range(g.players):
        key = mix(key, hands[seat])
    return mixed(key)

cdef inline void tell_honours_apart(
    Game* g, int16_t (*differ)[HONOURS_MASK + 1], int point
) noexcept nogil:
    """Fill in what keys and look-ups need of the honours of one suit.

    `differ` is by the honours in play in two states of a shape: how much more they are worth in
    the second at most, card by card, where a card point counts `point`.
    """
    cdef int16_t points[HONOURS_MASK + 1][HONOURS]  # by honours in play: of the highest, the next, …
    cdef int mask, held, place, number
    memset(points, 0, sizeof(points))
    for mask in range(HONOURS_MASK + 1):
        number = 0
        for place in range(HONOURS - 1, -1, -1):
            if (mask >> place) & 1:
                points[mask][number] = g.duties.points[g.worthless_ranks + place]
                number += 1
        for held in range(HONOURS_MASK + 1):
            number = 0
            g.closed[mask][held] = 0
            for place in range(HONOURS):
                if (mask >> place) & 1:
                    g.closed[mask][held] |= ((held >> place) & 1) << number
                    number += 1
    for mask in range(HONOURS_MASK + 1):
        for held in range(HONOURS_MASK + 1):
            differ[mask][held] = 0
            for place in range(HONOURS):
                number = points[held][place] - points[mask][place]
                differ[mask][held] += point * max(0, number)

cdef inline uint8_t pair_suits(const Game* g, const State* s, uint8_t seats) noexcept nogil:
    """The suits (as bits) whose pair one of these seats (as bits) holds."""
    cdef int seat
    cdef uint8_t suits = 0
    cdef uint64_t held
    for seat in range(g.players):
        if (seats >> seat) & 1:
            held = whole_pairs(g, s.hands[seat])
            while held:
                suits |= 1 << (lowest(held) >> 4)
                held &= held - 1
    return suits

cdef inline void drop_broken(const Game* g, State* s) noexcept nogil:
    """Forget that a pair was declared once it is broken, so that equal states look equal."""
    if s.declared:
        s.declared &= pair_suits(g, s, 0xFF)

cdef inline int set_apart(const Game* g, State* s) noexcept nogil:
    """Count the trumps that are sure for one side at once, and give them the top places.

    These are the highest trumps in play as far as one side holds them all (`own_trumps`), down to
    a pair that may still be declared. Returns what side 0 gains with them.

    Proof that the value stays the same but for that gain. The trick to which such a trump is played
    is won by it or by a higher one, of the same side: so its points go to that side whatever is
    played. Without points, and with no rule that asks for its name, only its rank among the trumps
    in play matters, and that is kept.
    """
    cdef uint64_t trumps = 0, first_side = 0, pending = 0, hand, card, side
    cdef int seat, place, points = 0
    cdef int top = highest(g.sure), least = lowest(g.sure)
    for seat in range(g.players):
        hand = s.hands[seat] & g.trumps
        trumps |= hand
        if g.side[seat] == 0:
            first_side |= hand
        pending |= whole_pairs(g, hand)
    if trumps == 0:
        return 0
    if pending:
        pending = 0 if (s.declared >> (lowest(pending) >> 4)) & 1 else pending | pending << 1
    side = (first_side >> highest(trumps)) & 1
    while trumps and top >= least:
        place = highest(trumps)
        card = <uint64_t> 1 << place
        if (first_side >> place) & 1 != side or pending & card:
            break
        if place != top:
            for seat in range(g.players):
                if s.hands[seat] & card:
                    s.hands[seat] ^= card | <uint64_t> 1 << top
            points += g.duties.points[place]
        trumps ^= card
        top -= 1
    if points:
        s.rest -= points
        drop_broken(g, s)
    return g.units.card * points if side else 0

cdef inline int load_game(Game* g, dict game) except -1:
    """Take in the fixed facts that both searches of two sides need; all else is 0.

    Args:
        game: as `Question.packed_game` has it.
    """
    cdef int seat, suit, rank, place
    memset(g, 0, sizeof(Game))
    g.players = game["players"]
    g.trumps = game["trumps"]
    g.duties.montar_si_fallado = game["montar_si_fallado"]
    g.duties.undertrump_must = game["undertrump_must"]
    g.duties.exempt = game["exempt"]
    g.duties.obligada = game["obligada"]
    g.duties.no_cargar = game["no_cargar"]
    g.duties.worthless = game["worthless"]
    for place, points in game["points"].items():
        g.duties.points[place] = points
    for seat in range(g.players):
        g.side[seat] = game["side"][seat]
        g.partners[seat] = game["partners"][seat]
        g.callers[seat] = game["callers"][seat]
    for suit in range(SUITS):
        g.pair[suit] = game["pair"][suit]
        g.pair_low |= lowest_bit(g.pair[suit])
        g.pair_points[suit] = game["pair_points"][suit]
    for rank, cards in enumerate(game["fours"]):
        g.fours[rank] = cards
    g.at_second_card = game["at_second_card"]
    g.several = game["several"]
    g.forty_first = game["forty_first"]
    g.outcome = game["outcome"]
    g.by_last = game["by_last"]
    g.first_win = game["first_win"]
    g.vuelta = game["vuelta"]
    g.trick_points = game["last_trick"]
    g.units.card = game["units"][0]
    g.units.trick = game["units"][1]
    g.units.last = game["units"][2]
    g.units.cante[0] = game["units"][3]
    g.units.cante[1] = game["units"][4]
    g.neighbours = game["neighbours"]
    g.worthless_ranks = lowest(~(g.duties.worthless & suit_mask(0)))
    return 0

cdef inline int load_state(const Game* g, State* s, Trick* t, dict position) except -1:
    """Take in the hands, the totals and the cards on the table.

    Args:
        position: as `Question.packed_position` has it.
    """
    cdef int seat
    cdef uint64_t card
    memset(s, 0, sizeof(State))
    for seat in range(g.players):
        s.hands[seat] = position["hands"][seat]
    s.leader = position["leader"]
    s.cards = position["cards"]
    s.rest = position["rest"]
    s.declared = position["declared"]
    s.won = position["won"]
    for seat in range(2):
        s.made[seat] = position["made"][seat] if g.outcome else 0
    s.ended = position["ended"] if g.outcome else 0
    begin_trick(t, s.leader)
    for card in position["trick"]:
        add_card(t, card, t.next_player, g.players, &g.duties, g.trumps)
    return 0
