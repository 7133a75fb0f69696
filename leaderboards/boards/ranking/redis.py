"""Ranks from Redis: a replica of each board's current version in a sorted set, where every question takes O(log n).

The scores of a sorted set are floats with 53 bits, too few for our keys of 63. So all scores are 0 and the members
themselves sort, which Redis compares byte by byte: key, `entered_at_version` and the entry's primary key, eight bytes
each, most significant first. ZRANK is then the place, and ZLEXCOUNT up to a key the number of better entries.

The version of each replica is stored beside its set. Every script compares it first, so an answer is for exactly the
requested version, or there is none. A script asks about one board, whose keys a cluster keeps on one server. A replica
that is neither read nor changed for some days expires; one that is asked for and missing or behind is loaded by the
worker.
"""

import logging
import math
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

from django.conf import settings
from redis.commands.core import Script

from games.runtime.redis_client import Client, client_of, within
from leaderboards.boards.models import Board
from leaderboards.boards.ranking.view import Place, Position, SortKey, Standings, View, numbered

logger = logging.getLogger(__name__)

MEMBER = struct.Struct(">QQQ")
TIMEOUT_SECONDS = 2
KEPT_SECONDS = 3 * 24 * 3600  # of the version; the set lives a little longer, so that a version never outlives its set
# While Redis does not answer, every question would otherwise wait for its timeout again.
PAUSE_SECONDS = 5

WANTED, CHANGED = "pyramid:boards:wanted", "pyramid:boards:changed"
"""Sets of boards: those whose replica was missing or behind, and those to be compared with the database."""

BEHIND = b"behind"
REQUIRE_VERSION = f"""
local held = redis.call('GET', KEYS[2])
if held ~= ARGV[1] then
    return tonumber(held or 0) < tonumber(ARGV[1]) and '{BEHIND.decode()}'
end
redis.call('EXPIRE', KEYS[1], {KEPT_SECONDS + 60})
redis.call('EXPIRE', KEYS[2], {KEPT_SECONDS})
"""
READ = f"""{REQUIRE_VERSION}
local first = tonumber(ARGV[3])
if ARGV[2] ~= '' then
    local place = redis.call('ZRANK', KEYS[1], ARGV[2])
    if not place then return false end
    first = math.max(0, place + first)
end
local page = redis.call('ZRANGE', KEYS[1], first, first + ARGV[4] - 1)
local better = page[1] and redis.call('ZLEXCOUNT', KEYS[1], '-', '(' .. string.sub(page[1], 1, 8)) or 0
return {{redis.call('ZCARD', KEYS[1]), first, better, page}}
"""
LOCATE = f"""{REQUIRE_VERSION}
local found = {{redis.call('ZCARD', KEYS[1])}}
for i = 2, #ARGV do
    local place = redis.call('ZRANK', KEYS[1], ARGV[i])
    if not place then return false end
    table.insert(found, place)
    table.insert(found, redis.call('ZLEXCOUNT', KEYS[1], '-', '(' .. string.sub(ARGV[i], 1, 8)))
end
return found
"""
REPLACE = f"""
local held = redis.call('GET', KEYS[2])
if (held or '0') ~= ARGV[1] then return 0 end
if not held then redis.call('DEL', KEYS[1]) end
for i = 4, 3 + ARGV[3] do redis.call('ZREM', KEYS[1], ARGV[i]) end
for i = 4 + ARGV[3], #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
redis.call('SET', KEYS[2], ARGV[2], 'EX', {KEPT_SECONDS})
redis.call('EXPIRE', KEYS[1], {KEPT_SECONDS + 60})
return 1
"""
# The new set is complete before it takes the name of the old one: nobody sees a part of a board.
EXCHANGE = f"""
if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('RENAME', KEYS[3], KEYS[1]) else redis.call('DEL', KEYS[1]) end
redis.call('EXPIRE', KEYS[1], {KEPT_SECONDS + 60})
redis.call('SET', KEYS[2], ARGV[1], 'EX', {KEPT_SECONDS})
"""


class NotThisVersion(LookupError):
    """Redis has a different version of the board, or none."""


class Replacement(NamedTuple):
    """The changes that take the replica of a board from one version to another."""

    board: Board
    versions: tuple[int, int]
    gone: list[bytes]
    come: list[bytes]


def top(view: View, limit: int) -> Standings:
    return _read(view, b"", 0, limit)


