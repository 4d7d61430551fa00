# cython: language_level=3
"""Alpha-beta for two sides with every hand open and a stock whose order is known.

Side 0 maximises. A value is what side 0 still gains from here, in the units that the caller
chooses, or, where the outcome depends on both totals, the outcome itself; as in `two_sides`.

Exchanges are searched as moves, and so is a capote. Declaring a pair is not searched as a choice
between declaring and not; which of two, or whether first to exchange, is (`window`).

Several threads may search one position: each by itself, with a table in common.
"""

import threading

from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from tute.engine.bounds cimport limits
from tute.engine.last_cards cimport FEW_CARDS, answers, duel_key, duel_limits, last_cards
from tute.engine.packed cimport (
    Trick,
    add_card,
    begin_trick,
    highest,
    lowest,
    lowest_bit,
    mix,
    mixed,
    suit_mask,
    suit_of,
    takes,
)
from tute.engine.shared_table cimport (
    NO_MOVE,
    WORDS,
    SharedTable,
    read_word,
    table_clear,
    table_close,
    table_fetch,
    table_find,
    table_open,
    table_reserve,
    table_store,
    write_word,
)
from tute.engine.state cimport (
    SUITS,
    Game,
    State,
    load_game,
    load_state,
    tell_honours_apart,
    whole_pairs,
)
from tute.engine.stock_state cimport (
    FIRST_WIN,
    LAST_EIGHT,
    MOST_STOCK,
    Node,
    Stock,
    apart,
    draw,
    drop_broken,
    exchangeable,
    forty_first,
    in_hands,
    in_stock,
    key_of,
    legal,
    may_exchange,
    neighbour,
    open_pairs,
    pairs_are_over,
    tricks_left,
    unlike_others,
)
from tute.engine.stoppable cimport POLL, Stoppable, interrupted
from tute.engine.table cimport NO_LOWER, NO_UPPER

cdef enum:
    MOST_CARDS = 24            # in a hand
    MOST_TRICKS = 24
    PHASES = 2                 # nothing left to draw, or something
    KINDS = 3
    RANKS = 12

cdef enum:
    CLAIMS = 1024              # places for them (a power of two)
    SPLIT = 9                  # tricks from which on threads part
    TOGETHER = 11              # tricks from which on more than one thread searches

cdef enum Done:
    NOTHING = 0
    DECLARED = 1
    TOO_LATE = 2

cdef enum Moment:
    BEFORE_DRAW = 0
    AFTER_DRAW = 1
    AT_START = 2

cdef enum:
    PLAIN = 0
    TRUMPS = 1
    RUFFABLE = 2

cdef enum:
    ROUGH_LESS = 3             # the estimate looks at half of the tricks, less so many
    POINT = 8                  # the estimate's unit is an eighth of a point

cdef struct Weights:
    # What a card is worth to the side that holds it, in eighths of a point; it orders moves and
    # decides nothing.
    int16_t card[PHASES][KINDS][RANKS][RANKS]
    int16_t pair[PHASES][2]
    int16_t half[PHASES][2]
    int16_t lead[PHASES]

cdef struct Ending:
    # What follows a whole trick.
    Node node
    uint64_t key
    uint32_t honours
    int gain                   # of side 0 up to there, or the whole value
    int done
    bint ready                 # the node is the start of the next trick
    bint plain                 # of a plain ending; else that trick has the key
    bint known                 # nothing is left to search

cdef struct Search:
    Game game
    Game late                  # the same without pairs
    Stock stock
    Weights weights
    SharedTable* table
    bint plain                 # two players, points and nothing else, once no pair is left
    uint64_t nodes
    int result                 # of the last test, unless it was stopped
    bint stopped
    bint watch_signals
    uint64_t* claims           # shared too: what is being searched; NULL for a thread alone
    bint without_table
    bint without_bounds
    uint64_t order_seed        # if not 0, cards are tried in a random order
    int16_t worth[MOST_TRICKS + 1][2][64]  # by tricks left and side: what each card is worth
    int16_t after[MOST_TRICKS + 1][4]      # and what follows the trick, by its winner
    void* owner


cdef bint poll(Search* c) noexcept nogil:
    """Whether to stop."""
    c.stopped = interrupted(c.owner, c.nodes, c.watch_signals) or (<Solver> c.owner).enough
    return c.stopped


# ---------------------------------------------------------------------- threads


cdef inline bint claimed(Search* c, uint64_t key) noexcept nogil:
    """Whether another thread is searching that; if not it is ours until `give_back`.

    The simplified ABDADA of Kerrigan: the first move of a node is searched by every thread that
    comes there, another one is left for later while somebody is at it.
    """
    cdef uint64_t* place = &c.claims[key & (CLAIMS - 1)]
    if read_word(place) == key:
        return True
    write_word(place, key)
    return False


cdef inline void give_back(Search* c, uint64_t key) noexcept nogil:
    if read_word(&c.claims[key & (CLAIMS - 1)]) == key:
        write_word(&c.claims[key & (CLAIMS - 1)], 0)


# ---------------------------------------------------------------------- totals and ends


cdef inline void make(const Game* g, State* s, int side, int points) noexcept nogil:
    """Outcome mode: add points to a total, and in a second hand note who passes 100 first."""
    s.made[side] += points
    if g.vuelta and s.ended == 0 and s.made[side] > 100:
        s.ended = 1 if side == 0 else -1


cdef int outcome(const Game* g, const Node* n, int last_side) noexcept nogil:
    """Who has won a hand that is over (objectives.py): 1, 0 or -1 for side 0."""
    cdef bint first = n.s.made[0] > 100
    cdef bint second = n.s.made[1] > 100
    if n.capote:
        return 1 if (n.capote == 1) != n.failed else -1
    if n.s.ended:
        return n.s.ended
    if first and second and (g.by_last or n.s.made[0] == n.s.made[1]):
        return 1 if last_side == 0 else -1
    if first and second:
        return 1 if n.s.made[0] > n.s.made[1] else -1
    return first - second


cdef inline bint over(const Game* g, const Node* n) noexcept nogil:
    """Outcome mode: whether nothing can change the outcome any more."""
    return n.s.ended != 0 or (n.failed and g.fours[0] == 0)


# ---------------------------------------------------------------------- between tricks


cdef inline int second_card(
    const Game* g, Node* n, const Trick* t, int player, uint64_t card
) noexcept nogil:
    """AT_SECOND_CARD: note the first card of a pair, and say what the second is worth."""
    cdef int suit = suit_of(card)
    cdef int side = g.side[player]
    cdef uint8_t bit = 1 << suit
    if g.pair[suit] & card == 0:
        return 0
    if n.s.declared & bit:
        return 0
    if n.s.hands[player] & g.pair[suit]:
        n.parted |= bit
        return 0
    if not n.parted & bit:
        return 0
    n.parted &= ~bit
    if not ((n.s.won >> player) & 1 or g.side[t.best_player] == side):
        return 0
    return g.pair_points[suit]


