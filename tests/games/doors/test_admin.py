from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from knox.crypto import hash_token
from knox.models import AuthToken
from pytest_django import DjangoAssertNumQueries

from games.accounts.guests import create_guest
from games.analysis.models import GameAnalysis
from games.calendar.models import DailyDeal, Deal
from games.days.disclosure import look_at_secrets
from games.deals.daily import DailyState
from games.deals.shuffle import random_deck
from games.doors.scopes import EVERYTHING
from games.oauth.granting import allow, issue
from games.oauth.models import App
from games.oauth.registering import register_app
from games.personal_data.erasure import erase_player
from games.play.models import Game, Move
from games.play.starting import practise, start_practice, start_ranked
from games.players.models import Player
from games.players.names import give_name
from games.rules import DRAW, RULE_SETS
from games.worker.models import WorkerTask
from tests.games.ways_to_play import commit, open_session, restart

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = [
    f"/admin/{name}/"
    for name in (
        *("games/player", "games/deal", "games/dailydeal", "games/game", "games/gameanalysis"),
        *("knox/authtoken", "games/app", "admin/logentry"),
    )
]
LOG_OF_ACCESSES = "/admin/admin/logentry/"
CARDS = re.compile(r"(?<![\w?])((?:[A2-9TJQK][cdhs]|\?\?)+)(?![\w?])")


@pytest.fixture(autouse=True)
def clock(now: datetime) -> Iterator[time_machine.Traveller]:
    """The time, which stands still until a test moves it."""
    with time_machine.travel(now, tick=False) as traveller:
        yield traveller


@pytest.fixture
def superuser(staff: Player) -> Client:
    client = Client()
    client.force_login(staff)
    return client


@pytest.fixture
def reviewer(db: None) -> Client:
    """Someone of the staff who may look at everything and change players, but is not a superuser."""
    someone = Player.objects.create_user(username="reviewer", display_name="Reviewer", is_staff=True)
    someone.user_permissions.set(Permission.objects.filter(codename__regex=r"^view_|^change_|^add_|^delete_"))
    client = Client()
    client.force_login(someone)
    return client


@pytest.fixture
def alices_game(alice: Player, daily: DailyDeal, now: datetime) -> Game:
    """Alice's ranked attempt after two draws: she has seen 30 cards."""
    game = start_ranked(alice, "standard", now)
    session = open_session(game, now)
    for version in range(2):
        commit(session.act(DRAW, version, now + timedelta(seconds=version)))
    return game


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return response.content.decode()


def cards_told(text: str) -> set[str]:
    """Return the cards that a page names, alone or in a row. Paths of icons may look like cards."""
    runs = CARDS.findall(re.sub(r"<svg.*?</svg>", "", text, flags=re.DOTALL))
    return {run[place : place + 2] for run in runs for place in range(0, len(run), 2)} - {"??"}


def change_address(row: Model) -> str:
    return f"/admin/games/{row._meta.model_name}/{row.pk}/change/"


def test_the_page_of_the_worker_shows_which_task_is_late_and_which_fails(superuser: Client, now: datetime) -> None:
    run: dict[str, Any] = {"every_seconds": 60, "last_run_at": now, "last_seconds": 0.0129, "runs": 7}
    WorkerTask.objects.create(name="sweep", **run)
    WorkerTask.objects.create(name="seal", **run | {"last_run_at": now - timedelta(hours=1)})
    WorkerTask.objects.create(name="certify", **run, failures_in_a_row=3, last_error="ValueError")
    shown = page(superuser, "/admin/games/workertask/")
    rows = {name: shown.partition(f">{name}<")[2].partition("</tr>")[0] for name in ("sweep", "seal", "certify")}
    assert "<b>" not in rows["sweep"]
    assert "0.013 s" in rows["sweep"]
    assert "<b>late</b>" in rows["seal"]
    assert "<b>fails</b>" in rows["certify"]
    assert "ValueError" in rows["certify"]


# What is secret


def test_staff_sees_no_card_of_an_open_game_until_they_have_looked_at_its_secrets(
    superuser: Client, staff: Player, alices_game: Game, daily: DailyDeal, now: datetime
) -> None:
    assert not cards_told(page(superuser, change_address(alices_game)))
    look_at_secrets(daily, staff, "a player reports a broken deal", now)
    text = page(superuser, change_address(alices_game))
    assert cards_told(text) == {card.text for card in alices_game.record().replay().seen}
    assert len(cards_told(text)) == 30


