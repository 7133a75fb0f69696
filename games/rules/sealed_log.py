"""The log of a finished game as a few hundred bytes, from which the same log is read back.

The format is in docs/notation.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, zip_longest
from typing import NamedTuple
from zlib import crc32

from games.rules.cards import CARDS
from games.rules.errors import DamagedLog

FORMAT = 1
MOST_ACTIONS = 0xFFFF
MOST_BITS = 64
_HEADER, _CHECKSUM = 3, 4

_PLAIN = ("D", "R", "U", "Y", "H")
_PARK = len(_PLAIN) + len(CARDS)
_PAIR = _PARK + 1

_TEXTS = [card.text for card in CARDS]
_INDEX = {text: index for index, text in enumerate(_TEXTS)}
_ONE_BYTE = {text: bytes([code]) for code, text in enumerate((*_PLAIN, *_TEXTS))}
_BY_BYTE = list(_ONE_BYTE)


class Logged(NamedTuple):
    """One accepted action: its place from 1, its text, the server's and the client's milliseconds."""

    version: int
    action: str
    at_ms: int
    client_ms: int | None = None


def seal(log: Sequence[Logged]) -> bytes:
    """Return a whole log as bytes. Raises `DamagedLog` for anything that cannot be the log of a game."""
    if len(log) > MOST_ACTIONS:
        raise DamagedLog(f"a log of {len(log)} actions is too long to be sealed")
    if [row.version for row in log] != list(range(1, len(log) + 1)):
        raise DamagedLog("the versions of the log have gaps")
    actions = b"".join(_action_as_bytes(row.action) for row in log)
    data = bytes([FORMAT]) + len(log).to_bytes(2) + actions + _as_bytes(_waits(log))
    if any(row.client_ms is not None for row in log):
        data += _as_bytes(_drifts(log))
    return data + crc32(data).to_bytes(_CHECKSUM)


def unseal(data: bytes) -> list[Logged]:
    """Read a sealed log. Raises `DamagedLog` for invalid bytes."""
    count, end = _length(data), len(data) - _CHECKSUM
    try:
        actions, place = _read_actions(data, count)
        waits, place = _read_numbers(data, place, count)
        drifts, place = _read_numbers(data, place, count if place < end else 0)
    except IndexError:
        raise DamagedLog("the sealed log does not have as many actions as it says") from None
    if place != end:
        raise DamagedLog("the sealed log does not end with its last action")
    times = list(accumulate(waits))
    return list(map(Logged, range(1, count + 1), actions, times, _client_times(times, drifts)))


def _length(data: bytes) -> int:
    """Return the number of actions of a sealed log whose header and checksum are right."""
    if len(data) < _HEADER + _CHECKSUM:
        raise DamagedLog(f"{len(data)} bytes are not a sealed log")
    if data[0] != FORMAT:
        raise DamagedLog(f"the sealed log is of format {data[0]}, which is not known here")
    if crc32(data[:-_CHECKSUM]) != int.from_bytes(data[-_CHECKSUM:]):
        raise DamagedLog("the checksum of the sealed log is wrong")
    return int.from_bytes(data[1:_HEADER])


def _action_as_bytes(text: str) -> bytes:
    if (code := _ONE_BYTE.get(text)) is not None:
        return code
    try:
        if text[0] == "P":
            return bytes((_PARK, _INDEX[text[1:]]))
        return bytes((_PAIR + _INDEX[text[:2]], _INDEX[text[2:]]))
    except (KeyError, IndexError):
        raise DamagedLog(f"{text!r} is not an action") from None


def _read_actions(data: bytes, count: int) -> tuple[list[str], int]:
    """Return the texts of `count` actions, and the start of the next column."""
    actions, place = [], _HEADER
    for _ in range(count):
        code = data[place]
        place += 1
        if code < _PARK:
            actions.append(_BY_BYTE[code])
            continue
        first = "P" if code == _PARK else _TEXTS[code - _PAIR]
        actions.append(first + _TEXTS[data[place]])
        place += 1
    return actions, place


def _waits(log: Sequence[Logged]) -> Iterator[int]:
    """Yield how many milliseconds passed before each action."""
    for earlier, later in pairwise((0, *(row.at_ms for row in log))):
        if later < earlier:
            raise DamagedLog("the clock of the log runs backwards")
        yield later - earlier


def _drifts(log: Iterable[Logged]) -> Iterator[int]:
    """Yield for each action how far the client's clock has drifted since the last time it sent, as a number from 1.

    That is 2 n + 1 for n milliseconds ahead, 2 n for n behind; 0 means that the client sent no time.
    """
    last = 0
    for _, _, at_ms, client_ms in log:
        if client_ms is None:
            yield 0
            continue
        drift, last = client_ms - at_ms - last, client_ms - at_ms
        yield 2 * drift + 1 if drift >= 0 else -2 * drift


def _client_times(times: Sequence[int], drifts: Sequence[int]) -> Iterator[int | None]:
    ahead = 0
    for at_ms, drift in zip_longest(times, drifts, fillvalue=0):
        ahead += drift // 2 if drift % 2 else -drift // 2
        yield at_ms + ahead if drift else None


def _as_bytes(numbers: Iterable[int]) -> bytes:
    """Return numbers seven bits at a time, the lowest first; the high bit says that more of the number follows."""
    data = bytearray()
    for number in numbers:
        rest = number
        while rest > 0x7F:
            data.append(rest & 0x7F | 0x80)
            rest >>= 7
        data.append(rest)
    return bytes(data)


def _read_numbers(data: bytes, place: int, count: int) -> tuple[list[int], int]:
    """Return `count` numbers, and the start of the next column."""
    numbers = []
    for _ in range(count):
        byte = data[place]
        place += 1
        number, shift = byte & 0x7F, 7
        while byte > 0x7F:
            if shift >= MOST_BITS:
                raise DamagedLog("a number of the sealed log is too long")
            byte = data[place]
            place += 1
            number |= (byte & 0x7F) << shift
            shift += 7
        numbers.append(number)
    return numbers, place
