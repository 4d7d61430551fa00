"""What a lesson claims, held to the position, to the line, and to a judge of values.

Everything is stated anew here: nothing of `tute.motifs` is called, tricks come from the replayed
line, and what holds for certain is found by looking at every reply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import pytest

from tute import Card, Explanation, IllegalPlayError, Position
from tute.notation import Declaration, Move
from tute.objectives import score
from tute.report.bazas import Baza, gather
from tute.results import Solution, Step

# The exact value of a position for the side asked for.
Judge = Callable[[Position], int]


@dataclass(frozen=True)
class Told:
    """A step of a lesson with what happens around it.

    Attributes:
        explanation: the lesson.
        number: which of its steps, from 0.
        judge: of values.
    """

    explanation: Explanation
    number: int
    judge: Judge

    @property
    def step(self) -> Step:
        return self.explanation.steps[self.number]

    @property
    def move(self) -> Move:
        return self.step.moment.move

    @cached_property
    def card(self) -> Card:
        assert isinstance(self.move, Card)
        return self.move

    @cached_property
    def at(self) -> Position:
        """The position before the move."""
        return self.positions[self.number]

    @cached_property
    def positions(self) -> list[Position]:
        """The position before every move of the line, and the last."""
        found = [self.explanation.solution.position]
        for step in self.explanation.steps:
            found.append(found[-1].play(step.moment.move))
        return found

    @property
    def me(self) -> int:
        return self.at.turn

    @cached_property
    def mine(self) -> set[int]:
        """Those who share the mover's value."""
        asked = {seat - 1 for seat in self.explanation.solution.side}
        everybody = set(range(self.at.game.players))
        return asked if self.me in asked else everybody - asked

    @cached_property
    def baza(self) -> Baza:
        """The trick of the card, from the replayed line."""
        number = sum(self.at.tricks) + 1
        line = self.explanation.line
        every = gather(self.explanation.solution.position, line)
        (found,) = (baza for baza in every if baza.number == number and baza.cards)
        return found

    @cached_property
    def end(self) -> Position:
        """The position right after the trick (or the declaration)."""
        for after in self.positions[self.number + 1 :]:
            if not after.trick or after.over:
                return after
        raise AssertionError("the line stops in the middle of a trick")

    @property
    def last(self) -> Position:
        return self.positions[-1]

    @property
    def trump(self) -> str | None:
        return self.at.trump

    @property
    def leads(self) -> bool:
        return isinstance(self.move, Card) and not self.at.trick

    @cached_property
    def theirs(self) -> list[tuple[int, Card]]:
        """What opponents play to the trick after the card."""
        place = [card for _, card in self.baza.cards].index(self.card)
        return [(who, card) for who, card in self.baza.cards[place + 1 :] if who not in self.mine]

    @property
    def others(self) -> list[Card]:
        """The other cards that may be played."""
        return [m for m in self.at.legal() if isinstance(m, Card) and m != self.move]

    def points(self, card: Card) -> int:
        return self.at.game.deck.points[card]

    def costs(self, move: Move) -> bool:
        """Whether another move loses something."""
        return self.judge(self.at.play(move)) != self.judge(self.at)

    def leading_after(self, card: Card) -> bool:
        """Whether the card, put on the trick, is ahead of every card there."""
        return ahead(self.at, card)


def ahead(at: Position, card: Card) -> bool:
    """Whether a card beats all of the cards on the table: by trumps, else in the suit led."""
    if not at.trick:
        return True
    strength, led = at.game.deck.strength, at.trick[0].suit

    def rank(one: Card) -> tuple[bool, bool, int]:
        return (one.suit == at.trump, one.suit == led, strength[one])

    return all(rank(card) > rank(other) for other in at.trick)


def winner_now(at: Position) -> int:
    """Who is winning the trick on the table."""
    place, best, who = at.turn, None, at.turn
    for _ in range(at.game.trick_size - len(at.trick)):
        place = at.game.after(place)
    strength, led = at.game.deck.strength, at.trick[0].suit
    for card in at.trick:
        rank = (card.suit == at.trump, card.suit == led, strength[card])
        if best is None or rank > best:
            best, who = rank, place
        place = at.game.after(place)
    return who


def always_wins(at: Position, card: Card) -> bool:
    """Whether the card's player takes the trick after every legal way to finish it."""
    me, tricks = at.turn, sum(at.tricks)

    def finished(position: Position) -> Iterator[Position]:
        if sum(position.tricks) > tricks:
            yield position
        elif not position.over:
            for _, after in position.successors():
                yield from finished(after)

    after = at.settled().play(card)
    ended = after.over and sum(after.tricks) == tricks
    return not ended and all(end.took_last == me for end in finished(after))


