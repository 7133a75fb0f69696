"""The screen of a puzzle: find the removals that keep the win. Draws lose nothing here and are not asked for."""

from __future__ import annotations

from pyramid_client import answers, api
from pyramid_client.asynchronous import AsyncClient
from pyramid_client.errors import PyramidError
from pyramid_client.terminal.games import TableScreen
from pyramid_client.terminal.positions import GONE, UNSEEN, Table, as_move

NEXT = "Press n for the menu."


class PuzzleScreen(TableScreen):
    """One puzzle. Every removal is judged by the server; the solution comes when the attempt is over."""

    def __init__(self, client: AsyncClient) -> None:
        super().__init__()
        self._client = client
        self._puzzle: answers.Puzzle | None = None
        self._moves: list[str] = []
        self._is_over = False

    def on_mount(self) -> None:
        self.run_worker(self._begin())

    def choices(self) -> list[str]:
        if self.table is None or self._is_over:
            return []
        cards = [card for card in (*self.table.seen(), *self.table.stock) if card not in {GONE, UNSEEN}]
        return list(dict.fromkeys(cards))

    def head(self) -> str:
        if self._puzzle is None:
            return "puzzle"
        return (
            f"puzzle {self._puzzle.id}, {self._puzzle.rules}: removal {len(self._moves) + 1} of {self._puzzle.removals}"
        )

    def takes(self, *cards: str) -> bool:
        return len(cards) == 2 or cards[0][0] == "K"

    async def take(self, *cards: str) -> None:
        if self._puzzle is None or self.table is None:
            return
        tried = [*self._moves, as_move(cards)]
        try:
            judged = await self._client.ask(api.attempt_puzzle(self._puzzle.id, tried))
        except PyramidError as error:
            self.say(str(error))
            return
        if judged.loss is None:
            self._moves, self.table = tried, self.table.without(cards)
        self.say(_verdict(judged))
        self._is_over = judged.solution is not None
        self.show()

    async def _begin(self) -> None:
        try:
            self._puzzle = await self._client.ask(api.next_puzzle())
        except PyramidError as error:
            self.say(str(error))
            return
        self.table = Table.read(self._puzzle.position)
        self.say(f"One of {self._puzzle.choices} removals keeps the win. Take two cards, or a King.")
        self.show()


def _verdict(judged: answers.Judgement) -> str:
    """Return what a person reads about a verdict."""
    rated = f" Rating {judged.rated.rating} ({judged.rated.change:+})." if judged.rated else ""
    if judged.loss is not None:
        because = f" {judged.loss.buried} can never leave then." if judged.loss.buried else ""
        won = f" This wins: {' '.join(judged.solution.moves)}." if judged.solution else ""
        return f"That loses.{because}{won}{rated} {NEXT}"
    return f"Solved.{rated} {NEXT}" if judged.solution else "Right. Go on."
