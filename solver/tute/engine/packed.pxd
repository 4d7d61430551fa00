"""Packed hands and the duties over them: what every search stands on.

A card is a bit: 16 bits a suit (oros lowest), in each suit the weakest rank lowest. Worthless
cards (no points) fill the low bits of a suit; `close_gaps` closes the gaps that played ones
leave, so that two hands which differ only in the names of worthless cards have the same bits.
"""

from libc.stdint cimport int8_t, uint64_t

cdef extern from "bits.h" nogil:
    int lowest "tute_lowest" (uint64_t x)
    int highest "tute_highest" (uint64_t x)
    int count "tute_count" (uint64_t x)
    uint64_t lowest_bit "tute_lowest_bit" (uint64_t x)
    uint64_t mix "tute_mix" (uint64_t key, uint64_t part)
    uint64_t mixed "tute_mixed" (uint64_t key)

cdef enum:
    MAX_PLAYERS = 5

cdef enum Exempt:
    EXEMPT_NONE = 0
    EXEMPT_BEAT = 1
    EXEMPT_ALL = 2

cdef struct Duties:
    # The switches that `Turn.playable` in duties.py reads, and what it needs of the deck.
    bint montar_si_fallado
    bint undertrump_must
    int exempt
    bint obligada
    bint no_cargar
    uint64_t worthless         # the bits of cards without points
    int8_t points[64]          # by bit

cdef struct Trick:
    # The cards on the table.
    int size                   # how many
    int next_player
    int best_player
    uint64_t best              # the winning card
    uint64_t top_led           # the highest card of the suit led
    int led                    # suit, 0 to 3
    int points
    uint64_t cards[MAX_PLAYERS]

cdef inline uint64_t suit_mask(int suit) noexcept nogil:
    return (<uint64_t>0xFFFF) << (16 * suit)

cdef inline int suit_of(uint64_t card) noexcept nogil:
    return lowest(card) >> 4

cdef inline uint64_t above(uint64_t card) noexcept nogil:
    """The bits over a card's, its own suit's and later suits'."""
    return ~((card << 1) - 1) if card >> 63 == 0 else 0

cdef inline bint takes(uint64_t card, uint64_t best, uint64_t trumps) noexcept nogil:
    """Whether a card played later takes the trick from the card that is winning it."""
    if lowest(card) >> 4 == lowest(best) >> 4:
        return card > best
    return card & trumps != 0

cdef inline uint64_t spare_points(
    const Duties* duties, uint64_t cards, uint64_t best, uint64_t trumps, bint partner_winning
) noexcept nogil:
    """What the two rules about worthless cards leave of cards that no duty demands."""
    cdef uint64_t kept = 0, lost = 0, rest, card, suit_cards
    cdef int suit, least = 127, points
    if duties.obligada:
        for suit in range(4):
            suit_cards = cards & suit_mask(suit)
            kept |= lowest_bit(suit_cards)
        if partner_winning:
            kept |= cards & ~duties.worthless
        return kept
    rest = cards
    while rest:
        card = lowest_bit(rest)
        rest ^= card
        if not takes(card, best, trumps):
            points = duties.points[lowest(card)]
            if points < least:
                least = points
                lost = card
            elif points == least:
                lost |= card
        else:
            kept |= card
    return kept | lost

cdef inline uint64_t playable(
    const Duties* duties, uint64_t hand, const Trick* trick, uint64_t trumps, bint partner_winning
) noexcept nogil:
    """The cards of a hand that may be played to a trick with at least one card (duties.py)."""
    cdef uint64_t following = hand & suit_mask(trick.led)
    cdef uint64_t mine, over = 0
    cdef bint exempt = partner_winning and duties.exempt != EXEMPT_NONE
    if following:
        if not exempt:
            if lowest(trick.best) >> 4 == trick.led:
                over = following & above(trick.best)
            elif duties.montar_si_fallado:
                over = following & above(trick.top_led)
        if over:
            return over
        mine = following
    else:
        mine = hand & trumps
        if mine and not (exempt and duties.exempt == EXEMPT_ALL):
            if trick.best & trumps == 0:
                return mine
            over = mine & above(trick.best)
            if over and not exempt:
                return over
            if duties.undertrump_must:
                return mine
        mine = hand
    if duties.obligada or duties.no_cargar:
        return spare_points(duties, mine, trick.best, trumps, partner_winning)
    return mine

cdef inline uint64_t without_twins(uint64_t cards, uint64_t worthless) noexcept nogil:
    """The cards without those that are worth no more and no less than the next one up.

    Two worthless cards of a hand that are neighbours among the cards still in play (the table's
    included, which leave gaps) win and lose to the same cards; the highest of each run stays.
    """
    cdef uint64_t low = cards & worthless
    return (cards ^ low) | (low & ~(low >> 1))

cdef inline void begin_trick(Trick* trick, int leader) noexcept nogil:
    trick.size = 0
    trick.next_player = leader
    trick.points = 0

cdef inline void add_card(
    Trick* trick, uint64_t card, int player, int players, const Duties* duties, uint64_t trumps
) noexcept nogil:
    """Put a card on the table."""
    if trick.size == 0:
        trick.led = suit_of(card)
        trick.best = trick.top_led = card
        trick.best_player = player
    else:
        if takes(card, trick.best, trumps):
            trick.best = card
            trick.best_player = player
        if suit_of(card) == trick.led and card > trick.top_led:
            trick.top_led = card
    trick.cards[trick.size] = card
    trick.size += 1
    trick.points += duties.points[lowest(card)]
    trick.next_player = player + 1 if player + 1 < players else 0

cdef inline void close_gaps(
    uint64_t* hands, int players, const Trick* trick, uint64_t worthless
) noexcept nogil:
    """Move the worthless cards below each one that was played up by a place, in every hand.

    Highest first, so that the places of those still to be closed hold.
    """
    cdef uint64_t gone = 0, card, below, low
    cdef int place, player
    for place in range(trick.size):
        gone |= trick.cards[place]
    gone &= worthless
    while gone:
        # The lowest of all first: closing it moves only cards under it.
        card = lowest_bit(gone)
        gone ^= card
        below = (card - 1) & worthless & suit_mask(suit_of(card))
        if below:
            for player in range(players):
                low = hands[player] & below
                hands[player] += low
