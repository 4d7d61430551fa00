"""What a finished hand is worth to a side: points, difference, win, tricks.

The side is that of a player (a place, from 0); where each plays alone it is he against all others.
"""

from __future__ import annotations

from tute.errors import QuestionError
from tute.game import Game
from tute.language import say
from tute.position import Position
from tute.variants import Objective

_HUNDRED = 100


def check_objective(game: Game, objective: str | None) -> Objective:
    """The objective asked for, or the game's default.

    Raises:
        QuestionError: the game does not have it; the message says which it has.
    """
    variant = game.variant
    if not variant.objectives:
        wrong = say("{variant} is played not to lose: ask `tute safe` who can be sure not to")
        raise QuestionError(wrong.format(variant=variant.id))
    if objective is None:
        objective = "win" if game.vuelta else variant.objectives[0]
    if objective == "win" and "win" not in variant.objectives:
        wrong = say(
            "objective: in {variant} each plays alone: ask `tute safe` who can be sure to win"
        )
        raise QuestionError(wrong.format(variant=variant.id))
    for known in variant.objectives:
        if objective == known:
            break
    else:
        wrong = say("objective: {variant} has {objectives}")
        objectives = ", ".join(variant.objectives)
        raise QuestionError(wrong.format(variant=variant.id, objectives=objectives))
    if known != "win" and game.rules.tute_wins and game.singers:
        wrong = say(
            "objective: with tute = {value} a tute wins the hand and has no points, "
            "so only `win` can be asked"
        )
        raise QuestionError(wrong.format(value=game.rules.tute))
    if known != "win" and game.rules.capote != "none" and variant.winning == "hundred":
        raise QuestionError(
            say("objective: a capote wins the hand and has no points, so only `win` can be asked")
        )
    if known != "win" and game.vuelta:
        raise QuestionError(
            say(
                "objective: a second hand (`carried`) ends when a side passes 100, so only `win` "
                "can be asked; to count points, give what was carried as `points`"
            )
        )
    if known == "win" and variant.winning == "contract" and game.bid is None:
        raise QuestionError(say("bid: `win` asks whether the contract is made, so it needs a bid"))
    return known


def score(position: Position, place: int, objective: Objective) -> int:
    """The value of a finished hand (or the total so far) for that player's side."""
    game = position.game
    mine = game.side(place)
    if objective == "tricks":
        return sum(position.tricks[p] for p in mine)
    if objective == "win":
        return _won(position, mine)
    total = sum(position.points[p] for p in mine)
    if objective == "points":
        return total
    return 2 * total - sum(position.points)


def _won(position: Position, mine: tuple[int, ...]) -> int:
    """1, 0 or −1: the hand won, drawn or undecided, lost."""
    game = position.game
    if position.showed_tute is not None:
        return 1 if position.showed_tute in mine else -1
    if position.capote is not None:
        kept = (position.capote in mine) != position.capote_failed
        return 1 if kept else -1
    if position.passed_goal is not None:
        return 1 if position.passed_goal in mine else -1
    total = sum(position.points[p] for p in mine)
    rest = sum(position.points) - total
    if game.contract in ("cuatrola", "quintola") or game.variant.winning == "contract":
        declares = game.declarer in mine
        return 1 if _contract_made(position) == declares else -1
    last = position.took_last
    if game.variant.winning in ("hundred", "hundred or last trick"):
        by_last = game.variant.winning == "hundred or last trick"
        return _hundred(total, rest, last, mine, by_last=by_last)
    best_other = rest
    if game.variant.sides == "alone":
        best_other = max(p for place, p in enumerate(position.points) if place not in mine)
    if total != best_other:
        return 1 if total > best_other else -1
    if game.rules.tie_hand == "draw" or last is None:
        return 0
    if last in mine:
        return 1
    return -1 if game.variant.sides != "alone" or position.points[last] == total else 0


def _contract_made(position: Position) -> bool:
    game = position.game
    declaring = game.side(game.declarer or 0)
    if game.contract is None:
        made = sum(position.points[p] for p in declaring)
        return game.bid is not None and made >= game.bid
    tricks = sum(position.tricks[p] for p in declaring)
    return tricks >= (5 if game.contract == "quintola" else game.rules.cuatrola_tricks)


def _hundred(
    total: int, rest: int, last: int | None, mine: tuple[int, ...], *, by_last: bool
) -> int:
    """Habanero: more than 100 and more than the other. Guiñote: 101, of two the last trick."""
    if total <= _HUNDRED and rest <= _HUNDRED:
        return 0
    if min(total, rest) > _HUNDRED and (by_last or total == rest):
        return 0 if last is None else 1 if last in mine else -1
    return 1 if total > rest else -1
