"""Ranks from Redis: a replica of each board's current version in a sorted set, where every question takes O(log n).

The scores of a sorted set are floats with 53 bits, too few for our keys of 63. So all scores are 0 and the members
themselves sort, which Redis compares byte by byte: key, `entered_at_version` and the entry's primary key, eight bytes
each, most significant first. ZRANK is then the place, and ZLEXCOUNT up to a key the number of better entries.

The version of each replica is stored beside its set. Every script compares it first, so an answer is for exactly the
requested version, or there is none. A replica that is neither read nor changed for some days expires; asking for one
that is missing or behind makes the worker load it.
"""

import logging
import math
import struct
from collections.abc import Iterable, Sequence
from functools import cache
from time import monotonic
from typing import NamedTuple

from django.conf import settings
from redis import Redis, RedisError
from redis.commands.core import Script

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

REQUIRE_VERSION = f"""
local held = redis.call('GET', KEYS[2])
if held ~= ARGV[1] then
    if tonumber(held or 0) < tonumber(ARGV[1]) then redis.call('SADD', '{WANTED}', ARGV[2]) end
    return false
end
redis.call('EXPIRE', KEYS[1], {KEPT_SECONDS + 60})
redis.call('EXPIRE', KEYS[2], {KEPT_SECONDS})
"""
READ = f"""{REQUIRE_VERSION}
local first = tonumber(ARGV[4])
if ARGV[3] ~= '' then
    local place = redis.call('ZRANK', KEYS[1], ARGV[3])
    if not place then return false end
    first = math.max(0, place + first)
end
local page = redis.call('ZRANGE', KEYS[1], first, first + ARGV[5] - 1)
local better = page[1] and redis.call('ZLEXCOUNT', KEYS[1], '-', '(' .. string.sub(page[1], 1, 8)) or 0
return {{redis.call('ZCARD', KEYS[1]), first, better, page}}
"""
LOCATE = f"""{REQUIRE_VERSION}
local found = {{redis.call('ZCARD', KEYS[1])}}
for i = 3, #ARGV do
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
for i = 5, 4 + ARGV[4] do redis.call('ZREM', KEYS[1], ARGV[i]) end
for i = 5 + ARGV[4], #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
redis.call('SET', KEYS[2], ARGV[2], 'EX', {KEPT_SECONDS})
redis.call('EXPIRE', KEYS[1], {KEPT_SECONDS + 60})
redis.call('SADD', '{CHANGED}', ARGV[3])
return 1
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
    answer = _script(LOCATE)(keys=_keys(view.board), args=[view.version, view.board.pk, *members])
    if answer is None:
        raise NotThisVersion(f"{view.board} version {view.version}")
    size, *numbers = answer
    found = zip(positions, numbers[::2], numbers[1::2], strict=True)
    return Standings(size, [Place(place + 1, better + 1, *position) for position, place, better in found])


def around(view: View, position: Position, limit: int) -> Standings:
    return _read(view, MEMBER.pack(*position.sort_key, position.entry), -(limit // 2), limit)


def stretch(view: View, place: int, limit: int) -> list[Place]:
    return _read(view, b"", place - 1, limit).places


def held_version(board: Board) -> int:
    """Return the version of the replica in Redis, 0 if there is none."""
    return int(client().get(_keys(board)[1]) or 0)


def replace(replacements: Sequence[Replacement]) -> list[bool]:
    """Take replicas from one version to another if they are at the first one. Return those that were."""
    script = _script(REPLACE)
    with client().pipeline(transaction=False) as pipeline:
        for board, versions, gone, come in replacements:
            script(keys=_keys(board), args=[*versions, board.pk, len(gone), *gone, *come], client=pipeline)
        return [bool(done) for done in pipeline.execute()]


def load(board: Board, version: int, chunks: Iterable[list[bytes]], token: str) -> None:
    """Replace any replica by a new one. `token` distinguishes it from others being loaded at the same time."""
    members, held = _keys(board)
    fresh = f"{members}:{token}"
    loaded = False
    for chunk in chunks:
        client().zadd(fresh, dict.fromkeys(chunk, 0))
        client().expire(fresh, KEPT_SECONDS)
        loaded = True
    # The new set is complete before it takes the name of the old one: nobody sees a part of a board.
    with client().pipeline() as pipeline:
        pipeline.rename(fresh, members) if loaded else pipeline.delete(members)
        pipeline.expire(members, KEPT_SECONDS + 60)
        pipeline.set(held, version, ex=KEPT_SECONDS)
        pipeline.execute()


def want(board: Board) -> None:
    """Ask the worker to load a replica."""
    client().sadd(WANTED, board.pk)


def take(name: str) -> list[int]:
    """Empty one of the two sets and return its boards."""
    # One transaction: a board that is added meanwhile is not lost.
    with client().pipeline() as pipeline:
        pipeline.smembers(name)
        pipeline.delete(name)
        return sorted(map(int, pipeline.execute()[0]))


def put_back(name: str, boards: Sequence[Board]) -> None:
    """Add boards that were taken to one of the two sets again."""
    if boards:
        client().sadd(name, *(board.pk for board in boards))


def member(key: int, entered_at_version: int, entry: int) -> bytes:
    return MEMBER.pack(key, entered_at_version, entry)


_failed_at = -math.inf


def is_available() -> bool:
    """Return True if there is a Redis and it has not failed a moment ago."""
    return bool(settings.REDIS_URL) and monotonic() - _failed_at > PAUSE_SECONDS


def has_failed(consequence: str, error: RedisError) -> None:
    """Log that Redis did not answer, and do not ask it for a moment."""
    global _failed_at  # noqa: PLW0603  one Redis for the process
    _failed_at = monotonic()
    logger.warning("%s, because Redis does not answer: %s", consequence, error)


@cache
def _client_at(url: str) -> Redis:
    return Redis.from_url(url, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS)


def client() -> Redis:
    return _client_at(settings.REDIS_URL)


@cache
def _script_at(url: str, text: str) -> Script:
    return _client_at(url).register_script(text)


def _script(text: str) -> Script:
    return _script_at(settings.REDIS_URL, text)


def _keys(board: Board) -> tuple[str, str]:
    return f"pyramid:board:{board.pk}", f"pyramid:board:{board.pk}:version"


def _read(view: View, member: bytes, first: int, limit: int) -> Standings:
    answer = _script(READ)(keys=_keys(view.board), args=[view.version, view.board.pk, member, first, limit])
    if answer is None:
        raise NotThisVersion(f"{view.board} version {view.version}")
    size, start, better, members = answer
    positions = [Position(SortKey(key, version), entry) for key, version, entry in map(MEMBER.unpack, members)]
    return Standings(size, numbered(positions, start + 1, better + 1))