cdef bint holds_tute(const Game* g, const Node* n) noexcept nogil:
    """Whether a caller of the leader's holds four cards of a rank that wins the hand."""
    cdef int seat, rank
    for rank in range(2):
        if g.fours[rank]:
            for seat in range(g.players):
                if (g.callers[n.s.leader] >> seat) & 1:
                    if n.s.hands[seat] & g.fours[rank] == g.fours[rank]:
                        return True
    return False


cdef int taken(Search* c, const Node* n, const Trick* t, Node* after, int* done) noexcept nogil:
    """The state after a trick, its winner to lead and nobody having drawn yet.

    Returns:
        What side 0 gains by it.
    """
    cdef Game* g = &c.game
    cdef int winner = t.best_player
    cdef int side = g.side[winner], gain = 0
    cdef bint last
    after[0] = n[0]
    after.s.leader = winner
    after.s.cards -= 1
    after.s.rest -= t.points
    last = after.s.cards == 0 and n.left == 0
    done[0] = NOTHING
    if after.capote and side + 1 != after.capote:
        after.failed = True
    if g.at_second_card:
        after.s.won |= 1 << winner | g.partners[winner]
    elif c.stock.until == FIRST_WIN:
        if after.s.won & g.callers[winner]:
            done[0] = TOO_LATE
        if n.left == 0:
            after.s.won |= 1 << winner
    elif pairs_are_over(&c.stock, n):
        done[0] = TOO_LATE
    if g.outcome:
        make(g, &after.s, side, t.points + (g.trick_points if last else 0))
    elif side == 0:
        gain = g.units.card * t.points + (g.units.last if last else 0)
    return gain


cdef inline int credit(Search* c, Node* n, uint8_t suits) noexcept nogil:
    """Declare pairs for the leader's side.

    Returns:
        What side 0 gains by it.
    """
    cdef Game* g = &c.game
    cdef int suit, points = 0, side = g.side[n.s.leader]
    for suit in range(SUITS):
        if (suits >> suit) & 1:
            points += g.pair_points[suit]
    n.s.declared |= suits
    if g.outcome:
        make(g, &n.s, side, points)
        return 0
    return g.units.cante[side] * points


cdef inline uint8_t may_declare(Search* c, const Node* n, int done, int moment) noexcept nogil:
    """The open pairs (as bits), or none where the time does not allow any or it gains nothing."""
    cdef Game* g = &c.game
    if done == TOO_LATE or (done == DECLARED and not g.several):
        return 0
    if moment == AT_START or g.at_second_card:
        return 0
    if not g.outcome and g.units.cante[g.side[n.s.leader]] == 0:
        return 0
    return open_pairs(g, n)


cdef inline bint awaits_draw(Search* c, const Node* n, int moment) noexcept nogil:
    """Whether the cards about to be drawn may complete what is declared."""
    return moment == BEFORE_DRAW and c.stock.until_lead and n.left > 0


cdef inline uint64_t exchange_open(Search* c, const Node* n, int moment) noexcept nogil:
    """The cards that the leader may exchange for the turned-up one."""
    cdef uint64_t cards = 0
    if moment == AFTER_DRAW or not may_exchange(&c.game, &c.stock, n):
        return 0
    if n.shown & c.stock.for_seven:
        cards = c.stock.seven
    elif n.shown & c.stock.for_two:
        cards = c.stock.two
    return n.s.hands[n.s.leader] & cards


cdef bint settle(Search* c, Node* n, int done, int* gain) noexcept nogil:
    """Go on to the lead after a trick, if nobody has a choice on the way.

    Returns:
        Whether that was done; otherwise nothing is changed.
    """
    cdef Game* g = &c.game
    cdef Node drawn
    cdef uint8_t suits
    if g.fours[0] or exchange_open(c, n, BEFORE_DRAW):
        return False
    suits = may_declare(c, n, done, BEFORE_DRAW)
    if not g.several:
        suits = forty_first(g, suits)
    if awaits_draw(c, n, BEFORE_DRAW):
        if suits:
            return False
        drawn = n[0]
        draw(g, &c.stock, &drawn)
        suits = may_declare(c, &drawn, done, AFTER_DRAW)
        if not g.several:
            suits = forty_first(g, suits)
        if suits & (suits - 1) and not g.several:
            return False
        n[0] = drawn
    else:
        if suits & (suits - 1) and not g.several:
            return False
        draw(g, &c.stock, n)
    if suits:
        gain[0] += credit(c, n, suits)
    drop_broken(g, &c.stock, n)
    return True


cdef int window(
    Search* c, const Node* n, int done, int moment, bint compulsory, int alpha, int beta
) noexcept nogil:
    """The value of the time between two tricks, the leader to declare, exchange or lead.

    Declaring a pair is never worse than leading without having declared one. Proof: suppose that
    a side's best play leads from a window in which it could declare pair P. Declare P and go on as
    before, but leave out P where it was declared later. Nobody else's moves depend on what has been
    declared; of one's own only the right to P, one declaration in this window (which was not used),
    and, under `forty_first`, the right to a twenty while P is the forty, which is gained. So the
    same tricks are won and the same pairs declared, P sooner, or one more. No objective is made
    worse by own points, nor by having them sooner. Which of two pairs to declare is a choice
    where only one may be.

    Declaring and exchanging in turn is the same in either order unless the turned-up card belongs
    to a pair of trumps, which an exchange may complete: neither the seven nor the two belong to a
    pair, so otherwise the same pairs are open before and after. So the pair comes first, but for
    that case, and but for pairs that are open only with the cards to be drawn: to declare such a
    pair ends the time of exchanges.
    """
    cdef Game* g = &c.game
    cdef Node after, drawn
    cdef int side = g.side[n.s.leader]
    cdef bint maximise = side == 0
    cdef int best = NO_LOWER if maximise else NO_UPPER
    cdef int value, suit, gain
    cdef uint8_t now, later = 0, bit
    cdef uint64_t card
    if g.outcome and over(g, n):
        return outcome(g, n, side)
    if g.fours[0] and moment != AT_START:
        if holds_tute(g, n):
            return 1 if side == 0 else -1
    now = may_declare(c, n, done, moment)
    if now and g.several:
        after = n[0]
        gain = credit(c, &after, now)
        return gain + window(c, &after, done, moment, False, alpha - gain, beta - gain)
    now = forty_first(g, now)
    if awaits_draw(c, n, moment):
        drawn = n[0]
        draw(g, &c.stock, &drawn)
        if g.fours[0] and holds_tute(g, &drawn):
            return 1 if side == 0 else -1
        later = forty_first(g, may_declare(c, &drawn, done, AFTER_DRAW)) & ~now
    # 1. A pair.
    for suit in range(SUITS):
        bit = 1 << suit
        if not (now | later) & bit or g.several:
            continue
        after = n[0] if now & bit else drawn
        gain = credit(c, &after, bit)
        value = gain + window(
            c, &after, DECLARED, moment if now & bit else AFTER_DRAW, False, alpha - gain, beta - gain
        )
        if c.stopped:
            return 0
        if better(value, &best, maximise, &alpha, &beta):
            return best
    # 2. An exchange.
    card = 0 if compulsory and now | later else exchange_open(c, n, moment)
    if card and now and not n.shown & g.pair[suit_of(n.shown)] and not later:
        card = 0
    if card:
        after = n[0]
        after.s.hands[n.s.leader] ^= card | n.shown
        after.shown = card
        value = window(c, &after, done, moment, False, alpha, beta)
        if c.stopped:
            return 0
        if better(value, &best, maximise, &alpha, &beta):
            return best
    # 3. The lead.
    if not (now | later) or g.several:
        after = n[0]
        if moment == BEFORE_DRAW:
            draw(g, &c.stock, &after)
        gain = credit(c, &after, may_declare(c, &after, done, AFTER_DRAW)) if later else 0
        value = gain + enter(c, &after, alpha - gain, beta - gain)
        if c.stopped:
            return 0
        better(value, &best, maximise, &alpha, &beta)
    return best


