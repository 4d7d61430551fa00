"""What a card does, recognised from the position: each motif is a named predicate.

A predicate is given a move in its place in a line of play (`Scene`) and looks at the position, the
values of its moves and how the line goes on; it knows nothing of where they come from. Each
docstring is the exact condition; `report.lesson.definitions` has it in short words. In it
*opponents* are the players who do not share the mover's value (in games for each alone: the seat
asked about, against all the others), *its side* those who do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tute.cards import Card
from tute.duties import Turn, beats, winning
from tute.game import Game
from tute.notation import CAPOTE, FORTY, SEVEN, TUTE, TWENTY, TWO, Move
from tute.position import Position
from tute.results import Moment

# The ranks that are a carga, counted from the strongest.
_CARGAS = 2
# How near the end one speaks of the last trick.
_LAST_TRICKS = 4
_HUNDRED = 100


def takers(after: Position) -> tuple[int, ...]:
    """Who of those still to play to the trick may take it from the card that is winning it.

    The duties of a player depend on the winning card and not on those that lose to it, so each can
    be asked as if the others before him had left the trick as it is.

    Args:
        after: a position with an unfinished trick; with none, nobody may.

    Returns:
        Places, in the order of play.
    """
    game, trick = after.game, after.trick
    if not trick:
        return ()
    winner = _places(after)[winning(trick, after.trump, game.deck)]
    best = trick[winning(trick, after.trump, game.deck)]
    found, place = [], after.turn
    for _ in range(game.trick_size - len(trick)):
        turn = Turn(
            after.hands[place],
            trick,
            after.trump,
            game.rules,
            game.deck,
            game.partners(place, winner),
            bool(after.stock),
        )
        if any(beats(card, best, after.trump, game.deck) for card in turn.playable()[0]):
            found.append(place)
        place = game.after(place)
    return tuple(found)


def takes_for_certain(position: Position, card: Card) -> bool:
    """Whether the card wins the trick to which it is played, whatever the others do.

    Where a cante that falls in the trick ends the hand, nobody wins it.
    """
    before = position.settled()
    trick = (*before.trick, card)
    if winning(trick, before.trump, before.game.deck) != len(trick) - 1:
        return False
    after = before.play(card)
    return not takers(after) and not (after.over and after.trick)


@dataclass(frozen=True)
class Scene:
    """A move in its place in a line of play.

    Attributes:
        moment: the move, the position before it, and the value of each of its moves.
        rest: the line after the move.
    """

    moment: Moment
    rest: tuple[Move, ...]

    @property
    def move(self) -> Move:
        """The move itself."""
        return self.moment.move

    @cached_property
    def card(self) -> Card | None:
        """The card that is played; None for anything else."""
        return self.move if isinstance(self.move, Card) else None

    @cached_property
    def before(self) -> Position:
        """The position to which the card is played, with what is drawn before a lead."""
        return self.moment.position.settled() if self.card else self.moment.position

    @cached_property
    def after(self) -> Position:
        """The position after the move."""
        return self.before.play(self.move)

    @property
    def place(self) -> int:
        """The mover's place."""
        return self.before.turn

    @cached_property
    def mine(self) -> frozenset[int]:
        """The places of those who share the mover's value."""
        asked = frozenset(seat - 1 for seat in self.moment.solution.side)
        return asked if self.place in asked else frozenset(range(self.before.game.players)) - asked

    @property
    def leads(self) -> bool:
        """Whether the move is the first card of a trick."""
        return self.card is not None and not self.before.trick

    @property
    def follows(self) -> bool:
        """Whether the move is a later card of a trick."""
        return self.card is not None and bool(self.before.trick)

    @cached_property
    def others(self) -> tuple[Card, ...]:
        """The other cards that might have been played."""
        moves = (answer.card for answer in self.moment.solution.cards)
        return tuple(m for m in moves if isinstance(m, Card) and m != self.move)

    @cached_property
    def worse(self) -> frozenset[Move]:
        """The moves that cost something."""
        solution = self.moment.solution
        return frozenset(answer.card for answer in solution.cards) - frozenset(solution.best)

    @cached_property
    def trick(self) -> tuple[Card, ...]:
        """The trick to which the card is played, as the line completes it."""
        if self.card is None:
            return ()
        left = self.before.game.trick_size - len(self.before.trick) - 1
        rest = (move for move in self.rest[:left] if isinstance(move, Card))
        return (*self.before.trick, self.card, *rest)

    @cached_property
    def places(self) -> tuple[int, ...]:
        """Who plays each card of `trick`."""
        return _places(self.before, len(self.trick))

    @cached_property
    def later(self) -> tuple[tuple[int, Card], ...]:
        """The cards that opponents play to the trick after this one."""
        played = list(zip(self.places, self.trick, strict=True))[len(self.before.trick) + 1 :]
        return tuple((place, card) for place, card in played if place not in self.mine)

    @cached_property
    def winner(self) -> int | None:
        """Who wins the trick in the line; None for a move that is no card."""
        if len(self.trick) < self.before.game.trick_size:
            return None
        return self.places[winning(self.trick, self.before.trump, self.before.game.deck)]

    @cached_property
    def end(self) -> Position:
        """The position at the end of the trick; after a move that is no card, at once."""
        position = self.after
        for move in self.rest:
            if not position.trick or position.over:
                break
            position = position.play(move)
        return position

    @cached_property
    def ahead(self) -> tuple[tuple[Position, Move], ...]:
        """The rest of the line, each move with the position before it."""
        position, found = self.after, []
        for move in self.rest:
            found.append((position, move))
            position = position.play(move)
        return tuple(found)

    def points(self, card: Card) -> int:
        """A card's points."""
        return self.before.game.deck.points[card]

    def takes(self, card: Card) -> bool:
        """Whether a card would be winning the trick once it is played."""
        trick = (*self.before.trick, card)
        return winning(trick, self.before.trump, self.before.game.deck) == len(trick) - 1

    @cached_property
    def winning_so_far(self) -> int | None:
        """Who is winning the trick before the card is played; None on a lead."""
        trick = self.before.trick
        if not trick:
            return None
        return _places(self.before)[winning(trick, self.before.trump, self.before.game.deck)]


