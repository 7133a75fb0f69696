"""Every kind of leak is found where it is planted, and nothing where there is none."""

from __future__ import annotations

import base64
import html
import json
import random
import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.deals.shuffle import random_deck
from games.rules import RULE_SETS, Card, Position
from tests.secrecy.detector import LONG, RUN, Detector, Secrets, runs_in, runs_of

RULES = RULE_SETS["standard"]
DECK = random_deck(RULES)
CARDS = DECK.cards
SEED = "5f2c9ab1" * 7 + "00ffee11"
DETECTOR = Detector(Secrets([CARDS], seeds={SEED}, numbers={30011}, ids={"8d2nq6vtc0hw"}))
NOISE = b'{"server_now": "2026-03-01T12:00:00Z", "commitment": "%s", "rows": [%s]}'

CARDS_AS: dict[str, Callable[[tuple[Card, ...]], str]] = {
    "deck text": lambda cards: "".join(card.text for card in cards),
    "upper case": lambda cards: "".join(card.text for card in cards).upper(),
    "list": lambda cards: json.dumps([card.text for card in cards]),
    "spaces": lambda cards: " ".join(card.text for card in cards),
    "backwards": lambda cards: "".join(card.text for card in cards[::-1]),
    "rows": lambda cards: "/".join(card.text for card in cards),
    "between unseen ones": lambda cards: "??".join(card.text for card in cards),
    "url": lambda cards: quote(json.dumps([card.text for card in cards])),
    "html": lambda cards: "".join(f"<td>&#{ord(card.text[0])};{card.text[1]}</td>" for card in cards),
    "json escapes": lambda cards: "".join(f"\\u{ord(letter):04x}" for card in cards for letter in card.text),
    "base64": lambda cards: base64.b64encode(b"??" + "".join(card.text for card in cards).encode()).decode(),
    "base64 of json": lambda cards: base64.urlsafe_b64encode(
        json.dumps({"deck": [c.text for c in cards]}).encode()
    ).decode(),
    "hexadecimal": lambda cards: "".join(card.text for card in cards).encode().hex(),
    "numbers": lambda cards: json.dumps([card.index for card in cards]),
}
SEED_AS: dict[str, Callable[[str], str]] = {
    "hexadecimal": str,
    "upper case": str.upper,
    "grouped": lambda seed: "-".join(re.findall("..", seed)),
    "base64": lambda seed: base64.b64encode(bytes.fromhex(seed)).decode(),
    "base64 in a longer one": lambda seed: base64.urlsafe_b64encode(b"x" + bytes.fromhex(seed) + b"yz").decode(),
    "base64 of the digits": lambda seed: base64.b64encode(seed.encode()).decode(),
    "decimal": lambda seed: str(int(seed, 16)),
    "a quarter of it": lambda seed: seed[16:32],
    "url": lambda seed: quote(f"?seed={seed}"),
}


def among_noise(leak: str) -> bytes:
    return (NOISE % (b"ab" * 32, b"1")) + b' {"planted": "' + leak.encode() + b'"}'


@pytest.mark.parametrize("count", [RUN, 24, 52])
@pytest.mark.parametrize("write", CARDS_AS.values(), ids=CARDS_AS)
def test_planted_cards_are_found(write: Callable[[tuple[Card, ...]], str], count: int) -> None:
    assert DETECTOR.leaks(among_noise(write(CARDS[-count:]))) & {"cards", "card numbers"}


def test_the_text_of_a_position_is_found() -> None:
    assert "cards" in DETECTOR.leaks(among_noise(Position.deal(DECK, RULES).text))


def test_the_html_escape_of_a_text_is_found() -> None:
    assert "cards" in DETECTOR.leaks(among_noise(html.escape(f"<{DECK.text}>")))


@pytest.mark.parametrize("write", SEED_AS.values(), ids=SEED_AS)
def test_a_planted_seed_is_found(write: Callable[[str], str]) -> None:
    assert "seed" in DETECTOR.leaks(among_noise(write(SEED)))


