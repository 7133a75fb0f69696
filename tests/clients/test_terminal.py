"""The client for the terminal, without a terminal, against a real server: games, puzzles, races and boards by keys."""

from __future__ import annotations

import asyncio
import json
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from pyramid_client import AsyncClient, AsyncGame, Client, answers, api
from pyramid_client.terminal import main
from pyramid_client.terminal.app import BoardScreen, LineScreen, ListScreen, PyramidApp
from pyramid_client.terminal.drawing import Marks, drawn
from pyramid_client.terminal.games import GameScreen, TableScreen
from pyramid_client.terminal.keeping import file_of_tokens, keep_token, kept_token
from pyramid_client.terminal.leaving import closing
from pyramid_client.terminal.positions import GONE, UNSEEN, Table, as_move, cards_of, removable, removal
from pyramid_client.terminal.puzzles import PuzzleScreen
from pyramid_client.terminal.races import RaceScreen
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import DataTable, OptionList, Static

from games.doors.rest.bodies import encode
from games.rules import Record
from leaderboards.boards.examples import TABLE
from tests.clients.cutting import cut_again_and_again
from tests.journeys.conftest import Server

S = TypeVar("S", bound=Screen[Any])

SECONDS = 60
TALL = (100, 40)
OPEN_PYRAMID = "4d/8cAs/5s8d7h/Ks6hTc3h/9c2h3s5d9d/--7c8s--5h2d/----------Jd-- Jh6c3d7dTs4c|9s?????? *"


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Let the program run until something holds."""
    async with asyncio.timeout(SECONDS):
        while not holds():
            await pilot.pause(0.02)


async def chosen(pilot: Pilot[None], key: str) -> None:
    """Choose an option of the list in front, once that offers it."""

    def offering() -> list[OptionList]:
        lists = pilot.app.screen.query(OptionList)
        return [one for one in lists if key in [option.id for option in one.options]]

    await until(pilot, lambda: bool(offering()))
    [options] = offering()
    options.focus()
    options.highlighted = options.get_option_index(key)
    await pilot.press("enter")


async def practice(pilot: Pilot[None], rules: str = "relaxed") -> GameScreen:
    await chosen(pilot, "practice")
    await in_front(pilot, ListScreen)
    await chosen(pilot, rules)
    return await game_in_front(pilot)


async def game_in_front(pilot: Pilot[None]) -> GameScreen:
    screen = await in_front(pilot, GameScreen)
    await until(pilot, lambda: screen.table is not None)
    return screen


async def in_front(pilot: Pilot[None], kind: type[S]) -> S:
    """Return the screen in front once it is of a kind."""
    await until(pilot, lambda: isinstance(pilot.app.screen, kind))
    screen = pilot.app.screen
    assert isinstance(screen, kind)
    return screen


async def pointed_at(pilot: Pilot[None], screen: TableScreen, card: str) -> None:
    for _ in screen.choices():
        if screen.cursor == card:
            return
        await pilot.press("right")
    assert screen.cursor == card


def text_on(screen: TableScreen, name: str) -> str:
    return str(screen.query_one(f"#{name}", Static).render())


async def one_more(pilot: Pilot[None], screen: GameScreen) -> str:
    """Make a move by keys, a removal if there is one, and return it once the table is that of after it."""
    game, table = screen.game, screen.table
    move = max(game.legal, key=lambda one: (len(one) > 1 and one[0] != "P", one))
    version = game.version
    if cards := cards_of(move):
        for card in cards:
            await pointed_at(pilot, screen, card)
            await pilot.press("enter")
    else:
        await pilot.press("d")
    await until(pilot, lambda: game.version > version and screen.table is not table)
    return move


async def test_alice_practises_by_keys_over_a_line_that_is_cut_and_the_log_has_what_she_did(server: Server) -> None:
    client, done = AsyncClient(server.url), list[str]()
    with cut_again_and_again(server.port) as cutter:
        async with PyramidApp(client, "Alice").run_test(size=TALL) as pilot:
            screen = await practice(pilot)
            client.server = cutter.address
            for _ in range(8):
                done.append(await one_more(pilot, screen))
            await pilot.press("u")
            await until(pilot, lambda: screen.game.version == 9)
            await pilot.press("r")
            assert text_on(screen, "said") == "Press r again to give up."
            await pilot.press("r")
            await until(pilot, lambda: screen.game.is_over)
    kept = Record.from_text(server.get(f"/api/games/{screen.game.id}/record/", client.token)["record"])
    assert [action.text for action, _ in kept.actions] == [*done, "U"]
    assert kept_token(server.url) == client.token


async def test_todays_deal_goes_on_where_it_was_left_and_shows_no_card_that_was_not_turned_up(server: Server) -> None:
    async with PyramidApp(AsyncClient(server.url)).run_test(size=TALL) as pilot:
        first = await todays_draw(pilot)
        second = await todays_draw(pilot)
    assert (first.id, first.moves, second.id, second.moves) == (second.id, 1, first.id, 2)


async def todays_draw(pilot: Pilot[None]) -> AsyncGame:
    """Draw a card in today's game, look for a hint in vain, and leave the game."""
    await chosen(pilot, "today")
    await in_front(pilot, ListScreen)
    await chosen(pilot, "standard")
    screen = await game_in_front(pilot)
    assert screen.table is not None
    assert {*screen.table.stock[1:]} == {UNSEEN}
    await pilot.press("h")
    await until(pilot, lambda: "hints_not_allowed" in text_on(screen, "said"))
    moves = screen.game.moves
    await pilot.press("d")
    await until(pilot, lambda: screen.game.moves > moves)
    await pilot.press("n")
    await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
    return screen.game


