"""A position: the readable definition of every game.

Immutable: `Position.play` gives a new one. Whatever the fast searches do is tested against this.
Declarations and exchanges are moves here: where one is open to the player about to lead, it stands
beside his cards, and leading a card declines it. Places count from 0, seats from 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tute.cards import SUITS, Card
from tute.duties import Duty, Turn, winning
from tute.errors import IllegalPlayError
from tute.game import Game
from tute.language import say
from tute.losers import cabrero_losers, cabron_losers
from tute.notation import (
    CAPOTE,
    FORTY,
    SEVEN,
    TUTE,
    TWENTY,
    TWO,
    Declaration,
    Discard,
    Move,
    parse_move,
)

_LAST_EIGHT = 8
_VUELTA_GOAL = 100


class Window(NamedTuple):
    """The time between a trick and the next lead, while something may still be declared.

    Attributes:
        moment: before the first lead of the hand, before the players draw, or after.
        declared: pairs declared in it by this side.
        too_late: whether `cante_until` forbids declaring a pair.
        compulsory: whether the player must declare rather than lead.
    """

    moment: Literal["start", "before draw", "after draw"] = "before draw"
    declared: int = 0
    too_late: bool = False
    compulsory: bool = False


@dataclass(frozen=True)
class Position:
    """One moment of a hand.

    Attributes:
        game: what does not change during the hand.
        hands: each player's cards in deck order.
        trump: the trump suit now, or None.
        turn: the place of the player to move; meaningless at the end of the hand.
        trick: the cards on the table, in the order played.
        points: points by player, with those made before the deal's moment.
        tricks: tricks by player, likewise.
        declared: suits whose pair has been credited.
        parted: suits of which one card was played from a hand that held the pair.
        stock: cards to draw, the next one first; the last is the turned-up card.
        window: what is open between tricks, or None.
        sang: players who declared a pair from the hand.
        caught: players credited with a pair caught in a trick.
        took_last: who won the last completed trick, or None.
        won_after_stock: players who have won a trick since the stock ran out.
        showed_tute: who showed a tute, or None; it ends the hand.
        capote: who announced the last eight tricks, or None.
        capote_failed: whether somebody else has won one of those tricks.
        passed_goal: in a second hand, the player whose side first passed 100, or None; it ends the
            hand.
        to_discard: whether the declarer has yet to put a card away.
    """

    game: Game
    hands: tuple[tuple[Card, ...], ...]
    trump: str | None
    turn: int
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    trick: tuple[Card, ...] = ()
    declared: frozenset[str] = frozenset()
    parted: frozenset[str] = frozenset()
    stock: tuple[Card, ...] = ()
    window: Window | None = None
    sang: frozenset[int] = frozenset()
    caught: frozenset[int] = frozenset()
    took_last: int | None = None
    won_after_stock: frozenset[int] = frozenset()
    showed_tute: int | None = None
    capote: int | None = None
    capote_failed: bool = False
    passed_goal: int | None = None
    to_discard: bool = False

    # ---------------------------------------------------------------- what a player sees

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        decided = self.showed_tute is not None or self.passed_goal is not None
        return decided or self._played_out

    @property
    def to_move(self) -> int | None:
        """The seat to move, from 1; None at the end of the hand."""
        return None if self.over else self.turn + 1

    def legal(self) -> list[Move]:
        """Every legal move: declarations and exchanges first, then cards in deck order."""
        if self.over:
            return []
        if self.to_discard:
            return [Discard("-" + card) for card in self._with_widow()]
        calls: list[Move] = list(self._calls())
        if self.window is not None and self.window.compulsory:
            return list(self.pairs_open())
        return calls + list(self.duty()[0])

    def duty(self) -> tuple[tuple[Card, ...], Duty | None]:
        """The cards that may be played, and the duty that shuts out the rest of the hand."""
        return self._turn().playable()

    def allows(self, card: Card, beside: Card) -> bool:
        """Whether a player to move with these two cards, and no others, may play the first.

        Where he may not, no hand that holds both lets him.
        """
        turn = self._turn()._replace(hand=self.game.deck.sort((card, beside)))
        return card in turn.playable()[0]

    def totals(self) -> tuple[int, ...]:
        """Points by player so far, cantes and last trick included."""
        return self.points

    def losers(self) -> frozenset[int]:
        """The seats that lose a finished hand of cabrón or cabrero (empty in other games)."""
        if self.game.variant.id == "cabron":
            lost = cabron_losers(self.points, self.tricks, self.game.rules)
        elif self.game.variant.id == "cabrero":
            lost = cabrero_losers(
                self.points,
                self.tricks,
                self._sang_for_capote(),
                self.showed_tute,
                self.game.first,
                self.game.rules,
            )
        else:
            lost = frozenset()
        return frozenset(place + 1 for place in lost)

    def pairs_open(self) -> list[Declaration]:
        """The pairs that may be declared now, the forty first, then by suit."""
        return [call for call in self._window_calls() if call == FORTY or call in TWENTY.values()]

    def settled(self) -> Position:
        """The position with nothing more declared or exchanged before the next lead."""
        return self if self.window is None else self._close()

    # ---------------------------------------------------------------- playing

    def play(self, move: str) -> Position:
        """The position after a move.

        Args:
            move: a card, declaration or discard, in any form that the notation reads.

        Raises:
            CardError: the text is no move.
            IllegalPlayError: the rules forbid it; the error names the duty.
        """
        return self._after(self.read(move))

    def read(self, move: str) -> Move:
        """A legal move, as `legal` has it, from any form that the notation reads.

        Raises:
            CardError, IllegalPlayError: as for `play`.
        """
        read = move if isinstance(move, Card | Declaration | Discard) else parse_move(move)
        read = self.canonical(read)
        if read not in self.legal():
            raise self._refusal(read)
        return read

    def canonical(self, move: Move) -> Move:
        """The move as `legal` has it: `*40o` is `*40` where oros are trumps."""
        if isinstance(move, Declaration) and move.startswith("*40"):
            return FORTY if move.suit in (None, self.trump) else move
        return move

    def successors(self) -> Iterator[tuple[Move, Position]]:
        """Each legal move with the position after it, in the order of `legal`."""
        return ((move, self._after(move)) for move in self.legal())

    def _after(self, move: Move) -> Position:
        if isinstance(move, Declaration):
            return self._call(move)
        if isinstance(move, Discard):
            return self._put_away(move.card)
        return self._play_card(move)

    def _play_card(self, card: Card) -> Position:
        if self.window is not None:
            return self._close()._play_card(card)
        player = self.turn
        mine = self.hands[player]
        hands = _put(self.hands, player, tuple(held for held in mine if held != card))
        trick = (*self.trick, card)
        after = self._with(hands=hands, trick=trick, turn=self.game.after(player))._note_pair(
            player, card
        )
        return after if len(trick) < self.game.trick_size else after._finish_trick()

    def _note_pair(self, player: int, card: Card) -> Position:
        """Under AT_SECOND_CARD: remember the first card of a pair, credit the second."""
        game, suit = self.game, card.suit
        if (
            game.rules.cante_timing != "at_second_card"
            or player not in game.singers
            or card.rank not in game.variant.pair
        ):
            return self
        if any(self._is_pair_card(held, suit) for held in self.hands[player]):
            return self._with(parted=self.parted | {suit})
        if suit not in self.parted or suit in self.declared:
            return self
        side = game.side(player)
        winner = self._winner_so_far()
        if winner not in side and not any(self.tricks[place] for place in side):
            return self
        return self._credit(player, suit)._with(sang=self.sang | {player})._note_goal(player)

    def _finish_trick(self) -> Position:
        game, cards = self.game, self.trick
        deck, variant = game.deck, game.variant
        winner = self._winner_so_far()
        made = sum(deck.points[card] for card in cards) + variant.per_trick
        made += variant.last_trick if self._played_out else 0
        too_late = self._too_late(winner)
        after = self._with(
            trick=(),
            turn=winner,
            points=_add(self.points, winner, made),
            tricks=_add(self.tricks, winner, 1),
            took_last=winner,
            won_after_stock=self.won_after_stock | (set() if self.stock else {winner}),
            capote_failed=self.capote_failed
            or (self.capote is not None and winner not in game.side(self.capote)),
        )
        after = after._credit_caught(cards)._note_goal(winner)
        return after._open(Window(too_late=too_late))

    def _credit_caught(self, cards: tuple[Card, ...]) -> Position:
        """Pairs that fell together: cabrón and cabrero credit them at once."""
        if self.game.variant.cantes not in ("caught", "both"):
            return self
        after = self
        for suit in self._pairs_in(cards):
            if suit not in after.declared:
                after = after._credit(after.turn, suit)
                after = after._with(caught=after.caught | {after.turn})
        return after

    def _pairs_in(self, cards: tuple[Card, ...]) -> list[str]:
        """The suits whose pair lies in a trick, in the order in which they are credited."""
        last_place: dict[str, list[int]] = {}
        for place, card in enumerate(cards):
            if card.rank in self.game.variant.pair:
                last_place.setdefault(card.suit, []).append(place)
        pairs = {suit: places[1] for suit, places in last_place.items() if len(places) == 2}
        if self.game.rules.double_pair == "led_first":
            return sorted(pairs, key=lambda suit: suit != cards[0].suit)
        return sorted(pairs, key=lambda suit: pairs[suit])

    def _credit(self, player: int, suit: str) -> Position:
        """Give a pair's points; in cabrón the first pair of the hand makes trumps."""
        first = self.trump is None and self.game.variant.trump == "first cante"
        trump = suit if first else self.trump
        return self._with(
            points=_add(self.points, player, 40 if suit == trump else 20),
            trump=trump,
            declared=self.declared | {suit},
        )

    def _note_goal(self, player: int) -> Position:
        """In a second hand, note which side first passes 100, once a player has made points."""
        if not self.game.vuelta or self.passed_goal is not None:
            return self
        side = self.game.side(player)
        if sum(self.points[place] for place in side) <= _VUELTA_GOAL:
            return self
        return self._with(passed_goal=player)

    # ---------------------------------------------------------------- between tricks

    def _open(self, window: Window) -> Position:
        """Open the window between tricks, or draw at once where there is nothing to decide."""
        after = self._with(window=window)
        if after.over:
            return after._with(window=None)
        return after if after._window_calls() else after._close()

    def _close(self) -> Position:
        """End the window: the players draw, the winner first."""
        draws = self.window is not None and self.window.moment == "before draw"
        return (self._draw() if draws else self)._with(window=None)

    def _draw(self) -> Position:
        game, hands, place = self.game, self.hands, self.turn
        dealt = self.stock[: game.trick_size]
        for card in dealt:
            hands = _put(hands, place, game.deck.sort((*hands[place], card)))
            place = game.after(place)
        return self._with(hands=hands, stock=self.stock[len(dealt) :])

    def _calls(self) -> list[Declaration]:
        """Declarations and exchanges open to the player to move."""
        calls = self._window_calls()
        if self._may_announce_capote():
            calls.append(CAPOTE)
        return calls

    def _window_calls(self) -> list[Declaration]:
        window = self.window
        if window is None:
            return []
        pairs, tute = self._open_pairs(), self._may_show_tute()
        if self._may_await_draw():
            drawn = self._draw()
            pairs += [call for call in drawn._open_pairs() if call not in pairs]
            tute = tute or drawn._may_show_tute()
        calls = [FORTY] if FORTY in pairs else []
        calls += [TWENTY[suit] for suit in SUITS if TWENTY[suit] in pairs]
        calls += [TUTE] if tute else []
        return calls + ([] if window.moment == "after draw" else self._exchanges())

    def _may_await_draw(self) -> bool:
        """Whether the cards about to be drawn may complete what is declared."""
        before_draw = self.window is not None and self.window.moment == "before draw"
        until_lead = self.game.rules.cante_window == "until_lead"
        return before_draw and until_lead and bool(self.stock)

    def _open_pairs(self) -> list[Declaration]:
        """The pairs that may be declared with the cards now in hand."""
        game, window = self.game, self.window
        rules = game.rules
        if window is None or window.moment == "start" or window.too_late:
            return []
        if rules.cante_timing == "at_second_card":
            return []
        if window.declared and rules.cante_per_trick == "one":
            return []
        suits = [
            suit
            for suit in SUITS
            if suit not in self.declared
            and any(self._holds_pair(place, suit) for place in self._callers())
        ]
        if self.trump in suits and rules.cante_order == "forty_first":
            return [FORTY]
        return [FORTY if suit == self.trump else TWENTY[suit] for suit in suits]

    def _too_late(self, winner: int) -> bool:
        """Whether `cante_until` forbids declaring after the trick that `winner` completes.

        UNTIL_TWO_LEFT: the last trick before the last two cards are drawn is already too late.
        """
        until, left = self.game.rules.cante_until, len(self.stock)
        if not self.game.variant.stock or until == "whole_hand":
            return False
        if until == "stock_only":
            return left == 0
        if until == "until_two_left":
            return left <= 2
        return any(place in self.won_after_stock for place in self.game.may_declare_after(winner))

    def _callers(self) -> tuple[int, ...]:
        return self.game.may_declare_after(self.turn)

    def _holds_pair(self, place: int, suit: str) -> bool:
        pair = self.game.variant.pair
        return all(Card(rank + suit) in self.hands[place] for rank in pair)

    def _may_show_tute(self) -> bool:
        rules = self.game.rules
        if not rules.tute_wins or self.took_last is None:
            return False
        return any(self._has_tute(place) for place in self._callers())

    def _has_tute(self, place: int) -> bool:
        hand = self.hands[place]
        if self.game.variant.id == "cabrero":
            if place in self._sang_for_capote():
                return False
            if self.game.rules.tute_hand == "exact" and len(hand) != len(SUITS):
                return False
        return any(
            all(Card(rank + suit) in hand for suit in SUITS) for rank in self.game.variant.pair
        )

    def _exchanges(self) -> list[Declaration]:
        rules, trump = self.game.rules, self.trump
        if not self.stock or trump is None:
            return []
        if len(self.stock) <= self.game.trick_size and not rules.exchange_last_draw:
            return []
        hand, shown = self.hands[self.turn], self.stock[-1].rank
        calls = []
        if Card("7" + trump) in hand and shown in "A3RCS":
            calls.append(SEVEN)
        if Card("2" + trump) in hand and shown in "4567":
            calls.append(TWO)
        return calls

    def _may_announce_capote(self) -> bool:
        if not self.game.capote or self.capote is not None:
            return False
        cards = len(self.hands[self.turn]) + len(self.stock) // self.game.trick_size
        return cards == _LAST_EIGHT

    def _call(self, call: Declaration) -> Position:
        if call == CAPOTE:
            return self._with(capote=self.turn)
        if call == TUTE:
            with_cards = self if self._may_show_tute() else self._draw()
            shower = next(place for place in self._callers() if with_cards._has_tute(place))
            return with_cards._with(showed_tute=shower, window=None)
        if call in (SEVEN, TWO):
            return self._exchange(Card(call[1] + str(self.trump)))
        suit = str(self.trump) if call == FORTY else call[3]
        window = self.window or Window()
        after = self
        if call not in self._open_pairs():
            window = window._replace(moment="after draw")
            after = self._draw()
        singer = next(place for place in after._callers() if after._holds_pair(place, suit))
        after = after._credit(singer, suit)._with(sang=after.sang | {singer})._note_goal(singer)
        return after._open(window._replace(declared=window.declared + 1, compulsory=False))

    def _exchange(self, given: Card) -> Position:
        hand = tuple(card for card in self.hands[self.turn] if card != given)
        taken = self.game.deck.sort((*hand, self.stock[-1]))
        after = self._with(
            hands=_put(self.hands, self.turn, taken), stock=(*self.stock[:-1], given)
        )
        return after._open(after.window or Window())

    def _put_away(self, card: Card) -> Position:
        kept = tuple(held for held in self._with_widow() if held != card)
        hands = _put(self.hands, self.turn, kept)
        return self._with(hands=hands, turn=self.game.first, to_discard=False)

    # ---------------------------------------------------------------- small questions

    def _with(self, **changes: Any) -> Position:
        """The position with some fields changed; several times as fast as `dataclasses.replace`."""
        after: Position = object.__new__(Position)
        after.__dict__.update(self.__dict__)
        after.__dict__.update(changes)
        return after

    @property
    def _played_out(self) -> bool:
        return not any(self.hands) and not self.stock

    def _hand_to_play(self) -> tuple[Card, ...]:
        """The hand of the player to move, with the card he draws before he leads."""
        return (self._close() if self.window is not None else self).hands[self.turn]

    def _turn(self) -> Turn:
        return Turn(
            self._hand_to_play(),
            self.trick,
            self.trump,
            self.game.rules,
            self.game.deck,
            self._partner_winning(),
            bool(self.stock),
        )

    def _with_widow(self) -> tuple[Card, ...]:
        widow = () if self.game.widow is None else (self.game.widow,)
        return self.game.deck.sort((*self.hands[self.turn], *widow))

    def _winner_so_far(self) -> int:
        """The place of the player who is winning the trick on the table."""
        leader = self.turn
        for _ in range(self.game.trick_size - len(self.trick)):
            leader = self.game.after(leader)
        place = leader
        for _ in range(winning(self.trick, self.trump, self.game.deck)):
            place = self.game.after(place)
        return place

    def _partner_winning(self) -> bool:
        return bool(self.trick) and self.game.partners(self.turn, self._winner_so_far())

    def _is_pair_card(self, card: Card, suit: str) -> bool:
        return card.suit == suit and card.rank in self.game.variant.pair

    def _sang_for_capote(self) -> frozenset[int]:
        if self.game.rules.capote_forced_counts:
            return self.sang | self.caught
        return self.sang

    def _refusal(self, move: Move) -> IllegalPlayError:
        seat, legal = self.turn + 1, self.legal()
        duty: Duty | None = None
        if self.over:
            reason = say("the hand is over")
        elif self.to_discard:
            reason = say("the declarer puts a card away first, written -7c")
        elif isinstance(move, Declaration):
            reason = say("no such declaration or exchange is open to that player now")
        elif isinstance(move, Discard):
            reason = say("there is nothing to put away now")
        elif move not in self._hand_to_play():
            reason = say("that card is not in the player's hand")
        elif self.window is not None and self.window.compulsory:
            reason = say("one of the pairs must be declared first")
        else:
            duty = self._turn().broken(move)
            reason = say("it breaks the duty of {duty}").format(duty=duty)
        return IllegalPlayError(move=move, seat=seat, reason=reason, duty=duty, legal=legal)


def _put(
    hands: tuple[tuple[Card, ...], ...], place: int, hand: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    return (*hands[:place], hand, *hands[place + 1 :])


def _add(numbers: tuple[int, ...], place: int, amount: int) -> tuple[int, ...]:
    return (*numbers[:place], numbers[place] + amount, *numbers[place + 1 :])
