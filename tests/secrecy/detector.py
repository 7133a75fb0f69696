"""Finds secrets in bytes, however the project might write them.

How it finds a leak: what was sent is looked at as it is and unescaped (HTML with and without its tags, URL, JSON), and
everything in it that could be base64 or hexadecimal is looked at decoded, too. In each of these views it searches for

* runs of `RUN` secret cards in the order of the deck, or backwards, whatever stands between them and in either case, so
  that decks, rows of a position, lists and records are all the same to it; shorter runs come about by chance in hashes;
* runs of the cards' numbers;
* any eight bytes in a row of a seed, as hexadecimal digits in either case, as bytes, or the seed as one decimal number;
* numbers and identifiers that are secret, standing alone.

`test_detector.py` plants a leak of each kind and sees that it is found.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import lru_cache
from typing import AnyStr, NamedTuple
from urllib.parse import unquote_plus

import numpy as np

from games.rules import Card
from games.rules.cards import CARDS, RANKS, SUITS

RUN = 5  # of four, one stood in somebody's list of moves by chance every twenty days or so
SEED_WINDOW_BYTES = 8
WINDOW = 2 * SEED_WINDOW_BYTES
PIECE = 4
# An expression that begins with one character, not with a repetition, passes over all others several times as fast.
# No rank is a suit: where cards follow each other, there is one way to read them.
CARD = f"[{RANKS.lower()}][{SUITS}]"
CARDS_IN_A_ROW = re.compile(rf"{CARD}(?:{CARD}){{{RUN - 1},}}")
DIGITS_IN_A_ROW = re.compile(rf"[0-9a-f]{{{WINDOW},}}")
LIKE_BASE64 = re.compile(rb"[A-Za-z0-9+/_-]{11,}")
LIKE_HEX = re.compile(rb"[0-9A-Fa-f][0-9A-Fa-f]{15}(?:[0-9A-Fa-f]{2})*")
NUMBER = r"[\s,;|/-]{1,3}\d{1,3}"
LIST_OF_NUMBERS = re.compile(rf"\d\d{{0,2}}{NUMBER * (RUN - 1)}(?:{NUMBER})*")
NO_LETTER_OR_DIGIT = bytes(byte for byte in range(256) if not chr(byte).isascii() or not chr(byte).isalnum())
LONG = 2**18
TAG = re.compile(r"<[^>]*>")


@dataclass
class Secrets:
    """The secrets: cards in the order of their deck, seeds as hexadecimal digits, numbers and identifiers.

    Runs that stand in a `public` text, such as a played deck or an example of the documentation, are allowed, since a
    secret deck may have the same few cards in a row by chance.
    """

    cards: Sequence[Sequence[Card]] = field(default_factory=list)
    public: Set[str] = frozenset()
    seeds: set[str] = field(default_factory=set)
    numbers: set[int] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)


class _Seeds:
    """Seeds as decimal numbers, and as bytes.

    Eight bytes in a row of a seed have four in them that begin at a multiple of five: these few are looked for first,
    where two bytes are the beginning of one of them.
    """

    def __init__(self, seeds: Iterable[str]) -> None:
        raw = [bytes.fromhex(seed) for seed in seeds]
        self._numbers = [str(int(seed, 16)) for seed in seeds]
        self._windows = {window for seed in raw for window in _pieces(seed, SEED_WINDOW_BYTES, 1)}
        self._pieces = {piece for seed in raw for piece in _pieces(seed, PIECE, SEED_WINDOW_BYTES - PIECE + 1)}
        self._begins = np.zeros(2**16, dtype=np.bool_)
        self._begins[[int.from_bytes(piece[:2], "little") for piece in self._pieces]] = True

    def are_told(self, digits: str, view: bytes) -> bool:
        return _has_any(self._numbers, digits) or (self._has_piece(view) and _has_any(self._windows, view))

    def _has_piece(self, view: bytes) -> bool:
        return any(view[place : place + PIECE] in self._pieces for place in self._places(view))

    def _places(self, view: bytes) -> Iterator[int]:
        """Yield the places at which a piece may begin, first the even ones and then the others."""
        for first in (0, 1):
            pairs = np.frombuffer(view[first : first + (len(view) - first) // 2 * 2], dtype="<u2")
            yield from (np.flatnonzero(self._begins[pairs]) * 2 + first).tolist()


class Detector:
    """Searches for some secrets."""

    def __init__(self, secrets: Secrets) -> None:
        runs = {_text(run): run for cards in secrets.cards for run in _runs(cards)}
        self._runs = runs.keys() - secrets.public
        self._numbered = {tuple(str(card.index) for card in runs[text]) for text in self._runs}
        self._seeds = _Seeds(secrets.seeds)
        self._windows = {window for seed in secrets.seeds for window in _windows(seed.lower(), WINDOW)}
        self._alone = {*map(str, secrets.numbers), *secrets.ids}

    def leaks(self, sent: bytes) -> set[str]:
        """Return what kinds of secrets were sent: `cards`, `card numbers`, `seed`, `number or id`."""
        found = set()
        for view in _read(sent):
            if not self._runs.isdisjoint(view.cards):
                found.add("cards")
            if not self._numbered.isdisjoint(view.numbers):
                found.add("card numbers")
            if not self._windows.isdisjoint(view.windows) or self._seeds.are_told(view.digits, view.raw):
                found.add("seed")
            if any(_stands_alone(word, view.text) for word in self._alone if word in view.text):
                found.add("number or id")
        return found


class _View(NamedTuple):
    """All ways to read what was sent, one after the other, and what in them could be secret."""

    raw: bytes
    text: str
    cards: Set[str]
    numbers: Set[tuple[str, ...]]
    digits: str
    windows: Set[str]

    @classmethod
    def of(cls, sent: bytes) -> _View:
        view = b"\n\n".join(_views(sent))
        bare, text = _bare(view), view.decode("latin1")
        digits = DIGITS_IN_A_ROW.findall(bare)
        return cls(
            raw=view,
            text=text,
            cards=frozenset(_runs_of_cards(bare)),
            numbers=frozenset(_runs_of_numbers(text)),
            digits=" ".join(digits),
            windows=frozenset(_windows_of_hex(digits)),
        )


def _read(sent: bytes) -> Iterable[_View]:
    """Return headers and a body as they can be read. A long body, which all get alike, is read once."""
    if len(sent) < LONG:
        return [_View.of(sent)]
    headers, _, body = sent.partition(b"\n\n")
    return [_View.of(headers), _view_of_document(body)]


@lru_cache(maxsize=4)
def _view_of_document(body: bytes) -> _View:
    return _View.of(body)


def runs_of(decks: Iterable[Sequence[Card]]) -> Set[str]:
    """Return the runs of decks, forwards and backwards, for `Secrets.public`."""
    return {_text(run) for cards in decks for run in _runs(cards)}


def runs_in(sent: bytes) -> Set[str]:
    """Return whatever could be read as a run of cards or of their numbers, for `Secrets.public`."""
    views = list(_views(sent))
    numbered = {run for view in views for run in _runs_of_numbers(view.decode("latin1"))}
    cards = {_text(tuple(CARDS[int(number)] for number in run)) for run in numbered if max(map(int, run)) < len(CARDS)}
    return cards.union(*(_runs_of_cards(_bare(view)) for view in views))


def _bare(view: bytes) -> str:
    return view.translate(None, delete=NO_LETTER_OR_DIGIT).decode().lower()


def _text(run: tuple[Card, ...]) -> str:
    return "".join(card.text for card in run).lower()


def _runs(cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    for order in (cards, cards[::-1]):
        yield from (tuple(order[start : start + RUN]) for start in range(len(order) - RUN + 1))


def _runs_of_cards(bare: str) -> Iterator[str]:
    for row in CARDS_IN_A_ROW.findall(bare):
        yield from (row[start : start + 2 * RUN] for start in range(0, len(row) - 2 * RUN + 1, 2))


def _windows_of_hex(digits: Iterable[str]) -> Iterator[str]:
    for row in digits:
        yield from (row[start : start + WINDOW] for start in range(len(row) - WINDOW + 1))


def _runs_of_numbers(text: str) -> Iterator[tuple[str, ...]]:
    for listed in LIST_OF_NUMBERS.findall(text):
        numbers = re.findall(r"\d+", listed)
        yield from (tuple(numbers[start : start + RUN]) for start in range(len(numbers) - RUN + 1))


def _windows(digits: str, width: int) -> Iterator[str]:
    return (digits[start : start + width] for start in range(0, len(digits) - width + 1, 2))


def _pieces(raw: bytes, length: int, step: int) -> Iterator[bytes]:
    return (raw[start : start + length] for start in range(0, len(raw) - length + 1, step))


def _has_any(wanted: Iterable[AnyStr], text: AnyStr) -> bool:
    for each in wanted:  # noqa: SIM110  half of the time of `any`, which asks a generator each time
        if each in text:
            return True
    return False


def _stands_alone(word: str, text: str) -> bool:
    return re.search(rf"(?<![0-9A-Za-z]){word}(?![0-9A-Za-z])", text) is not None


def _views(sent: bytes) -> Iterator[bytes]:
    """Yield the bytes as they are, unescaped, and what is in them decoded, pieces of one alignment together."""
    text = sent.decode("utf-8", "replace")
    unescaped = html.unescape(text)
    yield from dict.fromkeys(
        (sent, *(plain.encode() for plain in (unescaped, unquote_plus(text), _json_unescaped(text), _bare_html(text))))
    )
    for decoded in zip(*map(_from_base64, LIKE_BASE64.findall(sent)), strict=True):
        yield b"\n\n".join(decoded)
    yield b"\n\n".join(bytes.fromhex(piece.decode()) for piece in LIKE_HEX.findall(sent))


def _bare_html(text: str) -> str:
    return html.unescape(TAG.sub("", text)) if "<" in text else text


@lru_cache(maxsize=2**16)  # most pages have most of their words in common
def _from_base64(digits: bytes) -> tuple[bytes, ...]:
    """Return what digits mean if the first of them is of a code, and if one, two or three before it have ended one."""
    return tuple(_decoded(digits[start:]) for start in range(4))


def _decoded(digits: bytes) -> bytes:
    whole = digits[:-1] if len(digits) % 4 == 1 else digits
    return base64.b64decode(whole.translate(bytes.maketrans(b"-_", b"+/")) + b"=" * (-len(whole) % 4))


def _json_unescaped(text: str) -> str:
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), text) if "\\u" in text else text
