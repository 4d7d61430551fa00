"""Motifs: each with positions that show it and near misses that do not."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from claims import CLAIMS
from tute import Deal
from tute.motifs import MOTIFS, Scene, motifs, within_reach
from tute.notation import parse_moves
from tute.report import lesson
from tute.safety_walk import SafetyWalker
from tute.walk import Walker, made_in


@dataclass(frozen=True)
class Example:
    """One move of a line.

    Attributes:
        motif: whose example it is.
        shown: whether the move shows it.
        hands: one for each seat.
        line: from the position on; the move in question is `at`, counted from 0.
        fields: further fields of the deal; the game is tute por parejas (subastado for three
            hands), trumps are oros.
    """

    motif: str
    shown: bool
    hands: str
    line: str
    at: int = 0
    fields: dict[str, Any] = field(default_factory=dict)

    @property
    def scene(self) -> Scene:
        """The move in its place."""
        hands = [hand.strip() for hand in self.hands.split("/")]
        plain: dict[str, Any] = {
            "variant": "tute" if len(hands) == 4 else "subastado",
            "trump": "oros",
        }
        if len(hands) == 3:
            plain |= {"declarer": 1}
        deal = Deal(hands=hands, **(plain | self.fields))
        losing = deal.variant.winning == "not to lose"
        walker: Walker = SafetyWalker(deal, memory=1) if losing else Walker(deal, memory=1)
        line = parse_moves(self.line)
        moments = walker.moments(made_in(deal.position(), line))
        return Scene(moments[self.at], line[self.at + 1 :])


HABANERO = {"variant": "habanero"}
PAREJAS = {"variant": "subastado-parejas", "declarer": 1}
CABRON = {"variant": "cabron", "trump": "none", "declarer": None}
SECOND = {"leader": 2}
THIRD = {"leader": 3}
# For a declarer with the pair of bastos.
KEPT = "oA bRC5/bA e456/b7 c456"
KEPT_LINE = "Ab 7b 5b 4e 4c Ao {} Rb 5e 5c Cb 6e 6c"
ENDING = "oA c4/cA e5/c5 e6"
VOID = "c45 o4/cA37/c6S e6"
DISCARD = "e4 bA/cA b4/c5 b5"

# Trumps are oros. With three hands seat 1 declares; with four, seats 1 and 3 play together.
EXAMPLES = [
    Example("declares", True, "oA cRC/e654/b654", "Ao 4e 4b *20c Rc 5e 5b Cc 6e 6b", 3),
    Example("declares", False, "oA cRC/e654/b654", "Ao 4e 4b *20c Rc 5e 5b Cc 6e 6b", 4),
    # The second card of a pair from one hand; and the second of a suit from two hands.
    Example("completes_a_cante", True, "cRC/cA4/c76/c35", "Rc Ac 6c 3c 4c 7c 5c Cc", 7, PAREJAS),
    Example("completes_a_cante", False, "cR3/cA4/c76/cC5", "Rc Ac 6c Cc 4c 7c 5c 3c", 3, PAREJAS),
    Example(
        "exchanges", True, "eA o7/o4 e4", "Ae 4e *7 So 4o 6b 7o", 2, HABANERO | {"stock": "6b So"}
    ),
    Example(
        "exchanges", False, "eA o7/o4 e4", "Ae 4e *7 So 4o 6b 7o", 0, HABANERO | {"stock": "6b So"}
    ),
    Example(
        "makes_the_contract",
        True,
        "oA c4/c3 e4/cS e5",
        "Ao 4e 5e",
        0,
        {"bid": 25, "points": [14, 0, 0]},
    ),
    Example(
        "makes_the_contract",
        False,
        "oA c4/c3 e4/cS e5",
        "Ao 4e 5e",
        0,
        {"bid": 26, "points": [14, 0, 0]},
    ),
    Example("breaks_the_contract", True, "c4 e4/cA e3/c3 e5", "4c Ac 3c", 1, {"bid": 30}),
    Example("breaks_the_contract", False, "c4 e4/cA e3/c3 e5", "4c Ac 3c", 1, {"bid": 20}),
    Example("passes_100", True, "oA c4/o4 e4", "Ao 4o", 0, HABANERO | {"points": [90, 0]}),
    Example("passes_100", False, "oA c4/o4 e4", "Ao 4o", 0, HABANERO | {"points": [89, 0]}),
    Example(
        "keeps_them_below_100", True, "oA c4/o4 e4", "Ao 4o", 0, HABANERO | {"points": [0, 90]}
    ),
    Example(
        "keeps_them_below_100", False, "oA c4/o4 e4", "Ao 4o", 0, HABANERO | {"points": [0, 89]}
    ),
    Example("catches_a_cante", True, "cA e4/cR e5/cC e6", "Ac Rc Cc", 0, CABRON),
    Example("catches_a_cante", False, "cA e4/cR e5/cS e6", "Ac Rc Sc", 0, CABRON),
    Example("takes_a_first_trick", True, "cA e4/cR e5/cS e6", "Ac Rc Sc", 0, CABRON),
    Example(
        "takes_a_first_trick",
        False,
        "cA e4/cR e5/cS e6",
        "Ac Rc Sc",
        0,
        CABRON | {"tricks": [1, 0, 0]},
    ),
    Example("burdens", True, "cA e4/cS5/c6 e6", "Ac Sc 6c", 1, CABRON),
    Example("burdens", False, "cA e4/cS5/c6 e6", "Ac 5c 6c", 1, CABRON),
    Example("attacks_their_pair", True, "bRC o4/bA e45/b7 e67", "Ab 7b Cb", 0, SECOND),
    Example("attacks_their_pair", False, "bRC5/bA e45/b7 e67", "Ab 7b 5b", 0, SECOND),
    Example("attacks_their_pair", True, "bRC/bA e4/b7 e6", "Ab 7b Cb", 0, SECOND),
    Example("keeps_the_pair", True, KEPT, KEPT_LINE.format("*20b"), 2, SECOND),
    Example("keeps_the_pair", False, KEPT, KEPT_LINE.format(""), 2, SECOND),
    Example("draws_trumps", True, "oA c4/o47/e56", "Ao 4o 5e"),
    Example("draws_trumps", False, "oA c4/c7 e4/e56", "Ao 4e 5e"),
    Example("draws_the_last_trumps", True, "oA c4/o4 e4/e56", "Ao 4o 5e"),
    Example("draws_the_last_trumps", False, "oA c4/o47/e56", "Ao 4o 5e"),
    Example("forces_out_the_master", True, "c3R/cA e4/c4 e5", "Rc Ac 4c"),
    Example("forces_out_the_master", False, "cRS/cA3/c4 e5", "Rc Ac 4c"),
    Example("establishes", True, "o4 e4/cA e5/c3S/c4 e7", "Ac Sc 4c 4o", 3, SECOND),
    Example("establishes", False, "o4 e4/cA e5/cS e6/c43", "Ac Sc 4c 4o", 3, SECOND),
    Example("makes_them_ruff", True, "cA e4/o4 e5/c4 e6", "Ac 4o 4c"),
    Example("makes_them_ruff", False, "cA e4/o4 c5/c4 e6", "Ac 5c 4c"),
    # Where the partner is winning, a trump is his choice.
    Example(
        "makes_them_ruff",
        False,
        "c4 e4/cA e5/c5 e6/o4 e7",
        "4c Ac 5c 4o",
        0,
        {"rules": {"partner_exempt": "all"}},
    ),
    # The as of triunfos wins the last baza either way, and costs nothing now in the second.
    Example("keeps_the_last_trick", True, ENDING, "4c Ac 5c 5e 6e Ao"),
    Example("keeps_the_last_trick", False, "oA3/c4 e5/c5 e6", "3o 4c 5c Ao 5e 6e"),
    Example("captures", True, "oA c4/o3 e4/c5 e5", "Ao 3o 5c"),
    Example("captures", False, "oA c4/oR e4/c5 e5", "Ao Ro 5c"),
    # The second triunfo is on the partner's.
    Example("overruffs", True, "o5 e4/cA e5/o4 e6", "Ac 4o 5o", 2, SECOND),
    Example("overruffs", False, "o5 e4/cA e5/o4 e6/c4 e7", "Ac 4o 4c 5o", 3, SECOND),
    Example("ruffs", True, "o5 e4/cA e5/o4 e6", "Ac 4o 5o", 1, SECOND),
    Example("ruffs", False, "o5 e4/cA e5/o4 e6", "Ac 4o 5o", 2, SECOND),
    Example("cashes", True, "cA e4/c4 e5/c5 e6", "Ac 4c 5c"),
    Example("cashes", False, "cA e4/o4 e5/c5 e6", "Ac 4o 5c"),
    Example("loads_points", True, "cA e4/c4 e5/c35/c6 e6", "Ac 4c 3c 6c", 2),
    Example("loads_points", False, "cA e4/c4 e5/c35/c6 e6", "Ac 4c 5c 6c", 2),
    Example("takes_cheaply", True, "c7S/c4 e5/c5 e6", "4c 5c 7c", 2, SECOND),
    Example("takes_cheaply", False, "c7S/c4 e5/c5 e6", "4c 5c Sc", 2, SECOND),
    # The sota would be beaten by the tres; without the tres it would do.
    Example("takes_high", True, "cAS/c3 e5/c4 e6", "4c Ac 3c", 1, THIRD),
    Example("takes_high", False, "cAS/e45/c4 e6", "4c Ac 4e", 1, THIRD),
    Example("gives_partner_the_lead", True, "c4 e4/c5 e5/cA e6/c6 e7", "4c 5c Ac 6c"),
    Example("gives_partner_the_lead", False, "c4 e4/cA e5/c5 e6/c6 e7", "4c Ac 5c 6c"),
    Example("gives_up_the_lead", True, ENDING, "4c Ac 5c"),
    Example("gives_up_the_lead", False, "c4 e4/cA e5/c5 e6", "4c Ac 5c"),
    Example("exits", True, "c4 e4/cA e5/c5 e6", "4c Ac 5c"),
    Example("exits", False, ENDING, "4c Ac 5c"),
    Example("ducks", True, "c4 e4/cA e5", "4c 5e", 1, HABANERO | {"stock": "6b So"}),
    Example("ducks", False, "c4 e4/cA e5", "4c Ac", 1, HABANERO | {"stock": "6b So"}),
    Example("takes_the_last", True, "oA/c4/c5", "Ao 4c 5c"),
    Example("takes_the_last", False, "oA c6/c4 e4/c5 e5", "Ao 4c 5c"),
    Example("makes_itself_void", True, "c4 o4/cA3/c56", "Ac 5c 4c 3c 6c 4o", 2, SECOND),
    Example("makes_itself_void", False, "c4 o4/cA e5/c56", "Ac 5c 4c 5e 6c 4o", 2, SECOND),
    # Not with the last but one.
    Example("makes_itself_void", False, VOID, "Ac 6c 4c 3c Sc 5c 7c 6e 4o", 2, SECOND),
    Example("makes_itself_void", True, VOID, "Ac 6c 4c 3c Sc 5c 7c 6e 4o", 5, SECOND),
    Example("spares_a_suit", True, DISCARD, "Ac 5c 4e", 2, SECOND),
    Example("spares_a_suit", False, "e4 b4/cA b5/c5 b6", "Ac 5c 4e", 2, SECOND),
    Example("saves_the_master", True, DISCARD, "Ac 5c 4e", 2, SECOND),
    Example("saves_the_master", False, "e4 b3/cA b4/c5 bA", "Ac 5c 4e", 2, SECOND),
    Example("throws_least", True, "c4S/cA e5/c5 e6", "Ac 5c 4c", 2, SECOND),
    Example("throws_least", False, "c4S/cA e5/c5 e6", "Ac 5c Sc", 2, SECOND),
    # The sota wins the second baza, unless espadas are led to it.
    Example("holds_back", True, "cS4/cA7/c56", "Ac 5c 4c", 2, SECOND),
    Example("holds_back", False, "c4S/cA e7/c5 e6", "Ac 5c 4c", 2, SECOND),
    Example("wins_the_baza", True, "cA e4/c4 e5/c5 e6", "Ac 4c 5c"),
    Example("wins_the_baza", False, "cA e4/c4 e5/c5 e6", "Ac 4c 5c", 1),
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e.motif}-{e.shown}-{e.hands}")
def test_examples(example: Example) -> None:
    assert (example.motif in motifs(example.scene)) == example.shown


@pytest.mark.parametrize(
    ("hands", "fields", "points"),
    [
        # 24 points in the cards, 10 for the last baza; the cante is of triunfos or of another suit.
        ("oRC c4/cA e4 e5/cR cS b4", {}, 24 + 10 + 40),
        ("bRC c4/cA e4 e5/cR cS b4", {}, 24 + 10 + 20),
        ("bRC c4/cA e4 e5/cR cS b4", {"points": [7, 5, 0]}, 24 + 10 + 20 + 7),
        ("bRC c4/cA e4 e5/cR cS b4", {"declared": "b"}, 24 + 10),
        ("bR c46/cA e4 e5/cR cS bC", {}, 24 + 10),
        ("c46 e6/cA e4 e5/cS bRC", {}, 20 + 10),
    ],
)
def test_no_side_comes_to_more_than_is_within_its_reach(
    hands: str, fields: dict[str, Any], points: int
) -> None:
    deal = Deal(variant="subastado", trump="oros", declarer=1, hands=hands.split("/"), **fields)
    assert within_reach(deal.position(), (0,)) == points


def test_every_motif_has_examples_of_both_kinds_and_is_told() -> None:
    for shown in (True, False):
        assert {example.motif for example in EXAMPLES if example.shown == shown} == set(MOTIFS)
    assert list(lesson.definitions()) == list(MOTIFS)
    assert set(CLAIMS) == set(MOTIFS)
