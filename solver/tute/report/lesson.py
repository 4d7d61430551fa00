"""An explained hand in words: what each card does, what tempts, and the hand as a problem.

Everything said here stands in the result; nothing is worked out. A card that shows many motifs is
said to show the first two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Columns
from rich.text import Text

from tute.cards import Card
from tute.language import count, say
from tute.notation import CAPOTE, SEVEN, TUTE, TWO, Declaration, Discard, Move
from tute.report.bazas import gather
from tute.report.page import Problem, Remark, Summary
from tute.report.page import page as walk_page
from tute.report.parts import (
    Seats,
    capital,
    columns,
    effort,
    hand_name,
    heading,
    move_text,
    position_parts,
    suit_name,
)
from tute.results import Explanation, Step, Tempting

_MOST_MOTIFS = 2
# Said beside the first, the others would only repeat it.
_IMPLIED = {
    "draws_the_last_trumps": ("draws_trumps",),
    "forces_out_the_master": ("establishes", "gives_up_the_lead", "exits"),
    "takes_the_last": ("cashes", "wins_the_baza"),
    "saves_the_master": ("holds_back", "spares_a_suit"),
    "throws_least": ("holds_back",),
    "takes_cheaply": ("holds_back", "wins_the_baza"),
    "makes_the_contract": ("wins_the_baza",),
    "breaks_the_contract": ("wins_the_baza",),
    "keeps_them_below_100": ("wins_the_baza",),
    "passes_100": ("wins_the_baza",),
    "takes_a_first_trick": ("wins_the_baza",),
    "catches_a_cante": ("wins_the_baza",),
    "captures": ("wins_the_baza",),
    "cashes": ("wins_the_baza",),
    "takes_high": ("wins_the_baza",),
    "ruffs": ("wins_the_baza",),
    "overruffs": ("wins_the_baza",),
}


def definitions() -> Mapping[str, str]:
    """What each motif means, one sentence each, in the order in which they are said."""
    return {
        "declares": say("Declares a cante, a tute or the capote."),
        "completes_a_cante": say("Plays the second card of a cante, where that card brings it in."),
        "exchanges": say("Exchanges the seven or the two of triunfos for the turned-up card."),
        "makes_the_contract": say(
            "Wins the baza, or declares the cante, with which the declaring side has what it bid."
        ),
        "breaks_the_contract": say(
            "Wins the baza after which the declarer cannot reach the bid with all that is left."
        ),
        "passes_100": say(
            "Habanero, guiñote: wins the baza or declares the cante that takes its side over 100."
        ),
        "keeps_them_below_100": say(
            "Habanero, guiñote: wins a baza with whose points the opponents would pass 100."
        ),
        "catches_a_cante": say(
            "Cabrón, cabrero: wins the baza in which a rey and its caballo fall together."
        ),
        "takes_a_first_trick": say("Cabrón: wins its first baza, and cannot lose for want of one."),
        "burdens": say(
            "Cabrón, cabrero: gives a baza that an opponent wins more points than it had to."
        ),
        "attacks_their_pair": say(
            "Leads to a baza on which an opponent has to give up a pair not yet declared, "
            "or one of the two highest cards of a suit."
        ),
        "keeps_the_pair": say(
            "Keeps together a pair that it declares later; to part with it now would cost."
        ),
        "draws_the_last_trumps": say(
            "Leads a triunfo to which an opponent gives one, and leaves the opponents without any."
        ),
        "draws_trumps": say("Leads a triunfo to which an opponent gives one."),
        "forces_out_the_master": say(
            "Leads a suit of which an opponent takes the baza with the highest card; "
            "its side then has the next."
        ),
        "establishes": say(
            "Leads to, or wins, a baza on which an opponent gives up the highest card of a suit; "
            "its side then has the next."
        ),
        "makes_them_ruff": say("Leads another suit, on which an opponent has to spend a triunfo."),
        "keeps_the_last_trick": say(
            "In the last four bazas, keeps a card that must not be spent now, and that wins the "
            "last."
        ),
        "captures": say(
            "Wins a baza to which an opponent gives one of the two highest cards of a suit."
        ),
        "overruffs": say(
            "Trumps higher than the triunfo with which an opponent is winning a baza of another "
            "suit."
        ),
        "ruffs": say("Trumps a baza of another suit that nobody has trumped before."),
        "cashes": say("Leads a card that nobody can take."),
        "loads_points": say(
            "Gives more points than it had to, to a baza that another of its side wins."
        ),
        "takes_cheaply": say(
            "Wins a baza from an opponent with the lowest of several cards that would."
        ),
        "takes_high": say(
            "Wins a baza from an opponent; a lower card of the suit would take it for now, and "
            "would cost."
        ),
        "gives_partner_the_lead": say("Leads to a baza that another of its side wins."),
        "gives_up_the_lead": say(
            "Leads to a baza that an opponent wins, although there was a card that nobody can take."
        ),
        "ducks": say("Leaves an opponent a baza that another of its cards would take for now."),
        "takes_the_last": say("Wins the last baza of the hand and the ten points for it."),
        "makes_itself_void": say("Plays its last card of a suit that it ruffs later."),
        "saves_the_master": say(
            "Follows, and keeps the highest card left of a suit, which it might have played and "
            "which would have cost."
        ),
        "spares_a_suit": say(
            "Throws a card of a suit that it can spare; a card of another suit would have cost."
        ),
        "throws_least": say(
            "Gives a baza that an opponent wins as few points as it can, where it could give more."
        ),
        "holds_back": say(
            "Follows with a card below another of its suit that was allowed and would have cost."
        ),
        "exits": say(
            "Leads to a baza that an opponent wins; there was no card that nobody can take."
        ),
        "wins_the_baza": say("Wins the baza."),
    }


def _effects() -> Mapping[str, str]:
    """What is said of a card that shows a motif."""
    return {
        "declares": say("it is declared at once"),
        "completes_a_cante": say("it brings in a cante"),
        "exchanges": say("it is worth more in hand than in the stock"),
        "makes_the_contract": say("with this the bid is made"),
        "breaks_the_contract": say("after this the bid is out of reach"),
        "passes_100": say("with this its side has passed 100"),
        "keeps_them_below_100": say("its points would have taken the opponents over 100"),
        "catches_a_cante": say("it catches a cante"),
        "takes_a_first_trick": say("it wins a first baza"),
        "burdens": say("it loads points on an opponent"),
        "attacks_their_pair": say("an opponent has to give up a pair, or a high card"),
        "keeps_the_pair": say("it keeps a pair together for the cante"),
        "draws_the_last_trumps": say("it draws the opponents' last triunfos"),
        "draws_trumps": say("it draws triunfos"),
        "forces_out_the_master": say("it drives out the highest card, and its side has the next"),
        "establishes": say("its side then has the highest card of a suit"),
        "makes_them_ruff": say("an opponent has to spend a triunfo on it"),
        "keeps_the_last_trick": say("it keeps back the card that wins the last baza"),
        "captures": say("it catches a high card of an opponent"),
        "overruffs": say("it overtrumps an opponent"),
        "ruffs": say("it trumps"),
        "cashes": say("nobody can take it"),
        "loads_points": say("it loads points on its own side's baza"),
        "takes_cheaply": say("it takes the baza as cheaply as possible"),
        "takes_high": say("it takes the baza, and a lower card would not do"),
        "gives_partner_the_lead": say("it lets its own side in"),
        "gives_up_the_lead": say("it gives up the lead, which it could keep"),
        "ducks": say("it lets the baza go"),
        "takes_the_last": say("it wins the last baza"),
        "makes_itself_void": say("it clears a suit that is trumped later"),
        "saves_the_master": say("it saves the highest card of a suit"),
        "spares_a_suit": say("it throws from a suit that it can spare"),
        "throws_least": say("it gives away as little as it can"),
        "holds_back": say("it holds back a higher card"),
        "exits": say("it leaves the lead to an opponent"),
        "wins_the_baza": say("it wins the baza"),
    }


def rule(explanation: Explanation) -> str:
    """By what rule the line was chosen, and what is called tempting."""
    if explanation.losing:
        return say(
            "The line is that of tute safe: the side that gets its way plays its first move that "
            "does, and the other side the one that leaves it the fewest. Of the worse moves the "
            "one that looks best in this baza alone is called tempting."
        )
    return say(
        "Of equally good moves the line takes the easiest to follow: what can be declared; on "
        "lead, the highest card that nobody can take, else the suit led before; then the fewest "
        "points and the lowest card. Of the worse moves the one that looks best in this baza alone "
        "is called tempting."
    )


# -------------------------------------------------------------------- the lesson on a terminal


def lesson(explanation: Explanation) -> RenderableType:
    """The position, what best play achieves, and the line baza by baza with what each card does."""
    return Group(_introduction(explanation), Text(), _lesson(explanation))


def problem_pages(explanation: Explanation) -> Iterator[RenderableType]:
    """The position with the question, each hint, and the solution, one after the other."""
    asked = problem(explanation)
    heads = [Text(say("Question"), style="bold"), Text(asked.question)]
    yield Group(_position(explanation), Text(), *heads, Text())
    for number, hint in enumerate(asked.hints, start=1):
        yield Group(Text(say("Hint {number}").format(number=number), style="bold"), Text(hint), "")
    yield Group(Text(say("Solution"), style="bold"), _lesson(explanation))


def motif_table() -> Columns:
    """Every motif with its name and its definition."""
    grid = columns(say("motif"))
    grid.add_column(say("definition"))
    for name, definition in definitions().items():
        grid.add_row(Text(name, style="bold"), definition)
    return grid


def _position(explanation: Explanation) -> Group:
    position = explanation.solution.position
    seats = Seats(explanation.walk.deal)
    return Group(
        heading(explanation.walk.deal, position.game), Text(), *position_parts(position, seats)
    )


def _introduction(explanation: Explanation) -> Group:
    achieved = Text(_achieved(explanation, Seats(explanation.walk.deal)), style="bold")
    return Group(_position(explanation), Text(), achieved, Text(rule(explanation)))


def _lesson(explanation: Explanation) -> Group:
    """What is said of each step, under a heading for each baza, and what it took to find."""
    seats = Seats(explanation.walk.deal)
    heads = _heads(explanation, seats)
    parts: list[RenderableType] = []
    for number, steps in groupby(explanation.steps, _baza):
        parts.append(Text(heads[number], style="bold"))
        parts += [Padding(Text(_text(step, explanation, seats)), (0, 0, 0, 2)) for step in steps]
    if not explanation.complete:
        stopped = say("Stopped before the line was found to its end.")
        parts += [Text(), Text(stopped, style="bold yellow")]
    return Group(*parts, Text(), effort(explanation.walk.nodes, explanation.walk.seconds))


def _heads(explanation: Explanation, seats: Seats) -> dict[int, str]:
    """The heading of each baza: who wins it and how much, where the line comes to its end."""
    heads = {
        number: say("Baza {number}").format(number=number)
        for number in map(_baza, explanation.steps)
    }
    for baza in gather(explanation.solution.position, explanation.line):
        if baza.number is not None and baza.winner is not None:
            heads[baza.number] = say("Baza {number}: {player} wins {points}").format(
                number=baza.number, player=seats.one(baza.winner + 1), points=baza.points
            )
    return heads


def _baza(step: Step) -> int:
    return sum(step.moment.position.tricks) + 1


# -------------------------------------------------------------------- one step in words


def texts(explanation: Explanation) -> tuple[str, ...]:
    """What is said of each step, one paragraph each."""
    seats = Seats(explanation.walk.deal)
    return tuple(_text(step, explanation, seats) for step in explanation.steps)


def _text(step: Step, explanation: Explanation, seats: Seats) -> str:
    return " ".join(_sentences(step, explanation, seats))


def _sentences(step: Step, explanation: Explanation, seats: Seats) -> tuple[str, ...]:
    """What it does, what is as good, what tempts; and what becomes of the bid then."""
    trump = step.moment.position.trump
    sentences = [_does(step, seats)]
    if step.equal and step.tempting is None:
        sentences.append(say("Anything else is as good."))
    elif step.equal:
        sentences.append(say("As good: {cards}.").format(cards=_moves(step.equal, trump)))
    return (*sentences, *_warning(step, explanation, seats))


def _warning(step: Step, explanation: Explanation, seats: Seats) -> tuple[str, ...]:
    """What tempts, and what becomes of the bid then."""
    if step.tempting is None:
        return ()
    tempts = _tempts(step, step.tempting, explanation, seats)
    return (tempts, *_bid_then(step, step.tempting))


def _does(step: Step, seats: Seats) -> str:
    effects = _effects()
    hidden = {implied for name in step.does for implied in _IMPLIED.get(name, ())}
    said = [effects[name] for name in step.does if name not in hidden][:_MOST_MOTIFS]
    opening = capital(_opening(step, seats))
    if not said:
        return say("{opening}: it does nothing special.").format(opening=opening)
    return say("{opening}: {effects}.").format(opening=opening, effects="; ".join(said))


def _opening(step: Step, seats: Seats) -> str:
    moment = step.moment
    move, position = moment.move, moment.position
    player, shown = seats.one(moment.seat), move_text(move, position.trump).plain
    if isinstance(move, Discard):
        return say("{player} puts {card} away").format(player=player, card=move.card)
    if isinstance(move, Declaration):
        return _declaration(move).format(player=player, cante=shown)
    if step.forced == "only card":
        return say("{player} has only {card} left").format(player=player, card=shown)
    if step.forced is not None:
        return say("{player} has to play {card} ({duty})").format(
            player=player, card=shown, duty=step.forced
        )
    if step.duty is not None:
        return say("{player} plays {card}, one of {number} cards that {duty} leaves").format(
            player=player, card=shown, number=len(moment.solution.cards), duty=step.duty
        )
    if position.trick:
        return say("{player} plays {card}").format(player=player, card=shown)
    return say("{player} leads {card}").format(player=player, card=shown)


def _declaration(move: Declaration) -> str:
    if move == TUTE:
        return say("{player} shows the tute")
    if move == CAPOTE:
        return say("{player} announces the capote")
    if move == SEVEN:
        return say("{player} takes the turned-up card for the seven")
    if move == TWO:
        return say("{player} takes the turned-up card for the two")
    return say("{player} declares {cante}")


def _tempts(step: Step, tempting: Tempting, explanation: Explanation, seats: Seats) -> str:
    trump = step.moment.position.trump
    shown = move_text(tempting.card, trump).plain
    line = _moves(tempting.refutation, trump)
    price = _price(step, tempting, explanation, seats)
    if len(tempting.refutation) == 1:
        return say("Tempting is {card}, but {price} at once.").format(card=shown, price=price)
    if tempting.reply is None or tempting.replier is None:
        return say("Tempting is {card}, but {price} ({line}).").format(
            card=shown, price=price, line=line
        )
    return say("Tempting is {card}, but {price}: {player} answers with {reply} ({line}).").format(
        card=shown,
        price=price,
        player=seats.one(tempting.replier),
        reply=move_text(tempting.reply, trump).plain,
        line=line,
    )


def _price(step: Step, tempting: Tempting, explanation: Explanation, seats: Seats) -> str:
    """What a tempting move costs its side, as a clause about it."""
    solution = step.moment.solution
    if solution.objective == "tricks":
        return count("it costs {number} baza", "it costs {number} bazas", tempting.cost).format(
            number=tempting.cost
        )
    if solution.objective != "win":
        return say("it costs {number}").format(number=tempting.cost)
    mine = step.moment.seat in solution.side
    if explanation.losing:
        sure = say("then {player} is no longer sure not to lose")
        lost = say("then {player} can no longer be made to lose")
        return (sure if mine else lost).format(player=seats.one(solution.seat))
    value = tempting.value if mine else -tempting.value
    return say("it loses the hand") if value < 0 else say("it does not win the hand")


def _bid_then(step: Step, tempting: Tempting) -> list[str]:
    """What becomes of the bid after the tempting move, where it becomes something else."""
    if not step.turns_the_bid:
        return []
    bid = step.moment.position.game.bid
    if tempting.value >= (bid or 0):
        return [say("Then the bid of {bid} is made.").format(bid=bid)]
    return [say("Then the bid of {bid} is not made.").format(bid=bid)]


def _moves(moves: Iterable[Move], trump: str | None) -> str:
    return ", ".join(move_text(move, trump).plain for move in moves)


# -------------------------------------------------------------------- for the page


def page(explanation: Explanation) -> str:
    """A lesson as a page."""
    title = say("Lesson: {hand}").format(hand=hand_name(explanation.walk.deal))
    return _page(explanation, title, None)


def problem_page(explanation: Explanation) -> str:
    """A lesson as a page that asks first."""
    title = say("Problem: {hand}").format(hand=hand_name(explanation.walk.deal))
    return _page(explanation, title, problem(explanation))


def _page(explanation: Explanation, title: str, asked: Problem | None) -> str:
    return walk_page(
        explanation.walk,
        title=title,
        summary=summary(explanation),
        remarks=remarks(explanation),
        problem=asked,
    )


def remarks(explanation: Explanation) -> tuple[Remark, ...]:
    """What a page says about each moment of the walk, beside what is as good, which it knows.

    Decisive is where the bid hangs on it.
    """
    seats = Seats(explanation.walk.deal)
    return tuple(
        Remark((_does(step, seats), *_warning(step, explanation, seats)), step.turns_the_bid)
        for step in explanation.steps
    )


def summary(explanation: Explanation) -> Summary:
    """What best play achieves, and by what rule its line was chosen."""
    return Summary((_achieved(explanation, Seats(explanation.walk.deal)), rule(explanation)))


# -------------------------------------------------------------------- what is achieved


def _achieved(explanation: Explanation, seats: Seats) -> str:
    """The value of the position in a sentence."""
    solution = explanation.solution
    who, value = capital(seats.several(solution.side)), solution.value
    if value is None and solution.objective == "win":
        return say("{players}: not decided in time.").format(players=who)
    if value is None:
        return say("{players}: between {lower} and {upper}; no more was found in time.").format(
            players=who, lower=solution.lower, upper=solution.upper
        )
    if explanation.losing:
        sure = say("{players} can be sure not to lose, whatever the others do.")
        lost = say("{players} can be made to lose by the others together.")
        return (sure if value > 0 else lost).format(players=who)
    if solution.objective == "win":
        won = {
            1: say("Best play for {players}: the hand is won."),
            0: say("Best play for {players}: the hand is drawn."),
            -1: say("Best play for {players}: the hand is lost."),
        }
        return won[value].format(players=seats.several(solution.side))
    told = {
        "points": count(
            "Best play for {players}: {value} point.",
            "Best play for {players}: {value} points.",
            value,
        ),
        "difference": say("Best play for {players}: a difference of {value:+}."),
        "tricks": count(
            "Best play for {players}: {value} baza.",
            "Best play for {players}: {value} bazas.",
            value,
        ),
    }
    return told[solution.objective].format(players=seats.several(solution.side), value=value)


# -------------------------------------------------------------------- the hand as a problem


def problem(explanation: Explanation) -> Problem:
    """The question that the position asks, and hints from vague to concrete."""
    seats, solution = Seats(explanation.walk.deal), explanation.solution
    if solution.position.over:
        return Problem(say("The hand is over: nothing is left to find."), ())
    player = capital(seats.one(solution.position.turn + 1))
    goal = _goal(explanation, seats)
    question = say("{player} to play: {goal}.").format(player=player, goal=goal)
    key = explanation.key
    return Problem(question, () if key is None else _hints(explanation, key, seats))


def _goal(explanation: Explanation, seats: Seats) -> str:
    """What the player to move is to achieve."""
    solution = explanation.solution
    value, mine = solution.value, solution.position.turn + 1 in solution.side
    whom = seats.several(solution.side)
    if value is None:
        return say("find the best play")
    if explanation.losing or solution.objective == "win":
        return _goal_won(explanation, value if mine else -value, whom)
    if solution.objective == "difference":
        ahead = value if mine else -value
        if ahead > 0:
            return say("end {points} ahead").format(points=ahead)
        if ahead == 0:
            return say("end level")
        return say("end no more than {points} behind").format(points=-ahead)
    if solution.objective == "tricks":
        taken = (
            count("take {number} baza", "take {number} bazas", value)
            if mine
            else count("hold {players} to {number} baza", "hold {players} to {number} bazas", value)
        )
        return taken.format(number=value, players=whom)
    bid = explanation.bid_asked
    if bid is not None:
        goal = say("make the bid of {bid}") if mine else say("break the bid of {bid}")
        return goal.format(bid=bid)
    points = say("make {points}") if mine else say("hold {players} to {points}")
    return points.format(points=value, players=whom)


def _goal_won(explanation: Explanation, won: int, whom: str) -> str:
    if explanation.losing:
        mine = explanation.solution.position.turn + 1 in explanation.solution.side
        goals = {
            (True, 1): say("be sure not to lose"),
            (True, -1): say("nothing is sure; which card asks most of the others"),
            (False, 1): say("make {players} lose"),
            (False, -1): say("{players} cannot be made to lose; which card asks most of them"),
        }
        return goals[mine, won].format(players=whom)
    goals_won = {
        1: say("win the hand"),
        0: say("draw the hand"),
        -1: say("the hand is lost; make it hard for the others"),
    }
    return goals_won[won]


def _hints(explanation: Explanation, key: Step, seats: Seats) -> tuple[str, ...]:
    """Where to look, what does not work, what the right move does, its suit, the move."""
    moment, tempting = key.moment, key.tempting
    move, trump = moment.move, moment.position.trump
    misses = explanation.misses(key)
    moves = len(moment.solution.cards)
    player = seats.one(moment.seat)
    hints = [
        say("Look at {player} in baza {baza}: of {moves} moves {good} will do.").format(
            player=player, baza=_baza(key), moves=moves, good=moves - len(misses)
        )
    ]
    if tempting is not None and tempting.card in misses:
        hints.append(
            say("Not {card}: {price}.").format(
                card=move_text(tempting.card, trump).plain,
                price=_price(key, tempting, explanation, seats),
            )
        )
    if key.does:
        what = definitions()[key.does[0]]
        hints.append(say("A right move does this: {what}").format(what=what))
    if isinstance(move, Card):
        hints.append(say("The suit is {suit}.").format(suit=suit_name(move.suit)))
    hints.append(
        say("{player}: {card}.").format(player=capital(player), card=_moves([move], trump))
    )
    return tuple(hints)
