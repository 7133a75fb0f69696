"""The steps that the Python client takes, without a server: when it connects, waits, sends again and gives up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from pyramid_client import Client, Closed, PyramidError, Refused, Superseded, Unreachable, api
from pyramid_client.devices import tokens_of_device
from pyramid_client.known_game import KnownGame
from pyramid_client.rest import Call, ask
from pyramid_client.steps import Answer, Connect, Disconnect, Fetch, Lost, Receive, Send, Sleep, Work, back_off

from games.doors.sockets.close_codes import CloseCode

STATE = {
    "type": "state", "game": "7f3k", "version": 0, "rules": "standard", "position": "Td/2hJh 3c|?? 0",
    "legal": ["D"], "moves": 0, "elapsed_ms": 0, "outcome": None, "result": "*",
}  # fmt: skip
PLAYED = {
    "type": "played", "id": 1, "version": 1, "move": "D", "revealed": [], "legal": ["D"], "moves": 1, "at_ms": 9,
    "outcome": None,
}  # fmt: skip


class Script:
    """Takes steps as if a server answered with frames, or the connection were lost. `taken` are all steps so far."""

    def __init__(self, *told: dict[str, Any] | int | Lost | Answer) -> None:
        self.told = list(told)
        self.taken: list[Any] = []

    def run(self, work: Work[Any]) -> Any:
        try:
            step = next(work)
            while True:
                self.taken.append(step)
                told = self.told.pop(0) if isinstance(step, Receive | Fetch) else None
                if isinstance(told, int | Lost):
                    step = work.throw(Lost(told) if isinstance(told, int) else told)
                else:
                    step = work.send(json.dumps(told).encode() if isinstance(told, dict) else told)
        except StopIteration as end:
            return end.value

    def kinds(self) -> list[type]:
        return [type(step) for step in self.taken]

    def sent(self) -> list[Any]:
        return [json.loads(step.frame) for step in self.taken if isinstance(step, Send)]


def joined(*told: dict[str, Any] | int | Lost | Answer) -> tuple[KnownGame, Script]:
    game, script = KnownGame("http://server", "key", "daily", "standard"), Script(STATE, *told)
    script.run(game._state())
    return game, script


def refusal(code: str, version: int = 0) -> dict[str, Any]:
    return {"type": "refused", "id": 1, "code": code, "message": "no", "version": version}


@pytest.mark.parametrize("code", [*CloseCode, 1006, 1011])
def test_the_client_does_after_each_close_code_what_the_protocol_asks(code: int) -> None:
    game, script = joined(code, STATE, PLAYED)
    is_final = code in {1009, 4401, 4403, 4404, 4406, 4409}
    if is_final:
        with pytest.raises(Superseded if code == 4409 else Closed):
            script.run(game._play("D"))
        return
    assert script.run(game._play("D")).version == 1
    waits = [] if code in {1012, 4408} else [Sleep]
    assert script.kinds()[2:] == [Send, Receive, Disconnect, *waits, Connect, Receive, Send, Receive]


@pytest.mark.parametrize(
    ("reason", "is_obeyed"), [("retry_after_ms=2500", True), ("retry_after_ms=9999999", False), ("soon", False)]
)
def test_the_client_comes_back_when_the_server_asks_it_to(reason: str, is_obeyed: bool) -> None:
    game, script = joined(Lost(1013, reason), STATE, PLAYED)
    assert script.run(game._play("D")).version == 1
    (wait,) = (step.seconds for step in script.taken if isinstance(step, Sleep))
    assert (wait == 2.5) is is_obeyed


def test_a_command_keeps_the_version_it_was_chosen_at_though_the_game_has_moved_on() -> None:
    game, script = joined(1006, STATE | {"version": 1}, PLAYED)
    script.run(game._play("D"))
    assert [command["version"] for command in script.sent()] == [0, 0]
    assert game.version == 1


def test_a_connection_to_a_day_comes_back_to_the_game_since_the_day_may_be_over() -> None:
    game, script = joined(1006, STATE, PLAYED)
    script.run(game._play("D"))
    addresses = [step.address for step in script.taken if isinstance(step, Connect)]
    assert addresses == ["ws://server/ws/daily/standard/", "ws://server/ws/games/7f3k/"]


def test_an_id_that_mallory_has_written_leads_to_no_other_socket() -> None:
    alice = Client("http://server")
    opened: list[Any] = [
        *(alice.play("../me"), alice.play_today("../me"), alice.play_cup("a/b"), alice.play_race("?b")),
        *(alice.race("../me"), alice.cup("a#b"), alice.puzzle_run("a/b"), alice.board("a?b", club="../me")),
    ]
    assert [one._line.address.removeprefix("ws://server/ws/") for one in opened] == [
        *("games/..%2Fme/", "daily/..%2Fme/", "cups/a%2Fb/play/", "races/%3Fb/play/"),
        *("races/..%2Fme/", "cups/a%23b/1/", "runs/a%2Fb/", "clubs/..%2Fme/boards/a%3Fb/"),
    ]


def test_a_stale_command_is_refused_once_the_state_that_explains_it_is_known() -> None:
    game, script = joined(refusal("stale_version", 3), STATE | {"version": 3, "legal": ["Kd"]})
    with pytest.raises(Refused, match="stale_version"):
        script.run(game._play("D"))
    assert (game.version, game.legal) == (3, ["Kd"])


def test_a_command_that_the_database_could_not_take_is_sent_again_after_a_pause() -> None:
    game, script = joined(refusal("unavailable"), PLAYED)
    script.run(game._play("D"))
    assert script.kinds()[2:] == [Send, Receive, Sleep, Send, Receive]


def test_news_of_others_and_types_of_later_servers_are_no_answers() -> None:
    game, script = joined({"type": "weather"}, PLAYED | {"id": None}, PLAYED | {"version": 2, "extra": 1})
    assert script.run(game._play("D")).version == 2


def test_a_card_that_left_is_gone_from_the_tableau_until_an_undo_brings_it_back() -> None:
    game, script = joined(
        PLAYED | {"move": "3cTd"}, PLAYED | {"id": 2, "version": 2, "move": "U", "position": "Td/2hJh 3c|?? 0"}
    )
    script.run(game._play("3cTd"))
    assert game.tableau == "--/2hJh"
    script.run(game._undo())
    assert game.tableau == "Td/2hJh"


def test_a_command_needs_a_state_to_be_chosen_by() -> None:
    with pytest.raises(PyramidError, match="state"):
        Script().run(KnownGame("http://server", "key", "games", "7f3k")._play("D"))


def test_a_server_that_stays_away_is_given_up_in_the_end() -> None:
    game, script = joined(*[1006] * 16)
    with pytest.raises(Unreachable):
        script.run(game._play("D"))
    assert script.kinds().count(Sleep) == 15


def test_pauses_grow_with_jitter_up_to_half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert [back_off(attempt, lambda: 1.0) for attempt in (1, 2, 3, 6, 40)] == [1, 2, 4, 30, 30]
    assert [back_off(attempt, lambda: 0.0) for attempt in (1, 6)] == [0.5, 15]


def told(status: int, body: object, retry_after: str | None = None) -> Answer:
    return Answer(status, json.dumps(body).encode(), retry_after)


REFUSED = {"code": "unavailable", "message": "try again"}


def test_a_request_is_sent_again_only_if_it_cannot_take_effect_twice() -> None:
    page = told(200, {"handle": "a", "display_name": "A", "is_guest": True, "is_bot": False})
    script = Script(1006, told(503, REFUSED), page)
    assert script.run(ask("http://server", "", api.me())).handle == "a"
    assert script.kinds() == [Fetch, Sleep, Fetch, Sleep, Fetch]
    with pytest.raises(Unreachable):
        Script(1006).run(ask("http://server", "", api.guest()))
    with pytest.raises(Refused):
        Script(told(503, REFUSED)).run(ask("http://server", "", api.guest()))


@pytest.mark.parametrize("body", [b"<!doctype html>", b"", b"[]", b"{}"])
def test_alice_hears_that_another_site_answers_at_the_address_that_she_has_typed(body: bytes) -> None:
    site = Answer(200, body, None)
    for work in (ask("http://server", "", api.me()), signing_in()):
        with pytest.raises(Refused, match="is the address right"):
            Script(site).run(work)


def test_alice_hears_which_of_her_fields_is_wrong_and_why() -> None:
    wrong = {"code": "invalid_request", "message": "some fields are wrong", "fields": {"day": ["Not a date.", "No."]}}
    with pytest.raises(Refused, match=r"invalid_request: some fields are wrong; day: Not a date. No."):
        Script(told(400, wrong)).run(ask("http://server", "", api.boards("yesterday")))


BEGUN = {"device_code": "d", "user_code": "BCDF-GHJK", "verification_uri": "u", "expires_in": 600, "interval": 5}
TOKENS = {"access_token": "a", "refresh_token": "r", "scope": "read"}


def signing_in() -> Work[Any]:
    return tokens_of_device("http://server", "app", ["read"], print)


def test_a_program_that_waits_for_alice_goes_on_when_others_at_her_address_ask_too_often() -> None:
    script = Script(told(200, BEGUN), told(429, {"error": "temporarily_unavailable"}, "60"), told(200, TOKENS))
    assert script.run(signing_in()).access_token == "a"
    assert [step.seconds for step in script.taken if isinstance(step, Sleep)] == [5, 10]


def test_a_program_that_waits_for_alice_gives_a_server_up_that_stays_away_longer_than_the_code_is_good() -> None:
    with pytest.raises(Unreachable):
        Script(told(200, BEGUN), *[1006] * 120).run(signing_in())


def test_a_limit_is_waited_out_if_it_is_short() -> None:
    slow = {"code": "too_many_requests", "message": "wait"}
    link = told(201, {"ticket": "t", "expires_in": 60})
    script = Script(told(429, slow, "7"), link)
    ticket: Call[Any] = Call("POST", "/tickets/", dict, is_repeatable=False)
    script.run(ask("http://server", "", ticket))
    assert script.taken[1] == Sleep(7)
    for seconds in ("3600", None):
        with pytest.raises(Refused, match="too_many_requests"):
            Script(told(429, slow, seconds)).run(ask("http://server", "", ticket))


class Elsewhere(BaseHTTPRequestHandler):
    """Redirects every request to another server, and counts what arrives there."""

    arrived: list[str] = []

    def do_GET(self) -> None:
        self.arrived.append(self.headers["Authorization"])
        self.send_response(302)
        self.send_header("Location", "http://localhost/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    with HTTPServer(("127.0.0.1", 0), Elsewhere) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_a_token_follows_no_redirect(elsewhere: str) -> None:
    with pytest.raises(Refused, match="302"):
        Client(elsewhere, "secret").ask(api.me())
    assert Elsewhere.arrived == ["Bearer secret"]


@pytest.mark.parametrize("address", ["file:///etc", "pyramid.example", ""])
def test_a_server_has_an_address_of_the_web(address: str) -> None:
    with pytest.raises(PyramidError):
        Client(address)
