"""The screen of a game: the table, what the last action did, and the keys of the page in the browser."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import Footer, Static

from pyramid_client.asynchronous import AsyncGame
from pyramid_client.errors import PyramidError, Superseded
from pyramid_client.terminal.drawing import Marks, drawn
from pyramid_client.terminal.leaving import leave, put
from pyramid_client.terminal.positions import DRAW, PARK, RECYCLE, Table, cards_of, removable, removal

RANK_KEYS = {"a": "A", "0": "T", "j": "J", "q": "Q", "k": "K"} | {str(rank): str(rank) for rank in range(2, 10)}
RESULTS = {"won": "You have won.", "stuck": "Nothing can leave any more.", "resigned": "You gave up."}
PATIENCE = 0.7  # seconds
STRANDED = "Another device of yours plays this game now. Press n."


class TableScreen(Screen[None]):
    """A table with a cursor on its cards. Those who inherit say which cards can leave, and what taking them does."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,up", "step(-1)", "Card", show=False),
        Binding("right,down", "step(1)", "Card", show=False),
        Binding("enter,space", "choose", "Take"),
        Binding("escape", "clear", "Clear", show=False),
        Binding("n", "leave", "Menu"),
    ]
    table: Table | None = None
    cursor = selected = ""
    hinted: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Static(id="table")
        yield Static(id="said")
        yield Footer()

    def choices(self) -> list[str]:
        """Return the cards that the cursor goes to, in reading order."""
        raise NotImplementedError

    def free(self) -> Collection[str]:
        """Return the cards that are shown as such that can leave."""
        return self.choices()

    def head(self) -> str:
        raise NotImplementedError

    async def take(self, *cards: str) -> None:
        """Let the cards leave together, if they can. Keys are heard meanwhile."""
        raise NotImplementedError

    def takes(self, *cards: str) -> bool:
        """Return True if the cards may be tried together."""
        raise NotImplementedError

    def say(self, text: str) -> None:
        put(self, "said", text)

    def show(self) -> None:
        """Draw what there is; the cursor stays on its card, or goes to the first that can be chosen."""
        choices = self.choices()
        if self.cursor not in choices:
            self.cursor = choices[0] if choices else ""
        if self.selected not in choices:
            self.selected = ""
        marks = Marks(self.free(), self.cursor, self.selected, self.hinted)
        put(self, "table", drawn(self.table, marks) if self.table else "")
        put(self, "head", self.head())

    def on_key(self, event: object) -> None:
        """Go to the next card of a rank that can be chosen."""
        if rank := RANK_KEYS.get(getattr(event, "key", "")):
            choices = self.choices()
            start = choices.index(self.cursor) + 1 if self.cursor in choices else 0
            found = [card for card in choices[start:] + choices[:start] if card[0] == rank]
            self.cursor = found[0] if found else self.cursor
            self.show()

    def action_step(self, by: int) -> None:
        if choices := self.choices():
            here = choices.index(self.cursor) if self.cursor in choices else 0
            self.cursor = choices[(here + by) % len(choices)]
            self.show()

    def action_choose(self) -> None:
        """Take the card alone or with the selected one, or select it."""
        card, other = self.cursor, self.selected
        if card and self.takes(card):
            self.run_worker(self.take(card))
        elif card and other and card != other and self.takes(card, other):
            self.run_worker(self.take(card, other))
        else:
            self.selected = "" if card == other else card
            self.show()

    def action_clear(self) -> None:
        self.selected, self.hinted = "", ()
        self.show()

    def action_leave(self) -> None:
        self.dismiss()


