"""PostgreSQL answers and takes no writes, as it does while it recovers, or before a standby is promoted."""

from pathlib import Path
from urllib.error import HTTPError

import psycopg
import pytest
from django.db import connection

from tests.journeys.conftest import Server
from tests.journeys.drawing import Drawing
from tests.journeys.refusals import refusal_of, require_database
from tests.processes import own_database
from tests.with_servers import wait_for

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="runs under tests.with_servers"),
]
END_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND "


def test_while_the_database_takes_no_writes_moves_are_refused_and_the_node_is_not_ready(tmp_path: Path) -> None:
    with own_database(tmp_path) as environment, Server(environment).running() as server:
        alice = Drawing(server)
        alice.move()
        set_read_only(environment["DATABASE_URL"], value="on")
        wait_for(server.process, lambda: require_database(server, "failing"), AssertionError)
        with pytest.raises(HTTPError) as refused:
            alice.move()
        assert refusal_of(refused.value) == (503, "unavailable", "the database does not answer")
        assert alice.stored == alice.acknowledged, "whatever only reads goes on"
        set_read_only(environment["DATABASE_URL"], value="off")
        wait_for(server.process, lambda: require_database(server, "ok"), AssertionError)
        alice.move()
        assert alice.stored == alice.acknowledged


def set_read_only(url: str, *, value: str) -> None:
    with psycopg.connect(url, autocommit=True) as staff:
        name = staff.info.dbname
        staff.execute("SET default_transaction_read_only = off")
        staff.execute(f'ALTER DATABASE "{name}" SET default_transaction_read_only = {value}')
        staff.execute(END_CONNECTIONS + "pid <> pg_backend_pid()")