def test_nothing_of_a_practice_deal_is_told_before_its_game_has_ended(
    superuser: Client, alice: Player, now: datetime
) -> None:
    game = start_practice(alice, "pyramid-thirteen", now)
    assert not cards_told(page(superuser, change_address(game)) + page(superuser, change_address(game.deal)))
    commit(open_session(game, now).resign(0, now))
    assert len(cards_told(page(superuser, change_address(game)))) == 52
    assert len(cards_told(page(superuser, change_address(game.deal)))) == 52


@pytest.mark.parametrize(("moment", "shown"), [(-timedelta(milliseconds=1), False), (timedelta(), True)])
def test_a_daily_deal_is_shown_from_the_moment_when_its_last_game_has_to_end(
    superuser: Client, alices_game: Game, clock: time_machine.Traveller, moment: timedelta, shown: bool
) -> None:
    daily = alices_game.daily
    assert daily is not None
    clock.move_to(daily.key.finish_by + moment, tick=False)
    assert (daily.seed in page(superuser, change_address(daily))) is shown
    assert (daily.deal.deck in page(superuser, change_address(daily.deal))) is shown
    assert (len(cards_told(page(superuser, change_address(alices_game)))) == 52) is shown


def test_par_and_grade_are_told_with_the_cards_and_not_before(
    superuser: Client, daily: DailyDeal, now: datetime, clock: time_machine.Traveller
) -> None:
    Deal.objects.filter(pk=daily.deal_id).update(par=57, greedy_moves=63, careless_wins=2, careful_wins=5, grade="hard")
    page = f"/admin/games/deal/{daily.deal_id}/change/"
    assert "par 57" not in superuser.get(page).content.decode()
    clock.move_to(daily.key.finish_by)
    assert "par 57, greedy 63, hard" in superuser.get(page).content.decode()


@pytest.mark.parametrize("kept_for", ["race", "practice"])
def test_a_deal_in_stock_is_hidden_until_somebody_has_played_it(
    superuser: Client, alice: Player, now: datetime, kept_for: str
) -> None:
    deck = random_deck(RULE_SETS["giza"]).text
    kept = {"is_winnable": True, "grade": "hard", "kept_for": kept_for}
    deal = Deal.objects.create(rules="giza", deck=deck, created_at=now, **kept)
    assert not any(told in page(superuser, change_address(deal)) for told in (deck, ", hard"))
    Deal.objects.filter(pk=deal.pk).update(kept_for="")  # given out
    game = practise(alice, deal, now)
    assert deck not in page(superuser, change_address(deal))
    commit(open_session(game, now).resign(0, now))
    assert deck in page(superuser, change_address(deal))


def test_filters_that_are_not_on_offer_are_refused(superuser: Client, daily: DailyDeal) -> None:
    deck, seed = daily.deal.deck[:2], daily.seed[:1]
    for question in (
        f"games/deal/?deck__startswith={deck}",
        f"games/deal/?daily__seed__startswith={seed}",
        f"games/dailydeal/?seed__startswith={seed}",
        f"games/dailydeal/?deal__deck__startswith={deck}",
        f"games/game/?deal__deck__startswith={deck}",
        f"games/game/?daily__seed__startswith={seed}",
        "games/game/?log__action=D",
        "games/player/?password__startswith=pbkdf2",
        f"games/player/?games__deal__deck__startswith={deck}",
        "knox/authtoken/?digest__startswith=0",
    ):
        assert superuser.get(f"/admin/{question}").status_code == 400, question


def test_a_search_for_a_secret_finds_nothing(superuser: Client, daily: DailyDeal) -> None:
    for address in PAGES:
        for secret in (daily.deal.deck, daily.deal.deck[:4], daily.seed, daily.seed[:8]):
            assert "0 results" in page(superuser, f"{address}?q={secret}")


def test_a_log_that_breaks_the_rules_is_reported_without_a_card(
    superuser: Client, staff: Player, alices_game: Game, daily: DailyDeal, now: datetime
) -> None:
    look_at_secrets(daily, staff, "a player reports a broken deal", now)
    Move.objects.create(game=alices_game, version=3, action="R", at_ms=2000)
    text = page(superuser, change_address(alices_game))
    assert "The log does not replay: illegal_move." in text
    assert not cards_told(text)


