"""A day with many cases, one of them about a game that was really played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random

from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_test_environment

from games.calendar.dailies import ensure_dailies
from games.calendar.models import DailyDeal
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.models import Entry
from leaderboards.boards.submission import submit
from leaderboards.detectors.findings import Finding, Strength
from leaderboards.moderation.cases import open_or_join, weigh
from leaderboards.moderation.evidence_models import AccountEvidence, Examination, KeptFinding
from leaderboards.moderation.finding import keep_findings
from leaderboards.moderation.models import Case, LogLine, Report
from leaderboards.moderation.traces import remember
from leaderboards.moderation.weighing import weigh_cases
from tests.bench.rows import multiply, new_games
from tests.leaderboards.desk.playing import Kitchen, store_game
from tests.processes import cpu_seconds

FAR_APART = 1_000_000


@dataclass(frozen=True)
class Desk:
    """The browser of a reviewer, and the addresses of pages by what they are."""

    client: Client
    pages: dict[str, str]

    def get(self, address: str) -> None:
        response = self.client.get(address)
        assert response.status_code == 200, (address, response.content[:500])

    @staticmethod
    def database_seconds() -> float:
        """Return the processor time that PostgreSQL has spent on this connection."""
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            (pid,) = cursor.fetchone()
        return cpu_seconds(pid)

    def queries(self, address: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            self.get(address)
        return len(asked)


def seed(cases: int) -> Desk:
    """Fill an empty database with cases about yesterday, each with two findings, a report and a score."""
    call_command("migrate", verbosity=0)
    setup_test_environment()
    now = datetime.now(UTC)
    case = _first(_daily(now - timedelta(days=1)), now)
    _multiply(case, cases - 1)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    handle = case.player.username
    return Desk(
        _reviewer(),
        {
            "start": "/admin/",
            "queue": "/admin/review/",
            "queue, page 200": "/admin/review/?page=200",
            "queue by signal and rules": "/admin/review/?signal=near+par&rules=standard&order=oldest",
            "queue by part of a name": f"/admin/review/?q={handle[2:]}",
            "case": f"/admin/review/{case.pk}/",
            "who moves": f"/admin/review/{case.pk}/moves/?outcome=disqualify&reason=program",
            "player": f"/admin/review/players/{case.player_id}/",
            "decisions": "/admin/review/decisions/",
            "detectors": "/admin/review/detectors/",
            "faults": "/admin/review/faults/",
        },
    )


def _daily(morning: datetime) -> DailyDeal:
    ensure_dailies(morning)
    return DailyDeal.objects.select_related("deal").filter(day=morning.date(), rules="standard", division="open").get()


def _first(daily: DailyDeal, now: datetime) -> Case:
    """Return the case of somebody who played, with everything that a case can have."""
    kitchen = Kitchen(daily, Random("bench"))
    player, reporter = (Player.objects.create(username=name, display_name=name) for name in ("player-0", "reporter"))
    opens = daily.key.opens_at + timedelta(hours=9)
    game = store_game(kitchen, player, opens, kitchen.timed(kitchen.choices("careless")))
    submit([game.pk], opens + timedelta(hours=1))
    Examination.objects.create(game=game, player=player, version="1/1", at=now, evidence={"game": game.pk}, combined=9)
    AccountEvidence.objects.create(player=player, version="1/1", state={}, games=1, both=12_000, updated_at=now)
    case = open_or_join(player.pk, daily, "near par", now)
    keep_findings(game, [_finding(name, game) for name in ("near par", "machine timing")], now)
    Report.objects.create(case=case, game=game, reporter=reporter, at=now, text="too good")
    for own in (player, reporter):
        remember([(own.pk, "192.0.2.1", "")], now)
    weigh(case)
    weigh_cases(now)
    return Case.objects.select_related("player", "daily").get(pk=case.pk)


def _finding(detector: str, game: Game) -> Finding:
    return Finding(detector, Strength.CASE, 12_000, 10_000, "Found.", {}, ("Chance.",), (game.pk,))


def _multiply(case: Case, times: int) -> None:
    """Multiply the case with all that belongs to it; the priorities differ."""
    player = f"{case.player_id} + 1 + n"
    game = case.player.games.get()
    new_case, new_game = f"{case.pk} + n", new_games(game)
    about = {"case_id": new_case}
    multiply(Player.objects.get(username="reporter"), times, {"id": player, "username": "'player-' || n"})
    multiply(game, times, {"id": new_game, "player_id": player})
    urgency = f"{case.urgency} - random() * 5"
    multiply(case, times, {"id": new_case, "player_id": player, "urgency": urgency, "rank": "1 + n"})
    for entry in Entry.objects.filter(game=game, board__slug__startswith="daily"):
        multiply(entry, times, {**_ids(entry), "player_id": player, "game_id": new_game, "key": f"{entry.key} + n"})
    for finding in KeptFinding.objects.filter(case=case):
        multiply(finding, times, {**_ids(finding), **about, "game_id": new_game, "player_id": player})
    for report in Report.objects.filter(case=case):
        multiply(report, times, {**_ids(report), **about, "game_id": new_game})
    line, lines = LogLine.objects.get(case=case, act="opened"), LogLine.objects.count()
    multiply(line, times, {**_ids(line), **about, "number": f"{lines} + n"})
    evidence = AccountEvidence.objects.get(player=case.player)
    multiply(evidence, times, {"id": f"{evidence.pk} + n", "player_id": player, "both": "random() * 100000"})


def _ids(row: Model) -> dict[str, str]:
    """Return the keys of the copies of a row, apart from those of the copies of another."""
    return {"id": f"{row.pk} * {FAR_APART} + n"}


def _reviewer() -> Client:
    reviewer = Player.objects.create_user(username="ines", display_name="Ines", is_staff=True)
    reviewer.groups.add(Group.objects.get(name="senior reviewer"))
    client = Client(SERVER_NAME="localhost")
    client.force_login(reviewer)
    return client
