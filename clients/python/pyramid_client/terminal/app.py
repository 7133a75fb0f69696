"""The program: what to do, and the screens that do it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Awaitable, Callable
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from pyramid_client import answers, api
from pyramid_client.asynchronous import AsyncClient
from pyramid_client.errors import PyramidError, Refused
from pyramid_client.terminal.games import GameScreen
from pyramid_client.terminal.keeping import keep_token, kept_token
from pyramid_client.terminal.puzzles import PuzzleScreen
from pyramid_client.terminal.races import RaceScreen

ROWS = 50
NEW_RACE, BY_CODE = "new", "code"
Choice = tuple[str, str]  # what is chosen, and how it reads


class ListScreen(Screen[str | None]):
    """A list of which one thing is chosen; n goes back."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("n,escape", "back", "Back")]

    def __init__(self, title: str, choices: list[Choice]) -> None:
        super().__init__()
        self._heading, self._choices = title, choices

    def compose(self) -> ComposeResult:
        yield Static(self._heading, id="head")
        yield OptionList(*(Option(text, id=key) for key, text in self._choices))
        yield Footer()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()  # or the menu would hear of it too
        self.dismiss(event.option_id)

    def action_back(self) -> None:
        self.dismiss(None)


class LineScreen(Screen[str | None]):
    """A question that is answered by a line."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        yield Static(self._question, id="head")
        yield Input()
        yield Footer()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip())

    def action_back(self) -> None:
        self.dismiss(None)


class BoardScreen(Screen[None]):
    """The first rows of a score table."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("n,escape", "back", "Back")]

    def __init__(self, page: answers.TablePage) -> None:
        super().__init__()
        self._page = page

    def compose(self) -> ComposeResult:
        yield Static(f"{self._page.board.slug}, {self._page.count} in all", id="head")
        yield DataTable[str | Text](cursor_type="row")
        yield Footer()

    def on_mount(self) -> None:
        table = self.query_one(DataTable)
        table.add_columns("rank", "player", *self._page.board.order)
        for row in self._page.rows:
            figures = (getattr(row, field, None) for field in self._page.board.order)
            texts = (row.player.display_name, *("" if one is None else str(one) for one in figures))
            table.add_row(str(row.rank), *map(Text, texts))

    def action_back(self) -> None:
        self.dismiss()


class PyramidApp(App[None]):
    """Play on one server, as the player whose token is kept, or as a new guest."""

    TITLE = "Pyramid"
    CSS = "#head { text-style: bold; margin-bottom: 1; } #said { margin-top: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("q", "quit", "Quit")]
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, client: AsyncClient, name: str | None = None) -> None:
        super().__init__()
        self.client = client
        self._name_of_guest = name

    def compose(self) -> ComposeResult:
        yield Static(f"Pyramid Solitaire at {self.client.server}", id="head")
        yield OptionList(
            Option("Today's deals", id="today"),
            Option("Practice", id="practice"),
            Option("Races", id="races"),
            Option("A puzzle", id="puzzle"),
            Option("Score tables", id="boards"),
        )
        yield Static(id="said")
        yield Footer()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Return True if an action is possible: a queen is looked for by the key that ends the program in the menu."""
        return action != "quit" or len(self.screen_stack) == 1

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._open(event.option_id)

    @work
    async def _open(self, what: str) -> None:
        ways: dict[str, Callable[[], Awaitable[None]]] = {
            "today": self._today,
            "practice": self._practice,
            "races": self._races,
            "puzzle": self._puzzle,
            "boards": self._boards,
        }
        said = self.query_one("#said", Static)
        said.update("")
        try:
            await self._enter()
            await ways[what]()
        except PyramidError as error:
            said.update(Text(str(error)))
            if getattr(error, "code", "") == "bad_credentials" and self._forget_kept_token():
                said.update("The token that was kept has ended. Choose again to begin as a new guest.")

    async def _enter(self) -> None:
        if self.client.token:
            return
        await self.client.enter(api.guest(self._name_of_guest))
        try:
            keep_token(self.client.server, self.client.token)
        except OSError as error:
            self.notify(f"You are this guest until you end the program: {error}", severity="warning", markup=False)

    def _forget_kept_token(self) -> bool:
        """Use the token no more if it is the one that was kept, and return True; one of the player's own stays."""
        if self.client.token != kept_token(self.client.server):
            return False
        self.client.token = ""
        return True

    async def _today(self) -> None:
        deals = (await self.client.ask(api.today())).dailies
        yours = [deal for deal in deals if deal.yours] or deals
        shown = [(deal.rules, f"{deal.rules}{', begun' if deal.attempt else ''}") for deal in yours]
        if rules := await self._chosen("Today's deals", shown):
            await self.push_screen_wait(GameScreen(self.client.play_today(rules), f"today, {rules}"))

    async def _practice(self) -> None:
        if rules := await self._chosen_rules("Practice"):
            started = await self._practice_game(rules)
            await self.push_screen_wait(GameScreen(self.client.play(started.id), f"practice, {rules}"))

    async def _practice_game(self, rules: str) -> answers.Game:
        """Start a game that can be won, or any where no such deal is ready, or none can be proved to be one."""
        try:
            return await self.client.ask(api.start_practice(rules, winnable="certified"))
        except Refused:
            return await self.client.ask(api.start_practice(rules))

    async def _races(self) -> None:
        public = (await self.client.ask(api.races())).races
        listed = [(race.id, f"{race.rules}, {race.state}, {race.racers} racers") for race in public]
        chosen = await self._chosen("Races", [(NEW_RACE, "Open one"), (BY_CODE, "Join with id and code"), *listed])
        if chosen is None:
            return
        if chosen == NEW_RACE:
            rules = await self._chosen_rules("A race by which rules?")
            if rules is None:
                return
            chosen = (await self.client.ask(api.open_race(rules))).id
        else:
            invite = None
            if chosen == BY_CODE:
                chosen, _, invite = (await self.push_screen_wait(LineScreen("Id and code:")) or "").partition(" ")
            await self.client.ask(api.join_race(chosen, invite or None))
        await self.push_screen_wait(RaceScreen(self.client, chosen))

    async def _puzzle(self) -> None:
        await self.push_screen_wait(PuzzleScreen(self.client))

    async def _boards(self) -> None:
        found = (await self.client.ask(api.boards())).boards
        if slug := await self._chosen("Score tables", [(board.slug, board.slug) for board in found]):
            await self.push_screen_wait(BoardScreen(await self.client.ask(api.board(slug, limit=ROWS))))

    async def _chosen_rules(self, title: str) -> str | None:
        known = (await self.client.ask(api.rule_sets())).rule_sets
        return await self._chosen(title, [(one.slug, one.title) for one in known])

    async def _chosen(self, title: str, choices: list[Choice]) -> str | None:
        return await self.push_screen_wait(ListScreen(title, choices)) if choices else None


def run() -> None:
    """Play on the server of the argument."""
    parser = argparse.ArgumentParser(prog="pyramid", description="Play Pyramid Solitaire in a terminal.")
    parser.add_argument("server", help="such as http://127.0.0.1:8000")
    parser.add_argument("--name", help="what others call a new guest")
    asked = parser.parse_args()
    try:
        client = AsyncClient(asked.server, os.environ.get("PYRAMID_TOKEN", ""))
    except PyramidError as mistake:
        parser.error(str(mistake))
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        parser.exit(2, "pyramid needs a terminal that can move its cursor; for programs there is pyramid_client.\n")
    client.token = client.token or kept_token(client.server)
    PyramidApp(client, asked.name).run()