def test_the_analysis_of_a_deal_that_is_played_again_is_hidden(superuser: Client, alice: Player, now: datetime) -> None:
    game = start_practice(alice, "relaxed", now)
    commit(open_session(game, now).resign(0, now))
    row = GameAnalysis.objects.create(game=game, state="done", result={"steps": []}, created_at=now, finished_at=now)
    assert "steps" in page(superuser, change_address(row))
    game.refresh_from_db()
    restart(game, now)
    assert "steps" not in page(superuser, change_address(row))


# Who may do what


def test_strangers_and_players_are_sent_to_the_login(client: Client, alice: Player) -> None:
    for _ in range(2):
        for address in ("/admin/", *PAGES):
            response = client.get(address)
            assert (response.status_code, response["Location"]) == (302, f"/admin/login/?next={address}")
        client.force_login(alice)


def test_staff_without_permissions_sees_nothing_but_who_looked_at_secrets(client: Client, db: None) -> None:
    client.force_login(Player.objects.create_user(username="newcomer", is_staff=True))
    statuses = {address: client.get(address).status_code for address in PAGES}
    assert statuses == dict.fromkeys(PAGES, 403) | {LOG_OF_ACCESSES: 200}


def test_nothing_can_be_added_and_nothing_but_tokens_and_apps_deleted(superuser: Client, alices_game: Game) -> None:
    for address in PAGES:
        assert superuser.get(f"{address}add/").status_code == 403
    for row in (alices_game, alices_game.deal, alices_game.player, *DailyDeal.objects.all()):
        address = change_address(row).replace("/change/", "/delete/")
        assert superuser.post(address, {"post": "yes"}).status_code == 403


def test_a_games_page_takes_no_changes(superuser: Client, alices_game: Game) -> None:
    assert superuser.post(change_address(alices_game), {"status": "won"}).status_code == 403
    alices_game.refresh_from_db()
    assert alices_game.status == "playing"


def test_a_lost_token_can_be_revoked(superuser: Client, alice: Player) -> None:
    token = AuthToken.objects.create(alice)[0]
    superuser.post(f"/admin/knox/authtoken/{token.pk}/delete/", {"post": "yes"})
    assert not AuthToken.objects.filter(user=alice).exists()


def test_an_app_that_deceives_is_found_by_its_owner_and_removed_with_all_that_it_was_allowed(
    superuser: Client, alice: Player, bob: Player, now: datetime
) -> None:
    bob.is_guest = False
    app = register_app(bob, "Widget", ["https://widget.example/"], now)
    token = issue(allow(alice, app, EVERYTHING, now), EVERYTHING, now).token
    assert change_address(app) in page(superuser, f"/admin/games/app/?q={bob.username}")
    shown = page(superuser, change_address(app))
    assert "https://widget.example/" in shown
    assert re.search(r"players who allow it something:.*?>1<", shown, flags=re.DOTALL | re.IGNORECASE)
    superuser.post(change_address(app).replace("/change/", "/delete/"), {"post": "yes"})
    assert not App.objects.exists()
    assert not AuthToken.objects.filter(digest=hash_token(token.token)).exists()
    assert LogEntry.objects.get(object_id=bob.pk).get_change_message() == "Removed an app."


def test_the_log_of_the_admin_forgets_the_name_of_a_deleted_account(
    superuser: Client, staff: Player, alice: Player, now: datetime
) -> None:
    token = AuthToken.objects.create(alice)[0]
    superuser.post(f"/admin/knox/authtoken/{token.pk}/delete/", {"post": "yes"})
    superuser.post(change_address(alice), {"display_name": "Alicia", "is_active": "on"})
    assert "Alicia" in superuser.get(change_address(alice).replace("change", "history")).text
    erase_player(Player.objects.get(pk=alice.pk), "asked for it", None, now)
    logged = LogEntry.objects.filter(user=staff)
    assert {entry.object_repr for entry in logged} == {Player.objects.get(pk=alice.pk).username}
    assert {entry.get_change_message() for entry in logged} == {"Changed Display name.", "Revoked API tokens."}