cdef inline bint better(int value, int* best, bint maximise, int* alpha, int* beta) noexcept nogil:
    """Take a move's value into account; whether it cuts the others off."""
    if maximise:
        best[0] = max(best[0], value)
        alpha[0] = max(alpha[0], value)
    else:
        best[0] = min(best[0], value)
        beta[0] = min(beta[0], value)
    return alpha[0] >= beta[0]


cdef int enter(Search* c, Node* n, int alpha, int beta) noexcept nogil:
    """The value at the start of a trick, after the last window was closed."""
    cdef uint64_t key
    cdef uint32_t honours
    if c.game.outcome and over(&c.game, n):
        return outcome(&c.game, n, c.game.side[n.s.leader])
    if is_plain(c, n):
        return plain_ending(c, n, alpha, beta)
    drop_broken(&c.game, &c.stock, n)
    key = key_of(&c.game, &c.stock, n, &honours)
    return search(c, n, key, honours, alpha, beta)


# ---------------------------------------------------------------------- the estimate


cdef void weigh(Search* c, const Node* n, const Trick* t) noexcept nogil:
    """Fill in what each card, in the hand of either side, is worth to side 0.

    And what follows the trick for each seat that may win it: the lead, and the cards drawn.
    """
    cdef Game* g = &c.game
    cdef Stock* k = &c.stock
    cdef Weights* w = &c.weights
    cdef int left = tricks_left(g, n), phase = n.left > 0
    cdef int16_t* mine = c.worth[left][0]
    cdef int16_t* theirs = c.worth[left][1]
    cdef uint64_t in_play = in_hands(g, n) | in_stock(k, n), suit_cards, cards, pair
    cdef int suit, seat, place, higher, trump, side, other, number, value
    cdef int kind[2]
    cdef uint64_t card
    for place in range(t.size):
        in_play |= t.cards[place]
    for suit in range(SUITS):
        cards = suit_mask(suit)
        suit_cards = in_play & cards
        if suit_cards == 0:
            continue
        trump = cards == g.trumps
        kind[0] = kind[1] = TRUMPS if trump else PLAIN
        if not trump and (n.left == 0 or k.duty == 3):
            for seat in range(g.players):
                if n.s.hands[seat] & cards == 0 and n.s.hands[seat] & g.trumps:
                    kind[1 - g.side[seat]] = RUFFABLE
        higher = 0
        while suit_cards:
            place = highest(suit_cards)
            suit_cards ^= <uint64_t> 1 << place
            mine[place] = w.card[phase][kind[0]][place & 15][higher]
            theirs[place] = -w.card[phase][kind[1]][place & 15][higher]
            higher += 1
        pair = g.pair[suit]
        if in_play & pair == pair and not (n.s.declared >> suit) & 1:
            for seat in range(g.players):
                cards = n.s.hands[seat] & pair
                if cards == 0:
                    continue
                if cards == pair:
                    value = w.pair[phase][trump]
                elif (pair ^ cards) & in_stock(k, n):
                    value = w.half[phase][trump]
                else:
                    continue
                while cards:
                    place = lowest(cards)
                    cards &= cards - 1
                    mine[place] += value
                    theirs[place] -= value
    for seat in range(g.players):
        value = w.lead[phase] if g.side[seat] == 0 else -w.lead[phase]
        other = seat
        for number in range(g.players):
            if n.left > number:
                card = n.shown if n.left == number + 1 else k.draw[n.left - number]
                value += c.worth[left][g.side[other]][lowest(card)]
            other = other + 1 if other + 1 < g.players else 0
        c.after[left][seat] = value


