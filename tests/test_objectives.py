"""What finished hands are worth, which questions a game has, and known values of endings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given

from strategies import SwitchValue, random_game_deal, random_switches, seeds
from tute.deal import Deal
from tute.errors import QuestionError
from tute.minimax import minimax
from tute.objectives import check_objective, score
from tute.position import Position
from tute.variants import VARIANTS, Objective

ONE_CARD_EACH = ["oA", "o3", "oR", "oC"]


def finished(
    variant: str,
    points: Sequence[int],
    last: int = 1,
    tricks: Sequence[int] = (),
    rules: dict[str, SwitchValue] | None = None,
    **fields: Any,
) -> Position:
    """A hand played out, with these totals by seat and this seat's last trick."""
    players = len(points)
    hands = ["oAR", "o3C"] if players == 2 else ONE_CARD_EACH[:players]
    deal = Deal(variant=variant, hands=hands, trump="c", rules=rules, **fields)
    return replace(
        deal.start(),
        hands=((),) * players,
        points=tuple(points),
        tricks=tuple(tricks) or (1,) * players,
        took_last=last - 1,
    )


def wins(position: Position) -> list[int]:
    """The value of `win` for every seat."""
    return [score(position, place, "win") for place in range(position.game.players)]


# ---------------------------------------------------------------- endings (section 7)

ENDINGS = [
    (
        "1o 1b 7o So | 3o Se 6b 2o | Cc Co 7b 4b | 5b Sb 5o 4e",
        {"Ao": 54, "Ab": 40, "7o": 27, "So": 27},
    ),
    (
        "1o 1b 6o Se | 3o Rb 7b 2b | Cc Co 5b 4b | 2e 2o So 7o",
        {"Ao": 56, "Ab": 40, "6o": 25, "Se": 40},
    ),
    (
        "1o 1b 7o So | 3o Rb 2b 6e | Cc Co 4b Sb | 2o 6o 5b Se",
        {"Ao": 58, "Ab": 42, "7o": 27, "So": 27},
    ),
    (
        "1o 1b Se 5o | 3o 5b 2b Rb | Cc Co 6b Sb | 4o 2e So 6o",
        {"Ao": 58, "Ab": 42, "Se": 42, "5o": 27},
    ),
    (
        "1o 1b 2o 5o | 3o Rb Se 5b | 7c Co So 6b | 4o 6e 2b 7b",
        {"Ao": 53, "Ab": 53, "2o": 41, "5o": 41},
    ),
]


@pytest.mark.parametrize(("hands", "values"), ENDINGS)
def test_endings_with_known_values(hands: str, values: dict[str, int]) -> None:
    """South leads; hands in the order S E N W; points of north and south."""
    deal = Deal(variant="tute", trump="c", hands=hands.split(" | "))
    found = {move: minimax(after, 0, "points") for move, after in deal.start().successors()}
    assert found == values
    # Nothing can be declared in these, so the cards are worth the same in every line.
    whole = sum(deal.game().deck.points[card] for hand in deal.hands for card in hand) + 10
    assert minimax(deal.start(), 1, "points") == whole - max(values.values())


def test_the_vienna_coup() -> None:
    """The published play of section 7, item 1; the cards that it does not name are filled in.

    Seats W S E N. East and west make 55 in four tricks; south then cashes the as de oros, and
    north and south make everything else.
    """
    deal = Deal(
        variant="tute",
        trump="c",
        hands=[
            "oR65 c4 eA74 bRS5",
            "oAS74 cS2 eC6 bA3",
            "o32 cA37 e3S5 b62",
            "oC cRC65 eR2 bC74",
        ],
        played="Ae 6e 5e 2e | 7e Ce 3e Re | Ac 6c 4c 2c | 3c 5c Ro Sc | 7c Rc 6o 4o | Cb Rb 3b 2b",
    )
    position = deal.position()
    assert position.points == (11, 17, 44, 4)
    assert position.tricks == (1, 1, 3, 1)
    assert position.to_move == 2
    assert minimax(position, 1, "points") == 130 - 55
    values = {move: minimax(after, 1, "points") for move, after in position.successors()}
    assert [move for move, value in values.items() if value == 75] == ["Ao"]
    assert minimax(position, 0, "points") == 55


