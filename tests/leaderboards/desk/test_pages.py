"""The desk over HTTP: what each page shows to whom, what a form does, and what it costs."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.models import Entry
from leaderboards.boards.submission import submit
from leaderboards.desk.models import SavedView
from leaderboards.detectors import hindsight
from leaderboards.moderation.cases import open_or_join, take
from leaderboards.moderation.choices import Choice
from leaderboards.moderation.evidence_models import Examination, KeptFinding, WeighedGame
from leaderboards.moderation.models import Case, LogCheck, LogLine, Outcome
from leaderboards.moderation.reports import report
from leaderboards.moderation.traces import remember
from leaderboards.moderation.weighing import weigh_cases
from tests.games.api import Api
from tests.leaderboards.conftest import NOON, Finish, crowd_of, named, submit_score
from tests.leaderboards.desk.conftest import LATER, Desk
from tests.leaderboards.moderation.conftest import decided, staff
from tests.leaderboards.moderation.test_deciding import BAN, CLEAR, DISQUALIFY

PAGES = [
    "/admin/review/",
    "/admin/review/decisions/",
    "/admin/review/detectors/",
    "/admin/review/faults/",
    "/admin/review/clubs/",
    "/admin/review/cups/",
]
CHOICE = {"outcome": "disqualify", "reason": "unseen_cards", "text": "Three choices fit what came."}


@pytest.fixture
def case(desk: Desk, finish: Finish) -> Case:
    """A case about a score behind eleven others, so that one reviewer can decide it."""
    submit([finish(player, moves=30 + place).pk for place, player in enumerate(crowd_of(11))], NOON)
    return desk.case_about(desk.play_badly("mallory", NOON + timedelta(hours=1)))


@pytest.fixture
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Weigh a game in a moment."""
    monkeypatch.setattr(hindsight, "SAMPLES", 2)


def address(case: Case) -> str:
    return f"/admin/review/{case.pk}/"


