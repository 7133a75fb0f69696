"""The work of a worker process: replay the games of one day and run the detectors on them."""

from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from games.rules import NotationError, Record, RulesError, UnknownRuleSet
from games.rules.position import Position
from games.solver import solve
from leaderboards.detectors.accounts import Evidence, Known, evidence_of
from leaderboards.detectors.copied_line import Cohort, line_of
from leaderboards.detectors.deal_orders import orders_of
from leaderboards.detectors.findings import Finding, false_record
from leaderboards.detectors.games import RankedGame
from leaderboards.detectors.scouting import crowd_of, summary_of
from leaderboards.detectors.thresholds import THRESHOLDS
from leaderboards.detectors.turns import Visit, visit
from leaderboards.judging.reading import BROKEN_CLIENT_TIMES, Placed, ranks_of

Links = dict[tuple[str, str], float]


@dataclass(frozen=True, slots=True)
class Day:
    """The games of a day by their start, the pars of its deals by ranks, the links of its accounts by pair.

    Only the games `asked` about are judged, by their places; they are compared with all of them.
    """

    games: tuple[Placed, ...]
    pars: dict[str, int | None]
    links: Links
    asked: range

    @property
    def starts_ms(self) -> int:
        """The start of the first of the games asked about, in milliseconds since 1970."""
        return self.games[self.asked.start].row.started_ms


@dataclass(frozen=True, slots=True)
class Judged:
    """A game's evidence with its start, and with its visit if it is one; or the finding that its record is false."""

    account: str
    started_ms: int
    evidence: Evidence | None = None
    visit: Visit | None = None
    false_record: Finding | None = None


@dataclass(slots=True)
class DayJudged:
    """The judged games of a day, and the mistakes in its lines."""

    games: list[Judged] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def judge_day(day: Day) -> DayJudged:
    """Replay the games of a day and run the detectors on each requested first attempt."""
    judged, others = DayJudged(), DayJudged()
    by_deal: dict[str, dict[str, RankedGame]] = defaultdict(dict)
    asked: set[str] = set()
    for place, placed in enumerate(day.games):
        own = judged if place in day.asked else others
        game = _replayed(placed, day.pars, own)
        if game and by_deal[game.deal].setdefault(game.account, game) is not game:
            own.problems.append(f"{placed.where}: not the first attempt of {game.account} at its deal; left out")
        elif game and own is judged:
            asked.add(game.id)
    for games in by_deal.values():
        judged.games += _of_one_deal(list(games.values()), asked, day.links)
    return judged


def _of_one_deal(games: Sequence[RankedGame], asked: Container[str], links: Links) -> list[Judged]:
    orders = orders_of(games[0].play.start)
    cohort = Cohort([line_of(game) for game in games]) if len(games) >= THRESHOLDS.fewest_lines else None
    crowd = crowd_of(games[0].rules, Counter(map(summary_of, games)))
    judged = []
    for game in games:
        if game.id in asked:
            pairs = ((other, tuple(sorted((game.account, other.account)))) for other in games)
            linked = tuple((other, links[pair]) for other, pair in pairs if pair in links)
            evidence = evidence_of(game, Known(orders, cohort, linked, crowd))
            judged.append(Judged(game.account, game.started_ms, evidence, visit(game)))
    return judged


def _replayed(placed: Placed, pars: dict[str, int | None], judged: DayJudged) -> RankedGame | None:
    """Return a game, or None after reporting the mistake in its record."""
    row = placed.row
    try:
        record = Record.from_text(row.record).as_dealt()
    except (NotationError, UnknownRuleSet) as error:
        judged.problems.append(f"{placed.where}: game {row.game}: {error}")
        return None
    try:
        play = record.replay()
    except RulesError as error:
        _note_false(placed, f"The record does not replay: {error}", judged)
        return None
    ranks = ranks_of(record.deck)
    if pars and ranks not in pars:
        _note_false(placed, f"The deck of the record is none of the deals of {row.day}.", judged)
        return None
    client_ms = row.client_ms or ()
    if client_ms and len(client_ms) != len(record.actions):
        judged.problems.append(f"{placed.where}: {BROKEN_CLIENT_TIMES.format(len(client_ms), len(record.actions))}")
        client_ms = ()
    deal = f"{row.day}/{record.rules.slug}/{ranks}"
    par = par_of(play.start, pars.get(ranks))
    return RankedGame(row.game, row.account, deal, row.started_ms, play, par, client_ms)


def par_of(deal: Position, known: int | None) -> int | None:
    """Return the known par, or else the solver's if a detector needs it."""
    return _shortest(deal) if known is None and deal.rules.slug in THRESHOLDS.near_par else known


@lru_cache(maxsize=64)
def _shortest(deal: Position) -> int | None:
    return solve(deal).length


def _note_false(placed: Placed, why: str, judged: DayJudged) -> None:
    row = placed.row
    judged.problems.append(f"{placed.where}: game {row.game}: {why}")
    judged.games.append(Judged(row.account, row.started_ms, false_record=false_record(row.game, why)))