# ---------------------------------------------------------------- points and difference


def test_points_belong_to_sides() -> None:
    pairs = finished("tute", [10, 20, 30, 70])
    assert [score(pairs, place, "points") for place in range(4)] == [40, 90, 40, 90]
    assert [score(pairs, place, "difference") for place in range(4)] == [-50, 50, -50, 50]
    alone = finished("tute-individual", [10, 20, 30, 70])
    assert [score(alone, place, "points") for place in range(4)] == [10, 20, 30, 70]
    assert [score(alone, place, "difference") for place in range(4)] == [-110, -90, -70, 10]
    against = finished("subastado", [10, 50, 70], declarer=2)
    assert [score(against, place, "points") for place in range(3)] == [80, 50, 80]
    assert [score(against, place, "difference") for place in range(3)] == [30, -30, 30]


def test_tricks_are_counted_in_cuatrola() -> None:
    position = finished("cuatrola", [1, 2, 3, 4], tricks=[1, 2, 0, 2])
    assert [score(position, place, "tricks") for place in range(4)] == [1, 4, 1, 4]


# ---------------------------------------------------------------- win


@pytest.mark.parametrize("variant", ["tute", "butifarra", "cuatrola"])
def test_more_points_win(variant: str) -> None:
    assert wins(finished(variant, [10, 20, 30, 70])) == [-1, 1, -1, 1]
    assert wins(finished(variant, [10, 20, 40, 29])) == [1, -1, 1, -1]
    assert wins(finished(variant, [10, 20, 30, 20], last=2)) == [0, 0, 0, 0]
    last_trick = finished(variant, [10, 20, 30, 20], last=2, rules={"tie_hand": "last_trick"})
    assert wins(last_trick) == [-1, 1, -1, 1]
    last_trick = finished(variant, [10, 20, 50, 20], last=2, rules={"tie_hand": "last_trick"})
    assert wins(last_trick) == [1, -1, 1, -1]


def test_each_alone() -> None:
    assert wins(finished("tute-individual", [10, 20, 30, 70])) == [-1, -1, -1, 1]
    assert wins(finished("tute-individual", [50, 20, 50])) == [0, -1, 0]
    rules: dict[str, SwitchValue] = {"tie_hand": "last_trick"}
    assert wins(finished("tute-individual", [50, 20, 50], last=3, rules=rules)) == [-1, -1, 1]
    assert wins(finished("tute-individual", [50, 20, 50], last=2, rules=rules)) == [0, -1, 0]


@pytest.mark.parametrize(
    ("points", "declarer", "bid", "made"),
    [
        ([80, 30, 20], 1, 80, True),
        ([79, 31, 20], 1, 80, False),
        ([60, 40, 30], 1, 60, True),  # fewer than the others together, yet made
        ([80, 30, 20], 2, 35, False),
        ([80, 30, 20], 2, 30, True),
        ([80, 30, 20], None, 80, True),  # the declarer is seat 1 unless named
        ([80, 30, 20], None, 85, False),
    ],
)
def test_subastado_contracts(points: list[int], declarer: int | None, bid: int, made: bool) -> None:
    position = finished("subastado", points, declarer=declarer, bid=bid)
    declaring = (declarer or 1) - 1
    wanted = [1 if (place == declaring) == made else -1 for place in range(3)]
    assert wins(position) == wanted


@pytest.mark.parametrize(
    ("declarer", "bid", "wanted"),
    [
        (1, 80, [1, -1, 1, -1]),
        (3, 80, [1, -1, 1, -1]),
        (3, 90, [-1, 1, -1, 1]),
        (2, 50, [-1, 1, -1, 1]),
        (2, 60, [1, -1, 1, -1]),
        (None, 80, [1, -1, 1, -1]),
        (None, 90, [-1, 1, -1, 1]),
    ],
)
def test_contracts_in_pairs(declarer: int | None, bid: int, wanted: list[int]) -> None:
    position = finished("subastado-parejas", [50, 20, 30, 30], declarer=declarer, bid=bid)
    assert wins(position) == wanted