def _places(position: Position, number: int | None = None) -> tuple[int, ...]:
    """Who plays the cards of the trick in progress, from its leader on: the first `number`."""
    game, place = position.game, position.turn
    for _ in range(game.trick_size - len(position.trick)):
        place = game.after(place)
    found = []
    for _ in range(len(position.trick) if number is None else number):
        found.append(place)
        place = game.after(place)
    return tuple(found)


# -------------------------------------------------------------------- declarations


def declares(scene: Scene) -> bool:
    """Declares a cante, a tute or the capote."""
    return scene.move in (FORTY, TUTE, CAPOTE, *TWENTY.values())


def completes_a_cante(scene: Scene) -> bool:
    """Plays the second card of a cante, where it is credited with that card."""
    if scene.before.game.rules.cante_timing != "at_second_card" or scene.card is None:
        return False
    return scene.card.suit in scene.before.parted and scene.after.declared > scene.before.declared


def exchanges(scene: Scene) -> bool:
    """Exchanges the seven or the two of trumps for the turned-up card."""
    return scene.move in (SEVEN, TWO)


# -------------------------------------------------------------------- what decides the hand


def makes_the_contract(scene: Scene) -> bool:
    """Wins the baza, or declares the cante, with which the declaring side has what it bid."""
    game = scene.before.game
    if game.bid is None or not game.variant.bids:
        return False
    side = game.side(game.declarer or 0)
    return _reaches(scene, side, game.bid)


def breaks_the_contract(scene: Scene) -> bool:
    """Wins the baza after which the declarer cannot reach his bid with all that is left."""
    game = scene.before.game
    if game.bid is None or not game.variant.bids:
        return False
    side = game.side(game.declarer or 0)
    if scene.place in side or scene.winner != scene.place:
        return False
    return within_reach(scene.end, side) < game.bid <= within_reach(scene.before, side)


