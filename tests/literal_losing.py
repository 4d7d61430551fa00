"""What it means not to lose, word for word: the oracle of every search in games not to lose.

Four recursions over whole positions, without tables across positions, bounds, or cards taken for
one another. To lose is, in tute-individual, not to win the hand. Declining a declaration or making
one is a decision of its own, before the lead.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tute.notation import Declaration
from tute.objectives import score
from tute.position import Position

HOPELESS = 0
NEVER_HURT = 1 << 20  # more plays than any hand has: nobody can be hurt so often


@dataclass(frozen=True)
class Outlook:
    """What a position holds for its players, by place.

    Attributes:
        risk: how likely each is to lose when everyone looks after himself.
        credible: how many plays that harm the one who makes them it takes to make each lose;
            `NEVER_HURT` where no number does.
        losers: the sets of losers that some subgame-perfect equilibrium reaches.
    """

    risk: tuple[Fraction, ...]
    credible: tuple[int, ...]
    losers: frozenset[frozenset[int]]


def who_loses(position: Position) -> frozenset[int]:
    """The places that lose a finished hand."""
    places = range(position.game.players)
    if position.game.variant.winning == "not to lose":
        return frozenset(seat - 1 for seat in position.losers())
    return frozenset(place for place in places if score(position, place, "win") != 1)


def decisions(position: Position) -> list[Position]:
    """What the player to move may choose between: what is declared, if anything may be; or a card.

    One position for every physical card.
    """
    calls = [move for move in position.legal() if isinstance(move, Declaration)]
    if not calls:
        return [after for _, after in position.successors()]
    after = [position.play(call) for call in calls]
    assert position.window is not None
    return after if position.window.compulsory else [*after, position.settled()]


def outlook(position: Position) -> Outlook:
    """Riesgo, credible safety and the equilibria of a position, each by its definition."""
    players = position.game.players
    if position.over:
        lost = who_loses(position)
        return Outlook(
            risk=tuple(Fraction(place in lost) for place in range(players)),
            credible=tuple(HOPELESS if place in lost else NEVER_HURT for place in range(players)),
            losers=frozenset({lost}),
        )
    mover = position.turn
    children = [outlook(after) for after in decisions(position)]
    least = min(child.risk[mover] for child in children)
    best = [child for child in children if child.risk[mover] == least]
    return Outlook(
        risk=tuple(
            sum((child.risk[place] for child in best), Fraction(0)) / len(best)
            for place in range(players)
        ),
        credible=tuple(
            max(child.credible[place] for child in children)
            if place == mover
            else min(credible_after(child, place, mover, least) for child in children)
            for place in range(players)
        ),
        losers=equilibria(mover, [child.losers for child in children]),
    )


def credible_after(child: Outlook, place: int, mover: int, least: Fraction) -> int:
    """Plays that harm the one who makes them, the one that led here among them if it does."""
    return min(child.credible[place] + (child.risk[mover] > least), NEVER_HURT)


def equilibria(mover: int, children: list[frozenset[frozenset[int]]]) -> frozenset[frozenset[int]]:
    """The loser-sets that equilibria reach, from those after each choice of one player.

    By the definition: a strategy of the others fixes one equilibrium outcome after every choice,
    and the player takes any choice that is best for him among those. So an outcome is reached where
    the outcomes after all other choices can be such that none is better for him.
    """
    reached = set()
    for chosen, outcomes in enumerate(children):
        others = children[:chosen] + children[chosen + 1 :]
        for outcome in outcomes:
            loses = mover in outcome
            if not loses or all(any(mover in other for other in set_) for set_ in others):
                reached.add(outcome)
    return frozenset(reached)


def safe(position: Position, place: int) -> bool:
    """Whether a player can avoid losing whatever all the others do together."""
    if position.over:
        return place not in who_loses(position)
    choose = any if position.turn == place else all
    return choose(safe(after, place) for after in decisions(position))