def places_of(view: View, positions: Sequence[Position]) -> Standings:
    members = [MEMBER.pack(*sort_key, entry) for sort_key, entry in positions]
    size, *numbers = _answer(LOCATE, view, *members)
    found = zip(positions, numbers[::2], numbers[1::2], strict=True)
    return Standings(size, [Place(place + 1, better + 1, *position) for position, place, better in found])


def around(view: View, position: Position, limit: int) -> Standings:
    return _read(view, MEMBER.pack(*position.sort_key, position.entry), -(limit // 2), limit)


def stretch(view: View, place: int, limit: int) -> list[Place]:
    return _read(view, b"", place - 1, limit).places


def held_version(board: Board) -> int:
    """Return the version of the replica in Redis, 0 if there is none."""
    return int(client().get(keys_of(board)[1]) or 0)


def replace(replacements: Sequence[Replacement]) -> list[bool]:
    """Take replicas from one version to another if they are at the first one. Return those that were."""
    with client().pipeline(transaction=False) as pipeline:
        for board, versions, gone, come in replacements:
            pipeline.execute_command("EVAL", REPLACE, 2, *keys_of(board), *versions, len(gone), *gone, *come)
        pipeline.sadd(CHANGED, *(replacement.board.pk for replacement in replacements))
        return [bool(done) for done in pipeline.execute()[:-1]]


def load(board: Board, version: int, chunks: Iterable[list[bytes]], token: str) -> None:
    """Replace any replica by a new one. `token` distinguishes it from others being loaded at the same time."""
    members, held = keys_of(board)
    fresh = f"{members}:{token}"
    for chunk in chunks:
        client().zadd(fresh, dict.fromkeys(chunk, 0))
        client().expire(fresh, KEPT_SECONDS)
    _script(EXCHANGE)(keys=[members, held, fresh], args=[version])


def want(board: Board) -> None:
    """Ask the worker to load a replica."""
    client().sadd(WANTED, board.pk)


def take(name: str) -> list[int]:
    """Empty one of the two sets and return its boards."""
    # One transaction: a board that is added meanwhile is not lost.
    with client().pipeline(transaction=True) as pipeline:
        pipeline.smembers(name)
        pipeline.delete(name)
        return sorted(map(int, pipeline.execute()[0]))


def put_back(name: str, boards: Sequence[Board]) -> None:
    """Add boards that were taken to one of the two sets again."""
    if boards:
        client().sadd(name, *(board.pk for board in boards))


def member(key: int, entered_at_version: int, entry: int) -> bytes:
    return MEMBER.pack(key, entered_at_version, entry)


def keys_of(board: Board) -> tuple[str, str]:
    """Return the names of its sorted set and of the version of that."""
    members = f"pyramid:board:{{{board.pk}}}"
    return members, f"{members}:version"


_failed_at = -math.inf


def is_available() -> bool:
    """Return True if there is a Redis and it has not failed a moment ago."""
    return bool(settings.REDIS_URL) and monotonic() - _failed_at > PAUSE_SECONDS


def has_failed(consequence: str, error: Exception) -> None:
    """Log that Redis did not answer, and do not ask it for a moment."""
    global _failed_at  # noqa: PLW0603  one Redis for the process
    _failed_at = monotonic()
    logger.warning("%s, because Redis does not answer: %s", consequence, error)


@cache
def _client_at(url: str) -> Client:
    return client_of(url, **within(TIMEOUT_SECONDS))


def client() -> Client:
    return _client_at(settings.REDIS_URL)


@cache
def _script_at(url: str, text: str) -> Script:
    return _client_at(url).register_script(text)


def _script(text: str) -> Script:
    return _script_at(settings.REDIS_URL, text)


def _answer(script: str, view: View, *arguments: bytes | int) -> Any:
    answer = _script(script)(keys=keys_of(view.board), args=[view.version, *arguments])
    if answer == BEHIND:
        want(view.board)
    if not isinstance(answer, list):
        raise NotThisVersion(f"{view.board} version {view.version}")
    return answer


def _read(view: View, member: bytes, first: int, limit: int) -> Standings:
    size, start, better, members = _answer(READ, view, member, first, limit)
    positions = [Position(SortKey(key, version), entry) for key, version, entry in map(MEMBER.unpack, members)]
    return Standings(size, numbered(positions, start + 1, better + 1))
