"""Results as plain values for JSON; the shapes are versioned and only ever added to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tute.cards import SUIT_NAMES
from tute.check import Verdict
from tute.deal import Deal
from tute.notation import Move
from tute.results import (
    Blame,
    ContractResult,
    Explanation,
    Match,
    MoveSafety,
    MoveValue,
    PlayerReview,
    PlayerSafety,
    Review,
    ReviewedMove,
    Safety,
    SafetyReview,
    SafetyStep,
    SeatSafety,
    Solution,
    Step,
    Table,
    Tally,
    TrumpChoice,
    WhatIf,
)
from tute.rules import OUTSIDE_THE_HAND, Rules, switches, write_value
from tute.variants import Variant

if TYPE_CHECKING:
    from tute.report.page import Problem

Answer = dict[str, object]

# What a side of butifarra has above this it scores.
HALF_OF_BUTIFARRA = 36
# What `tute.explain.v1` says of the position in the words of `tute.solve.v1`.
_FACTS = (
    *("variant", "trump", "leader", "declarer", "objective", "side"),
    *("value", "lower", "upper", "exact", "to_move", "contract"),
)


def solution(answer: Solution, *, bounds: bool = False) -> Answer:
    """`tute.solve.v1`; with `bounds` each card shows them even where they have met."""
    position, game = answer.position, answer.position.game
    bounds = bounds or not answer.complete
    shown: Answer = {
        "format": "tute.solve.v1",
        "variant": game.variant.id,
        "trump": _trump(position.trump),
        "leader": game.first + 1,
        "declarer": None if game.declarer is None else game.declarer + 1,
        "objective": answer.objective,
        "side": list(answer.side),
        "value": answer.value,
        "lower": answer.lower,
        "upper": answer.upper,
        "exact": answer.exact,
        "to_move": position.to_move,
        "cards": [_card(move, bounds) for move in answer.cards],
        "best": _moves(answer.best),
        "line": _moves(answer.line),
        "contract": None
        if answer.contract is None
        else {
            "bid": answer.contract.bid,
            "made": answer.contract.made,
            "highest_bid": answer.contract.highest_bid,
        },
        "nodes": answer.nodes,
        "seconds": answer.seconds,
    }
    if game.variant.id == "butifarra" and answer.objective == "points":
        shown["excess"] = None if answer.value is None else answer.value - HALF_OF_BUTIFARRA
    return shown


def table(answer: Table, deal: Deal) -> Answer:
    """`tute.table.v1`."""
    return {
        "format": "tute.table.v1",
        "variant": deal.variant.id,
        "rows": [
            {
                "declarer": row.declarer,
                "trump": _trump(row.trump),
                "value": row.value,
                "lower": row.lower,
                "upper": row.upper,
                "highest_bid": row.highest_bid,
            }
            for row in answer.rows
        ],
        "exact": answer.exact,
        "nodes": answer.nodes,
        "seconds": answer.seconds,
    }


def contract(answer: ContractResult) -> Answer:
    """`tute.contract.v1`."""
    position = answer.position
    return {
        "format": "tute.contract.v1",
        "variant": position.game.variant.id,
        "trump": _trump(position.trump),
        "declarer": answer.seat,
        "side": list(answer.side),
        "bid": answer.bid,
        "made": answer.made,
        "margin": answer.margin,
        "value": answer.value,
        "lower": answer.lower,
        "upper": answer.upper,
        "highest_bid": answer.highest_bid,
        "line": _moves(answer.line),
        "nodes": answer.nodes,
        "seconds": answer.seconds,
    }


def safety(answer: Safety) -> Answer:
    """`tute.safe.v1`; where the risks are estimated, each has its `risk_error` beside it."""
    position, game = answer.position, answer.position.game
    return {
        "format": "tute.safe.v1",
        "variant": game.variant.id,
        "trump": _trump(position.trump),
        "leader": game.first + 1,
        "seat": answer.seat,
        "to_move": position.to_move,
        "players": [
            {
                "seat": player.seat,
                "safe": player.safe,
                "high": player.high,
                "low": player.low,
                "max_points": player.max_points,
                "min_points": player.min_points,
                **_risk(player, answer.risk_exact),
            }
            for player in answer.players
        ],
        "cards": [
            {"card": str(move.card), "safe": move.safe, **_risk(move, answer.risk_exact)}
            for move in answer.cards
        ],
        "risk_exact": answer.risk_exact,
        "losers": None if answer.losers is None else [list(lost) for lost in answer.losers],
        "line": _moves(answer.line),
        "nodes": answer.nodes,
        "seconds": answer.seconds,
    }


def explanation(
    answer: Explanation, rule: str, texts: Sequence[str], problem: Problem | None
) -> Answer:
    """`tute.explain.v1`; where one plays not to lose, `safe` stands in the place of each value.

    Args:
        answer: what is shown.
        rule: by what rule the line was chosen, in the reader's language.
        texts: what is said of each step.
        problem: the hand as a problem, if it is asked for.
    """
    shown = solution(answer.solution)
    facts = {name: shown[name] for name in _FACTS}
    if answer.losing:
        facts |= {"objective": None, "safe": _safe(answer.solution.value)}
        facts |= {"value": None, "lower": None, "upper": None}
    said: Answer = {"format": "tute.explain.v1", **facts, "complete": answer.complete, "rule": rule}
    if problem is not None:
        said["problem"] = {"question": problem.question, "hints": list(problem.hints)}
    said["line"] = _moves(answer.line)
    said["steps"] = [
        _step(step, text, losing=answer.losing)
        for step, text in zip(answer.steps, texts, strict=True)
    ]
    return said | {"nodes": answer.walk.nodes, "seconds": answer.walk.seconds}


def motifs(definitions: Mapping[str, str]) -> Answer:
    """`tute.motifs.v1`: the name and the definition of every motif."""
    return {
        "format": "tute.motifs.v1",
        "motifs": [{"name": name, "definition": text} for name, text in definitions.items()],
    }


def _step(step: Step, text: str, *, losing: bool) -> Answer:
    value, tempting = step.moment.solution.value, step.tempting
    shown: Answer = {"seat": step.moment.seat, "card": str(step.moment.move)}
    shown |= {"value": None, "safe": _safe(value)} if losing else {"value": value}
    return shown | {
        "equal": _moves(step.equal),
        "forced": step.forced,
        "does": list(step.does),
        "tempting": None
        if tempting is None
        else {
            "card": str(tempting.card),
            "cost": None if losing else tempting.cost,
            "refutation": _moves(tempting.refutation),
            "reply": None if tempting.reply is None else str(tempting.reply),
        },
        "text": text,
    }


def _safe(value: int | None) -> bool | None:
    return None if value is None else value > 0


def verdict(answer: Verdict) -> Answer:
    """`tute.check.v1`."""
    refusal = answer.refusal
    if refusal is not None:
        return {
            "format": "tute.check.v1",
            "legal": False,
            "index": refusal.index,
            "trick": answer.trick,
            "card": str(refusal.move),
            "seat": refusal.seat,
            "duty": refusal.duty,
            "legal_cards": [str(move) for move in refusal.legal],
            "message": str(refusal),
        }
    position = answer.position
    return {
        "format": "tute.check.v1",
        "legal": True,
        "over": position.over,
        "to_move": position.to_move,
        "points": list(position.totals()),
        "tricks": list(position.tricks),
        "sides": [list(side) for side in answer.sides],
        "totals": list(answer.totals),
        "losers": None if answer.losers is None else list(answer.losers),
        "result_agrees": answer.result_agrees,
    }


def review(answer: Review | SafetyReview) -> Answer:
    """`tute.review.v1`; where one plays not to lose, the values are null."""
    deal = answer.deal
    shown: Answer = {
        "format": "tute.review.v1",
        "variant": deal.variant.id,
        "trump": _trump(deal.game().trump),
        "names": list(deal.names),
    }
    if isinstance(answer, Review):
        shown |= {
            "objective": answer.walk.objective,
            "side": list(answer.walk.side),
            "bid": deal.bid,
            "moves": [_reviewed(move) for move in answer.moves],
            "decisive": [move.index for move in answer.decisive],
            "value_dealt": answer.value_dealt,
            "value_final": answer.value_final,
            "players": [_player(player, deal) for player in answer.players],
            "trump_choice": None if answer.trump is None else _trump_choice(answer.trump),
            "samples": answer.samples,
            "seed": answer.seed,
        }
    else:
        shown |= {
            "objective": "win" if deal.variant.objectives else None,
            "moves": [_safety_step(step) for step in answer.steps],
            "decisive": [step.index for step in answer.decisive],
            "value_dealt": None,
            "value_final": None,
            "players": [_player_safety(player, deal) for player in answer.players],
            "losers": None if answer.losers is None else list(answer.losers),
        }
    return shown | {
        "what_if": [_what_if(other) for other in answer.what_if],
        "renuncio": None if answer.renuncio is None else verdict(answer.renuncio),
        "complete": answer.complete,
        "seconds": answer.seconds,
    }


def match(answer: Match) -> Answer:
    """`tute.match.v1`: a review of each hand, and every player's sums."""
    return {
        "format": "tute.match.v1",
        "hands": [review(hand) for hand in answer.hands],
        "players": [
            {"name": player.name or None, "seat": player.seat, "hands": player.hands}
            | _sums(player)
            for player in answer.players
        ],
        "complete": answer.complete,
    }