class GameScreen(TableScreen):
    """A game of the player. It can be left and gone on with; its clock runs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("d", "draw", "Draw"),
        Binding("p", "park", "Park", show=False),
        Binding("u", "undo", "Undo"),
        Binding("ctrl+y", "redo", "Redo", show=False),
        Binding("h", "hint", "Hint"),
        Binding("r", "resign", "Give up"),
    ]

    def __init__(self, game: AsyncGame, title: str) -> None:
        super().__init__()
        self.game, self.name_of_game = game, title
        self._seen_at = time.monotonic()
        self._turn = asyncio.Lock()
        self._answer = ""  # to the action under way
        self._is_sure = False

    def on_mount(self) -> None:
        self.set_interval(1.0, self._tick)
        self._do(self._nothing)

    async def on_unmount(self) -> None:
        await leave(self.game.close)

    def choices(self) -> list[str]:
        seen, free = self.table.seen() if self.table else [], self.free()
        return [card for card in seen if card in free] or seen

    def free(self) -> Collection[str]:
        return removable(self.game.legal)

    def head(self) -> str:
        ms = self.game.elapsed_ms + (0 if self.game.is_over else (time.monotonic() - self._seen_at) * 1000)
        clock = f"{int(ms // 60_000)}:{int(ms // 1000 % 60):02}"
        return f"{self.name_of_game}   moves {self.game.moves}   {clock}"

    def takes(self, *cards: str) -> bool:
        return removal(self.game.legal, *cards) is not None

    async def take(self, *cards: str) -> None:
        await self._carry_out(lambda: self._play(removal(self.game.legal, *cards)))

    def action_draw(self) -> None:
        self._do(lambda: self._play(next((move for move in (DRAW, RECYCLE) if move in self.game.legal), None)))

    def action_park(self) -> None:
        move = PARK + (self.selected or self.cursor)
        self._do(lambda: self._play(move if move in self.game.legal else None))

    def action_undo(self) -> None:
        self._do(self.game.undo)

    def action_redo(self) -> None:
        self._do(self.game.redo)

    def action_hint(self) -> None:
        self._do(self._hint)

    def action_resign(self) -> None:
        if self._is_sure:
            self._do(self.game.resign)
        elif not self.game.is_over:
            self._is_sure = True
            self.say("Press r again to give up.")

    async def _play(self, move: str | None) -> None:
        if move is None:
            self._answer = "That is not possible now."
        else:
            self.hinted = ()
            await self.game.play(move)

    async def _hint(self) -> None:
        found = await self.game.hint()
        self.hinted = tuple(cards_of(found.move)) if found.move else ()
        self._answer = found.reason if self.hinted or not found.move else f"{found.move}: {found.reason}"

    async def _nothing(self) -> None:
        pass

    def _do(self, action: Callable[[], Awaitable[object]]) -> None:
        """Carry an action out while keys are heard: a line may be away for minutes."""
        self.run_worker(self._carry_out(action))

    async def _carry_out(self, action: Callable[[], Awaitable[object]]) -> None:
        """Carry an action out after those before it, and show the game as it is then.

        What is legal is looked up only now. A line that breaks comes back by itself meanwhile.
        """
        self._is_sure = False
        is_done = asyncio.Event()  # a timer that is stopped may have been heard already, and be on its way

        def say_that_it_waits() -> None:
            if not is_done.is_set():
                self.say("Waiting for the server …")

        self.set_timer(PATIENCE, say_that_it_waits)
        try:
            async with self._turn:
                self.say("")
                self._answer = ""
                await self._done(action)
        except Superseded:
            self.say(STRANDED)
        except PyramidError as error:
            self.say(str(error))
        finally:
            is_done.set()
        self.show()

    async def _done(self, action: Callable[[], Awaitable[object]]) -> None:
        if not self.game.id:
            await self.game.state()
        await action()
        self.table = Table.read((await self.game.state()).position)
        self._seen_at = time.monotonic()
        self.say(self._answer or self._how_it_stands())

    def _how_it_stands(self) -> str:
        if self.game.is_over:
            return RESULTS.get(self.game.result, self.game.result)
        if self.game.outcome == "stuck":
            return "Nothing can leave any more: undo, or give up."
        if self.game.unwinnable is None:
            return ""
        return "This deal cannot be won." if self.game.unwinnable.since is None else "You can no longer win."

    def _tick(self) -> None:
        put(self, "head", self.head())
