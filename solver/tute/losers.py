"""Who loses a hand of cabrón or cabrero (sections 2.5 and 2.6 of the rules).

Players are places 0 to n − 1; points and tricks are lists by place.
"""

from __future__ import annotations

from collections.abc import Sequence

from tute.rules import Rules


def cabron_losers(points: Sequence[int], tricks: Sequence[int], rules: Rules) -> frozenset[int]:
    """The losers of a finished hand of cabrón: without a trick, over the limit, in the middle."""
    places = range(len(points))
    trickless = frozenset(p for p in places if tricks[p] == 0)
    if trickless:
        return trickless
    over = frozenset(p for p in places if points[p] > rules.score_limit)
    if over:
        return over
    high, low = max(points), min(points)
    middle = frozenset(p for p in places if low < points[p] < high)
    if len(middle) == 2 and rules.middle4 != "both":
        pick = max if rules.middle4 == "second" else min
        sought = pick(points[p] for p in middle)
        return frozenset(p for p in middle if points[p] == sought)
    if middle:
        return middle
    if high == low and rules.all_tied == "none":
        return frozenset()
    return frozenset(p for p in places if list(points).count(points[p]) > 1)


def cabrero_losers(
    points: Sequence[int],
    tricks: Sequence[int],
    sang: frozenset[int],
    showed_tute: int | None,
    first: int,
    rules: Rules,
) -> frozenset[int]:
    """The losers of a finished hand of cabrero.

    Args:
        points: totals by place.
        tricks: tricks by place.
        sang: who declared, so that a capote turns against him.
        showed_tute: who showed four kings or knights, if anybody.
        first: who led the first trick; under `cabrero_tie = seat` the nearer to him ranks higher.
        rules: the switches.
    """
    players = len(points)
    everybody = frozenset(range(players))
    if showed_tute is not None:
        return everybody - {showed_tute}
    takers = [p for p in range(players) if tricks[p] > 0]
    if len(takers) <= 1:
        alone = frozenset(takers)
        return alone if alone <= sang and alone else everybody - alone if alone else frozenset()
    pointless = frozenset(p for p in takers if points[p] == 0)
    if len(pointless) == len(takers) - 1 and rules.zero_point_takers == "all_lose":
        return pointless
    if rules.cabrero_tie == "seat":
        rank = {p: (points[p], -((p - first) % players)) for p in takers}
    else:
        rank = {p: (points[p], 0) for p in takers}
    order = sorted(rank.values(), reverse=True)
    at_top = [p for p in takers if rank[p] == order[0]]
    if len(at_top) > 1:
        others = [p for p in takers if p not in at_top]
        if not others or rules.top_tie == "tied_lose":
            return frozenset(at_top)
        highest = max(points[p] for p in others)
        return frozenset(p for p in others if points[p] == highest)
    if rules.loser_rule == "middle":
        between = frozenset(p for p in takers if order[-1] < rank[p] < order[0])
        if between:
            return between
    third = rules.loser_rule != "second" and players > 3 and len(takers) > 2
    losing = order[2 if third else 1]
    return frozenset(p for p in takers if rank[p] == losing)
