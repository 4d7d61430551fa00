"""Text in, text out: cards, hands, suits and the moves of a record. Knows nothing of play."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tute.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS, Card, Deck
from tute.errors import CardError
from tute.language import say

_RANKS_READ = {rank.lower(): rank for rank in RANKS}
_RANKS_READ |= {"1": "A", "10": "S", "11": "C", "12": "R"}
_RANK_WORDS = {name: rank for rank, name in RANK_NAMES.items()} | {"ancho": "A"}
_SUITS_READ = {suit: suit for suit in SUITS}
_SUIT_WORDS = {name: suit for suit, name in SUIT_NAMES.items()}
_SUIT_WORDS |= {name.removesuffix("s"): suit for name, suit in _SUIT_WORDS.items()}
_ENGLISH_SUITS = "sdh"
# A card by its full name, `as de oros`, `12 de c`; without the `de` only with the suit's full name.
_NAMED = re.compile(
    r"(\w+)\s+de\s+(\w+)"
    rf"|\b({'|'.join([*_RANK_WORDS, *_RANKS_READ])})\s+({'|'.join(_SUIT_WORDS)})\b",
    re.IGNORECASE,
)


class Declaration(str):
    """A declaration or an exchange in a record: `*20c *40 *tute *7 *2 *capote`."""

    __slots__ = ()

    @property
    def suit(self) -> str | None:
        """The suit of a twenty or a forty, as far as it is written."""
        return self[3:] or None if self.startswith(("*20", "*40")) else None


class Discard(str):
    """The discard of a declarer who has seen the widow card: `-7c`."""

    __slots__ = ()

    @property
    def card(self) -> Card:
        """The card that is put away."""
        return Card(self[1:])


Move = Card | Declaration | Discard

FORTY = Declaration("*40")
TUTE = Declaration("*tute")
SEVEN = Declaration("*7")
TWO = Declaration("*2")
CAPOTE = Declaration("*capote")
TWENTY = {suit: Declaration(f"*20{suit}") for suit in SUITS}


def parse_card(text: str) -> Card:
    """Read one card: `Ao`, `oA`, `1o`, `12e`, `as de oros`, in any case.

    Raises:
        CardError: the text has no meaning as a card.
    """
    token = text.strip().lower()
    words = re.split(r"\s+de\s+|_de_", token)
    if len(words) == 2:
        rank = _RANK_WORDS.get(words[0]) or _RANKS_READ.get(words[0])
        suit = _SUIT_WORDS.get(words[1]) or _SUITS_READ.get(words[1])
        if rank and suit:
            return Card(rank + suit)
    for rank_text, suit_text in ((token[:-1], token[-1:]), (token[1:], token[:1])):
        if rank_text in _RANKS_READ and suit_text in _SUITS_READ:
            return Card(_RANKS_READ[rank_text] + suit_text)
    for rank_text, suit_text in ((token[:-1], token[-1:]), (token[1:], token[:1])):
        if rank_text in _RANKS_READ and suit_text in _ENGLISH_SUITS:
            wrong = say(
                "{text} is no card: the suits are o c e b "
                "(oros, copas, espadas, bastos), and S is the sota"
            )
            raise CardError(wrong.format(text=_shown(text)))
    wrong = say("{text} is no card: write rank and suit, as in Ao 3c Re 7b")
    raise CardError(wrong.format(text=_shown(text)))


def parse_suit(text: str) -> str:
    """Read a suit, by letter or name, as one of `o c e b`.

    Raises:
        CardError: the text names no suit.
    """
    token = text.strip().lower()
    suit = _SUITS_READ.get(token) or _SUIT_WORDS.get(token)
    if suit is None:
        wrong = say("{text} is no suit: oros, copas, espadas or bastos")
        raise CardError(wrong.format(text=_shown(text)))
    return suit


def parse_hand(text: str) -> tuple[Card, ...]:
    """Read a hand: groups of suit letter and ranks (`oA3R7 cRC42`), or a list of cards.

    The cards come in the order written, repeats included.

    Raises:
        CardError: some part is neither a card nor a group.
    """
    cards: list[Card] = []
    for token in _tokens(text):
        cards.extend(_parse_group(token))
    return tuple(cards)


def parse_moves(text: str) -> tuple[Move, ...]:
    """Read a record of play: cards, declarations (`*20c`), a discard (`-7c`); `|` means nothing.

    Raises:
        CardError: some token is none of these.
    """
    return tuple(parse_move(token) for token in _tokens(text.replace("|", " ")))


def parse_move(text: str) -> Move:
    """Read one token of a record.

    Raises:
        CardError: it is no card, declaration or discard.
    """
    token = text.strip()
    if token.startswith("*"):
        return _parse_declaration(token)
    if token.startswith("-"):
        return Discard("-" + parse_card(token[1:]))
    return parse_card(token)


def format_hand(cards: Iterable[Card], deck: Deck) -> str:
    """The hand as the program writes it: `oA3R7 cRC42 eS76 b5`."""
    groups = dict.fromkeys(SUITS, "")
    for card in deck.sort(cards):
        groups[card.suit] += card.rank
    return " ".join(suit + ranks for suit, ranks in groups.items() if ranks)


def format_cards(cards: Iterable[Card]) -> str:
    """The cards in the order given: `7c Re 4o`."""
    return " ".join(cards)


def format_moves(moves: Iterable[Move], trick_size: int) -> str:
    """A record of play, with `|` between its tricks."""
    tokens: list[str] = []
    played = 0
    for move in moves:
        if isinstance(move, Card):
            if played and played % trick_size == 0:
                tokens.append("|")
            played += 1
        tokens.append(move)
    return " ".join(tokens)


def _tokens(text: str) -> list[str]:
    joined = _NAMED.sub(lambda name: "_de_".join(filter(None, name.groups())), text)
    return [token for token in re.split(r"[\s,;]+", joined) if token]


def _parse_group(token: str) -> list[Card]:
    try:
        return [parse_card(token)]
    except CardError:
        suit = token[0].lower()
        ranks = token[1:].lower().removeprefix(":")
        if suit not in SUITS or not ranks or "_de_" in token or ranks in _ENGLISH_SUITS:
            raise
    if ranks == "-":
        return []
    if "1" in ranks:
        wrong = say(
            "{text} can be read in two ways: in a group write A for the as, "
            "and S C R for sota, caballo, rey"
        )
        raise CardError(wrong.format(text=_shown(token)))
    unknown = [rank for rank in ranks if rank not in _RANKS_READ]
    if unknown:
        wrong = say("{text}: {letter!r} is no rank ({ranks})")
        ranks_known = " ".join(RANKS)
        raise CardError(wrong.format(text=_shown(token), letter=unknown[0], ranks=ranks_known))
    return [Card(_RANKS_READ[rank] + suit) for rank in ranks]


def _parse_declaration(token: str) -> Declaration:
    body = token[1:].lower()
    if body in ("tute", "7", "2", "capote"):
        return Declaration("*" + body)
    if body[:2] in ("20", "40"):
        if body == "20":
            raise CardError(say("'*20' does not say its suit: write *20o *20c *20e or *20b"))
        suit = parse_suit(body[2:]) if body[2:] else ""
        return Declaration(f"*{body[:2]}{suit}")
    wrong = say("{text} is no declaration: *20c *40 *tute *7 *2 *capote")
    raise CardError(wrong.format(text=_shown(token)))


def _shown(text: str) -> str:
    """The text in quotes on one line, cut where it is long."""
    flat = text.replace("_de_", " de ")
    return repr(flat if len(flat) <= 40 else flat[:37] + "...")