def passes_100(scene: Scene) -> bool:
    """In habanero and guiñote, wins the baza or declares the cante that takes its side over 100."""
    game = scene.before.game
    return _to_a_hundred(game) and _reaches(scene, game.side(scene.place), _HUNDRED + 1)


def keeps_them_below_100(scene: Scene) -> bool:
    """In habanero and guiñote, wins a baza with whose points the opponents would pass 100."""
    game = scene.before.game
    if not _to_a_hundred(game) or scene.winner != scene.place:
        return False
    theirs = sum(scene.before.points[p] for p in range(game.players) if p not in scene.mine)
    last = game.variant.last_trick if not any(scene.end.hands) else 0
    return theirs <= _HUNDRED < theirs + last + sum(scene.points(card) for card in scene.trick)


def _to_a_hundred(game: Game) -> bool:
    return game.variant.winning in ("hundred", "hundred or last trick")


def _reaches(scene: Scene, side: Sequence[int], goal: int) -> bool:
    """Whether the mover, one of the side, brings its points to a goal with this move's trick."""
    if scene.place not in side or (scene.card is not None and scene.winner != scene.place):
        return False
    so_far = sum(scene.before.points[place] for place in side)
    return so_far < goal <= sum(scene.end.points[place] for place in side)


def within_reach(position: Position, side: Sequence[int]) -> int:
    """No fewer points than a side can still come to: all that is left, and all its cantes."""
    game = position.game
    made = sum(position.points[place] for place in side)
    if position.over:
        return made
    cards = [*position.trick, *position.stock, *(card for hand in position.hands for card in hand)]
    tricks = max(len(hand) for hand in position.hands) + len(position.stock) // game.trick_size
    made += sum(game.deck.points[card] for card in cards)
    made += game.variant.last_trick + game.variant.per_trick * tricks
    for suit in set(TWENTY) - position.declared:
        pair = {Card(rank + suit) for rank in game.variant.pair}
        held = any(
            suit in position.parted or position.stock or pair <= set(position.hands[place])
            for place in side
            if place in game.singers
        )
        made += (40 if suit == position.trump else 20) if pair and held else 0
    return made


def takes_the_last(scene: Scene) -> bool:
    """Wins the last baza of the hand and its ten points."""
    ends = scene.end.over and not any(scene.end.hands)
    last = scene.before.game.variant.last_trick > 0
    return ends and last and scene.winner == scene.place


def keeps_the_last_trick(scene: Scene) -> bool:
    """In the last four bazas, keeps a card that it may not spend now, and that wins the last."""
    if scene.card is None or not scene.before.game.variant.last_trick or scene.end.over:
        return False
    if len(scene.before.hands[scene.place]) + len(scene.before.stock) > _LAST_TRICKS:
        return False
    position, last = scene.after, None
    for before, move in scene.ahead:
        if isinstance(move, Card) and before.turn == scene.place:
            last = move
        position = before.play(move)
    if not position.over or any(position.hands) or position.took_last != scene.place:
        return False
    return last in scene.others and last in scene.worse


# -------------------------------------------------------------------- trumps


def draws_the_last_trumps(scene: Scene) -> bool:
    """Leads a trump to which an opponent gives one, and leaves the opponents without trumps."""
    theirs = (hand for place, hand in enumerate(scene.end.hands) if place not in scene.mine)
    left = any(card.suit == scene.before.trump for hand in theirs for card in hand)
    return draws_trumps(scene) and not left


def draws_trumps(scene: Scene) -> bool:
    """Leads a trump to which an opponent gives one."""
    trump = scene.before.trump
    if not scene.leads or scene.trick[0].suit != trump:
        return False
    return any(card.suit == trump for _, card in scene.later)


