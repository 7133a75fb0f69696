"""Sealed logs: whatever was logged is read back; what is damaged, unknown or no log is refused in words."""

from __future__ import annotations

import random
import re
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import CARDS, DRAW, HINT, RECYCLE, REDO, UNDO, Action, DamagedLog, Logged, Record
from games.rules.moves import pair_move, park_move, solo_move
from games.rules.sealed_log import seal, unseal
from tests.games.rules.strategies import records

cards = st.sampled_from(CARDS)
actions: st.SearchStrategy[Action] = (
    st.sampled_from([DRAW, RECYCLE, UNDO, REDO, HINT])
    | st.builds(solo_move, cards)
    | st.builds(park_move, cards)
    | st.lists(cards, min_size=2, max_size=2, unique=True).map(lambda pair: pair_move(*pair))
)
waits = st.integers(0, 10**5) | st.integers(0, 2**40)
client_times = st.none() | st.integers(0, 10**6) | st.integers(0, 2**53)


@st.composite
def logs(draw: st.DrawFn) -> list[Logged]:
    log, at_ms = [], 0
    for version, (action, wait, client_ms) in enumerate(draw(st.lists(st.tuples(actions, waits, client_times))), 1):
        at_ms += wait
        log.append(Logged(version, action.text, at_ms, client_ms))
    return log


def bytes_with_checksum(text: str) -> bytes:
    data = bytes.fromhex(text)
    return data + crc32(data).to_bytes(4)


LOG = [Logged(1, "D", 1500), Logged(2, "H", 1700)]


@given(logs())
def test_a_log_is_read_back_as_it_was_sealed(log: list[Logged]) -> None:
    assert unseal(seal(log)) == log


@given(records())
def test_a_play_replays_alike_from_its_sealed_log(record: Record) -> None:
    log = [Logged(version, action.text, at_ms) for version, (action, at_ms) in enumerate(record.actions, 1)]
    assert [(Action.from_text(row.action), row.at_ms) for row in unseal(seal(log))] == list(record.actions)


GOLDEN = {
    "01 00 00 fe 83 b3 25": [],
    "01 00 04 7b 20 00 35 02 a3 0f 8f 12 00 b2 2d 5b 12 00 3d ae 84 9c 0a": [
        Logged(1, "4d9c", 1955, 2000),
        Logged(2, "D", 4274, 4310),
        Logged(3, "Kc", 4274, None),
        Logged(4, "U", 10084, 10150),
    ],
    "01 00 06 00 71 2e 6d 43 04 03 01 dc 0b 00 84 ba 08 01 00 7e 3d f4 da 99": [
        Logged(1, "D", 1500),
        Logged(2, "AsQh", 1500),
        Logged(3, "P4S", 140000),
        Logged(4, "H", 140001),
        Logged(5, "Y", 140001),
        Logged(6, "R", 140127),
    ],
}


@pytest.mark.parametrize("text", GOLDEN)
def test_the_bytes_of_the_first_format_are_these_and_no_others(text: str) -> None:
    assert seal(GOLDEN[text]).hex(" ") == text
    assert unseal(bytes.fromhex(text)) == GOLDEN[text]


def test_the_example_of_the_notation_page_is_one_of_them() -> None:
    page = (Path(__file__).parents[3] / "docs" / "notation.md").read_text(encoding="ascii")
    [example] = re.findall(r"^    (01 00 [0-9a-f ]+)$", page, re.MULTILINE)
    assert GOLDEN[example][0].action == "4d9c"


@given(logs(), st.data())
def test_a_sealed_log_that_was_damaged_is_refused(log: list[Logged], data: st.DataObject) -> None:
    sealed = seal(log)
    place = data.draw(st.integers(0, len(sealed) - 1))
    damage = data.draw(st.integers(1, 255))
    for damaged in (sealed[:place], sealed[:place] + bytes([sealed[place] ^ damage]) + sealed[place + 1 :]):
        with pytest.raises(DamagedLog):
            unseal(damaged)


@given(st.binary(max_size=60))
def test_whatever_comes_with_a_right_checksum_is_read_or_refused(body: bytes) -> None:
    try:
        log = unseal(bytes_with_checksum("01" + body.hex()))
    except DamagedLog:
        return
    assert [row.version for row in log] == list(range(1, len(log) + 1))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("02 00 00", "of format 2, which is not known here"),
        ("01 00 09 00 00 01", "does not have as many actions as it says"),
        ("01 00 01 ff 00", "does not have as many actions as it says"),
        ("01 00 00 00", "does not end with its last action"),
        ("01 00 01 00 ff ff ff ff ff ff ff ff ff ff ff 01", "a number of the sealed log is too long"),
    ],
)
def test_a_sealed_log_that_does_not_hold_together_is_refused(text: str, reason: str) -> None:
    with pytest.raises(DamagedLog, match=reason):
        unseal(bytes_with_checksum(text))


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (LOG[1:], "gaps"),
        ([*LOG, Logged(3, "D", 1699)], "runs backwards"),
        ([Logged(1, "D", -1)], "runs backwards"),
        ([Logged(version, "D", 0) for version in range(1, 65_537)], "too long"),
        *(([Logged(1, text, 0)], "is not an action") for text in ("", "?", "P", "Kd4", "d", "P4s4s")),
    ],
)
def test_what_cannot_be_the_log_of_a_game_is_not_sealed(log: list[Logged], reason: str) -> None:
    with pytest.raises(DamagedLog, match=reason):
        seal(log)


@pytest.mark.parametrize("clock_starts_at", [0, 1_764_000_000_000])
def test_a_game_of_sixty_actions_takes_at_most_400_bytes(clock_starts_at: int) -> None:
    """With the thinking times of people, and a network that delivers up to a quarter of a second late."""
    chance = random.Random(2026)
    for _ in range(200):
        log, at_ms = [], 0
        for version in range(1, 61):
            at_ms += int(chance.lognormvariate(8, 1))
            action = chance.choice([DRAW, pair_move(*chance.sample(CARDS, 2))])
            log.append(Logged(version, action.text, at_ms, clock_starts_at + at_ms - chance.randrange(250)))
        assert len(seal(log)) <= 400
