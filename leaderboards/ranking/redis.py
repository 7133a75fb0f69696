"""Ranks from Redis: a copy of a board's present version, one sorted set each, in which every question costs log n.

Scores of a sorted set are floats of 53 bits and our keys have 63, so all scores are 0 and the members themselves sort,
which Redis compares byte by byte: key, `entered_at_version` and the entry's primary key, eight bytes each, most
significant first. ZRANK then is the place, and ZLEXCOUNT up to a key the number of better entries.

Beside each set stands the version that it is a copy of. Every script compares it first, so an answer is about the very
version that was asked for, or there is none.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from redis import Redis

from leaderboards.models import Board
from leaderboards.ranking.view import Place, SortKey, View, numbered

MEMBER = struct.Struct(">QQQ")
TIMEOUT_SECONDS = 2

READ = """
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return false end
local first = tonumber(ARGV[3])
if ARGV[2] ~= '' then
    local place = redis.call('ZRANK', KEYS[1], ARGV[2])
    if not place then return false end
    first = math.max(0, place + first)
end
local page = redis.call('ZRANGE', KEYS[1], first, first + ARGV[4] - 1)
local better = page[1] and redis.call('ZLEXCOUNT', KEYS[1], '-', '(' .. string.sub(page[1], 1, 8)) or 0
return {redis.call('ZCARD', KEYS[1]), first, better, page}
"""
REPLACE = """
if (redis.call('GET', KEYS[2]) or '0') ~= ARGV[1] then return 0 end
for i = 4, 3 + ARGV[3] do redis.call('ZREM', KEYS[1], ARGV[i]) end
for i = 4 + ARGV[3], #ARGV do redis.call('ZADD', KEYS[1], 0, ARGV[i]) end
redis.call('SET', KEYS[2], ARGV[2])
return 1
"""


class NotThisVersion(LookupError):
    """Redis holds another version of the board than the one asked for, or none."""


@dataclass(frozen=True, slots=True)
class Page:
    """A stretch of a set: how many members the set has, and the places of these."""

    count: int
    places: list[Place]


def count(view: View) -> int:
    return _read(view, b"", 0, 1).count


def top(view: View, limit: int) -> list[Place]:
    return _read(view, b"", 0, limit).places


def place_of(view: View, sort_key: SortKey, entry: int) -> Place:
    return _read(view, MEMBER.pack(*sort_key, entry), 0, 1).places[0]


def around(view: View, sort_key: SortKey, entry: int, limit: int) -> list[Place]:
    return _read(view, MEMBER.pack(*sort_key, entry), -(limit // 2), limit).places


def stretch(view: View, place: int, limit: int) -> list[Place]:
    """Return the entries from a place on."""
    return _read(view, b"", place - 1, limit).places


def held_version(board: Board) -> int:
    """Return the version that Redis has a copy of, 0 for none."""
    return int(client().get(_keys(board)[1]) or 0)


def replace(board: Board, versions: tuple[int, int], gone: list[bytes], come: list[bytes]) -> bool:
    """Take the copy from one version to another, unless it is not at the first one. Return whether it was done."""
    script = client().register_script(REPLACE)
    return bool(script(keys=_keys(board), args=[*versions, len(gone), *gone, *come]))


def load(board: Board, version: int, chunks: Iterable[list[bytes]], token: str) -> None:
    """Put a new copy in the place of whatever there is. `token` tells it from others loaded at the same time."""
    members, held = _keys(board)
    fresh = f"{members}:{token}"
    loaded = False
    for chunk in chunks:
        client().zadd(fresh, dict.fromkeys(chunk, 0))
        loaded = True
    with client().pipeline() as pipeline:
        pipeline.rename(fresh, members) if loaded else pipeline.delete(members)
        pipeline.set(held, version)
        pipeline.execute()


def member(key: int, entered: int, entry: int) -> bytes:
    return MEMBER.pack(key, entered, entry)


@cache
def _client_at(url: str) -> Redis:
    return Redis.from_url(url, socket_timeout=TIMEOUT_SECONDS, socket_connect_timeout=TIMEOUT_SECONDS)


def client() -> Redis:
    return _client_at(settings.REDIS_URL)


def _keys(board: Board) -> tuple[str, str]:
    return f"pyramid:board:{board.pk}", f"pyramid:board:{board.pk}:version"


def _read(view: View, member: bytes, first: int, limit: int) -> Page:
    script = client().register_script(READ)
    answer = script(keys=_keys(view.board), args=[view.version, member, first, limit])
    if answer is None:
        raise NotThisVersion(f"{view.board} version {view.version}")
    size, start, better, members = answer
    sort_keys = [(SortKey(key, entered), entry) for key, entered, entry in map(MEMBER.unpack, members)]
    return Page(size, numbered(sort_keys, start + 1, better + 1))