def text_of(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, path
    return str(response.content.decode())


def versions_in(page: str) -> str:
    (found,) = re.findall(r'name="versions" value="([^"]*)"', page)
    return str(found).replace("&quot;", '"')


def decide(client: Client, case: Case, **choice: str) -> Any:
    """Choose, look at the changes, confirm."""
    client.post(address(case), {"act": "take"})
    page = client.post(address(case), {"act": "decide", **CHOICE, **choice}).content.decode()
    return client.post(address(case), {"act": "decide", **CHOICE, **choice, "versions": versions_in(page)})


# Who may


@pytest.mark.parametrize("path", [*PAGES, "/admin/review/1/", "/admin/review/1/moves/", "/admin/review/views/"])
def test_players_are_sent_to_the_login_and_staff_that_does_not_review_is_refused(
    client: Client, db: None, path: str
) -> None:
    client.force_login(named("alice"))
    assert client.get(path)["Location"].startswith("/admin/login/")
    client.force_login(named("clerk", is_staff=True))
    assert client.get(path).status_code in (403, 405)
    assert client.post(path).status_code in (403, 405)


def test_a_case_about_a_reviewer_or_a_linked_account_does_not_exist_for_the_reviewer(
    desk: Desk, ines: Player, robin: Player
) -> None:
    about_ines = desk.case_about(desk.play_as(ines))
    friend = desk.play("friend", NOON + timedelta(minutes=5))
    remember([(ines.pk, "", "a tablet")], NOON)
    remember([(friend.player_id, "", "a tablet")], NOON)
    for case in (about_ines, desk.case_about(friend)):
        browser = desk.browser_of(ines)
        assert browser.get(address(case)).status_code == 404
        assert browser.post(address(case), {"act": "take"}).status_code == 404
        assert browser.get(f"{address(case)}moves/?outcome=clear").status_code == 404
        assert address(case) not in text_of(browser, "/admin/review/")
        assert address(case) in text_of(desk.browser_of(robin), "/admin/review/")


# The queue


def test_the_queue_shows_cases_with_their_findings_and_filters_them(desk: Desk, case: Case, ines: Player) -> None:
    browser = desk.browser_of(ines)
    KeptFinding.objects.create(
        player=case.player,
        game_id=case.player.games.get().pk,
        case=case,
        detector="copied line",
        version="1",
        strength="case",
        score=13,
        threshold=12,
        explanation="The same.",
        at=NOON,
    )
    page = text_of(browser, "/admin/review/")
    assert "Follows lines that others had played" in page
    for query in (
        "q=MALL",
        f"q={case.pk}",
        f"day={NOON.date()}",
        "signal=copied+line",
        "rules=standard&order=oldest",
        "state=open",
    ):
        assert address(case) in text_of(browser, f"/admin/review/?{query}"), query
    for query in ("q=nobody", "day=2020-01-01", "signal=preview", "view=mine", "reviewer=me"):
        assert "Nothing is waiting here" in text_of(browser, f"/admin/review/?{query}"), query
    for nonsense in ("view=x&day=x&rules=x&signal=x&reviewer=x&order=x&page=x&state=x", "q=99999999999999999999"):
        assert browser.get(f"/admin/review/?{nonsense}").status_code == 200


def test_a_view_is_saved_for_oneself_or_for_all_and_deleted_by_its_owner(
    desk: Desk, ines: Player, robin: Player
) -> None:
    own, other = desk.browser_of(ines), desk.browser_of(robin)
    own.post("/admin/review/views/", {"name": "Copied", "query": "signal=copied+line"})
    own.post("/admin/review/views/", {"name": "All of today", "query": "order=newest", "is_shared": "on"})
    assert "Copied" in text_of(own, "/admin/review/")
    shown = text_of(other, "/admin/review/")
    assert ">Copied</a>" not in shown
    assert "All of today" in shown
    other.post("/admin/review/views/", {"name": "All of today", "act": "delete"})
    assert SavedView.objects.count() == 2
    assert "Delete “" not in shown
    assert "Delete “All of today”" in text_of(own, "/admin/review/")
    own.post("/admin/review/views/", {"name": "All of today", "act": "delete"})
    assert SavedView.objects.count() == 1
    SavedView.objects.bulk_create(SavedView(owner=ines, name=str(number), query="") for number in range(19))
    refused = own.post("/admin/review/views/", {"name": "One more", "query": "order=newest"}, follow=True)
    assert "You have saved 20 views: delete one first." in refused.content.decode()


def test_the_queue_takes_twelve_queries_and_a_case_twenty_eight_however_many_there_are(
    desk: Desk, case: Case, ines: Player, few_samples: None
) -> None:
    browser = desk.browser_of(ines)
    weigh_cases(LATER)
    for number in range(6):
        desk.case_about(desk.play(f"more-{number}", NOON + timedelta(hours=2, minutes=number)))
    browser.get("/admin/")  # once a day it is noted where a player comes from
    with CaptureQueriesContext(connection) as queries:
        text_of(browser, "/admin/review/?rules=standard")
    assert len(queries) <= 12
    with CaptureQueriesContext(connection) as queries:
        text_of(browser, address(case))
    assert len(queries) <= 28


def test_a_search_and_a_state_find_cases_that_are_decided_too(desk: Desk, case: Case, ines: Player) -> None:
    browser = desk.browser_of(ines)
    decided(case, ines, CLEAR, LATER)
    Case.objects.filter(pk=case.pk).update(state="closed")
    for query in (f"q={case.pk}", f"q={case.player.games.get().pk}", "q=mallory", "state=closed"):
        assert address(case) in text_of(browser, f"/admin/review/?{query}"), query
    for query in ("", "state=decided", "order=oldest", f"view=mine&q={case.pk}"):
        assert address(case) not in text_of(browser, f"/admin/review/?{query}"), query


# The case


def test_a_case_shows_the_game_step_by_step_without_a_script(desk: Desk, case: Case, ines: Player) -> None:
    browser = desk.browser_of(ines)
    first, second = text_of(browser, f"{address(case)}?at=1"), text_of(browser, f"{address(case)}?at=2")
    assert "✓ Replays." in first
    assert 'href="?at=2#replay"' in first
    assert re.search(r'<output id="at">1 / \d+', first)
    assert re.search(r'<output id="at">2 / \d+', second)
    assert first.count("data-card=") == 52
    pictures = [re.findall(r'<g data-card="\d+" class="([^"]*)" transform="([^"]*)"', page) for page in (first, second)]
    assert pictures[0] != pictures[1]
    for at in ("0", "99999", "x", "-1", "9" * 30):
        assert browser.get(f"{address(case)}?at={at}").status_code == 200


def test_drawings_have_the_same_numbers_in_every_language(desk: Desk, case: Case, ines: Player) -> None:
    english, german = (
        desk.browser_of(ines).get(address(case), headers={"accept-language": language}).content.decode()
        for language in ("en", "de")
    )
    drawn = r' (?:[cxy][12xy]?|width|height|transform)="[^"]*"'
    assert f"Fall {case.pk}" in german
    assert re.findall(drawn, english) == re.findall(drawn, german)


def test_what_each_move_wasted_is_shown_once_the_worker_has_weighed_it(
    desk: Desk, case: Case, ines: Player, few_samples: None
) -> None:
    browser = desk.browser_of(ines)
    assert "is not computed yet" in text_of(browser, address(case))
    assert weigh_cases(LATER) == 1
    assert weigh_cases(LATER) == 0
    page = text_of(browser, f"{address(case)}?at=1")
    assert "by what was seen" in page
    assert page.count(", played</td>") == 1
    steps: list[Any] = WeighedGame.objects.get().steps or []
    assert len(steps) == case.player.games.get().moves
    assert all(sum(move["is_played"] for move in step["moves"]) <= 1 for step in steps)


def test_nothing_of_an_open_day_is_shown_and_the_case_can_be_taken(
    desk: Desk, case: Case, ines: Player, clock: time_machine.Traveller
) -> None:
    clock.move_to(NOON + timedelta(hours=2), tick=False)
    browser = desk.browser_of(ines)
    page = text_of(browser, f"{address(case)}?at=3")
    assert "Hidden until 21 Nov 00:30" in page
    assert not re.search("data-card|replay-data|[♣♦♥♠]|class=.dots", page)
    assert not re.search("[♣♦♥♠]|class=.ln", text_of(browser, f"/admin/review/players/{case.player_id}/"))
    assert weigh_cases(NOON + timedelta(hours=2)) == 0
    assert browser.post(address(case), {"act": "take"}).status_code == 303
    assert "Open day" not in text_of(browser, "/admin/review/?view=mine")


def test_a_record_that_does_not_replay_ends_the_page_with_the_difference(
    desk: Desk, ines: Player, finish: Finish
) -> None:
    game = finish(named("mallory"))  # won, without a single move in its log
    submit_score(game, NOON)
    page = text_of(desk.browser_of(ines), address(desk.case_about(game)))
    assert "Does not replay" in page
    assert "What was found" not in page
    assert "Take the case" in page


def test_an_appeal_is_read_even_without_a_replay_and_turns_no_text_but_its_own(
    desk: Desk, ines: Player, robin: Player, finish: Finish
) -> None:
    game = finish(named("mallory"))  # won, without a single move in its log
    submit_score(game, NOON)
    case, browser = desk.case_about(game), desk.browser_of(ines)
    for reviewer in (ines, robin):
        decided(case, reviewer, DISQUALIFY, LATER)
    case.refresh_from_db()
    assert case.decision
    hostile = "<script>alert(1)</script>\u202e\u2066 12 enil tsniaga \x1b[2J"
    assert Api(game.player).post(f"/api/me/review/{case.decision.number}/appeal/", {"text": hostile}).status_code == 200
    page = text_of(browser, address(case))
    assert "Does not replay" in page
    assert f"<bdi>{escape(hostile)}</bdi>" in page


def test_the_account_of_a_deleted_player_can_be_judged_all_the_same(desk: Desk, case: Case, ines: Player) -> None:
    Player.objects.filter(pk=case.player_id).update(is_active=False, username="deleted-1", display_name="")
    assert "deleted account" in text_of(desk.browser_of(ines), address(case))


def test_games_before_the_first_with_a_finding_are_counted_to_the_first_that_any_finding_names(
    desk: Desk, ines: Player, finish: Finish
) -> None:
    last = desk.play("mallory")
    games = [*(finish(last.player, days=days) for days in range(1, 5)), last]
    for place, game in enumerate(games):
        at = NOON + timedelta(hours=place)
        Examination.objects.create(game=game, player=last.player, version="1/1", at=at, evidence={})
    case, browser = desk.case_about(last), desk.browser_of(ines)
    assert "before the first with a finding" not in text_of(browser, address(case))
    for about, rests_on in ((games[3], games[2:4]), (games[2], games[1:3]), (last, [last])):
        KeptFinding.objects.create(
            player=last.player,
            game=about,
            case=case,
            detector="near par",
            version="1/1",
            strength="watch",
            score=1500,
            threshold=1000,
            games=[game.pk for game in reversed(rests_on)],
            at=NOON,
        )
    assert "<li>1 ranked game before the first with a finding.</li>" in text_of(browser, address(case))


def test_a_case_says_which_rank_its_score_has_or_would_have_without_a_flag_and_none_of_a_disqualified_one(
    desk: Desk, case: Case, ines: Player, robin: Player, finish: Finish
) -> None:
    held = finish(named("hasty"), moves=20, hasty=6)
    submit_score(held, NOON)
    browser, about_held = desk.browser_of(ines), desk.case_about(held)
    assert "The entry ranks 12 on a board of the day." in text_of(browser, address(case))
    page = text_of(browser, address(about_held))
    assert "Without the flag the entry would rank 1 on a board of the day." in page
    assert "The entry ranks" not in page
    assert re.findall(r"rank (\d+) at stake", text_of(browser, "/admin/review/?order=oldest")) == ["12", "1"]
    for reviewer, judged in ((ines, case), (ines, about_held), (robin, about_held)):
        decided(judged, reviewer, DISQUALIFY, LATER)
    for judged in (case, about_held):
        judged.refresh_from_db()
        assert judged.state == "decided"
        assert not re.search("entry (would )?rank", text_of(browser, address(judged)))
    assert "at stake" not in text_of(browser, "/admin/review/?view=decided-today")


def test_the_newest_ten_of_the_other_cases_are_listed_and_an_old_acquittal_still_speaks_for_the_player(
    desk: Desk, ines: Player, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, browser = desk.play("mallory"), desk.browser_of(ines)
    case, others = desk.case_about(game), []
    for days in range(1, 13):
        daily = finish(game.player, days=days).daily
        assert daily
        others.append(open_or_join(game.player_id, daily, "a test", NOON - timedelta(days=days)))
    decided(others[-1], ines, CLEAR, LATER)
    page = text_of(browser, address(case))
    listed = page.partition("Other cases:")[2].partition("</p>")[0]
    assert re.findall(r"/admin/review/(\d+)/", listed) == [str(other.pk) for other in others[:10]]
    every = f"/admin/leaderboards/case/?player={game.player_id}"
    assert f'<a href="{every}">and 2 more</a>' in listed
    assert f"<li>Case {others[-1].pk} was cleared.</li>" in page
    listed = text_of(browser, every)
    assert all(f"/admin/leaderboards/case/{other.pk}/change/" in listed for other in others)
    monkeypatch.setattr("leaderboards.desk.player.MOST_CASES", 5)
    page = text_of(browser, f"/admin/review/players/{game.player_id}/")
    assert "<dt>Cases</dt><dd>13</dd>" in page
    assert f'<a href="{every}">The newest 5.</a>' in page


# Deciding


def test_a_ban_is_seconded_by_any_reviewer_and_an_appeal_against_it_can_be_rejected(
    desk: Desk, case: Case, ines: Player, sigrid: Player
) -> None:
    second, judge = (desk.browser_of(who) for who in (ines, staff("tove", "senior reviewer")))
    second.post(address(case), {"act": "take"})
    assert "Ban the player: senior reviewers" in text_of(second, address(case))
    second.post(address(case), {"act": "release"})
    decided(case, sigrid, BAN, LATER)
    second.post(address(case), {"act": "take"})
    assert "Ban the player <kbd>" in text_of(second, address(case))
    decide(second, case, outcome="ban")
    case.refresh_from_db()
    assert case.decision
    assert (case.decision.outcome, case.decision.confirms) == ("ban", ines)
    Api(case.player).post(f"/api/me/review/{case.decision.number}/appeal/", {"text": "It was me."})
    judge.post(address(case), {"act": "take"})
    page = text_of(judge, address(case))
    assert "Ban the player: reject the appeal <kbd>" in page
    assert "banned already" not in page
    decide(judge, case, outcome="ban")
    case.refresh_from_db()
    assert (case.state, case.appeal_until) == ("closed", None)


def test_who_reinstates_a_score_of_a_banned_player_reads_that_it_waits_for_the_end_of_the_ban(
    desk: Desk, case: Case, ines: Player, sigrid: Player, finish: Finish
) -> None:
    game = finish(case.player, days=1)
    submit_score(game, NOON)
    assert game.daily
    banned, browser = open_or_join(case.player_id, game.daily, "a test", NOON), desk.browser_of(ines)
    decided(case, ines, DISQUALIFY, LATER)
    for reviewer in (sigrid, ines):
        decided(banned, reviewer, BAN, LATER)
    browser.post(address(case), {"act": "take"})
    page = browser.post(address(case), {"act": "decide", "outcome": "reinstate", "reason": "our_mistake", "text": ""})
    assert "The player is banned: the score has its rank when the ban ends." in page.content.decode()


def test_the_next_case_is_one_that_the_reviewer_may_take(desk: Desk, case: Case, sigrid: Player, ines: Player) -> None:
    proposed = [desk.case_about(desk.play(f"more-{number}", NOON + timedelta(hours=2 + number))) for number in range(2)]
    Case.objects.filter(pk__in=[one.pk for one in proposed]).update(urgency=case.urgency + 1)
    browser = desk.browser_of(sigrid)
    for one in proposed:
        decided(one, sigrid, BAN, LATER)
    for one in proposed:
        assert f'Next: <a href="{address(case)}">' in text_of(browser, address(one))
    assert f'Next: <a href="{address(proposed[0])}">' in text_of(desk.browser_of(ines), address(proposed[1]))


def test_what_is_found_reported_or_noted_meanwhile_is_read_before_a_decision(
    desk: Desk, case: Case, ines: Player, robin: Player
) -> None:
    def seen_in(page: str) -> str:
        return str(re.findall(r'name="seen" value="([^"]*)"', page)[0])

    browser, game = desk.browser_of(ines), case.player.games.get()
    browser.post(address(case), {"act": "take"})
    browser.post(address(case), {"act": "note", "text": "I begin with the game."})
    chosen = {"act": "decide", **CHOICE, "seen": seen_in(text_of(browser, address(case)))}
    page = browser.post(address(case), chosen).content.decode()
    confirmed = {**chosen, "versions": versions_in(page), "seen": seen_in(page)}
    report(game.pk, named("alice"), "He told me how.", LATER)
    answers = [browser.post(address(case), posted) for posted in (chosen, confirmed)]
    assert [answer.status_code for answer in answers] == [400, 400]
    for answer in answers:
        assert "since you opened this case: read it first" in answer.content.decode()
        assert "He told me how." in answer.content.decode()
    desk.browser_of(robin).post(address(case), {"act": "note", "text": "I know her."})
    confirmed["seen"] = seen_in(answers[1].content.decode())
    assert browser.post(address(case), confirmed).status_code == 400
    confirmed["seen"] = seen_in(text_of(browser, address(case)))
    assert browser.post(address(case), confirmed).status_code == 303


def test_a_reviewer_sees_who_moves_decides_and_gets_the_next_case(desk: Desk, case: Case, ines: Player) -> None:
    other = desk.case_about(desk.play("other", NOON + timedelta(hours=3)))
    browser = desk.browser_of(ines)
    response = decide(browser, case)
    assert (response.status_code, response["Location"]) == (303, address(other))
    case.refresh_from_db()
    assert case.decision is not None
    assert (case.decision.outcome, case.decision.text) == ("disqualify", CHOICE["text"])
    assert set(
        Entry.objects.filter(player=case.player, valid_to=None).exclude(game=None).values_list("state", flat=True)
    ) == {"disqualified"}
    page = text_of(browser, "/admin/review/decisions/")
    assert "The play fits cards that had not been turned up yet." in page
    assert "Case" in text_of(browser, address(case))


def test_the_preview_says_who_would_move_and_changes_nothing(desk: Desk, case: Case, ines: Player) -> None:
    browser = desk.browser_of(ines)
    lines = LogLine.objects.count()
    found = browser.get(f"{address(case)}moves/?outcome=disqualify&reason=program").json()
    assert {board["after"] for board in found["boards"]} == {None}
    assert browser.get(f"{address(case)}moves/?outcome=disqualify&reason=explained").status_code == 400
    assert browser.get(f"{address(case)}moves/?outcome=nonsense").status_code == 400
    assert LogLine.objects.count() == lines


def test_the_confirm_page_lists_the_first_who_move_and_all_of_them_on_request(
    desk: Desk, case: Case, ines: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboards.desk.acting.MOST_ROWS", 2)
    first = desk.case_about(Game.objects.get(player__username="player-0"))
    browser = desk.browser_of(ines)
    browser.post(address(first), {"act": "take"})
    few = browser.post(address(first), {"act": "decide", **CHOICE}).content.decode()
    everyone = browser.post(address(first), {"act": "decide", **CHOICE, "all": "yes"}).content.decode()
    hidden = re.search(r"Show (\d+) more", few)
    assert hidden
    assert everyone.count("→") - few.count("→") == int(hidden[1]) > 0
    assert "more</button>" not in everyone
    assert versions_in(few) == versions_in(everyone)


def test_boards_that_move_under_the_preview_make_the_page_ask_again(desk: Desk, case: Case, ines: Player) -> None:
    browser = desk.browser_of(ines)
    browser.post(address(case), {"act": "take"})
    page = browser.post(address(case), {"act": "decide", **CHOICE}).content.decode()
    desk.play("newcomer", NOON + timedelta(hours=4))
    form = {"act": "decide", **CHOICE, "versions": versions_in(page)}
    again = browser.post(address(case), form)
    assert again.status_code == 409
    assert "Look at the changes again" in again.content.decode()
    assert not LogLine.objects.filter(act="decided").exists()
    form["versions"] = versions_in(again.content.decode())
    assert browser.post(address(case), form).status_code == 303


def test_of_two_reviewers_one_gets_the_case_and_the_other_is_told_who(
    desk: Desk, case: Case, ines: Player, robin: Player
) -> None:
    take(case.pk, ines, LATER - timedelta(seconds=4))
    browser = desk.browser_of(robin)
    response = browser.post(address(case), {"act": "take"})
    assert response.status_code == 409
    assert "Ines took it 4 s ago" in response.content.decode()
    refused = browser.post(address(case), {"act": "decide", **CHOICE})
    assert refused.status_code == 409
    assert "Ines took it" in refused.content.decode()


MEANINGLESS = (
    {},
    {"act": "delete"},
    {"act": "decide", "outcome": "hang"},
    {"act": "note", "text": " "},
    *({"act": "decide", **CHOICE, "versions": versions} for versions in ("x", '{"a":1e400}', "[" * 50_000, "null")),
)


def test_a_form_that_means_nothing_is_refused_and_changes_nothing(desk: Desk, case: Case, ines: Player) -> None:
    browser = desk.browser_of(ines)
    browser.post(address(case), {"act": "take"})
    lines = LogLine.objects.count()
    for form in MEANINGLESS:
        response = browser.post(address(case), form)
        assert response.status_code == 400, form
        assert form.get("text", "") in response.content.decode()
        assert LogLine.objects.count() == lines, form


def test_a_second_reviewer_sees_the_evidence_and_not_the_choice(desk: Desk, ines: Player, robin: Player) -> None:
    case = desk.case_about(desk.play("mallory"))
    decided(case, ines, Choice(Outcome.DISQUALIFY, "unseen_cards", CHOICE["text"]), LATER)
    case.refresh_from_db()
    assert case.needs == "second"
    browser = desk.browser_of(robin)
    browser.post(address(case), {"act": "take"})
    seen = text_of(browser, address(case))
    assert "hidden until you have chosen" in seen
    assert CHOICE["text"] not in seen
    decide(browser, case, text="I agree.")
    case.refresh_from_db()
    assert case.decision is not None
    assert (case.decision.by, case.decision.confirms) == (ines, robin)


FIRST = "The second reviewer does not see your choice before making one."
SAID = {
    "proposes": (FIRST, "Propose to a second reviewer"),
    "proposes to senior": (f"{FIRST} It takes effect only if a senior agrees.", "Propose to a second reviewer"),
    "completes": ("If you both agree, it takes effect now; if not, a senior reviewer looks at it.", "Decide"),
    "waits for senior": ("Even if you both agree, it takes effect only if a senior reviewer agrees.", "Decide"),
    "settles": ("If you agree with one of the two, it takes effect now; if not, you propose it to a", "Decide"),
}


@pytest.mark.parametrize(
    ("days", "steps"),
    [
        (1, ["ines proposes proposed", "robin completes decided"]),
        (
            5,
            ["ines proposes to senior proposed", "robin waits for senior seconded", "sigrid settles decided"],
        ),
        (5, ["sigrid proposes proposed", "robin completes decided"]),
        (5, ["ines proposes to senior proposed", "sigrid completes decided"]),
    ],
)
def test_the_confirm_page_says_to_each_reviewer_in_turn_what_the_choice_will_do(
    desk: Desk,
    ines: Player,
    robin: Player,
    sigrid: Player,
    clock: time_machine.Traveller,
    days: int,
    steps: list[str],
) -> None:
    case = desk.case_about(desk.play("mallory"))
    clock.move_to(NOON + timedelta(days=days), tick=False)
    people = {"ines": ines, "robin": robin, "sigrid": sigrid}
    for step in steps:
        name, rest = step.split(" ", 1)
        said, act = rest.rsplit(" ", 1)
        browser = desk.browser_of(people[name])
        browser.post(address(case), {"act": "take"})
        page = browser.post(address(case), {"act": "decide", **CHOICE}).content.decode()
        assert [effect for effect, (words, _) in SAID.items() if f"</b> {words}" in page][-1:] == [said]
        assert f'type="submit">{SAID[said][1]}</button>' in page
        moves = browser.get(f"{address(case)}moves/?outcome=disqualify&reason=unseen_cards").json()
        assert f"</b> {moves['says']}</p>" in page
        browser.post(address(case), {"act": "decide", **CHOICE, "versions": versions_in(page)})
        assert LogLine.objects.latest("number").act == act


def test_two_who_agree_about_a_final_day_are_told_that_it_takes_a_senior_reviewer_too(
    desk: Desk, ines: Player, robin: Player, clock: time_machine.Traveller
) -> None:
    case = desk.case_about(desk.play("mallory"))
    clock.move_to(NOON + timedelta(days=5), tick=False)
    decided(case, ines, DISQUALIFY, LATER + timedelta(days=4))
    browser = desk.browser_of(robin)
    told = text_of(browser, decide(browser, case)["Location"])
    assert f"You agree about case {case.pk}; a senior reviewer must agree too." in told
    case.refresh_from_db()
    assert case.needs == "senior"


def test_bans_are_for_senior_reviewers(desk: Desk, case: Case, ines: Player, sigrid: Player) -> None:
    for reviewer, allowed in ((ines, False), (sigrid, True)):
        browser = desk.browser_of(reviewer)
        browser.post(address(case), {"act": "take"})
        page = text_of(browser, address(case))
        assert ('value="ban" required disabled' in page) is not allowed
        browser.post(address(case), {"act": "release"})


def test_a_note_and_handing_back_stand_in_the_log(desk: Desk, case: Case, ines: Player) -> None:
    browser = desk.browser_of(ines)
    browser.post(address(case), {"act": "take"})
    assert browser.post(address(case), {"act": "note", "text": "Asked the player."}).status_code == 303
    assert browser.post(address(case), {"act": "release"}).status_code == 303
    page = text_of(browser, address(case))
    assert "Asked the player." in page
    assert "Take the case" in page


def test_a_broken_log_is_told_on_every_page_and_locks_decisions(desk: Desk, case: Case, ines: Player) -> None:
    LogCheck.objects.create(at=LATER, lines=1, mistake="the decision log is broken at line 1")
    browser = desk.browser_of(ines)
    for path in ("/admin/", "/admin/review/", "/admin/review/decisions/", address(case)):
        assert "The decision log is broken." in text_of(browser, path), path
    assert 'name="outcome"' not in text_of(browser, address(case))


@pytest.mark.parametrize("path", ["/admin/", *PAGES])
def test_every_page_opens_with_nothing_at_all(db: None, client: Client, path: str) -> None:
    client.force_login(staff("ines", "reviewer"))
    response = client.get(path)
    assert response.status_code == 200
    assert "require-trusted-types-for" in response["Content-Security-Policy"]


def test_everybody_reads_what_came_of_moderation_by_month(desk: Desk, case: Case, ines: Player, client: Client) -> None:
    decided(case, ines, CLEAR, LATER)
    page = text_of(client, "/review/")
    assert "2026-11" in page
    assert "cleared 1" in page
    assert "mallory" not in page


def test_the_list_of_cases_is_linked_from_their_players_and_leaves_out_a_reviewers_own(
    desk: Desk, case: Case, ines: Player
) -> None:
    own, browser = desk.case_about(desk.play_as(ines)), desk.browser_of(ines)
    assert f"/admin/leaderboards/case/?player={case.player_id}" in text_of(
        browser, f"/admin/games/player/{case.player_id}/change/"
    )
    listed = text_of(browser, f"/admin/leaderboards/case/?player={case.player_id}")
    assert f"/admin/leaderboards/case/{case.pk}/change/" in listed
    assert f"/admin/leaderboards/case/{own.pk}/change/" not in text_of(browser, "/admin/leaderboards/case/")
    assert browser.get(f"/admin/leaderboards/case/{case.pk}/change/")["Location"] == address(case)