def most(position: Position, side: tuple[int, ...]) -> int:
    """The most points that a side can come to when everybody helps it."""
    if position.over:
        return sum(position.points[place] for place in side)
    return max(most(after, side) for _, after in position.successors())


def highest(position: Position, suit: str) -> Card | None:
    """The highest card of a suit that is still to be won."""
    cards = [*position.trick, *position.stock, *(c for hand in position.hands for c in hand)]
    order = position.game.deck.cards
    return min((card for card in cards if card.suit == suit), key=order.index, default=None)


def _own_highest_after(told: Told, suit: str) -> bool:
    left = highest(told.end, suit)
    return left is not None and any(left in told.end.hands[place] for place in told.mine)


def _declaring(told: Told) -> tuple[int, ...]:
    game = told.at.game
    return game.side(game.declarer or 0)


def _totals(told: Told, side: tuple[int, ...]) -> tuple[int, int]:
    """A side's points before the move and after its trick."""
    before, after = told.at.points, told.end.points
    return sum(before[place] for place in side), sum(after[place] for place in side)


def _declares(told: Told) -> bool:
    """The points come without a card being played."""
    if told.move in ("*tute", "*capote"):
        return True
    after = told.at.play(told.move)
    gain = sum(after.points) - sum(told.at.points)
    return len(after.declared) == len(told.at.declared) + 1 and gain in (20, 40)


def _completes_a_cante(told: Told) -> bool:
    """The mover has 20 or 40 more, beside what the trick brings."""
    after = told.at.play(told.move)
    gain = sum(after.points) - sum(told.at.points)
    trick = told.baza.points if sum(after.tricks) > sum(told.at.tricks) else 0
    cante = 40 if told.card.suit == told.trump else 20
    return told.card.rank in told.at.game.variant.pair and gain - trick == cante


def _exchanges(told: Told) -> bool:
    """The turned-up card comes to hand; the one given for it does not come back."""
    after, given = told.at.play(told.move), Card(told.move[1] + str(told.trump))
    had, has = told.at.hands[told.me], after.hands[told.me]
    shown = told.at.stock[-1]
    return given in had and given not in has and shown in has and shown not in had


def _makes_the_contract(told: Told) -> bool:
    before, after = _totals(told, _declaring(told))
    wins = not isinstance(told.move, Card) or told.baza.winner == told.me
    return told.me in _declaring(told) and wins and before < (told.at.game.bid or 0) <= after


def _breaks_the_contract(told: Told) -> bool:
    """Where few cards are left every way to go on is looked at, else the points are counted."""
    bid, side = told.at.game.bid or 0, _declaring(told)
    if told.me in side or told.baza.winner != told.me:
        return False
    if max(len(hand) for hand in told.end.hands) <= 2:
        return most(told.end, side) < bid
    return _left(told.end, side) < bid


def _left(end: Position, side: tuple[int, ...]) -> int:
    """A side's points with every card, the last trick and every pair that it holds whole."""
    game = end.game
    total = sum(end.points[place] for place in side) + game.variant.last_trick
    total += sum(game.deck.points[card] for hand in end.hands for card in hand)
    for suit in set("oceb") - end.declared:
        pair = {Card(rank + suit) for rank in game.variant.pair}
        if suit in end.parted or any(pair <= set(end.hands[place]) for place in side):
            total += 40 if suit == end.trump else 20
    return total


def _passes_100(told: Told) -> bool:
    before, after = _totals(told, told.at.game.side(told.me))
    return before <= 100 < after


def _takes_the_last(told: Told) -> bool:
    gain = sum(told.end.points) - sum(told.at.points)
    cards = sum(told.points(card) for _, card in told.baza.cards)
    over = told.end.over and not any(told.end.hands)
    return over and told.end.took_last == told.me and gain >= cards + 10


def _keeps_the_last_trick(told: Told) -> bool:
    mine = [
        step.moment.move
        for at, step in zip(told.positions, told.explanation.steps, strict=False)
        if at.turn == told.me and isinstance(step.moment.move, Card)
    ]
    kept = mine[-1]
    few = len(told.at.settled().hands[told.me]) <= 4
    legal = kept in told.at.legal() and kept != told.move
    return few and legal and told.costs(kept) and told.last.took_last == told.me


def _draws_trumps(told: Told) -> bool:
    return told.leads and told.card.suit == told.trump and "trump" in _kinds(told)


def _draws_the_last_trumps(told: Told) -> bool:
    left = [c for p, hand in enumerate(told.end.hands) if p not in told.mine for c in hand]
    return _draws_trumps(told) and all(card.suit != told.trump for card in left)