def test_raw_bytes_of_a_seed_are_found() -> None:
    assert "seed" in DETECTOR.leaks(b"\x00" + bytes.fromhex(SEED)[:9] + b"\x01")


@pytest.mark.parametrize("start", range(25))
def test_any_eight_bytes_of_a_seed_are_found(start: int) -> None:
    seed = bytes(range(100, 164, 2))
    assert Detector(Secrets(seeds={seed.hex()})).leaks(b"\xff" + seed[start : start + 8] + b"\xff") == {"seed"}


@pytest.mark.parametrize("before", range(4))
def test_base64_is_found_behind_other_letters(before: int) -> None:
    letters = "x" * before + base64.b64encode(bytes.fromhex(SEED)).decode()
    assert "seed" in DETECTOR.leaks(among_noise(letters))


@pytest.mark.parametrize("text", ['{"par": 30011}', "par 30011.", "/deals/8d2nq6vtc0hw/", "<b>30011</b>"])
def test_a_planted_number_or_id_is_found(text: str) -> None:
    assert "number or id" in DETECTOR.leaks(text.encode())


@pytest.mark.parametrize("text", ["130011", "30011a", "x8d2nq6vtc0hw", "3001"])
def test_what_only_contains_a_number_or_id_is_none(text: str) -> None:
    assert DETECTOR.leaks(text.encode()) == set()


@given(st.randoms(use_true_random=False))
def test_other_decks_and_hashes_are_no_leak(chance: random.Random) -> None:
    others = [card for card in CARDS if card not in CARDS[:8]]
    chance.shuffle(others)
    detector = Detector(Secrets([CARDS[:8]], seeds={SEED}))
    sent = NOISE % (chance.randbytes(32).hex().encode(), "".join(card.text for card in others).encode())
    assert detector.leaks(sent + base64.b64encode(chance.randbytes(300))) == set()


def test_fewer_cards_than_a_run_are_left_to_the_tests_of_each_door() -> None:
    assert DETECTOR.leaks("".join(card.text for card in CARDS[: RUN - 1]).encode()) == set()


def test_what_a_public_deck_has_in_a_row_too_is_no_secret() -> None:
    detector = Detector(Secrets([CARDS], public=runs_of([CARDS[: RUN + 1]])))
    assert detector.leaks("".join(card.text for card in CARDS[: RUN + 1]).encode()) == set()
    assert detector.leaks("".join(card.text for card in CARDS[: RUN + 2]).encode()) == {"cards"}


def test_an_example_in_a_public_document_is_no_secret() -> None:
    example = json.dumps({"description": "A pair, such as `5c8d`", "rows": [card.text for card in CARDS[: RUN + 1]]})
    detector = Detector(Secrets([CARDS], public=runs_in(example.encode())))
    assert detector.leaks(example.encode()) == set()
    assert detector.leaks("".join(card.text for card in CARDS[: RUN + 2]).encode()) == {"cards"}


def test_a_line_of_a_drawing_is_no_secret() -> None:
    drawing = f'<path d="{",".join(str(card.index) for card in CARDS[:RUN])} 230"/>'
    assert DETECTOR.leaks(drawing.encode()) == {"card numbers"}
    assert Detector(Secrets([CARDS], public=runs_in(drawing.encode()))).leaks(drawing.encode()) == set()


def test_a_long_document_is_searched_for_the_secrets_of_each_reader_and_so_are_its_headers() -> None:
    body = b"\n\n" + b" " * LONG + DECK.text.encode()
    assert DETECTOR.leaks(b"ETag: 1" + body) == {"cards"}
    assert Detector(Secrets(seeds={SEED})).leaks(b"ETag: 1" + body) == set()
    assert Detector(Secrets([CARDS[::-1]], seeds={SEED})).leaks(b"ETag: 2" + body) == {"cards"}
    assert DETECTOR.leaks(b"ETag: 30011" + body) == {"cards", "number or id"}
