"""Make the frozen corpus from fixed seeds, or check that its answers still hold.

    python benchmarks/make_corpus.py --check

solves every deal again, with each move, and the endings of at most four cards by plain minimax
too; it names each answer that differs. `--first 4 --limit 0.3` looks at the first deals of each
file only, and no longer than so many seconds at each: the bounds proven by then must allow the
frozen answer.

Without `--check` the files are written anew. The same deals come out, but for the hard ones: which
are hard depends on the search. So a file is made once and stays.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from random import Random

from frozen import GAMES, KINDS, STOCK, WITH_STOCK, Frozen, kinds, read, write

from tute import Deal, Position, Solver
from tute.dealing import random_deal
from tute.minimax import minimax
from tute.notation import Declaration
from tute.objectives import check_objective

# How many deals a file has, and among how many the hard ones are found.
COUNTS = {"full": 100, "middle": 100, "ending": 100, "hard": 20, STOCK: 60}
SEARCHED = 300
# Its deck is the largest and its search the slowest, so there are fewer whole deals, and only the
# values of the hard ones.
BUTIFARRA_COUNTS = {"full": 20, "middle": 100, "ending": 100, "hard": 5}
BUTIFARRA_SEARCHED = 40
ORACLE_CARDS = 4
# Minimax looks at every line of play, of which some endings of four cards have very many.
ORACLE_LINES = 30_000


def deals(game: str, kind: str) -> Iterator[Deal]:
    """Random deals of a game and kind, without end, always the same ones."""
    number = 0
    while True:
        number += 1
        rng = Random(f"{game} {kind} {number}")
        deal = _whole(game, rng, f"{game}-{kind}-{number}")
        if kind == STOCK:
            deal = _with_stock(game, rng, number, f"{game}-{kind}-{number}")
        elif kind == "middle":
            deal = _played_on(deal, rng, number)
        elif kind == "ending":
            deal = _ending(deal, rng, number)
        yield deal


def _whole(game: str, rng: Random, id: str) -> Deal:
    """A deal before the first card, with any leader, declarer, number of players and contract."""
    players = rng.choice((3, 4)) if game == "tute-individual" else None
    contract = rng.choice((None, None, "solo", "cuatrola")) if game == "cuatrola" else None
    declares = contract or game in ("subastado", "subastado-parejas", "butifarra")
    seats = players or {"subastado": 3, "habanero": 2}.get(game, 4)
    deal = random_deal(
        game,
        rng,
        players=players,
        contract=contract,
        declarer=rng.randint(1, seats) if declares else None,
        stock=0 if game in WITH_STOCK else None,
        id=id,
    )
    if game in WITH_STOCK:
        deal = _stock_drawn(deal, rng)
    leader = rng.randint(1, seats)
    return deal if contract else deal.replace(leader=leader)


def _with_stock(game: str, rng: Random, number: int, id: str) -> Deal:
    """A deal with a few cards to draw, two in three inside a record with its calls."""
    players = rng.choice((2, 4)) if game == "guinote" else 2
    draws = 1 if players == 4 else rng.randint(1, 4)
    deal = random_deal(game, rng, players=players, stock=draws * players, id=id)
    deal = deal.replace(
        leader=rng.randint(1, players), points=[rng.randint(0, 70) for _ in range(players)]
    )
    position = deal.start()
    moves: list[str] = []
    for _ in range(rng.randint(1, 3 * players) if number % 3 else 0):
        calls = [move for move in position.legal() if isinstance(move, Declaration)]
        moves.append(str(rng.choice(calls or position.legal())))
        position = position.play(moves[-1])
    return deal.replace(played=moves, cantes="explicit")


def _stock_drawn(deal: Deal, rng: Random) -> Deal:
    """The deal with the tricks behind it that the cards out of play make, each won at random."""
    deck = deal.game().deck
    held = {card for hand in deal.hands for card in hand}
    gone = [card for card in deck.cards if card not in held]
    gone.sort(key=lambda _: rng.random())
    points, tricks = [0] * deal.players, [0] * deal.players
    for start in range(0, len(gone), deal.players):
        taker = rng.randrange(deal.players)
        tricks[taker] += 1
        points[taker] += sum(deck.points[card] for card in gone[start : start + deal.players])
    return deal.replace(points=points, tricks=tricks)


def _played_on(deal: Deal, rng: Random, number: int) -> Deal:
    """The deal with two to three fifths of the cards played at random; one in two with the record.

    One record in two has its declarations written down, and not always made.
    """
    held = sum(map(len, deal.start().hands))
    played = rng.randint(2 * held // 5, 3 * held // 5)
    if number % 2:
        return _cut(_random_play(deal, rng, held - played, trick_ends=True)[0], deal)
    if number % 4:
        return deal.replace(played=_random_play(deal, rng, held - played)[1])
    moves = _random_play(deal, rng, held - played, any_call=True)[1]
    return deal.replace(played=moves, cantes="explicit")


def _ending(deal: Deal, rng: Random, number: int) -> Deal:
    """The last cards of the deal, three to five in each hand, as cut hands.

    Two in three have cards on the table. The objective varies, so there is a bid where one is
    needed.
    """
    hands = [hand for hand in deal.start().hands if hand]
    left = rng.randint(3, min(5, len(hands[0]))) * len(hands)
    cut = _cut(_random_play(deal, rng, left, trick_ends=True)[0], deal)
    if cut.variant.bids:
        cut = cut.replace(bid=10 * rng.randint(6, 12))
    on_table = number % 3 and rng.randint(1, len(hands) - 1)
    return cut.replace(played=_random_play(cut, rng, left - on_table)[1])


def _random_play(
    deal: Deal, rng: Random, left: int, *, any_call: bool = False, trick_ends: bool = False
) -> tuple[Position, list[str]]:
    """Random play until so many cards are left (or fewer): the position, and the moves.

    Pairs are declared as soon as allowed, and are not among the moves; with `any_call` they are
    moves like others.
    """
    position = deal.start()
    moves: list[str] = []
    while not position.over:
        if not any_call and (pairs := position.pairs_open()):
            position = position.play(pairs[0])
            continue
        if sum(map(len, position.hands)) <= left and not (trick_ends and position.trick):
            break
        legal = position.legal()
        if not any_call:
            legal = [move for move in legal if not isinstance(move, Declaration)]
        move = rng.choice(legal)
        moves.append(str(move))
        position = position.play(move)
    return position, moves


def _cut(position: Position, deal: Deal) -> Deal:
    """A position between tricks as a deal of its own."""
    return deal.replace(
        hands=position.settled().hands,
        leader=position.turn + 1,
        points=position.points,
        tricks=position.tricks,
        declared="".join(position.declared),
    )


def _objective(deal: Deal, kind: str, number: int) -> str:
    """Points; in endings, and with a stock, every objective in turn."""
    if kind not in ("ending", STOCK):
        return check_objective(deal.game(), "points")
    objectives = deal.variant.objectives
    return check_objective(deal.game(), objectives[number % len(objectives)])


def made(game: str, kind: str) -> Iterator[Frozen]:
    """The deals of one file, solved."""
    butifarra = game == "butifarra"
    count = (BUTIFARRA_COUNTS if butifarra else COUNTS)[kind]
    found = deals(game, kind)
    if kind == "hard":
        searched = BUTIFARRA_SEARCHED if butifarra else SEARCHED
        pool = [next(found) for _ in range(searched)]
        nodes = {id(d): Solver().value_bounds(d, objective="points").nodes for d in pool}
        found = iter(sorted(pool, key=lambda deal: nodes[id(deal)])[-count:])
    for number in range(count):
        deal = next(found)
        objective = _objective(deal, kind, number)
        only_value = butifarra and kind == "hard"
        solver = Solver()
        solve = solver.value_bounds if only_value else solver.solve
        solution = solve(deal, objective=objective)
        assert solution.value is not None
        cards = {str(m.card): m.value for m in solution.cards if m.value is not None}
        yield Frozen(deal, objective, solution.value, cards)


def wrong(answer: Frozen, time_limit: float | None) -> bool:
    """Whether an answer is refuted by the search, or by minimax where that is quick."""
    solver = Solver()
    solve = solver.solve if answer.cards else solver.value_bounds
    solution = solve(answer.deal, objective=answer.objective, time_limit=time_limit)
    if not answer.agrees(solution):
        return True
    position = answer.deal.position()
    if max(map(len, position.hands)) > ORACLE_CARDS or _lines(position, ORACLE_LINES) <= 0:
        return False
    place = answer.deal.asked - 1
    objective = check_objective(position.game, answer.objective)
    return answer.value != minimax(position, place, objective) or answer.cards != {
        str(move): minimax(after, place, objective) for move, after in position.successors()
    }


def _lines(position: Position, budget: int) -> int:
    """What is left of a budget after one for every line of play; 0 or less if there are more."""
    if position.over:
        return budget - 1
    for _, after in position.successors():
        budget = _lines(after, budget)
        if budget <= 0:
            break
    return budget


def main() -> None:
    """Write or check the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="check the files as they are")
    parser.add_argument("--game", choices=GAMES, action="append")
    parser.add_argument("--kind", choices=(*KINDS, STOCK), action="append")
    parser.add_argument("--first", type=int, help="check the first so many of each file only")
    parser.add_argument("--limit", type=float, help="check: seconds for each deal")
    options = parser.parse_args()
    checked, refuted = 0, []
    for game in options.game or GAMES:
        for kind in options.kind or kinds(game):
            if not options.check:
                write(game, kind, made(game, kind))
                continue
            answers = read(game, kind, options.first)
            checked += len(answers)
            refuted += [a.deal.id for a in answers if wrong(a, options.limit)]
    for name in refuted:
        print(f"{name}: the answer differs")
    if options.check:
        print(f"{checked} answers checked, {len(refuted)} differ")
    sys.exit(1 if refuted else 0)


if __name__ == "__main__":
    main()
