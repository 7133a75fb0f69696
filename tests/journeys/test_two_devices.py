"""One game played from two devices through two processes, on either database and with or without Redis."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import Record
from tests.journeys.nodes import Nodes, at, hear, move, running_nodes
from tests.processes import UNLIMITED, own_database

Turn = tuple[int | None, int | None]
"""The numbers of the actions that the phone and the laptop choose at the same moment; None for none."""

CHOICES = st.integers(0, 30)
TURNS = st.lists(
    st.tuples(CHOICES, CHOICES) | st.tuples(CHOICES, st.none()) | st.tuples(st.none(), CHOICES), min_size=1, max_size=8
)


def test_a_socket_and_rest_that_act_at_once_through_two_processes_never_disagree_with_the_log(tmp_path: Path) -> None:
    with (
        own_database(tmp_path) as environment,
        running_nodes(environment | UNLIMITED) as nodes,
        asyncio.Runner() as runner,
    ):

        @settings(max_examples=5)
        @given(turns=TURNS)
        def holds(turns: list[Turn]) -> None:
            runner.run(play(nodes, turns))

        holds()


async def play(nodes: Nodes, turns: list[Turn]) -> None:
    """Have a phone act on a socket at one node while a laptop acts over REST at the other."""
    token = await nodes.guest()
    path = await nodes.practice_game(token)
    game = path.replace("/ws/", "/api/")
    acknowledged = dict[int, str]()

    def over_rest(version: int, action: str) -> Any:
        try:
            return nodes.other.post(f"{game}actions/", {"version": version, "action": action}, token)
        except HTTPError as refusal:
            with refusal:
                return json.load(refusal)

    async with at(nodes.one.port, path, token) as phone:
        state = await hear(phone, "state")
        for on_phone, on_laptop in turns:
            version, choices = state["version"], [*state["legal"], "U"]
            asked = []
            if on_phone is not None:
                asked.append(move(phone, version, choices[on_phone % len(choices)]))
            if on_laptop is not None:
                asked.append(asyncio.to_thread(over_rest, version, choices[on_laptop % len(choices)]))
            answers = await asyncio.gather(*asked)
            assert {answer["code"] for answer in answers if "code" in answer} <= {"stale_version", "illegal_move"}
            acknowledged |= {answer["version"]: answer["move"] for answer in answers if "code" not in answer}
            state, same = [
                await asyncio.to_thread(node.get, f"{game}state/", token) for node in (nodes.other, nodes.one)
            ]
            assert {**state, "elapsed_ms": 0} == {**same, "elapsed_ms": 0}
        await phone.send('{"type": "sync", "id": 1, "version": 0}')
        missed = (await hear(phone, "missed"))["actions"]
    record = Record.from_text((await asyncio.to_thread(nodes.other.get, f"{game}record/", token))["record"])
    log = [timed.action.text for timed in record.actions]
    assert log == [acknowledged[number] for number in sorted(acknowledged)]
    assert log == [action.split("@")[0] for action in missed.split()]