def variants(every: Iterable[Variant]) -> Answer:
    """`tute.rules.v1` without a variant: all of them, and the switches with their defaults."""
    return {
        "format": "tute.rules.v1",
        "variants": [_variant(each) for each in every],
        "switches": _switches(Rules()),
    }


def variant(one: Variant) -> Answer:
    """`tute.rules.v1` of one variant: each switch has its preset too."""
    return {"format": "tute.rules.v1", **_variant(one), "switches": _switches(one.rules)}


def _variant(one: Variant) -> Answer:
    return {
        "variant": one.id,
        "title": one.title,
        "players": list(one.players),
        "cards": {
            str(players): len(one.deck(players, one.rules, "o").cards) for players in one.players
        },
        "sides": one.sides,
        "trump": one.trump,
        "order": one.ranks,
        "values": {rank: one.values.get(rank, 0) for rank in one.ranks},
        "last_trick": one.last_trick,
        "per_trick": one.per_trick,
        "objectives": list(one.objectives),
    }


def _switches(rules: Rules) -> list[Mapping[str, object]]:
    plain = Rules()
    bearing: list[Mapping[str, object]] = [
        {
            "name": switch.name,
            "values": list(switch.values),
            "default": write_value(getattr(plain, switch.name)),
            "preset": write_value(getattr(rules, switch.name)),
            "about": switch.about,
        }
        for switch in switches()
    ]
    return bearing + [
        {
            "name": switch.name,
            "values": list(switch.values),
            "default": switch.values[0],
            "preset": switch.values[0],
            "about": switch.about,
        }
        for switch in OUTSIDE_THE_HAND.values()
    ]


