"""The desk's page of a player, and that everything about a player leads there and back."""

from __future__ import annotations

from datetime import timedelta

from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.play.models import Game
from games.players.models import Player
from leaderboards.moderation.cases import weigh
from leaderboards.moderation.evidence_models import Examination, KeptFinding
from leaderboards.moderation.models import Case
from leaderboards.moderation.reports import report
from leaderboards.moderation.traces import remember
from tests.leaderboards.conftest import NOON, named
from tests.leaderboards.desk.conftest import LATER, Desk
from tests.leaderboards.desk.test_pages import text_of
from tests.leaderboards.moderation.conftest import decided
from tests.leaderboards.moderation.test_deciding import DISQUALIFY

MOST_QUERIES = 40


def page_of(player: Player) -> str:
    return reverse("admin:review-player", args=[player.pk])


def examined(game: Game, combined: float) -> None:
    Examination.objects.create(
        game=game, player=game.player, version="1/1", at=NOON, evidence={"game": game.pk}, combined=combined
    )


def test_the_page_of_a_player_has_days_with_their_evidence_cases_reports_and_links(
    desk: Desk, ines: Player, robin: Player
) -> None:
    game, other = desk.play("mallory"), desk.play_badly("bob", NOON + timedelta(minutes=5))
    examined(game, 21_000)
    case = desk.case_about(game)
    KeptFinding.objects.create(
        player=game.player,
        game=game,
        case=case,
        detector="near par",
        version="1/1",
        strength="watch",
        score=1500,
        threshold=1000,
        explanation="Near par too often.",
        games=[game.pk],
        at=NOON,
    )
    weigh(case)
    report(other.pk, game.player, "he cheats", NOON)
    remember([(game.player_id, "", "a tablet")], NOON)
    remember([(named("wendy").pk, "", "a tablet")], NOON)
    browser = desk.browser_of(ines)
    for reviewer in (ines, robin):
        decided(Case.objects.get(player=other.player), reviewer, DISQUALIFY, LATER)
    with CaptureQueriesContext(connection) as queries:
        page = text_of(browser, page_of(game.player))
    assert len(queries) <= MOST_QUERIES
    for shown in ("mallory", "Near par too often.", " 21,000", "1 made, 1 upheld", "he cheats", "Wendy", "device"):
        assert shown in page, shown
    for row in (case, game, desk.daily):
        assert f'href="{address_of(row)}"' in page
    for leading_there in (f"/admin/review/{case.pk}/", f"/admin/games/player/{game.player_id}/change/"):
        assert page_of(game.player) in text_of(browser, leading_there), leading_there


def test_a_bot_leads_to_its_owner_and_an_owner_to_the_bots(desk: Desk, ines: Player) -> None:
    owner = named("olga")
    bot = named("robot", is_bot=True, owner=owner)
    browser = desk.browser_of(ines)
    for one, other in ((bot, owner), (owner, bot)):
        page = text_of(browser, page_of(one))
        assert f'href="{page_of(other)}"' in page
        assert "owner" in page


def test_reviewers_have_no_page_about_their_own_bots(desk: Desk, ines: Player) -> None:
    bot = named("robot", is_bot=True, owner=ines)
    assert desk.browser_of(ines).get(page_of(bot)).status_code == 404


def test_a_game_leads_to_its_case(desk: Desk, ines: Player) -> None:
    game = desk.play("mallory")
    case = desk.case_about(game)
    browser = desk.browser_of(ines)
    there = f"/admin/leaderboards/case/?player={game.player_id}&amp;daily={desk.daily.pk}"
    assert there in text_of(browser, f"/admin/games/game/{game.pk}/change/")
    assert f"case {case.pk}" in text_of(browser, there.replace("&amp;", "&"))


def test_nobody_reads_what_moderation_knows_of_oneself_or_a_linked_account(desk: Desk, ines: Player) -> None:
    friend = named("friend")
    remember([(ines.pk, "", "a tablet")], NOON)
    remember([(friend.pk, "", "a tablet")], NOON)
    browser = desk.browser_of(ines)
    for player in (ines, friend):
        assert browser.get(page_of(player)).status_code == 404
    assert browser.get("/admin/review/players/999999/").status_code == 404
    refused = desk.browser_of(named("clerk", is_staff=True)).get(page_of(named("alice")))
    assert refused.status_code == 403
    assert "This page is not for your account" in refused.content.decode()


def test_a_deleted_player_has_a_page_without_a_name(desk: Desk, ines: Player) -> None:
    game = desk.play("mallory")
    Player.objects.filter(pk=game.player_id).update(is_active=False)
    page = text_of(desk.browser_of(ines), page_of(game.player))
    assert "deleted account" in page
    assert "mallory" not in page


def address_of(row: Model) -> str:
    return (
        f"/admin/review/{row.pk}/" if isinstance(row, Case) else f"/admin/games/{row._meta.model_name}/{row.pk}/change/"
    )