@pytest.mark.parametrize(
    ("contract", "tricks", "rules", "made"),
    [
        ("cuatrola", [4, 1, 0, 0], {}, True),
        ("cuatrola", [3, 1, 0, 1], {}, False),
        ("cuatrola", [4, 1, 0, 0], {"cuatrola_tricks": 5}, False),
        ("cuatrola", [5, 0, 0, 0], {"cuatrola_tricks": 5}, True),
        ("quintola", [4, 1, 0, 0], {}, False),
        ("quintola", [5, 0, 0, 0], {}, True),
        ("solo", [0, 5, 0, 0], {}, True),  # points count, not tricks
    ],
)
def test_cuatrola_contracts(
    contract: str, tricks: list[int], rules: dict[str, SwitchValue], made: bool
) -> None:
    position = finished(
        "cuatrola", [90, 20, 0, 20], tricks=tricks, rules=rules, declarer=1, contract=contract
    )
    assert wins(position)[:2] == ([1, -1] if made else [-1, 1])
    three = finished(
        "cuatrola", [20, 90, 20], tricks=tricks[:3], rules=rules, declarer=2, contract="solo"
    )
    assert wins(three) == [-1, 1, -1]


@pytest.mark.parametrize(
    ("points", "last", "habanero", "guinote"),
    [
        ([101, 60], 2, [1, -1], [1, -1]),
        ([100, 60], 1, [0, 0], [0, 0]),
        ([100, 100], 1, [0, 0], [0, 0]),
        ([110, 101], 2, [1, -1], [-1, 1]),
        ([101, 110], 2, [-1, 1], [-1, 1]),
        ([101, 101], 2, [-1, 1], [-1, 1]),
        ([101, 101], 1, [1, -1], [1, -1]),
        ([60, 105], 1, [-1, 1], [-1, 1]),
    ],
)
def test_a_hundred_and_one(
    points: list[int], last: int, habanero: list[int], guinote: list[int]
) -> None:
    assert wins(finished("habanero", points, last)) == habanero
    assert wins(finished("guinote", points, last)) == guinote
    four = finished("guinote", [points[0] - 7, points[1] - 9, 7, 9], last)
    assert wins(four) == guinote * 2


def test_a_tute_a_capote_and_a_second_hand_decide_before_points() -> None:
    position = finished("tute", [90, 0, 0, 0], rules={"tute": "wins_hand"})
    assert wins(replace(position, showed_tute=3)) == [-1, 1, -1, 1]
    position = finished("habanero", [120, 0], rules={"capote": "last8"})
    assert wins(replace(position, capote=1)) == [-1, 1]
    assert wins(replace(position, capote=1, capote_failed=True)) == [1, -1]
    assert wins(replace(position, capote=0)) == [1, -1]
    position = finished("habanero", [120, 150], carried=[50, 50])
    assert wins(replace(position, passed_goal=0)) == [1, -1]


# ---------------------------------------------------------------- which questions there are


@pytest.mark.parametrize(
    ("variant", "default"),
    [
        ("tute", "points"),
        ("tute-individual", "points"),
        ("subastado", "points"),
        ("subastado-parejas", "points"),
        ("habanero", "difference"),
        ("cuatrola", "points"),
        ("guinote", "points"),
        ("butifarra", "points"),
    ],
)
def test_the_default_objective(variant: str, default: str) -> None:
    players = VARIANTS[variant].players[0]
    game = finished(variant, [0] * players).game
    assert check_objective(game, None) == default
    assert check_objective(game, "points") == "points"
    assert check_objective(game, "difference") == "difference"


