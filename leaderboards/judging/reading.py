"""Read rows from JSON lines. An invalid line is reported with file and line number, and does not stop the others."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from games.rules import Deck, RulesError

Report = Callable[[str], object]
R = TypeVar("R", bound=msgspec.Struct)
BROKEN_CLIENT_TIMES = "client_ms has {} times for {} actions; they are left out"


class GameRow(msgspec.Struct, frozen=True):
    """A game: `started` is a UTC time or milliseconds since 1970, `client_ms` the client's time of each action."""

    game: str
    account: str
    day: str
    started: str | int
    record: str
    client_ms: tuple[int | None, ...] | None = None

    @property
    def started_ms(self) -> int:
        """The start in milliseconds since 1970. Raises `ValueError`."""
        if isinstance(self.started, int):
            return self.started
        at = datetime.fromisoformat(self.started)
        return round((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)


class AccountRow(msgspec.Struct, frozen=True):
    """An account; device and address may be hashed, and link accounts where they are equal."""

    account: str
    created: str | int | None = None
    device: str | None = None
    address: str | None = None


class DealRow(msgspec.Struct, frozen=True):
    """A deal of a day; without a par it is solved."""

    day: str
    deck: str
    par: int | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A row with its file and line number."""

    where: str
    row: GameRow


@dataclass(frozen=True, slots=True)
class Corpus:
    """The contents of a folder: games, accounts by name, and the deals of each day by the ranks of their decks."""

    games: tuple[Placed, ...]
    accounts: dict[str, AccountRow]
    pars: dict[str, dict[str, int | None]]  # by day, by ranks


def read_corpus(folder: Path, report: Report) -> Corpus:
    """Read a folder. Raises `FileNotFoundError` if it has no games."""
    accounts = {row.account: row for _, row in _rows(folder / "accounts.jsonl", AccountRow, report, optional=True)}
    pars: dict[str, dict[str, int | None]] = {}
    for where, deal in _rows(folder / "deals.jsonl", DealRow, report, optional=True):
        try:
            pars.setdefault(deal.day, {})[ranks_of(Deck.from_text(deal.deck))] = deal.par
        except RulesError as error:
            report(f"{where}: {error}")
    games = []
    for where, game in _rows(folder / "games.jsonl", GameRow, report):
        try:
            game.started_ms  # noqa: B018 - asked for its error
        except (ValueError, OverflowError) as error:
            report(f"{where}: started is not a time: {error}")
            continue
        games.append(Placed(where, game))
    for name in sorted({placed.row.account for placed in games} - accounts.keys()):
        report(f"{folder / 'accounts.jsonl'}: no account {name!r}; it is judged without links to others")
    return Corpus(tuple(games), accounts, pars)


def ranks_of(deck: Deck) -> str:
    """Return the ranks of a deck, which are the same in all suits that a game may have."""
    return "".join(card.text[0] for card in deck.cards)


def _rows(path: Path, kind: type[R], report: Report, *, optional: bool = False) -> Iterator[tuple[str, R]]:
    """Return the rows of a file with their line numbers."""
    if optional and not path.exists():
        report(f"{path}: there is no such file; judging without it")
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    yield f"{path}:{number}", msgspec.json.decode(line, type=kind)
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    report(f"{path}:{number}: no row of {path.name}: {error}")
