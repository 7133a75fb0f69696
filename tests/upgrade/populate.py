"""Three days of a small server: players, games in every state, score tables, a sealed day, and decided cases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import time_machine
from django.contrib.auth import SESSION_KEY

from games import journal
from games.kit.browser_sessions import SessionStore
from games.models import Game, Player
from games.rules import DRAW, UNDO
from games.services.dailies import ensure_dailies
from games.services.erasure import erase_player
from games.services.players import create_guest
from games.services.starting import start_practice, start_ranked
from games.tasks import run_due
from leaderboards.models import Outcome
from leaderboards.review import cases
from leaderboards.review.choices import Choice
from leaderboards.review.deciding import decide
from leaderboards.review.preview import preview
from leaderboards.services import batches
from tests.games.doors import commit, open_session
from tests.leaderboards.played import played
from tests.leaderboards.review.conftest import staff

DAYS = [datetime(2026, 11, day, 12, tzinfo=UTC) for day in (18, 19, 20)]
PACE = timedelta(seconds=4)
DISQUALIFY = Choice(Outcome.DISQUALIFY, "unseen_cards")


def populate() -> None:
    """Fill an empty database."""
    with time_machine.travel(DAYS[0], tick=True):
        alice = Player.objects.create_user(username="alice", display_name="Alice", password="correct horse battery")
        bob, carol, mallory = (create_guest(name).player for name in ("Bob", "Carol", "Mallory"))
        reviewers = [staff("ines", "reviewer"), staff("sigrid", "senior reviewer")]
        _sign_in(alice)
    for day, noon in enumerate(DAYS):
        with time_machine.travel(noon, tick=True):
            ensure_dailies(noon)
            games = [
                played(player, noon, actions=10 + 5 * place + day, step=PACE)
                for place, player in enumerate((alice, bob, carol, mallory))
            ]
            _practise(bob, noon)
        with time_machine.travel(noon + timedelta(hours=1), tick=True):
            run_due(noon + timedelta(hours=1))
            if day == 0:
                _disqualify(games[-1], reviewers, noon + timedelta(hours=1))
    with time_machine.travel(DAYS[-1] + timedelta(hours=2), tick=True):
        now = DAYS[-1] + timedelta(hours=2)
        erase_player(carol, "asked for by mail", None, now)
        _leave_unfinished(create_guest("Dave").player, now)
    journal.stop()
    batches.stop()


def _sign_in(player: Player) -> None:
    session = SessionStore()
    session[SESSION_KEY] = str(player.pk)
    session.save()


def _practise(player: Player, now: datetime) -> None:
    session = open_session(start_practice(player, "standard", now), now)
    for version, action in enumerate((DRAW, UNDO, DRAW)):
        commit(session.act(action, version, now + PACE * (version + 1)))
    commit(session.resign(3, now + PACE * 4))


def _leave_unfinished(player: Player, now: datetime) -> None:
    session = open_session(start_ranked(player, "standard", now), now)
    commit(session.act(DRAW, 0, now + PACE))


def _disqualify(game: Game, reviewers: list[Player], now: datetime) -> None:
    assert game.daily
    case = cases.open_or_join(game.player_id, game.daily, "the populated release", now)
    cases.weigh(case)
    for reviewer in reviewers:
        taken = cases.take(case.pk, reviewer, now)
        decide(case.pk, reviewer, DISQUALIFY, preview(taken, DISQUALIFY, now).versions, now)