def _reviewed(move: ReviewedMove) -> Answer:
    return {
        "index": move.index,
        "trick": move.trick,
        "seat": move.seat,
        "card": _move_or_pass(move.card),
        "automatic": move.automatic,
        "value_before": move.value_before,
        "value_after": move.value_after,
        "cost": move.cost,
        "best": [_move_or_pass(best) for best in move.best],
        "forced": move.forced,
        "duty": move.duty,
        "made_before": move.made_before,
        "made_after": move.made_after,
        "decisive": move.decisive,
        "blameless": move.blameless,
        "blame": None if move.blame is None else _blame(move.blame),
    }


def _blame(blame: Blame) -> Answer:
    return {
        "deals": blame.deals,
        "wanted": blame.wanted,
        "objective": blame.objective,
        "better": [_move_or_pass(gain.move) for gain in blame.better],
        "gains": [
            {
                "card": _move_or_pass(gain.move),
                "mean": gain.mean,
                "standard_error": gain.error,
            }
            for gain in blame.gains
        ],
    }


def _safety_step(step: SafetyStep) -> Answer:
    return {
        "index": step.index,
        "trick": sum(step.position.tricks) + 1,
        "seat": step.seat,
        "card": str(step.card),
        "automatic": False,
        "value_before": None,
        "value_after": None,
        "cost": None,
        "best": _moves(step.best),
        "forced": step.forced,
        "duty": step.duty,
        "decisive": step.turned,
        "blameless": True if step.forced else None,
        "blame": None,
        "safe_before": list(step.before),
        "safe_after": list(step.after),
        "lost": list(step.lost),
        "gained": list(step.gained),
        "cards": [{"card": str(move), "safe": safe} for move, safe in step.cards],
    }


def _player(player: PlayerReview, deal: Deal) -> Answer:
    return {"seat": player.seat, "name": _name(player.seat, deal)} | _sums(player)


def _name(seat: int, deal: Deal) -> str | None:
    return (deal.names[seat - 1] or None) if deal.names else None


def _sums(player: Tally) -> Answer:
    return {
        "choices": player.choices,
        "kept": player.kept,
        "accuracy": player.accuracy,
        "cost": player.cost,
        "decisive": player.decisive,
        "blameless": player.blameless,
        "blamed": player.blamed,
    }


def _player_safety(player: PlayerSafety, deal: Deal) -> Answer:
    return {
        "seat": player.seat,
        "name": _name(player.seat, deal),
        "choices": player.choices,
        "kept": player.kept,
        "accuracy": player.accuracy,
        "lost": player.lost,
        "gave": player.gave,
        "took": player.took,
    }


def _trump_choice(choice: TrumpChoice) -> Answer:
    return {
        "declarer": choice.seat,
        "trump": _trump(choice.chosen.trump),
        "value": choice.chosen.value,
        "best": [_trump(row.trump) for row in choice.best],
        "best_value": choice.best[0].value if choice.best else None,
        "cost": choice.cost,
        "rows": [{"trump": _trump(row.trump), "value": row.value} for row in choice.rows],
    }


def _what_if(other: WhatIf) -> Answer:
    return {
        "index": other.index,
        "seat": other.seat,
        "card": str(other.card),
        "value": other.value,
        "gain": other.gain,
        "cost": other.cost,
        "safe": list(other.safe),
        "line": _moves(other.line),
    }


def _move_or_pass(move: Move | None) -> str:
    return "pass" if move is None else str(move)


def _card(move: MoveValue, bounds: bool) -> Answer:
    shown: Answer = {"card": str(move.card), "value": move.value}
    return shown | {"lower": move.lower, "upper": move.upper} if bounds else shown


def _risk(one: SeatSafety | MoveSafety, exact: bool) -> Answer:
    shown: Answer = {
        "risk": None if one.risk is None else one.risk.chance,
        "credible": one.credible,
    }
    if not exact:
        shown["risk_error"] = None if one.risk is None else one.risk.error
    return shown


def _moves(moves: Iterable[Move]) -> list[str]:
    return [str(move) for move in moves]


def _trump(suit: str | None) -> str:
    return "none" if suit is None else SUIT_NAMES[suit]