async def test_while_the_server_does_not_answer_the_program_says_so_and_hears_keys(server: Server) -> None:
    async with PyramidApp(AsyncClient(server.url)).run_test(size=TALL) as pilot:
        screen = await practice(pilot)
        version = screen.game.version
        with stopped(server):
            await pilot.press("d", "d")
            await until(pilot, lambda: text_on(screen, "said").startswith("Waiting for the server"))
            await pilot.press("right")
            assert text_on(screen, "said").startswith("Waiting for the server")
        await until(pilot, lambda: screen.game.version == version + 2)
        await until(pilot, lambda: not text_on(screen, "said").startswith("Waiting"))
        with stopped(server):
            await pilot.press("d", "n")
            await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await until(pilot, lambda: not closing)


@contextmanager
def stopped(server: Server) -> Iterator[None]:
    """Have a server neither answer nor break its connections."""
    server.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.process.send_signal(signal.SIGCONT)


async def test_a_key_of_a_rank_goes_to_the_next_such_card_and_a_hint_is_marked(server: Server) -> None:
    async with PyramidApp(AsyncClient(server.url)).run_test(size=TALL) as pilot:
        screen = await practice(pilot, "open-pyramid")
        card = screen.choices()[-1]
        await pilot.press("q", {"T": "0"}.get(card[0], card[0].lower()))
        assert pilot.app.is_running
        assert screen.cursor[0] == card[0]
        await pilot.press("h")
        await until(pilot, lambda: bool(text_on(screen, "said")))


async def test_an_answer_that_comes_while_a_game_is_left_is_put_nowhere(server: Server) -> None:
    async with PyramidApp(AsyncClient(server.url)).run_test(size=TALL) as pilot:
        screen = await practice(pilot)
        await screen.query(Static).remove()  # a screen loses these first, and what its player waits for last
        screen.say("An answer that comes late.")
        screen.show()
        assert pilot.app.is_running


async def test_a_puzzle_is_judged_by_the_server_and_a_wrong_removal_is_explained(server: Server) -> None:
    client = AsyncClient(server.url)
    async with PyramidApp(client).run_test(size=TALL) as pilot:
        await chosen(pilot, "puzzle")
        screen = await in_front(pilot, PuzzleScreen)
        await until(pilot, lambda: screen.table is not None)
        first, second = screen.choices()[:2]
        await pointed_at(pilot, screen, first)
        await pilot.press("enter")
        if first[0] != "K":
            await pointed_at(pilot, screen, second)
            await pilot.press("enter")
        await until(pilot, lambda: not text_on(screen, "said").startswith("One of"))


async def test_alice_opens_a_race_bob_joins_and_her_game_comes_up_when_it_starts(server: Server) -> None:
    bob = Client(server.url)
    await asyncio.to_thread(bob.enter, api.guest("Bob"))
    async with PyramidApp(AsyncClient(server.url), "Alice").run_test(size=TALL) as pilot:
        await chosen(pilot, "races")
        await in_front(pilot, ListScreen)
        await chosen(pilot, "new")
        await chosen(pilot, "standard")
        room = await in_front(pilot, RaceScreen)
        await until(pilot, lambda: room.race is not None)
        assert room.race is not None
        assert room.race.rules == "standard"
        await asyncio.to_thread(bob.ask, api.join_race(room.race.id, room.race.invite))
        await until(pilot, lambda: "Bob" in str(room.query_one("#room", Static).render()))
        await pilot.press("s")
        game = await game_in_front(pilot)
        await one_more(pilot, game)
        await pilot.press("n")
        await until(pilot, lambda: pilot.app.screen is room)


async def test_the_name_of_mallory_which_looks_like_markup_is_a_name_in_a_room_and_on_a_board(server: Server) -> None:
    mallory, name = Client(server.url), "[@click=app.exit]M[/x]"
    await asyncio.to_thread(mallory.enter, api.guest(name))
    async with PyramidApp(AsyncClient(server.url), "Alice").run_test(size=TALL) as pilot:
        await chosen(pilot, "races")
        await chosen(pilot, "new")
        await chosen(pilot, "standard")
        room = await in_front(pilot, RaceScreen)
        await until(pilot, lambda: room.race is not None)
        assert room.race is not None
        await asyncio.to_thread(mallory.ask, api.join_race(room.race.id, room.race.invite))
        await until(pilot, lambda: name in str(room.query_one("#room", Static).render()))
        shown = json.loads(encode(TABLE))
        shown["rows"][0]["player"]["display_name"] = name
        pilot.app.push_screen(BoardScreen(msgspec.convert(shown, answers.TablePage, strict=False)))
        board = await in_front(pilot, BoardScreen)
        await until(pilot, lambda: any(table.row_count for table in board.query(DataTable)))
        await pilot.pause()
        assert str(board.query_one(DataTable).get_row_at(0)[1]) == name