def _makes_them_ruff(told: Told) -> bool:
    """Some opponent trumps, and whatever else he tries is refused."""
    if not told.leads or told.card.suit == told.trump:
        return False
    cards = told.baza.cards
    positions = told.positions[told.number : told.number + len(cards)]
    replies = {who: at for (who, _), at in zip(cards, positions, strict=True)}
    return any(
        card.suit == told.trump and _only_trumps(replies[who], told.trump)
        for who, card in told.theirs
    )


def _only_trumps(at: Position, trump: str | None) -> bool:
    for card in at.settled().hands[at.turn]:
        if card.suit != trump:
            with pytest.raises(IllegalPlayError):
                at.play(card)
    return True


def _kinds(told: Told) -> set[str]:
    return {"trump" if card.suit == told.trump else "other" for _, card in told.theirs}


def _ruffs(told: Told) -> bool:
    suits = {card.suit for card in told.at.trick}
    return bool(suits) and told.card.suit == told.trump and told.trump not in suits


def _overruffs(told: Told) -> bool:
    led, *others = (card.suit for card in told.at.trick)
    return (
        led != told.trump
        and told.trump in others
        and told.card.suit == told.trump
        and winner_now(told.at) not in told.mine
        and told.leading_after(told.card)
    )


def _makes_itself_void(told: Told) -> bool:
    suit = told.card.suit
    hand = set(told.at.settled().hands[told.me]) - {told.card}
    held = [card for card in hand if card.suit == suit]
    ruffed = False
    for at, step in list(zip(told.positions, told.explanation.steps, strict=False)):
        later = sum(at.tricks) > sum(told.at.tricks) and at.turn == told.me and at.trick
        ruffed |= bool(later and at.trick[0].suit == suit and step.moment.move[1] == told.trump)
    return suit != told.trump and not held and ruffed


def _cashes(told: Told) -> bool:
    return told.leads and always_wins(told.at, told.card)


def _forces_out_the_master(told: Told) -> bool:
    suit = told.card.suit
    best = highest(told.at, suit)
    took = next(card for place, card in told.baza.cards if place == told.baza.winner)
    theirs = told.baza.winner not in told.mine
    return told.leads and theirs and took == best and _own_highest_after(told, suit)


def _establishes(told: Told) -> bool:
    fell = [
        card
        for place, card in told.baza.cards
        if place not in told.mine and _highest_with_trick(told, card.suit) == card
    ]
    with_it = told.leads or told.baza.winner == told.me
    return with_it and any(_own_highest_after(told, card.suit) for card in fell)


def _highest_with_trick(told: Told, suit: str) -> Card | None:
    return highest(told.at.settled(), suit)


def _gives_partner_the_lead(told: Told) -> bool:
    return told.leads and told.baza.winner in told.mine and told.baza.winner != told.me


def _gives_up_the_lead(told: Told) -> bool:
    sure = any(always_wins(told.at, card) for card in told.others)
    return told.leads and sure and told.baza.winner not in told.mine


def _captures(told: Told) -> bool:
    high = told.at.game.deck.ranks[:2]
    caught = [c for p, c in told.baza.cards if p not in told.mine and c.rank in high]
    return told.baza.winner == told.me and bool(caught)


def _loads_points(told: Told) -> bool:
    fewer = [card for card in told.others if told.points(card) < told.points(told.card)]
    return (
        bool(told.at.trick)
        and winner_now(told.at) in told.mine
        and not told.leading_after(told.card)
        and told.baza.winner in told.mine
        and bool(fewer)
    )


def _throws_least(told: Told) -> bool:
    given = [told.points(card) for card in (told.card, *told.others)]
    return (
        bool(told.at.trick)
        and not told.leading_after(told.card)
        and told.baza.winner not in told.mine
        and told.points(told.card) == min(given) < max(given)
    )


def _takes_cheaply(told: Told) -> bool:
    order = told.at.game.deck.cards
    same = [card for card in told.others if card.suit == told.card.suit]
    taking = [card for card in same if told.leading_after(card)]
    return (
        bool(told.at.trick)
        and winner_now(told.at) not in told.mine
        and told.baza.winner == told.me
        and bool(taking)
        and all(order.index(told.card) > order.index(card) for card in taking)
    )


def _ducks(told: Told) -> bool:
    return (
        bool(told.at.trick)
        and winner_now(told.at) not in told.mine
        and told.baza.winner not in told.mine
        and not told.leading_after(told.card)
        and any(told.leading_after(card) for card in told.others)
    )