cdef inline int estimate(
    Search* c, const Trick* t, int left, uint64_t card
) noexcept nogil:
    """The estimate after the last card of a trick: its points, that card gone, what follows."""
    cdef int place = lowest(card)
    cdef int player = t.next_player
    cdef int winner = player if takes(card, t.best, c.game.trumps) else t.best_player
    cdef int points = (t.points + c.game.duties.points[place]) * (POINT // 2)
    if c.game.side[winner] != 0:
        points = -points
    return points + c.after[left][winner] - c.worth[left][c.game.side[player]][place]


cdef int played_out(Search* c, const Node* n, const Trick* t, int left) noexcept nogil:
    """What an unfinished trick comes to, played out for the best by the estimate."""
    cdef Game* g = &c.game
    cdef int player = t.next_player
    cdef int side = g.side[player]
    cdef int value, best = NO_LOWER if side == 0 else NO_UPPER
    cdef uint64_t card, moves = legal(g, &c.stock, n, t)
    cdef Trick after
    while moves:
        card = lowest_bit(moves)
        moves ^= card
        if t.size == g.players - 1:
            value = estimate(c, t, left, card)
        else:
            after = t[0]
            add_card(&after, card, player, g.players, &g.duties, g.trumps)
            value = played_out(c, n, &after, left) - c.worth[left][side][lowest(card)]
        best = max(best, value) if side == 0 else min(best, value)
    return best


cdef int order(
    Search* c, const Node* n, const Trick* t, uint64_t moves, uint8_t* places, int* scores
) noexcept nogil:
    """List cards with their scores, the one to try first before the others."""
    cdef Game* g = &c.game
    cdef int left = tricks_left(g, n), player = t.next_player
    cdef int side = g.side[player], score, place, number = 0
    cdef uint64_t card
    cdef Trick after
    while moves:
        card = lowest_bit(moves)
        moves ^= card
        place = lowest(card)
        if c.order_seed:
            score = shuffled(c.order_seed, c.nodes, place)
        elif t.size == g.players - 1:
            score = estimate(c, t, left, card)
        else:
            after = t[0]
            add_card(&after, card, player, g.players, &g.duties, g.trumps)
            score = played_out(c, n, &after, left) - c.worth[left][side][place]
        if side != 0:
            score = -score
        slip_in(number, <uint8_t> place, score, places, scores)
        number += 1
    return number


cdef inline void slip_in(
    int number, uint8_t place, int score, uint8_t* places, int* scores
) noexcept nogil:
    """Add a card to a list of so many that is in order."""
    while number and scores[number - 1] < score:
        scores[number] = scores[number - 1]
        places[number] = places[number - 1]
        number -= 1
    scores[number] = score
    places[number] = place


cdef int shuffled(uint64_t seed, uint64_t nodes, int place) noexcept nogil:
    """A repeatable random score."""
    return <int> (mixed(mix(mix(seed, nodes), <uint64_t> place)) & 0xFFFF)


# ---------------------------------------------------------------------- the rough search


cdef int worth_of_hands(Search* c, const Node* n, int left) noexcept nogil:
    """What the hands and the lead are worth to side 0, by the weights of the node."""
    cdef Game* g = &c.game
    cdef int seat, total = 0
    cdef uint64_t cards
    for seat in range(g.players):
        cards = n.s.hands[seat]
        while cards:
            total += c.worth[left][g.side[seat]][lowest(cards)]
            cards &= cards - 1
    return total


cdef int carry_on(Search* c, Node* n, int done) noexcept nogil:
    """Go on to the lead after a trick as is likely to be right: declare, exchange, draw.

    Returns:
        What the pair is worth to side 0, in the estimate's unit.
    """
    cdef Game* g = &c.game
    cdef uint64_t card
    cdef uint8_t suits = forty_first(g, may_declare(c, n, done, BEFORE_DRAW))
    cdef int points = 0, suit
    for suit in range(SUITS):
        if (suits >> suit) & 1:
            points = g.pair_points[suit]
            n.s.declared |= 1 << suit
            break
    card = exchange_open(c, n, BEFORE_DRAW)
    if card:
        n.s.hands[n.s.leader] ^= card | n.shown
        n.shown = card
    draw(g, &c.stock, n)
    return (POINT // 2) * (points if g.side[n.s.leader] == 0 else -points)


cdef int rough(Search* c, const Node* n, int tricks, int alpha, int beta) noexcept nogil:
    """What side 0 gains beyond half of what is left, by a search of so many tricks.

    Nothing that it says is proven: it orders moves, and gives a first guess.
    """
    cdef Game* g = &c.game
    cdef uint8_t places[MOST_CARDS]
    cdef int scores[MOST_CARDS]
    cdef int number, index, value, side = g.side[n.s.leader], left = tricks_left(g, n)
    cdef int best = NO_LOWER if side == 0 else NO_UPPER
    cdef Trick t
    if left == 0:
        return 0
    begin_trick(&t, n.s.leader)
    weigh(c, n, &t)
    number = order(c, n, &t, distinct(c, n, &t, n.s.hands[n.s.leader]), places, scores)
    if tricks == 1:
        return worth_of_hands(c, n, left) + (scores[0] if side == 0 else -scores[0])
    for index in range(number):
        value = rough_play(c, n, &t, <uint64_t> 1 << places[index], tricks, alpha, beta)
        if better(value, &best, side == 0, &alpha, &beta):
            break
    return best


cdef int rough_play(
    Search* c, const Node* n, const Trick* t, uint64_t card, int tricks, int alpha, int beta
) noexcept nogil:
    """The same after a card."""
    cdef Game* g = &c.game
    cdef Node after = n[0]
    cdef Trick trick = t[0]
    cdef uint8_t places[MOST_CARDS]
    cdef int scores[MOST_CARDS]
    cdef int done, gain, number, index, value, side, best
    after.s.hands[t.next_player] ^= card
    add_card(&trick, card, t.next_player, g.players, &g.duties, g.trumps)
    if trick.size == g.players:
        gain = (POINT // 2) * trick.points
        if g.side[trick.best_player] != 0:
            gain = -gain
        taken(c, &after, &trick, &after, &done)
        gain += carry_on(c, &after, done)
        return gain + rough(c, &after, tricks - 1, alpha - gain, beta - gain)
    side = g.side[trick.next_player]
    best = NO_LOWER if side == 0 else NO_UPPER
    number = order(
        c, &after, &trick, distinct(c, &after, &trick, legal(g, &c.stock, &after, &trick)),
        places, scores,
    )
    for index in range(number):
        value = rough_play(c, &after, &trick, <uint64_t> 1 << places[index], tricks, alpha, beta)
        if better(value, &best, side == 0, &alpha, &beta):
            break
    return best


# ---------------------------------------------------------------------- the trick


cdef int finish(Search* c, const Node* n, const Trick* t, int alpha, int beta) noexcept nogil:
    """The trick is complete: what it is worth, and what follows."""
    cdef Game* g = &c.game
    cdef Node after
    cdef int done, gain = taken(c, n, t, &after, &done)
    if after.s.cards == 0 and after.left == 0:
        return outcome(g, &after, g.side[after.s.leader]) if g.outcome else gain
    if settle(c, &after, done, &gain):
        return gain + enter(c, &after, alpha - gain, beta - gain)
    return gain + window(c, &after, done, BEFORE_DRAW, False, alpha - gain, beta - gain)


cdef int play(
    Search* c, const Node* n, const Trick* t, uint64_t card, int alpha, int beta
) noexcept nogil:
    """The value after a card."""
    cdef Game* g = &c.game
    cdef Node after = n[0]
    cdef Trick trick = t[0]
    cdef int player = t.next_player, gain = 0, points
    after.s.hands[player] ^= card
    add_card(&trick, card, player, g.players, &g.duties, g.trumps)
    if g.at_second_card:
        points = second_card(g, &after, &trick, player, card)
        if points and g.outcome:
            make(g, &after.s, g.side[player], points)
            if after.s.ended:
                return outcome(g, &after, 0)
        gain = g.units.cante[g.side[player]] * points
    if trick.size == g.players:
        return gain + finish(c, &after, &trick, alpha - gain, beta - gain)
    return gain + follow(c, &after, &trick, alpha - gain, beta - gain)


cdef int follow(Search* c, const Node* n, const Trick* t, int alpha, int beta) noexcept nogil:
    """The rest of a trick with at least one card on the table."""
    cdef Game* g = &c.game
    cdef int side = g.side[t.next_player], best, value
    cdef Node announced
    if may_announce(c, n):
        announced = announce(c, n, side)
        best = follow(c, &announced, t, alpha, beta)
        if c.stopped or (best >= beta if side == 0 else best <= alpha):
            return best
        value = replies(c, n, t, alpha, beta)
        return max(best, value) if side == 0 else min(best, value)
    return replies(c, n, t, alpha, beta)


cdef inline bint may_announce(Search* c, const Node* n) noexcept nogil:
    """Whether the player to move may announce that he will win the last eight tricks."""
    return c.stock.capote and n.capote == 0 and tricks_left(&c.game, n) == LAST_EIGHT


cdef inline Node announce(Search* c, const Node* n, int side) noexcept nogil:
    """The state with the last eight tricks announced; the totals do not matter any more."""
    cdef Node after = n[0]
    after.capote = 1 + side
    return after


cdef int replies(Search* c, const Node* n, const Trick* t, int alpha, int beta) noexcept nogil:
    """The best value over the cards that may be played to a trick."""
    cdef Game* g = &c.game
    cdef uint8_t places[MOST_CARDS]
    cdef int scores[MOST_CARDS]
    cdef int number, index, value, player = t.next_player
    cdef bint maximise = g.side[player] == 0
    cdef int best = NO_LOWER if maximise else NO_UPPER
    cdef uint64_t moves = distinct(c, n, t, legal(g, &c.stock, n, t))
    if moves & (moves - 1) == 0:
        return play(c, n, t, moves, alpha, beta)
    number = order(c, n, t, moves, places, scores)
    if t.size == g.players - 1 and not g.at_second_card:
        return last_replies(c, n, t, places, number, alpha, beta)
    for index in range(number):
        value = play(c, n, t, <uint64_t> 1 << places[index], alpha, beta)
        if c.stopped:
            return 0
        if better(value, &best, maximise, &alpha, &beta):
            break
    return best


cdef int last_replies(
    Search* c, const Node* n, const Trick* t, const uint8_t* places, int number, int alpha, int beta
) noexcept nogil:
    """The best value over the last cards to a trick, in the order given.

    The table is asked about what follows each of them before any is searched; what it proves may
    be enough.
    """
    cdef Game* g = &c.game
    cdef Ending endings[MOST_CARDS]
    cdef Ending* e
    cdef Trick trick
    cdef Node played
    cdef bint waiting[MOST_CARDS]
    cdef bint parting
    cdef int turn, index, value, low, high, move
    cdef int player = t.next_player
    cdef bint maximise = g.side[player] == 0
    cdef int worst = NO_LOWER if maximise else NO_UPPER
    cdef int best = worst
    cdef int values[MOST_CARDS]
    cdef uint64_t card
    cdef uint64_t unlike = unlike_others(g, &c.stock, n)
    cdef uint64_t others = (in_hands(g, n) ^ n.s.hands[player]) | in_stock(&c.stock, n)
    for index in range(t.size):
        others |= t.cards[index]
    for index in range(number):
        e = &endings[index]
        card = <uint64_t> 1 << places[index]
        trick = t[0]
        add_card(&trick, card, player, g.players, &g.duties, g.trumps)
        played = n[0]
        played.s.hands[player] ^= card
        e.gain = taken(c, &played, &trick, &e.node, &e.done)
        e.known = False
        e.ready = False
        if e.node.s.cards == 0 and e.node.left == 0:
            e.known = True
            if g.outcome:
                e.gain = outcome(g, &e.node, g.side[e.node.s.leader])
        elif settle(c, &e.node, e.done, &e.gain):
            if g.outcome and over(g, &e.node):
                e.known = True
                e.gain = outcome(g, &e.node, g.side[e.node.s.leader])
            else:
                e.ready = True
                e.plain = is_plain(c, &e.node)
                if not e.plain:
                    e.key = key_of(g, &c.stock, &e.node, &e.honours)
                    table_fetch(c.table, e.key)
    for index in range(number):
        e = &endings[index]
        low = NO_LOWER
        high = NO_UPPER
        if e.known:
            low = high = e.gain
        elif e.ready and not (e.plain or c.without_table):
            table_find(c.table, e.key, e.honours, g.units.card, &low, &high, &move)
            low += e.gain
            high += e.gain
        if low >= beta if maximise else high <= alpha:
            return low if maximise else high
        if high <= alpha if maximise else low >= beta:
            # It cannot matter, and is as good as searched.
            e.known = True
            e.gain = high if maximise else low
    parting = c.claims != NULL and tricks_left(g, n) > SPLIT
    for turn in range(2):
        for index in range(number):
            e = &endings[index]
            if turn == 1 and not waiting[index]:
                continue
            waiting[index] = False
            if index and g.neighbours and not c.without_bounds:
                value = neighbour(
                    g, others, unlike, places, values, index, g.units.card, maximise, -worst
                )
                values[index] = value
                if value <= alpha if maximise else value >= beta:
                    better(value, &best, maximise, &alpha, &beta)
                    continue
            if e.known:
                value = e.gain
            elif e.ready and e.plain:
                value = e.gain + plain_ending(c, &e.node, alpha - e.gain, beta - e.gain)
            elif e.ready:
                if parting and index and claimed(c, e.key) and turn == 0:
                    waiting[index] = True
                    values[index] = -worst
                    continue
                value = e.gain + search(
                    c, &e.node, e.key, e.honours, alpha - e.gain, beta - e.gain
                )
                if parting and index:
                    give_back(c, e.key)
            else:
                value = e.gain + window(
                    c, &e.node, e.done, BEFORE_DRAW, False, alpha - e.gain, beta - e.gain
                )
            if c.stopped:
                return 0
            values[index] = value
            if better(value, &best, maximise, &alpha, &beta):
                break
        if not parting or alpha >= beta:
            break
    return best


cdef inline uint64_t distinct(
    Search* c, const Node* n, const Trick* t, uint64_t moves
) noexcept nogil:
    """The moves without those that come to the same as another one."""
    cdef Game* g = &c.game
    cdef uint64_t in_play = in_hands(g, n) | in_stock(&c.stock, n)
    cdef int place
    for place in range(t.size):
        in_play |= t.cards[place]
    return apart(moves, g.duties.worthless, exchangeable(g, &c.stock, n), in_play)


# ---------------------------------------------------------------------- plain endings


cdef inline bint is_plain(Search* c, const Node* n) noexcept nogil:
    """Whether nothing counts any more but the points of two players' tricks."""
    cdef Game* g = &c.game
    cdef uint64_t pairs
    if n.left or not c.plain or c.without_bounds:
        return False
    pairs = whole_pairs(g, n.s.hands[0]) | whole_pairs(g, n.s.hands[1])
    while pairs:
        if not (n.s.declared >> (lowest(pairs) >> 4)) & 1 and not pairs_are_over(&c.stock, n):
            return False
        pairs &= pairs - 1
    return True


cdef int plain_ending(Search* c, const Node* n, int alpha, int beta) noexcept nogil:
    """The value of a plain ending, by the points that its leader takes."""
    cdef Game* g = &c.game
    cdef int leader = n.s.leader
    cdef int rest = n.s.rest + g.trick_points
    cdef uint64_t mine = n.s.hands[leader], yours = n.s.hands[1 - leader]
    cdef int point = g.units.card
    # The fewest points of side 0 that reach beta, and the most that do not exceed alpha.
    cdef int enough = (beta + point - 1) >> (point - 1)
    cdef int at_most = alpha >> (point - 1)
    if g.side[leader] == 0:
        return point * duel(c, mine, yours, n.s.cards, rest, at_most, enough)
    return point * (
        rest - duel(c, mine, yours, n.s.cards, rest, rest - enough, rest - at_most)
    )


cdef inline void weigh_duel(
    Search* c, uint64_t mine, uint64_t yours, int16_t* worth
) noexcept nogil:
    """What each card is worth to the player who holds it."""
    cdef Game* g = &c.game
    cdef int suit, place, higher
    cdef uint64_t cards, suit_cards, held
    cdef const int16_t (*own)[RANKS]
    cdef const int16_t (*other)[RANKS]
    for suit in range(SUITS):
        cards = suit_mask(suit)
        suit_cards = (mine | yours) & cards
        if suit_cards == 0:
            continue
        own = other = c.weights.card[0][PLAIN]
        if cards == g.trumps:
            own = other = c.weights.card[0][TRUMPS]
        elif yours & cards == 0:
            if yours & g.trumps:
                own = c.weights.card[0][RUFFABLE]
        elif mine & cards == 0 and mine & g.trumps:
            other = c.weights.card[0][RUFFABLE]
        higher = 0
        while suit_cards:
            place = highest(suit_cards)
            held = <uint64_t> 1 << place
            suit_cards ^= held
            worth[place] = own[place & 15][higher] if mine & held else other[place & 15][higher]
            higher += 1


cdef int duel(
    Search* c, uint64_t mine, uint64_t yours, int cards, int rest, int alpha, int beta
) noexcept nogil:
    """The points that the leader of a plain ending still takes; as `last_cards`, with the table."""
    cdef Game* g = &c.game
    cdef int16_t worth[64]
    cdef int scores[MOST_CARDS]
    cdef int values[MOST_CARDS]
    cdef uint8_t places[MOST_CARDS]
    cdef uint8_t place
    cdef int low = 0, high = rest, score, value, number = 0, index
    cdef int best = -1, move = NO_MOVE, found = NO_MOVE
    cdef int lead = c.weights.lead[0]
    cdef uint64_t key, leads, card, reply, moves
    cdef uint32_t honours
    if rest <= alpha:
        return rest
    if beta <= 0:
        return 0
    if cards <= FEW_CARDS:
        return last_cards(g, mine, yours, cards, rest, alpha, beta)
    key = duel_key(g, mine, yours, &honours)
    table_fetch(c.table, key)
    c.nodes += 1
    if c.nodes & (POLL - 1) == 0 and poll(c):
        return 0
    duel_limits(g, mine, yours, cards, rest, &low, &high)
    if low >= beta:
        return low
    if high <= alpha:
        return high
    if not c.without_table:
        table_find(c.table, key, honours, 1, &low, &high, &found)
        if low >= beta:
            return low
        if high <= alpha:
            return high
    alpha = max(alpha, low - 1)
    beta = min(beta, high + 1)
    weigh_duel(c, mine, yours, worth)
    leads = apart(mine, g.duties.worthless, 0, mine | yours)
    while leads:
        card = lowest_bit(leads)
        leads ^= card
        place = <uint8_t> lowest(card)
        if c.order_seed:
            score = shuffled(c.order_seed, c.nodes, place)
        else:
            score = NO_UPPER
            moves = answers(g, yours, place >> 4, card)
            while moves:
                reply = lowest_bit(moves)
                moves ^= reply
                value = (POINT // 2) * (
                    g.duties.points[place] + g.duties.points[lowest(reply)]
                ) + lead
                if takes(reply, card, g.trumps):
                    value = -value
                score = min(score, value + worth[lowest(reply)])
            score -= worth[place]
        slip_in(number, place, score, places, scores)
        number += 1
    if found < number:
        place = places[found]
        for index in range(found, 0, -1):
            places[index] = places[index - 1]
        places[0] = place
    for index in range(number):
        value = NO_UPPER
        if index:
            value = neighbour(g, yours, 0, places, values, index, 1, True, NO_UPPER)
        if value > max(alpha, best):
            value = duel_reply(
                c, mine, yours, places[index], cards, rest, worth, max(alpha, best), beta
            )
        if c.stopped:
            return 0
        values[index] = value
        if value > best:
            best = value
            move = index
            if best >= beta:
                break
    if found < number and move <= found:
        move = found if move == 0 else move - 1
    if not c.without_table:
        table_store(
            c.table,
            key,
            honours,
            cards,
            max(low, best) if best > alpha else low,
            min(high, best) if best < beta else high,
            move if move < NO_MOVE else NO_MOVE,
        )
    return best


cdef int duel_reply(
    Search* c,
    uint64_t mine,
    uint64_t yours,
    int place,
    int cards,
    int rest,
    const int16_t* worth,
    int alpha,
    int beta,
) noexcept nogil:
    """The points that the leader takes from a card on, the other to answer it."""
    cdef Game* g = &c.game
    cdef int scores[MOST_CARDS]
    cdef int values[MOST_CARDS]
    cdef uint8_t places[MOST_CARDS]
    cdef uint64_t keys[MOST_CARDS]
    cdef uint32_t honours[MOST_CARDS]
    cdef uint64_t card = <uint64_t> 1 << place, reply
    cdef int number = 0, index, score, value, points, best = 1000, bound, low, high, move
    cdef int lead = c.weights.lead[0]
    cdef bint takes_it
    cdef uint64_t moves = apart(
        answers(g, yours, place >> 4, card), g.duties.worthless, 0, mine | yours
    )
    mine ^= card
    while moves:
        reply = lowest_bit(moves)
        moves ^= reply
        index = lowest(reply)
        score = (POINT // 2) * (g.duties.points[place] + g.duties.points[index]) + lead
        if not takes(reply, card, g.trumps):
            score = -score
        score -= worth[index]
        if c.order_seed:
            score = shuffled(c.order_seed, c.nodes, index)
        slip_in(number, <uint8_t> index, score, places, scores)
        number += 1
    if number > 1 and cards - 1 > FEW_CARDS and not c.without_table:
        for index in range(number):
            reply = <uint64_t> 1 << places[index]
            if takes(reply, card, g.trumps):
                keys[index] = duel_key(g, yours ^ reply, mine, &honours[index])
            else:
                keys[index] = duel_key(g, mine, yours ^ reply, &honours[index])
            table_fetch(c.table, keys[index])
        for index in range(number):
            reply = <uint64_t> 1 << places[index]
            points = g.duties.points[place] + g.duties.points[places[index]]
            low = 0
            high = rest - points
            table_find(c.table, keys[index], honours[index], 1, &low, &high, &move)
            bound = rest - points - low if takes(reply, card, g.trumps) else points + high
            if bound <= alpha:
                return bound
    for index in range(number):
        reply = <uint64_t> 1 << places[index]
        points = g.duties.points[place] + g.duties.points[places[index]]
        takes_it = takes(reply, card, g.trumps)
        if index:
            value = neighbour(g, mine | card, 0, places, values, index, 1, False, NO_LOWER)
            if value >= best:
                values[index] = value
                continue
        if takes_it:
            bound = rest - points
            value = bound - duel(
                c, yours ^ reply, mine, cards - 1, bound, bound - min(beta, best), bound - alpha
            )
        else:
            value = points + duel(
                c,
                mine,
                yours ^ reply,
                cards - 1,
                rest - points,
                alpha - points,
                min(beta, best) - points,
            )
        if c.stopped:
            return 0
        values[index] = value
        best = min(best, value)
        if best <= alpha:
            break
    return best


cdef void possible(Search* c, const Node* n, int* low, int* high) noexcept nogil:
    """Narrow the least and the most that side 0 can still gain while there is a stock.

    From nothing, or all the points left, with every pair that may still be declared: one whose
    cards are in the hand of a player or in the stock, from which he may draw them.

    Of two players each keeps trumps as in `duel_limits`: a trump in hand wins the trick to which it
    is played unless the other plays a higher one, and each of those is played to one trick. Trumps
    in the stock may come to either, so they count against both. An exchange gives away a card
    without points.
    """
    cdef Game* g = &c.game
    cdef uint64_t stock = in_stock(&c.stock, n), reach, card, trumps
    cdef int seat, suit, side, place
    cdef int least = 0, most = g.units.card * n.s.rest + g.units.last
    cdef int over_it[2]
    cdef int kept[2]
    for suit in range(SUITS):
        if (n.s.declared >> suit) & 1 or g.pair[suit] == 0 or pairs_are_over(&c.stock, n):
            continue
        for side in range(2):
            for seat in range(g.players):
                reach = (n.s.hands[seat] | stock) & g.pair[suit]
                if g.side[seat] == side and reach == g.pair[suit]:
                    if side == 0:
                        most += g.units.cante[0] * g.pair_points[suit]
                    else:
                        least += g.units.cante[1] * g.pair_points[suit]
                    break
    over_it[0] = over_it[1] = kept[0] = kept[1] = 0
    trumps = (n.s.hands[0] | n.s.hands[1] | stock) & g.trumps if g.players == 2 else 0
    while trumps:
        place = highest(trumps)
        card = <uint64_t> 1 << place
        trumps ^= card
        if card & stock:
            over_it[0] += 1
            over_it[1] += 1
            continue
        seat = 0 if n.s.hands[0] & card else 1
        if over_it[seat]:
            over_it[seat] -= 1
        else:
            kept[seat] += g.duties.points[place]
        over_it[1 - seat] += 1
    seat = 0 if g.side[0] == 0 else 1
    low[0] = max(low[0], least + g.units.card * kept[seat])
    high[0] = min(high[0], most - g.units.card * kept[1 - seat])


cdef int search(
    Search* c, const Node* n, uint64_t key, uint32_t honours, int alpha, int beta
) noexcept nogil:
    """The value at the start of a trick: exact within the window, a bound outside (fail-soft)."""
    cdef Game* g = &c.game
    cdef int side = g.side[n.s.leader]
    cdef bint maximise = side == 0
    cdef int worst = NO_LOWER if maximise else NO_UPPER
    cdef int best = worst
    cdef int low = NO_LOWER, high = NO_UPPER
    cdef int values[MOST_CARDS]
    cdef bint waiting[MOST_CARDS]
    cdef bint parting, searched = False
    cdef uint64_t claim = 0
    cdef int turn, index, number, value, alpha_in, beta_in, move = NO_MOVE, found = NO_MOVE
    cdef uint8_t places[MOST_CARDS]
    cdef int scores[MOST_CARDS]
    cdef uint8_t place
    cdef uint64_t moves, others, unlike
    cdef Trick t
    cdef Node announced
    c.nodes += 1
    if c.nodes & (POLL - 1) == 0 and poll(c):
        return 0
    if not c.without_table:
        searched = table_find(c.table, key, honours, g.units.card, &low, &high, &found)
    if g.neighbours and not searched and not c.without_bounds:
        if n.left:
            possible(c, n, &low, &high)
        else:
            limits(&c.late if pairs_are_over(&c.stock, n) else g, &n.s, &low, &high)
    if low >= beta or low == high:
        return low
    if high <= alpha:
        return high
    alpha = alpha_in = max(alpha, low)
    beta = beta_in = min(beta, high)
    begin_trick(&t, n.s.leader)
    if may_announce(c, n):
        announced = announce(c, n, side)
        value = enter(c, &announced, alpha, beta)
        if c.stopped:
            return 0
        better(value, &best, maximise, &alpha, &beta)
    if alpha < beta:
        weigh(c, n, &t)
        moves = distinct(c, n, &t, n.s.hands[n.s.leader])
        number = order(c, n, &t, moves, places, scores)
        if found < number:
            place = places[found]
            for index in range(found, 0, -1):
                places[index] = places[index - 1]
            places[0] = place
        unlike = unlike_others(g, &c.stock, n)
        others = (in_hands(g, n) ^ n.s.hands[n.s.leader]) | in_stock(&c.stock, n)
        parting = c.claims != NULL and tricks_left(g, n) >= SPLIT
        for turn in range(2):
            for index in range(number):
                if turn == 1 and not waiting[index]:
                    continue
                waiting[index] = False
                if index and g.neighbours and not c.without_bounds:
                    value = neighbour(
                        g, others, unlike, places, values, index, g.units.card, maximise, -worst
                    )
                    values[index] = value
                    if value <= alpha if maximise else value >= beta:
                        better(value, &best, maximise, &alpha, &beta)
                        continue
                if parting and index:
                    claim = mix(key, 1 + places[index])
                    if claimed(c, claim) and turn == 0:
                        waiting[index] = True
                        values[index] = -worst
                        continue
                value = play(c, n, &t, <uint64_t> 1 << places[index], alpha, beta)
                if parting and index:
                    give_back(c, claim)
                if c.stopped:
                    return 0
                values[index] = value
                if value > best if maximise else value < best:
                    move = index
                if better(value, &best, maximise, &alpha, &beta):
                    break
            if not parting or alpha >= beta:
                break
        if found < number and move <= found:
            move = found if move == 0 else move - 1
    if c.without_table:
        return best
    if best > alpha_in:
        low = max(low, best)
    if best < beta_in:
        high = min(high, best)
    table_store(
        c.table,
        key,
        honours,
        tricks_left(g, n),
        low,
        high,
        move if move < NO_MOVE else NO_MOVE,
    )
    return best


# ---------------------------------------------------------------------- the solver


cdef class Solver(Stoppable):
    """One search with its table. Not to be used by two threads at once; `stop` may be called from any.

    Args:
        memory: MiB that the table may use, at least 1.
        threads: how many threads search together, at least 1.
    """

    cdef Search* searches
    cdef SharedTable table
    cdef int threads
    cdef uint64_t claims[CLAIMS]
    cdef Node node
    cdef Trick trick
    cdef int done
    cdef int moment
    cdef bint compulsory
    cdef bint open_window
    cdef volatile bint enough

    def __cinit__(self, int memory, int threads=1):
        cdef uint64_t most = 1024
        cdef int number
        while most * 2 * WORDS * sizeof(uint64_t) <= (<uint64_t> memory) << 20:
            most *= 2
        self.threads = threads
        self.searches = <Search*> calloc(threads, sizeof(Search))
        if self.searches == NULL or not table_open(&self.table, most):
            raise MemoryError("no memory for the table")
        for number in range(threads):
            self.searches[number].owner = <void*> self
            self.searches[number].table = &self.table
            self.searches[number].claims = self.claims if threads > 1 else NULL

    def __dealloc__(self):
        table_close(&self.table)
        free(self.searches)

    @property
    def nodes(self):
        """Trick starts searched since the solver was made, by all threads."""
        cdef int number
        total = 0
        for number in range(self.threads):
            total += self.searches[number].nodes
        return total

    @property
    def table_bytes(self):
        """The size of the part of the table that is in use."""
        return (self.table.mask + 1) * WORDS * sizeof(uint64_t)

    def set_test_mode(self, *, bint table=True, bint bounds=True, uint64_t order_seed=0):
        """Search without the table or the bounds, or in a random order: slower, same values."""
        cdef int number
        for number in range(self.threads):
            self.searches[number].without_table = not table
            self.searches[number].without_bounds = not bounds
            self.searches[number].order_seed = order_seed

    def set_game(self, dict game):
        """Load the fixed facts, as `Question.packed_game` has them, and empty the table."""
        cdef Search* c = self.searches
        cdef Game* g = &c.game
        cdef Stock* k = &c.stock
        cdef int rank, phase, kind, higher, index
        load_game(g, game)
        memset(k, 0, sizeof(Stock))
        c.late = g[0]
        memset(c.late.pair, 0, sizeof(c.late.pair))
        c.late.pair_low = 0
        k.duty = game["stock_duty"]
        k.until = game["cante_until"]
        k.until_lead = game["until_lead"]
        k.last_draw = game["exchange_last_draw"]
        k.capote = game["capote"]
        k.seven = game["seven"]
        k.two = game["two"]
        k.for_seven = game["for_seven"]
        k.for_two = game["for_two"]
        tell_honours_apart(g, self.table.differ, 1)
        c.plain = g.neighbours and g.players == 2
        weights = game["stock_weights"]
        if len(weights) != PHASES * (KINDS * RANKS * RANKS + 5):
            raise ValueError(f"{len(weights)} weights are too many or too few")
        index = 0
        for phase in range(PHASES):
            for kind in range(KINDS):
                for rank in range(RANKS):
                    for higher in range(RANKS):
                        c.weights.card[phase][kind][rank][higher] = weights[index]
                        index += 1
            for kind in range(2):
                c.weights.pair[phase][kind] = weights[index]
                c.weights.half[phase][kind] = weights[index + 1]
                index += 2
            c.weights.lead[phase] = weights[index]
            index += 1
        table_clear(&self.table)
        self.share()

    cdef void share(self):
        """Give every thread the facts of the first."""
        cdef int number
        cdef Search* c = self.searches
        for number in range(1, self.threads):
            self.searches[number].game = c.game
            self.searches[number].late = c.late
            self.searches[number].stock = c.stock
            self.searches[number].weights = c.weights
            self.searches[number].plain = c.plain

    def set_position(self, dict position):
        """Load a position of the game, as `Question.packed_position` has it."""
        cdef Search* c = self.searches
        cdef Game* g = &c.game
        cdef Stock* k = &c.stock
        cdef Node* n = &self.node
        cdef int left, number
        cdef uint64_t card
        memset(n, 0, sizeof(Node))
        load_state(g, &n.s, &self.trick, position)
        n.parted = position["parted"] & ~n.s.declared
        n.capote = position["capote"]
        n.failed = position["failed"]
        stock = position["stock"]
        n.left = len(stock)
        if n.left > MOST_STOCK or n.s.cards + n.left // g.players > MOST_TRICKS:
            raise ValueError("no hand has so many tricks")
        n.shown = stock[n.left - 1] if stock else 0
        k.undrawn[0] = k.undrawn[1] = 0
        k.salt[0] = 0
        k.salt[1] = 1
        for left in range(2, n.left + 1):
            card = stock[n.left - left]
            k.draw[left] = card
            k.undrawn[left] = k.undrawn[left - 1] | card
            k.salt[left] = mix(k.salt[left - 1], card)
        self.open_window = position["open_window"]
        self.done = position["done"]
        self.moment = position["moment"]
        self.compulsory = position["compulsory"]
        # About one line for each node of an average deal: what is not needed costs time to clear.
        number = 5 * g.players * tricks_left(g, n) // 6 - 5
        table_reserve(&self.table, 1 << min(30, max(10, number)))
        self.share()

    def estimate(self):
        """What side 0 will gain from the loaded position, roughly, in eighths of a point.

        A search of the next few tricks, and what the hands are then thought to be worth. Within a
        trick the trick alone is looked at.
        """
        cdef Search* c = self.searches
        cdef Node n = self.node
        cdef int total, left = tricks_left(&c.game, &n)
        if self.trick.size:
            weigh(c, &n, &self.trick)
            total = worth_of_hands(c, &n, left) + played_out(c, &n, &self.trick, left)
        else:
            if self.open_window and self.moment == BEFORE_DRAW:
                carry_on(c, &n, self.done)
            total = rough(c, &n, max(1, left // 2 - ROUGH_LESS), NO_LOWER, NO_UPPER)
        return total + (POINT // 2) * (n.s.rest + c.game.trick_points)

    cdef int value(self, Search* c, int bound) noexcept nogil:
        cdef Node n = self.node
        if self.trick.size:
            weigh(c, &n, &self.trick)
            return follow(c, &n, &self.trick, bound - 1, bound)
        if self.open_window:
            return window(c, &n, self.done, self.moment, self.compulsory, bound - 1, bound)
        return enter(c, &n, bound - 1, bound)

    def test(self, int bound):
        """Fail-soft zero-window test of the loaded position.

        Returns:
            A proven lower bound of the value if it is at least `bound`, else a proven upper bound
            (which is less than `bound`); None if the search was stopped.
        """
        cdef Search* c = self.searches
        cdef int number
        if not self.ready(&c.watch_signals):
            return None
        self.enough = False
        for number in range(self.threads):
            self.searches[number].stopped = False
        helpers = []
        if self.threads > 1 and tricks_left(&c.game, &self.node) >= TOGETHER:
            memset(self.claims, 0, sizeof(self.claims))
            for number in range(1, self.threads):
                helpers.append(threading.Thread(target=self._search, args=(number, bound)))
                helpers[number - 1].start()
        self._search(0, bound)
        for helper in helpers:
            helper.join()
        self.give_raised()
        for number in range(self.threads if helpers else 1):
            if not self.searches[number].stopped:
                return self.searches[number].result
        return None

    def _search(self, int number, int bound):
        """One thread's part of a test; the first that is done ends it."""
        cdef Search* c = &self.searches[number]
        with nogil:
            c.result = self.value(c, bound)
        if not c.stopped:
            self.enough = True