def makes_them_ruff(scene: Scene) -> bool:
    """Leads another suit than trumps, on which an opponent has nothing but trumps to play."""
    trump = scene.before.trump
    if trump is None or not scene.leads or scene.trick[0].suit == trump:
        return False
    replies = scene.ahead[: len(scene.trick) - 1]
    return any(
        position.turn not in scene.mine
        and all(isinstance(move, Card) and move.suit == trump for move in position.legal())
        for position, _ in replies
    )


def ruffs(scene: Scene) -> bool:
    """Trumps a baza of another suit that nobody has trumped before."""
    trump = scene.before.trump
    if scene.card is None or not scene.follows or scene.card.suit != trump:
        return False
    return all(card.suit != trump for card in scene.before.trick)


def overruffs(scene: Scene) -> bool:
    """Trumps higher than the trump with which an opponent is winning a baza of another suit."""
    trump, trick = scene.before.trump, scene.before.trick
    if scene.card is None or not trick or trick[0].suit == trump or scene.card.suit != trump:
        return False
    trumped = any(card.suit == trump for card in trick)
    return trumped and scene.winning_so_far not in scene.mine and scene.takes(scene.card)


def makes_itself_void(scene: Scene) -> bool:
    """Plays its last card of a suit that it ruffs later in the line."""
    card, trump = scene.card, scene.before.trump
    if card is None or card.suit == trump or trump is None:
        return False
    if any(held.suit == card.suit and held != card for held in scene.before.hands[scene.place]):
        return False
    return any(
        position.turn == scene.place
        and isinstance(move, Card)
        and bool(position.trick)
        and position.trick[0].suit == card.suit
        and move.suit == trump
        for position, move in scene.ahead
    )


# -------------------------------------------------------------------- the lead


def cashes(scene: Scene) -> bool:
    """Leads a card that nobody can take."""
    return scene.card is not None and scene.leads and takes_for_certain(scene.before, scene.card)


def forces_out_the_master(scene: Scene) -> bool:
    """Leads a suit whose highest card an opponent plays and wins with; its side has the next."""
    if not scene.leads or scene.winner is None or scene.winner in scene.mine:
        return False
    suit, strength = scene.trick[0].suit, scene.before.game.deck.strength
    best = scene.trick[scene.places.index(scene.winner)]
    if best.suit != suit or best != _highest(scene.before, suit, strength):
        return False
    following = _highest(scene.end, suit, strength)
    return any(following in scene.end.hands[place] for place in scene.mine)


def _highest(position: Position, suit: str, strength: Mapping[Card, int]) -> Card | None:
    """The highest card of a suit that has not been played to a finished trick."""
    cards = (*position.trick, *position.stock, *(c for hand in position.hands for c in hand))
    mine = [card for card in cards if card.suit == suit]
    return max(mine, key=strength.__getitem__, default=None)


def establishes(scene: Scene) -> bool:
    """Leads to, or wins, a baza on which an opponent gives up the highest card of a suit to it.

    That is: its side then has the highest card left of that suit.
    """
    if scene.card is None or not (scene.leads or scene.winner == scene.place):
        return False
    if scene.winner is None:
        return False
    strength = scene.before.game.deck.strength
    for place, card in zip(scene.places, scene.trick, strict=True):
        if place in scene.mine or card != _highest(scene.before, card.suit, strength):
            continue
        following = _highest(scene.end, card.suit, strength)
        if any(following in scene.end.hands[own] for own in scene.mine):
            return True
    return False


def gives_partner_the_lead(scene: Scene) -> bool:
    """Leads a card of a baza that another player of its side wins."""
    return scene.leads and scene.winner in scene.mine - {scene.place}


def gives_up_the_lead(scene: Scene) -> bool:
    """Leads to a baza that an opponent wins, although a card that nobody can take was there."""
    if not scene.leads or scene.winner is None or scene.winner in scene.mine:
        return False
    return any(takes_for_certain(scene.before, card) for card in scene.others)