def _exits(told: Told) -> bool:
    sure = any(always_wins(told.at, card) for card in told.others)
    return told.leads and not sure and told.baza.winner not in told.mine


def _takes_high(told: Told) -> bool:
    order = told.at.game.deck.cards
    lower = [c for c in told.others if order.index(c) > order.index(told.card)]
    enough = [c for c in lower if c.suit == told.card.suit and told.leading_after(c)]
    return (
        bool(told.at.trick)
        and winner_now(told.at) not in told.mine
        and told.baza.winner == told.me
        and any(told.costs(card) for card in enough)
    )


def _wins_the_baza(told: Told) -> bool:
    return told.end.tricks[told.me] == told.at.tricks[told.me] + 1


def _saves_the_master(told: Told) -> bool:
    masters = [card for card in told.others if highest(told.at, card.suit) == card]
    return bool(told.at.trick) and any(told.costs(card) for card in masters)


def _holds_back(told: Told) -> bool:
    order = told.at.game.deck.cards
    higher = [c for c in told.others if order.index(c) < order.index(told.card)]
    same = [card for card in higher if card.suit == told.card.suit]
    return bool(told.at.trick) and any(told.costs(card) for card in same)


def _spares_a_suit(told: Told) -> bool:
    known = {told.trump, told.at.trick[0].suit}
    third = [card for card in told.others if card.suit not in {*known, told.card.suit}]
    return told.card.suit not in known and any(told.costs(card) for card in third)


def _keeps_the_pair(told: Told) -> bool:
    """A pair is in hand, is declared in the rest of the line, and a card of it would cost."""
    for number in range(told.number + 1, len(told.explanation.steps)):
        before, after = told.positions[number], told.positions[number + 1]
        new = after.declared - before.declared
        if not isinstance(told.explanation.steps[number].moment.move, Declaration) or not new:
            continue
        (suit,) = new
        pair = {Card(rank + suit) for rank in told.at.game.variant.pair}
        held = pair <= set(told.at.settled().hands[told.me]) and told.move not in pair
        if held and any(card in pair and told.costs(card) for card in told.others):
            return True
    return False


def _attacks_their_pair(told: Told) -> bool:
    ranks = told.at.game.deck.ranks[:2]
    if not told.leads:
        return False
    for at in told.positions[told.number + 1 : told.number + told.at.game.trick_size]:
        if at.turn in told.mine or at.turn not in at.game.singers:
            continue
        for suit in set("oceb") - at.declared:
            pair = [
                c for c in at.hands[at.turn] if c.suit == suit and c.rank in at.game.variant.pair
            ]
            kept = [c for c in at.legal() if c not in pair and c[0] not in ranks]
            if len(pair) == 2 and not kept and any(card in pair for card in at.legal()):
                return True
    return False


def _catches_a_cante(told: Told) -> bool:
    new = told.end.declared - told.at.declared
    fell = [card.suit for _, card in told.baza.cards if card.rank in told.at.game.variant.pair]
    gain = told.end.points[told.me] - told.at.points[told.me]
    cards = sum(told.points(card) for _, card in told.baza.cards)
    return (
        told.baza.winner == told.me and any(fell.count(s) == 2 for s in new) and gain >= cards + 20
    )


def _takes_a_first_trick(told: Told) -> bool:
    return told.at.tricks[told.me] == 0 and told.end.tricks[told.me] == 1


def _burdens(told: Told) -> bool:
    fewer = [card for card in told.others if told.points(card) < told.points(told.card)]
    return bool(told.at.trick) and told.baza.winner not in told.mine and bool(fewer)


def _keeps_them_below_100(told: Told) -> bool:
    """What the mover's side gains from the trick, without cantes, would be too much for them."""
    theirs = [points for place, points in enumerate(told.at.points) if place not in told.mine]
    gain = told.baza.points
    return told.baza.winner == told.me and sum(theirs) <= 100 < sum(theirs) + gain