def test_a_reviewer_changes_name_bot_flag_and_activity_of_a_player_and_nothing_else(
    reviewer: Client, mallory: Player
) -> None:
    handle = mallory.username
    everything = {"display_name": "M", "is_bot": "on", "username": "m", "is_staff": "on", "is_superuser": "on"}
    assert reviewer.post(change_address(mallory), everything).status_code == 302
    mallory.refresh_from_db()
    assert (mallory.display_name, mallory.is_bot, mallory.is_active) == ("M", True, False)
    assert (mallory.username, mallory.is_staff, mallory.is_superuser) == (handle, False, False)


def test_a_new_name_takes_back_no_ban_of_the_same_moment(
    reviewer: Client, mallory: Player, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_after_a_ban(player: Player, name: str) -> None:
        Player.objects.filter(pk=player.pk).update(banned_at=now)
        give_name(player, name)

    monkeypatch.setattr("games.players.admin.give_name", give_after_a_ban)
    reviewer.post(change_address(mallory), {"display_name": "M", "is_active": "on"})
    mallory.refresh_from_db()
    assert (mallory.display_name, mallory.name_key, mallory.banned_at) == ("M", "m", now)


def test_a_name_that_nobody_may_have_is_refused_beside_its_field(reviewer: Client, mallory: Player) -> None:
    for name, why in (("The Admin", "could be mistaken"), ("Zoe (alice)", "looks like the handle of a player")):
        page = reviewer.post(change_address(mallory), {"display_name": name, "is_active": "on"})
        assert page.status_code == 200
        assert why in page.content.decode()
    former = mallory.name_key
    mallory.refresh_from_db()
    assert (mallory.display_name, mallory.name_key) == ("Mallory", former)


def test_the_page_of_a_player_asks_no_question_for_each_permission(
    admin_client: Client, mallory: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(Permission.objects.count() // 2):
        assert admin_client.get(change_address(mallory)).status_code == 200


def test_the_owner_of_a_bot_is_shown_and_neither_can_become_something_else(
    reviewer: Client, mallory: Player, bob: Player
) -> None:
    bot = Player.objects.create(username="robot", display_name="Robot", is_bot=True, owner=mallory)
    page = reviewer.get(change_address(bot)).content.decode()
    assert change_address(mallory) in page
    form = {"display_name": "Robot", "is_active": "on", "owner": bob.pk}
    assert reviewer.post(change_address(bot), form).status_code == 302
    assert reviewer.post(change_address(mallory), form | {"is_bot": "on"}).status_code == 302
    bot.refresh_from_db()
    mallory.refresh_from_db()
    assert (bot.is_bot, bot.owner, mallory.is_bot) == (True, mallory, False)
    listed = reviewer.get(f"/admin/games/player/?owner={mallory.pk}").content.decode()
    assert "robot" in listed
    assert "Bob" not in listed


def test_a_reviewer_cannot_touch_the_accounts_of_staff(reviewer: Client, staff: Player) -> None:
    assert reviewer.post(change_address(staff), {"display_name": "Ousted"}).status_code == 403


def test_a_superuser_makes_a_player_staff(superuser: Client, bob: Player) -> None:
    superuser.post(change_address(bob), {"display_name": "Bob", "is_active": "on", "is_staff": "on"})
    bob.refresh_from_db()
    assert (bob.is_staff, bob.is_superuser) == (True, False)


# What it is for


def test_a_games_page_shows_its_log_its_board_and_its_record(
    superuser: Client, staff: Player, alices_game: Game, daily: DailyDeal, now: datetime
) -> None:
    look_at_secrets(daily, staff, "a player reports a broken deal", now)
    text = page(superuser, change_address(alices_game))
    assert "      2  D               1000             -" in text
    assert "stock      ??x22" in text
    assert f"[Game &quot;{alices_game.id}&quot;]" in text


def test_games_are_found_by_identifier_and_by_player(superuser: Client, alices_game: Game, bob: Player) -> None:
    for term in (alices_game.id, alices_game.player.username):
        assert "1 result" in page(superuser, f"/admin/games/game/?q={term}")
    assert "0 results" in page(superuser, f"/admin/games/game/?q={bob.username}")


ROWS = {
    "games/dailydeal/?rules=standard": 16,
    "games/dailydeal/?rules=giza": 0,
    "games/game/?ranked=yes": 1,
    "games/game/?ranked=no": 0,
    "games/game/?status__exact=won": 0,
    "games/game/?day=2026-03-01&rules=standard": 1,
    "games/game/?day=yesterday": 0,
    "games/deal/?rules=standard": 16,
    "games/dailydeal/?day=2026-03-01": 2,
    "games/dailydeal/?day=last7": 2,
    "games/dailydeal/?day=never": 0,
    "games/dailydeal/?state=open": 2,
    "games/dailydeal/?state=committed": 14,
    "games/dailydeal/?state=final": 0,
    "games/player/?q=ALI": 1,
}


def test_filters_narrow_a_list(superuser: Client, alices_game: Game, dailies: None) -> None:
    assert {choice: page(superuser, f"/admin/{choice}").count('<th class="field-') for choice in ROWS} == ROWS


def test_every_filter_that_a_list_offers_works(superuser: Client, alices_game: Game) -> None:
    for address in PAGES:
        offered = re.findall(r'<a href="(\?[^"]+)"', page(superuser, address))
        assert len(offered) > 2 or address.endswith(("authtoken/", "app/", "logentry/"))
        for query in offered:
            if "rules=" not in query or "rules=giza" in query:  # one rule set stands for all
                page(superuser, address + html.unescape(query))


def test_days_are_filtered_by_the_state_that_they_have(
    superuser: Client, daily: DailyDeal, dailies: None, clock: time_machine.Traveller
) -> None:
    clock.move_to(daily.key.closes_at + timedelta(days=1, minutes=10), tick=False)
    for state in DailyState:
        text = page(superuser, f"/admin/games/dailydeal/?state={state.value}&rules=standard")
        assert set(re.findall(r'field-state">(\w+)<', text)) <= {state.value}
        in_state = [one for one in DailyDeal.objects.all() if one.key.state(datetime.now(UTC)) == state]
        assert text.count('field-state">') == len(in_state)


def test_a_player_is_found_by_part_of_the_name_and_so_are_the_games(superuser: Client, alices_game: Game) -> None:
    for part in ("Ali", "LIC", alices_game.player.username[2:]):
        assert alices_game.id in page(superuser, f"/admin/games/game/?q={part}")


def test_player_game_deal_and_day_link_to_each_other(superuser: Client, alices_game: Game) -> None:
    assert alices_game.daily is not None
    rows: list[Model] = [alices_game.player, alices_game.deal, alices_game.daily]
    for row in rows:
        assert change_address(row) in page(superuser, change_address(alices_game))
        text = page(superuser, change_address(row))
        (address,) = re.findall(r'href="(/admin/games/game/\?\w+=[^"]+)"', text)
        assert change_address(alices_game) in page(superuser, address)


def test_the_page_of_a_day_shows_its_attempts(superuser: Client, alices_game: Game) -> None:
    assert alices_game.daily is not None
    text = page(superuser, change_address(alices_game.daily))
    assert change_address(alices_game) in text
    assert "being played" in text


def test_a_link_leads_to_rows_by_their_key_alone(superuser: Client, alices_game: Game) -> None:
    for query in ("player__password__startswith=p", "player__gt=0", "deal__deck__startswith=A"):
        assert superuser.get(f"/admin/games/game/?{query}").status_code == 400


def test_pages_that_change_nothing_have_no_script_but_djangos_theme_and_filters(
    superuser: Client, alices_game: Game
) -> None:
    for address in ("/admin/", *PAGES):
        response = superuser.get(address)
        scripts = set(re.findall(r'<script src="[^"]*/(\w+)\.', response.content.decode()))
        assert scripts <= {"theme", "filters"}, address
        assert "require-trusted-types-for 'script'" in response["Content-Security-Policy"]


def queries_of(client: Client, address: str) -> list[str]:
    with CaptureQueriesContext(connection) as queries:
        page(client, address)
    return [query["sql"] for query in queries]


def test_lists_of_many_rows_take_no_more_queries_than_those_of_few_and_count_no_whole_table(
    superuser: Client, daily: DailyDeal, now: datetime
) -> None:
    page(superuser, PAGES[0])  # the first one of a day also notes where the player came from
    taken = []
    for more in (2, 20):
        for _ in range(more):
            start_ranked(create_guest().player, "standard", now)
        taken.append({address: queries_of(superuser, address) for address in PAGES})
    few, many = taken
    assert {address: len(queries) for address, queries in few.items()} == {
        address: len(queries) for address, queries in many.items()
    }
    for queries in many.values():
        counting = [sql for sql in queries if "COUNT(" in sql]
        assert counting
        assert all("LIMIT" in sql for sql in counting)
