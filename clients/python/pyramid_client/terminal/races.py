"""The screen of a race: its room, the countdown, one's own game, and the places at the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from pyramid_client import race_messages
from pyramid_client.asynchronous import AsyncClient
from pyramid_client.errors import PyramidError
from pyramid_client.terminal.games import GameScreen
from pyramid_client.terminal.leaving import leave, put


class RaceScreen(Screen[None]):
    """A race that the player has joined, until it is over."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "start", "Start"),
        Binding("l", "quit_race", "Leave the race"),
        Binding("n", "leave", "Menu"),
    ]

    def __init__(self, client: AsyncClient, race_id: str) -> None:
        super().__init__()
        self._client = client
        # A connection has one conversation at a time: one listens, the other has the commands.
        self._race, self._commands = client.race(race_id), client.race(race_id)
        self._has_played = False

    def compose(self) -> ComposeResult:
        yield Static(id="room")
        yield Static(id="said")
        yield Footer()

    def on_mount(self) -> None:
        self.set_interval(0.5, self.show)
        self.run_worker(self._follow())

    @property
    def race(self) -> race_messages.Race | None:
        """The race as the server last described it."""
        return self._race.race

    async def on_unmount(self) -> None:
        await leave(self._commands.close)

    def action_start(self) -> None:
        self.run_worker(self._carry_out(self._commands.start))

    def action_quit_race(self) -> None:
        self.run_worker(self._leave())

    def action_leave(self) -> None:
        self.dismiss()

    def show(self) -> None:
        if self.race is not None:
            put(self, "room", room_text(self.race, datetime.now(UTC)))

    async def _leave(self) -> None:
        if await self._carry_out(self._commands.leave):
            self.dismiss()

    async def _carry_out(self, command: Callable[[], Awaitable[None]]) -> bool:
        """Return True once a command is carried out; otherwise it is said why not."""
        try:
            await command()
        except PyramidError as error:
            put(self, "said", str(error))
            return False
        return True

    async def _follow(self) -> None:
        try:
            async for _ in self._race.listen():
                self.show()
                race = self.race
                if race is not None and race.game is not None and not self._has_played:
                    self._has_played = True
                    self.app.push_screen(GameScreen(self._client.play(race.game), f"race, {race.rules}"))
        except PyramidError as error:
            put(self, "said", str(error))
        finally:
            await leave(self._race.close)


def room_text(race: race_messages.Race, now: datetime) -> str:
    """Return a race as lines: what it waits for, and its racers with their progress."""
    if race.state == "ended":
        state = "It is over."
    elif race.starts_at is None:
        state = f"{race.host} starts it with s." if race.host else "It starts at its hour."
    elif now < race.starts_at:
        state = f"It starts in {(race.starts_at - now).total_seconds():.0f} s."
    else:
        state = "It runs."
    invite = f"code {race.invite}" if race.invite else ""
    return "\n".join([f"race {race.id}, {race.rules} {invite}", state, "", *map(_racer, race.racers)])


def _racer(racer: race_messages.Racer) -> str:
    place = f"{racer.place}." if racer.place else "-"
    left = "" if racer.cards_left is None else f"{racer.cards_left} left, {racer.moves} moves"
    return f"{place:>4} {racer.display_name:24} {left}"