def exits(scene: Scene) -> bool:
    """Leads to a baza that an opponent wins; there was no card that nobody can take."""
    if not scene.leads or scene.winner is None or scene.winner in scene.mine:
        return False
    return not any(takes_for_certain(scene.before, card) for card in scene.others)


# -------------------------------------------------------------------- points


def captures(scene: Scene) -> bool:
    """Wins a baza in which an opponent plays one of the two highest cards of a suit (a carga)."""
    high = scene.before.game.deck.ranks[:_CARGAS]
    if scene.winner != scene.place:
        return False
    theirs = zip(scene.places, scene.trick, strict=True)
    return any(card.rank in high for place, card in theirs if place not in scene.mine)


def loads_points(scene: Scene) -> bool:
    """Gives its side's baza more points than it had to: another of its side wins it."""
    if not scene.follows or scene.card is None or scene.takes(scene.card):
        return False
    if scene.winning_so_far not in scene.mine or scene.winner not in scene.mine:
        return False
    return any(scene.points(card) < scene.points(scene.card) for card in scene.others)


def throws_least(scene: Scene) -> bool:
    """Gives a baza that an opponent wins as few points as it can; another card would give more."""
    if not scene.follows or scene.card is None or scene.takes(scene.card):
        return False
    if scene.winner is None or scene.winner in scene.mine:
        return False
    given = [scene.points(card) for card in scene.others]
    own = scene.points(scene.card)
    return own <= min(given, default=own) and own < max(given, default=own)


def takes_cheaply(scene: Scene) -> bool:
    """Wins a baza from an opponent with the lowest of several cards of a suit that would."""
    card = scene.card
    if card is None or not scene.follows or scene.winner != scene.place:
        return False
    if scene.winning_so_far in scene.mine:
        return False
    strength = scene.before.game.deck.strength
    taking = [c for c in scene.others if c.suit == card.suit and scene.takes(c)]
    return bool(taking) and all(strength[c] > strength[card] for c in taking)


def takes_high(scene: Scene) -> bool:
    """Wins a baza from an opponent; a lower card of the suit would take it for now, at a cost."""
    card = scene.card
    if card is None or not scene.follows or scene.winner != scene.place:
        return False
    if scene.winning_so_far in scene.mine:
        return False
    strength = scene.before.game.deck.strength
    lower = [c for c in scene.others if c.suit == card.suit and strength[c] < strength[card]]
    return any(c in scene.worse and scene.takes(c) for c in lower)


def wins_the_baza(scene: Scene) -> bool:
    """Wins the baza."""
    return scene.card is not None and scene.winner == scene.place


def saves_the_master(scene: Scene) -> bool:
    """Follows, and keeps the highest card left of a suit, which it might have played at a cost."""
    strength = scene.before.game.deck.strength
    if scene.card is None or not scene.follows:
        return False
    return any(
        card in scene.worse and card == _highest(scene.before, card.suit, strength)
        for card in scene.others
    )


def holds_back(scene: Scene) -> bool:
    """Follows with a card below another of its suit that was legal too and would have cost."""
    card, strength = scene.card, scene.before.game.deck.strength
    if card is None or not scene.follows:
        return False
    higher = (c for c in scene.others if c.suit == card.suit and strength[c] > strength[card])
    return any(c in scene.worse for c in higher)


def spares_a_suit(scene: Scene) -> bool:
    """Throws a card of a side suit on another suit; a card of a third suit would have cost."""
    card, trump = scene.card, scene.before.trump
    if card is None or not scene.follows:
        return False
    led = scene.before.trick[0].suit
    if card.suit in (led, trump):
        return False
    return any(c in scene.worse and c.suit not in (card.suit, led, trump) for c in scene.others)


def ducks(scene: Scene) -> bool:
    """Leaves an opponent a baza that another of its cards would take from him for now."""
    if scene.card is None or not scene.follows or scene.takes(scene.card):
        return False
    if scene.winning_so_far in scene.mine or scene.winner in scene.mine:
        return False
    return any(scene.takes(card) for card in scene.others)