CLAIMS: Mapping[str, Callable[[Told], bool]] = {
    "declares": _declares,
    "completes_a_cante": _completes_a_cante,
    "exchanges": _exchanges,
    "makes_the_contract": _makes_the_contract,
    "breaks_the_contract": _breaks_the_contract,
    "passes_100": _passes_100,
    "keeps_them_below_100": _keeps_them_below_100,
    "catches_a_cante": _catches_a_cante,
    "takes_a_first_trick": _takes_a_first_trick,
    "burdens": _burdens,
    "attacks_their_pair": _attacks_their_pair,
    "keeps_the_pair": _keeps_the_pair,
    "draws_the_last_trumps": _draws_the_last_trumps,
    "draws_trumps": _draws_trumps,
    "forces_out_the_master": _forces_out_the_master,
    "establishes": _establishes,
    "makes_them_ruff": _makes_them_ruff,
    "keeps_the_last_trick": _keeps_the_last_trick,
    "captures": _captures,
    "overruffs": _overruffs,
    "ruffs": _ruffs,
    "cashes": _cashes,
    "loads_points": _loads_points,
    "takes_cheaply": _takes_cheaply,
    "gives_partner_the_lead": _gives_partner_the_lead,
    "gives_up_the_lead": _gives_up_the_lead,
    "ducks": _ducks,
    "takes_the_last": _takes_the_last,
    "makes_itself_void": _makes_itself_void,
    "throws_least": _throws_least,
    "exits": _exits,
    "holds_back": _holds_back,
    "takes_high": _takes_high,
    "wins_the_baza": _wins_the_baza,
    "saves_the_master": _saves_the_master,
    "spares_a_suit": _spares_a_suit,
}


# -------------------------------------------------------------------- a whole step


def check_step(told: Told) -> None:
    """Every number, every move that is named, why it was forced, and every motif of a step."""
    step, at, judge = told.step, told.at, told.judge
    value = judge(at)
    values = {move: judge(after) for move, after in at.successors()}
    assert step.moment.position == at
    assert step.moment.seat == at.turn + 1
    assert step.moment.solution.value == value
    assert values[step.moment.move] == value
    assert set(step.equal) == {m for m, v in values.items() if v == value} - {step.moment.move}
    assert not step.equal or list(step.equal) == [m for m in at.legal() if m in step.equal]
    check_forced(told)
    if all(v == value for v in values.values()):
        assert step.tempting is None
    else:
        check_tempting(told, value, values)
    for name in step.does:
        assert CLAIMS[name](told), (name, step.moment)


def check_forced(told: Told) -> None:
    """One legal card because there is one in hand, or because a duty shuts out the rest."""
    step, legal = told.step, told.at.legal()
    if len(legal) > 1 or not isinstance(told.move, Card):
        assert step.forced is None
        return
    hand = told.at.settled().hands[told.me]
    if len(hand) == 1:
        assert step.forced == "only card"
        return
    broken = set()
    for card in set(hand) - set(legal):
        with pytest.raises(IllegalPlayError) as refused:
            told.at.play(card)
        broken.add(refused.value.duty)
    assert step.forced in broken


def check_tempting(told: Told, value: int, values: Mapping[Move, int]) -> None:
    """It is legal and worse, costs what is said, and its refutation leads to that loss."""
    tempting = told.step.tempting
    assert tempting is not None
    assert values[tempting.card] == tempting.value != value
    assert tempting.cost == abs(value - tempting.value) > 0
    line = tempting.refutation
    assert line[0] == tempting.card
    position, replies = told.at, []
    for move in line:
        if position.turn not in told.mine:
            replies.append((position.turn + 1, move))
        position = position.play(move)
        assert told.judge(position) == tempting.value
    assert (tempting.replier, tempting.reply) == (replies[0] if replies else (None, None))
    late = bool(replies) and line[-1] == replies[0][1]
    assert len(line) <= 8 or late
    check_length(told, line, tempting.cost, late=late)


def check_length(told: Told, line: Sequence[Move], cost: int, *, late: bool) -> None:
    """A refutation ends where the loss shows, or with the last trick that fits into eight moves."""
    solution = told.explanation.solution
    after = [told.at]
    for move in line:
        after.append(after[-1].play(move))
    if after[-1].over or late:
        return
    if after[-1].trick:
        assert len(line) == 8
        return
    if solution.objective != "win":
        best = told.positions[told.number :]
        leads = [
            at
            for number, at in enumerate(after)
            if _at_rest(at, told.at) and all(isinstance(m, Card) for m in line[number : number + 1])
        ]
        shows = [_behind(solution, best, at) >= cost for at in leads]
        assert not any(shows[:-1])
        if any(shows):
            return
    # One more trick, with what is declared before the next, would be too much.
    assert len(line) + told.at.game.trick_size + 2 > 8


def _at_rest(at: Position, begin: Position) -> bool:
    """Whether a trick has just ended, and a later one than the first."""
    return not at.trick and sum(at.tricks) > sum(begin.tricks)


def _behind(solution: Solution, best: Sequence[Position], at: Position) -> int:
    """How far the asked side's total is from that of best play after as many tricks."""
    (same, *_) = reversed([p for p in best if sum(p.tricks) == sum(at.tricks) and not p.trick])
    place = solution.seat - 1
    return abs(score(same, place, solution.objective) - score(at, place, solution.objective))
