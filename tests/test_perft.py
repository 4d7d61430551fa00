"""How many lines of play there are: a small change of the rules changes a count.

The counts were agreed with an independent program written from the rules alone.
"""

from __future__ import annotations

from typing import Any

import pytest

from tute.files import deal_from_fields
from tute.minimax import perft
from tute.position import Position

COUNTS: list[tuple[dict[str, Any], dict[int, int]]] = [
    (
        {
            "variant": "tute",
            "hands": ["cR e5 bRC", "oAR cS e7", "c542 b2", "o3 c6 e3 b5"],
            "trump": "espadas",
            "leader": 2,
        },
        {8: 195, 16: 1488, 17: 1488},
    ),
    (
        {
            "variant": "tute",
            "hands": ["oR4 eC bS", "oC cAS7", "o6 e5 bRC", "oA c35 eS"],
            "trump": "espadas",
            "leader": 4,
            "rules": {
                "montar_si_fallado": True,
                "undertrump": "must",
                "cante_who": "side",
                "cante_per_trick": "several",
            },
        },
        {8: 198, 15: 2800, 16: 2800},
    ),
    (
        {
            "variant": "tute",
            "hands": ["oS e42 b64", "o2 c3C64", "oRC cR eR bR", "oA5 c7 eA b2"],
            "trump": "espadas",
            "leader": 3,
            "rules": {"partner_exempt": "all", "cante_order": "free", "tute": "wins_hand"},
        },
        {5: 142, 10: 3776, 11: 6492},
    ),
    (
        {
            "variant": "tute-individual",
            "hands": ["oA34 b6", "c3 b754", "oRC cRC"],
            "trump": "espadas",
            "leader": 1,
        },
        {6: 430, 11: 3360, 12: 3360},
    ),
    (
        {
            "variant": "tute-individual",
            "hands": ["cAR e4 b6", "oRC eRC", "o3 cC e7 b2", "o7 c4 bC4"],
            "trump": "espadas",
            "leader": 1,
            "rules": {"montar_si_fallado": True, "tute3_deck": "39"},
        },
        {7: 184, 13: 6080, 14: 6080},
    ),
    (
        {
            "variant": "subastado",
            "hands": ["c7 eA6 b74", "cRCS b65", "oC75 c3 bS"],
            "trump": "bastos",
            "leader": 1,
            "declarer": 2,
        },
        {7: 564, 13: 7536, 14: 7536},
    ),
    (
        {
            "variant": "subastado",
            "hands": ["oA4 cR", "o37 c5", "o65 eA"],
            "trump": "oros",
            "declarer": 1,
            "widow": "Cc",
            "rules": {"subastado_widow": True},
        },
        {2: 12, 5: 76, 9: 120},
    ),
    (
        {
            "variant": "subastado-parejas",
            "hands": ["o2 eAS2", "oA cA5 bS", "eRC bRC", "o6 c4 e74"],
            "trump": "oros",
            "leader": 2,
            "declarer": 2,
        },
        {9: 500, 17: 2688, 18: 2688},
    ),
    (
        {
            "variant": "subastado-parejas",
            "hands": ["oC5 c52", "o3 e2 bRC", "c4 e4 b74", "c7 eA76"],
            "trump": "espadas",
            "leader": 4,
            "rules": {"partner_exempt": "beat", "cante_timing": "after_trick"},
        },
        {5: 56, 9: 2604, 10: 4776},
    ),
    (
        {
            "variant": "habanero",
            "hands": ["o3RC c6", "cRC bRC"],
            "trump": "bastos",
            "stock": "5e Ae 3e Sb",
        },
        {3: 76, 6: 2422, 7: 5560},
    ),
    (
        {
            "variant": "habanero",
            "hands": ["o5 cAR", "oR2 b6"],
            "trump": "bastos",
            "leader": 2,
            "stock": "5e Cc So Ab",
            "rules": {
                "stock_duty": "full",
                "cante_window": "until_lead",
                "exchange_from_start": True,
            },
        },
        {10: 434, 20: 434, 21: 434},
    ),
    (
        {
            "variant": "habanero",
            "hands": ["oA75 c2 eA352", "oRCS c5 eRC bRC"],
            "trump": "bastos",
            "leader": 1,
            "rules": {"capote": "last8"},
        },
        {2: 34, 4: 669, 5: 3194},
    ),
    (
        {
            "variant": "cabron",
            "hands": ["o4 eR7 bA", "c65 b36", "oS cS eC bC"],
            "trump": "none",
            "leader": 2,
        },
        {10: 424, 20: 424, 21: 424},
    ),
    (
        {
            "variant": "cabron",
            "hands": ["o6 c2 eC", "cA b62", "oRC eR", "bRC7"],
            "trump": "none",
            "rules": {"double_pair": "order_completed"},
        },
        {10: 432, 20: 432, 21: 432},
    ),
    (
        {
            "variant": "cabrero",
            "hands": ["oS52 cS bC", "oC eA6 bA3", "cA eRC bR4"],
            "trump": "bastos",
        },
        {5: 88, 10: 4212, 11: 6408},
    ),
    (
        {
            "variant": "cabrero",
            "hands": ["o75 c32", "c75 bA7", "oS4 cS b4", "eRC bRC"],
            "trump": "espadas",
            "leader": 1,
            "rules": {"tute_hand": "among", "no_cargar": True},
        },
        {7: 308, 14: 1760, 15: 1760},
    ),
    (
        {
            "variant": "cabrero",
            "hands": ["cR bRC", "o3R e3", "c54 e2", "o6 c6 eS", "cAC eR"],
            "trump": "bastos",
            "leader": 3,
        },
        {10: 392, 20: 488, 21: 488},
    ),
    (
        {
            "variant": "cuatrola",
            "hands": ["o3 eAS b3", "eR bRCS", "oS", "oA cS eC bA"],
            "trump": "oros",
            "leader": 3,
            "contract": "solo",
        },
        {10: 650, 20: 650, 21: 650},
    ),
    (
        {
            "variant": "cuatrola",
            "hands": ["oRC eRC", "o3S c3 bA", "cRS eAS", "oA e3 b3C"],
            "trump": "espadas",
            "leader": 4,
        },
        {7: 272, 14: 3456, 15: 3456},
    ),
    (
        {
            "variant": "cuatrola",
            "hands": ["oS cA eRS", "oRC eC bR", "o3 cR eA3"],
            "trump": "espadas",
            "leader": 2,
            "declarer": 1,
            "contract": "solo",
            "rules": {"cuatrola_lead": "bidder"},
        },
        {10: 628, 20: 628, 21: 628},
    ),
    (
        {
            "variant": "guinote",
            "hands": ["oRS b32", "o5 cC7 b6", "e7 b754", "o34 c34"],
            "trump": "espadas",
            "leader": 1,
            "stock": "Rb Sc Ac Se",
        },
        {3: 64, 6: 3360, 7: 7584},
    ),
    (
        {
            "variant": "guinote",
            "hands": ["o3 cRS", "o7 c5 bS"],
            "trump": "copas",
            "leader": 1,
            "stock": "Re 3b Co 6c",
        },
        {8: 1364, 15: 1466, 16: 1466},
    ),
    (
        {
            "variant": "butifarra",
            "hands": ["o3 c4 e4 b5", "o6 e2 bA2", "oA8 c7 e6", "o5 cC62"],
            "trump": "espadas",
            "leader": 1,
        },
        {10: 324, 20: 812, 21: 812},
    ),
    (
        {
            "variant": "butifarra",
            "hands": ["oA eS6 b92", "cC7 e2 bS6", "oR c9S e5 b4", "o7 c852 b7"],
            "trump": "espadas",
            "leader": 1,
            "rules": {"boti_school": "obligada"},
        },
        {8: 204, 16: 7366, 17: 7366},
    ),
    (
        {
            "variant": "butifarra",
            "hands": ["c4 e8 bA6", "oA2 b87", "oR85 e2", "o9 c97 bR"],
            "trump": "bastos",
            "leader": 1,
            "rules": {"boti_void_partner": "trump"},
        },
        {9: 1092, 18: 3456, 19: 3456},
    ),
]


def title(fields: dict[str, Any]) -> str:
    players = len(fields["hands"])
    return " ".join([fields["variant"], str(players), *fields.get("rules", {})])


@pytest.mark.parametrize(
    ("fields", "counts"),
    COUNTS,
    ids=[f"{n}-{title(fields)}" for n, (fields, _) in enumerate(COUNTS)],
)
def test_counts(fields: dict[str, Any], counts: dict[int, int]) -> None:
    start = deal_from_fields(fields).start()
    assert {depth: perft(start, depth) for depth in counts} == counts


def lines(position: Position, depth: int) -> int:
    """As `perft`, by legal moves and `play` alone."""
    if depth == 0 or position.over:
        return 1
    return sum(lines(position.play(str(move)), depth - 1) for move in position.legal())


@pytest.mark.parametrize("number", range(0, len(COUNTS), 4))
def test_successors_and_play_count_alike(number: int) -> None:
    fields, counts = COUNTS[number]
    depth = min(counts)
    assert lines(deal_from_fields(fields).start(), depth) == counts[depth]