# -------------------------------------------------------------------- cantes


def keeps_the_pair(scene: Scene) -> bool:
    """Keeps together a pair that it declares later in the line; to part with it now would cost."""
    if scene.card is None or scene.place not in scene.before.game.singers:
        return False
    hand, later = set(scene.before.hands[scene.place]), [move for _, move in scene.ahead]
    for suit in set(TWENTY) - scene.before.declared:
        pair = {Card(rank + suit) for rank in scene.before.game.variant.pair}
        call = FORTY if suit == scene.before.trump else TWENTY[suit]
        if pair and pair <= hand - {scene.card} and call in later and pair & scene.worse:
            return True
    return False


def attacks_their_pair(scene: Scene) -> bool:
    """Leads to a baza on which an opponent has to give up a pair not yet declared, or a carga.

    That is: all that he may play is the two cards of a pair in his hand, at least one of them, and
    the two highest cards of a suit.
    """
    game = scene.before.game
    if not scene.leads or game.rules.cante_timing == "at_second_card":
        return False
    cargas = game.deck.ranks[:_CARGAS]
    for position, _ in scene.ahead[: len(scene.trick) - 1]:
        if position.turn in scene.mine or position.turn not in game.singers:
            continue
        hand, legal = set(position.hands[position.turn]), set(position.duty()[0])
        for suit in set(TWENTY) - position.declared:
            pair = {Card(rank + suit) for rank in game.variant.pair}
            spared = {card for card in legal - pair if card.rank not in cargas}
            if pair and pair <= hand and pair & legal and not spared:
                return True
    return False


def catches_a_cante(scene: Scene) -> bool:
    """In cabrón and cabrero, wins the baza in which a king and its knight fall together."""
    variant = scene.before.game.variant
    if variant.cantes not in ("caught", "both") or scene.winner != scene.place:
        return False
    return any(
        {Card(rank + suit) for rank in variant.pair} <= set(scene.trick)
        for suit in scene.end.declared - scene.before.declared
    )


# -------------------------------------------------------------------- not to lose


def takes_a_first_trick(scene: Scene) -> bool:
    """In cabrón, wins its first baza, so that it cannot lose for want of one."""
    cabron = scene.before.game.variant.id == "cabron"
    return cabron and scene.winner == scene.place and not scene.before.tricks[scene.place]


def burdens(scene: Scene) -> bool:
    """In cabrón and cabrero, gives a baza that an opponent wins more points than it had to."""
    if scene.before.game.variant.winning != "not to lose" or scene.card is None:
        return False
    if not scene.follows or scene.winner is None or scene.winner in scene.mine:
        return False
    return any(scene.points(card) < scene.points(scene.card) for card in scene.others)


# In the order in which a teacher would name them: what is said of a card begins with the first.
MOTIFS: Mapping[str, Callable[[Scene], bool]] = {
    motif.__name__: motif
    for motif in (
        declares,
        completes_a_cante,
        exchanges,
        makes_the_contract,
        breaks_the_contract,
        passes_100,
        keeps_them_below_100,
        catches_a_cante,
        takes_a_first_trick,
        burdens,
        attacks_their_pair,
        keeps_the_pair,
        draws_the_last_trumps,
        draws_trumps,
        forces_out_the_master,
        establishes,
        makes_them_ruff,
        keeps_the_last_trick,
        captures,
        overruffs,
        ruffs,
        cashes,
        loads_points,
        takes_cheaply,
        takes_high,
        gives_partner_the_lead,
        gives_up_the_lead,
        ducks,
        takes_the_last,
        makes_itself_void,
        saves_the_master,
        spares_a_suit,
        throws_least,
        holds_back,
        exits,
        wins_the_baza,
    )
}


def motifs(scene: Scene) -> tuple[str, ...]:
    """The names of the motifs that a move shows, in the order of `MOTIFS`."""
    return tuple(name for name, shown in MOTIFS.items() if shown(scene))
