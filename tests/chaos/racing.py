"""Guests who race each other, whatever happens to the servers; a race has to end once, and the same for everyone."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from random import Random

from tests.chaos.device import BROKEN, connected
from tests.chaos.player import ScriptedGame
from tests.chaos.rest import PAUSE_SECONDS, Guest, Message, new_guest

RACERS = 4  # the fewest whose race is rated
SHORTEST_S, LONG_S = 30, 900
TERMS = {"rules": "standard", "countdown_s": 0, "is_public": True}

Begin = Callable[[ScriptedGame], None]


async def race(url: str, chance: Random, is_over: Callable[[], bool], begin: Begin) -> None:
    """Race to the end, but for one who leaves. `begin` gets each game. Raises `AssertionError`."""
    [host, leaver, *others], race_id = await _start(url, LONG_S)
    plays = [
        _play(guest, race_id, chance, is_over, begin, is_leaving=guest is leaver) for guest in [host, leaver, *others]
    ]
    end = _same(await asyncio.gather(*plays))
    assert end["end"] == "all_finished", end


async def race_without_host(url: str) -> None:
    """Race with a host who disappears at the start, while everyone else gives up. Raises `AssertionError`."""
    [_, *others], race_id = await _start(url, SHORTEST_S)
    ended = await asyncio.gather(*(_give_up(guest, race_id) for guest in others))
    end = _same([race for race, _ in ended])
    assert end["end"] == "time_up", end
    # Those who were cut off for as long as the race took could not give up.
    in_time = sum(left_at < datetime.fromisoformat(end["ends_at"]) for _, left_at in ended)
    results = Counter(racer["result"] for racer in end["racers"])
    assert results.keys() <= {"expired", "resigned"}, end
    assert in_time <= results["resigned"] <= len(others), (in_time, end)


async def _start(url: str, limit_s: int) -> tuple[list[Guest], str]:
    """Start a race, after someone has left its room again; return its racers, the host first."""
    racers, undecided = [await new_guest(url) for _ in range(RACERS)], await new_guest(url)
    race_id = (await racers[0].post("/api/races/", {**TERMS, "limit_s": limit_s}))["id"]
    for guest in [undecided, *racers[1:]]:
        await guest.post(f"/api/races/{race_id}/join/", {})
    await undecided.post(f"/api/races/{race_id}/leave/", {})
    await racers[0].post(f"/api/races/{race_id}/start/", {})
    return racers, race_id


async def _play(
    guest: Guest, race_id: str, chance: Random, is_over: Callable[[], bool], begin: Begin, *, is_leaving: bool
) -> Message:
    begun = await _until(guest, race_id, lambda race: race["game"] is not None)
    game = ScriptedGame(guest, f"/ws/games/{begun['game']}/", chance, has_many_devices=True)
    begin(game)
    await game.play(lambda: is_leaving or is_over())
    await game.end((lambda: guest.post(f"/api/races/{race_id}/leave/", {})) if is_leaving else None)
    end = await _until(guest, race_id, lambda race: race["state"] == "ended")
    [own] = [racer for racer in end["racers"] if racer["game"] == game.id]
    assert own["result"] == game.result, (game.id, game.result, end)
    return end


async def _give_up(guest: Guest, race_id: str) -> tuple[Message, datetime]:
    """Return the race as it ended, and when leaving it was acknowledged."""
    await _until(guest, race_id, lambda race: race["game"] is not None)
    await guest.post(f"/api/races/{race_id}/leave/", {})
    left_at = datetime.now(UTC)
    return await _until(guest, race_id, lambda race: race["state"] == "ended"), left_at


async def _until(guest: Guest, race_id: str, holds: Callable[[Message], bool]) -> Message:
    """Watch a race, connecting again whenever the connection breaks, until something holds of it."""
    while True:
        try:
            async with connected(guest, f"/ws/races/{race_id}/", {}) as device:
                while True:
                    message = await device.receive()
                    assert message["type"] in {"room", "standings"}, message
                    if message["type"] == "room" and holds(message["race"]):
                        race: Message = message["race"]
                        return race
        except BROKEN:
            await asyncio.sleep(PAUSE_SECONDS)


def _same(ends: list[Message]) -> Message:
    """Return the race as all have seen it end."""
    assert all(_result(end) == _result(ends[0]) for end in ends), ends
    assert len(ends[0]["racers"]) == RACERS
    return ends[0]


def _result(race: Message) -> Message:
    """Return what is the same for everyone, and never changes."""
    names = ("handle", "result", "place", "cards_left", "moves", "elapsed_ms", "game")
    return {
        **{name: race[name] for name in ("id", "starts_at", "ended_at", "end", "deal")},
        "racers": sorted([racer[name] for name in names] for racer in race["racers"]),
    }
