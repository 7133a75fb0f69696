"""Scores of retests that were really played: who knows the stock rises, who does not stays below the bars."""

from __future__ import annotations

from random import Random

import pytest
from django.db import connection

from games.play.journal.statements import write_changes
from games.play.models import Game
from games.play.sessions import find_game
from games.players.models import Player
from games.rules import Outcome
from games.solver.orders import Pyramid
from leaderboards.moderation.log import mistakes_in_log
from leaderboards.moderation.models import Act, Case, LogLine
from leaderboards.retests import dealing
from leaderboards.retests.models import Retest
from leaderboards.retests.offering import Terms, offer
from leaderboards.retests.scoring import score_ended
from leaderboards.retests.supervising import end_due
from tests.games.api import Api
from tests.games.ways_to_play import open_session
from tests.integrity.styles import STYLES, Chooser
from tests.leaderboards.detectors.games import QUICK, deck
from tests.leaderboards.retests.conftest import LATER

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quick_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the fresh deals be some whose bets cost little."""
    decks = iter([deck(seed) for seed in QUICK])
    monkeypatch.setattr(dealing, "winnable_at_once", lambda rules: next(decks))


def played(retest: Retest, player: Player, style: str) -> Retest:
    """Have a player accept a retest over REST and play it in a style, and score it."""
    api, dice = Api(player), Random(style)
    api.post(f"/api/me/retests/{retest.pk}/accept/")
    for _ in range(retest.size):
        session = open_session(find_game(api.post(f"/api/me/retests/{retest.pk}/games/").json()["id"]), LATER)
        start = session.play.start
        choices = Chooser(start, Pyramid(start), STYLES[style], dice).play()
        changes = [session.act(action, version, LATER) for version, action in enumerate(choices.actions)]
        if choices.result is not Outcome.WON:
            changes.append(session.resign(session.play.version, LATER))
        write_changes(connection, changes)
    end_due(LATER)
    score_ended(LATER, seconds=600)
    return Retest.objects.get(pk=retest.pk)


def scored_line(case: Case) -> LogLine:
    return LogLine.objects.filter(case=case, act=Act.RETEST).latest("number")


def test_who_knows_the_stock_rises_in_both_figures_and_the_log_has_them(
    retest: Retest, case: Case, alice: Player
) -> None:
    scored = played(retest, alice, "perfect")
    assert scored.foresight is not None
    assert scored.foresight > 4
    assert scored.near_par is not None
    assert scored.near_par > 20
    assert [deal.over_par for deal in scored.deals.all()] == [0] * 5
    facts = scored_line(case).facts
    assert (facts["step"], facts["foresight"], facts["fresh"]) == ("scored", f"{scored.foresight:.3g}", 5)
    assert mistakes_in_log() == []


@pytest.mark.parametrize("style", ["careless", "casual"])
def test_an_honest_player_stays_below_every_bar(retest: Retest, alice: Player, style: str) -> None:
    scored = played(retest, alice, style)
    assert scored.foresight is not None
    assert scored.near_par is not None
    assert max(scored.foresight, scored.near_par) < 10


def test_deals_like_those_won_count_in_neither_figure(case: Case, ines: Player, alice: Player, won: Game) -> None:
    retest = offer(case.pk, ines, Terms(4, 1, 60, 7), LATER)
    scored = played(retest, alice, "perfect")
    (alike,) = scored.deals.exclude(origin=None)
    assert (alike.origin_id, alike.bet, alike.bets, alike.over_par) == (won.pk, [], 0, 0)
    assert scored_line(case).facts["fresh"] == 4


def test_deals_that_nobody_played_change_nothing(retest: Retest, alice: Player) -> None:
    api = Api(alice)
    api.post(f"/api/me/retests/{retest.pk}/accept/")
    game = api.post(f"/api/me/retests/{retest.pk}/games/").json()["id"]
    end = retest.open_until
    end_due(end)
    score_ended(end, seconds=600)
    retest.refresh_from_db()
    assert Game.objects.get(pk=game).status == "expired"
    assert retest.foresight == 1
    assert retest.near_par is not None
    assert retest.near_par < 1