@pytest.mark.parametrize(
    ("variant", "players", "objective", "fields", "says"),
    [
        ("cabron", 3, None, {}, "played not to lose: ask `tute safe`"),
        ("cabrero", 4, "points", {}, "played not to lose: ask `tute safe`"),
        ("tute-individual", 4, "win", {}, "objective: .* each plays alone: ask `tute safe`"),
        ("tute", 4, "tricks", {}, "objective: tute has points, difference, win"),
        ("tute", 4, "honour", {}, "objective: tute has points, difference, win"),
        ("subastado", 3, "win", {}, "bid: .* needs a bid"),
        ("subastado-parejas", 4, "win", {"declarer": 2}, "bid: .* needs a bid"),
        ("tute", 4, None, {"rules": {"tute": "wins_hand"}}, "objective: .* only `win`"),
        ("tute", 4, "points", {"rules": {"tute": "counts_3"}}, "objective: .* only `win`"),
        ("habanero", 2, None, {"rules": {"capote": "last8"}}, "objective: .* only `win`"),
    ],
)
def test_questions_that_a_game_does_not_have(
    variant: str, players: int, objective: str | None, fields: dict[str, Any], says: str
) -> None:
    game = finished(variant, [0] * players, **fields).game
    with pytest.raises(QuestionError, match=says) as refusal:
        check_objective(game, objective)
    assert len(str(refusal.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("variant", "players", "objective", "fields"),
    [
        ("tute", 4, "win", {"rules": {"tute": "wins_hand"}}),
        ("habanero", 2, "win", {"rules": {"capote": "last8"}}),
        ("subastado", 3, "win", {"bid": 80}),
        ("butifarra", 4, "points", {"rules": {"tute": "wins_hand"}}),  # nobody can show one
        ("tute", 4, "points", {"rules": {"capote": "last8"}}),  # a switch of another game
        ("cuatrola", 4, "tricks", {}),
    ],
)
def test_questions_that_a_game_has(
    variant: str, players: int, objective: Objective, fields: dict[str, Any]
) -> None:
    assert check_objective(finished(variant, [0] * players, **fields).game, objective) == objective


# ---------------------------------------------------------------- minimax


def test_a_choice_between_two_twenties_is_searched() -> None:
    """Seat 1 can declare one pair now, and only the other again before it is parted."""
    deal = Deal(
        variant="subastado",
        trump="b",
        hands=["oA cRC eRC", "o7 c76 e76", "o6 c54 e54"],
        declarer=1,
    )
    # Ao, 20; a king wins the next trick, and the other pair is declared too.
    assert minimax(deal.start(), 0, "points") == 11 + 20 + 20 + 4 + 3 + 4 + 3 + 10
    one_trick = deal.replace(hands=["oA cRC eRC", "o7 bA3 c3 e3", "o6 cA7 eA7"])
    # One trick and one twenty; then the defence takes the rest.
    assert minimax(one_trick.start(), 0, "points") == 11 + 20


def test_declining_is_possible_and_never_better_for_points() -> None:
    deal = Deal(variant="tute", trump="b", hands=["oA cRC", "o7 c76", "o6 c54", "o5 e54"])
    position = deal.start()
    for card in ("Ao", "7o", "6o", "5o"):
        position = position.play(card)
    declared = position.play("*20c")
    assert minimax(position, 0, "points") == minimax(declared, 0, "points")
    declined = position.play("Rc")
    assert minimax(declined, 0, "points") == minimax(declared.play("Rc"), 0, "points") - 20


@given(seeds)
def test_what_one_side_wins_the_other_loses(seed: int) -> None:
    rng = Random(seed)
    two_sided = [name for name, variant in VARIANTS.items() if variant.sides != "alone"]
    variant = rng.choice(two_sided)
    thrown = random_switches(rng, variant)
    deal = random_game_deal(rng, variant, 2, switches=thrown, stock=rng.choice((0, 1)))
    position, game = deal.start(), deal.game()
    other = next(
        place for place in range(1, deal.players) if game.side_of[place] != game.side_of[0]
    )
    for objective in ("difference", "win"):
        mine = minimax(position, 0, objective)
        assert minimax(position, other, objective) == -mine
    total = minimax(position, 0, "points")
    assert 0 <= total <= 3000
