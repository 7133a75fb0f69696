"""docs/standby.md from top to bottom: the machine of the database is lost in mid-play, and its standby takes over."""

from __future__ import annotations

import shutil
import signal

import pytest

from tests.journeys.conftest import Server, uvicorn
from tests.journeys.machines import PROMOTE, STATE, primary_and_standby
from tests.journeys.players import Players

pytestmark = pytest.mark.servers


def test_no_acknowledged_move_is_lost_with_the_machine_of_the_database_and_play_goes_on() -> None:
    with (
        primary_and_standby() as (machines, environment),
        Server(environment, uvicorn).running() as server,
    ):
        assert machines.follow(STATE, machines.db1) == "standby|streaming|sync\n"
        players = Players(server)
        with players.playing():
            players.move()
            machines.db1.service.stop(signal.SIGKILL)
            shutil.rmtree(machines.db1.folder)
            players.wait_for_refusal()
            machines.follow(PROMOTE, machines.db2)
            players.move()