async def test_a_board_is_shown_and_what_is_refused_is_said(server: Server) -> None:
    async with PyramidApp(AsyncClient(server.url)).run_test(size=TALL) as pilot:
        await chosen(pilot, "boards")
        await in_front(pilot, ListScreen)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, BoardScreen))
        await until(
            pilot, lambda: "rank" in [str(one.label) for one in pilot.app.screen.query_one(DataTable).columns.values()]
        )
        await pilot.press("n")
        await chosen(pilot, "races")
        await in_front(pilot, ListScreen)
        await chosen(pilot, "code")
        await in_front(pilot, LineScreen)
        await pilot.press(*"nowhere", "enter")
        await until(pilot, lambda: "race" in str(pilot.app.screen_stack[0].query_one("#said", Static).render()))


async def test_alice_whose_kept_token_has_ended_begins_as_a_new_guest(server: Server) -> None:
    client = AsyncClient(server.url, "0" * 64)
    keep_token(client.server, client.token)
    async with PyramidApp(client).run_test(size=TALL) as pilot:
        await chosen(pilot, "today")
        await until(pilot, lambda: "new guest" in str(pilot.app.query_one("#said", Static).render()))
        await chosen(pilot, "today")
        await in_front(pilot, ListScreen)
        assert kept_token(client.server) == client.token != "0" * 64


async def test_a_token_that_alice_has_given_herself_is_not_given_up_for_a_guest(server: Server) -> None:
    client = AsyncClient(server.url, "0" * 64)
    async with PyramidApp(client).run_test(size=TALL) as pilot:
        await chosen(pilot, "today")
        await until(pilot, lambda: "bad_credentials" in str(pilot.app.query_one("#said", Static).render()))
    assert client.token == "0" * 64


async def test_alice_plays_though_her_token_cannot_be_kept_and_reads_why(server: Server, tmp_path: Path) -> None:
    (tmp_path / "pyramid").write_text("no folder")
    async with PyramidApp(AsyncClient(server.url)).run_test(size=TALL) as pilot:
        await practice(pilot)
        assert [note.severity for note in pilot.app._notifications] == ["warning"]


def test_a_position_is_read_into_places_and_moves_into_cards() -> None:
    table = Table.read(OPEN_PYRAMID)
    assert [len(row) for row in table.peaks[0]] == [1, 2, 3, 4, 5, 6, 7]
    assert table.seen()[-2:] == ["4c", "9s"]
    assert table.without(["Jd", "4c"]).peaks[0][6] == [GONE] * 7
    giza = Table.read("7s/Js2c | 0 r:,7d5d,6dAdAh c:3sw--")
    assert (giza.reserve, giza.cells, giza.stock) == ([[], ["7d", "5d"], ["6d", "Ad", "Ah"]], ["3s", GONE], [])
    legal = ["D", "Jd2h", "Kc", "P9s"]
    assert removable(legal) == {"Jd", "2h", "Kc"}
    assert (removal(legal, "2h", "Jd"), removal(legal, "9s"), removal(legal, "Kc")) == ("Jd2h", None, "Kc")
    assert as_move(["Qh", "As"]) == "AsQh"


def test_without_colours_a_table_still_says_what_can_leave_what_is_pointed_at_and_what_is_selected() -> None:
    shown = drawn(Table.read(OPEN_PYRAMID), Marks(["Jd", "9s"], "Jd", "9s", ["4c"])).plain
    assert ">" in shown.splitlines()[6]
    assert "[ 9♠" in shown
    assert "* 4♣" in shown
    assert "stock 4 ↻" in shown


def test_tokens_are_kept_for_their_server_in_a_file_of_their_owner() -> None:
    assert kept_token("http://a") == ""
    keep_token("http://a", "secret")
    keep_token("http://b", "other")
    assert (kept_token("http://a"), kept_token("http://b"), kept_token("http://c")) == ("secret", "other", "")
    assert stat.S_IMODE(file_of_tokens().stat().st_mode) == 0o600
    file_of_tokens().write_text("damaged")
    assert kept_token("http://a") == ""


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("http://127.0.0.1:9", "pyramid needs a terminal that can move its cursor; "),
        ("127.0.0.1:8000", "'127.0.0.1:8000' is not the address of a server, such as https://example.org\n"),
    ],
)
def test_where_no_cursor_can_be_moved_or_no_server_can_be_the_program_says_so_and_ends(
    address: str, sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pyramid", address])
    with pytest.raises(SystemExit) as ended:
        main()
    assert (ended.value.code, sentence in capsys.readouterr().err) == (2, True)
