"""Bans among other decisions about the same player: what they take, and what their end gives back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.calendar.models import DailyDeal, SecretAccess
from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.models import Entry
from leaderboards.boards.recounting import boards_to_recount, mistakes_on
from leaderboards.boards.submission import submit
from leaderboards.moderation import log
from leaderboards.moderation.appeals import appeal
from leaderboards.moderation.choices import Choice, states_of
from leaderboards.moderation.finding import open_flagged
from leaderboards.moderation.models import Act, Case, LogLine, Outcome
from leaderboards.moderation.own_scores import scores_of
from leaderboards.moderation.rank_moves import tell_moved
from leaderboards.moderation.refusals import BadDecision
from tests.guards import guards_dropped
from tests.leaderboards.conftest import NOON, Finish
from tests.leaderboards.moderation.conftest import case_about, decided, staff
from tests.leaderboards.moderation.test_deciding import BAN, CLEAR, DISQUALIFY, REINSTATE, UNBAN

LATER = NOON + timedelta(hours=1)
MUCH_LATER = NOON + timedelta(days=9)  # all days are final


@pytest.fixture
def tove(db: None) -> Player:
    return staff("tove", "senior reviewer")


@pytest.fixture
def own(crowd: list[Game], finish: Finish) -> list[Game]:
    """The games of the twelfth: one on each of four days."""
    games = [crowd[11], *(finish(crowd[11].player, moves=30 + days, days=days) for days in (1, 2, 3))]
    submit([game.pk for game in games], NOON)
    return games


def banned_by(case: Case, senior: Player, other: Player) -> LogLine:
    decided(case, senior, BAN)
    return decided(case, other, BAN)


def lifted_by(case: Case, senior: Player, other: Player) -> LogLine:
    decided(case, senior, UNBAN)
    return decided(case, other, UNBAN)


def ranked(player: Player) -> set[str]:
    """Return the player's games that have a rank, and check all boards."""
    assert [mistake for slug in boards_to_recount() for mistake in mistakes_on(slug)] == []
    assert log.mistakes_in_log() == []
    entries = Entry.objects.filter(player=player, valid_to=None, listed=True, board__slug__startswith="daily.")
    return set(entries.values_list("game_id", flat=True))


def test_the_end_of_a_ban_gives_back_what_it_took_and_nothing_that_other_cases_disqualified(
    own: list[Game], ines: Player, robin: Player, sigrid: Player, tove: Player, finish: Finish
) -> None:
    before, during, judged, innocent = own
    mallory, case = innocent.player, case_about(judged)
    decided(case_about(before), ines, DISQUALIFY)
    decided(case, ines, DISQUALIFY)
    decided(case, robin, DISQUALIFY)  # the ban takes the place of this
    banned_by(case, sigrid, ines)
    assert decided(case_about(during), ines, DISQUALIFY).act == Act.PROPOSED  # in a top ten, but for the ban
    assert decided(case_about(during), robin, DISQUALIFY).act == Act.DECIDED
    late = finish(Player.objects.get(pk=mallory.pk), days=4)
    submit([late.pk], NOON)
    assert ranked(mallory) == set()
    assert {score.words for score in scores_of(mallory)} == {"No game of this account has a rank."}
    assert lifted_by(case, sigrid, tove).games == sorted([judged.pk, innocent.pk, late.pk])
    assert ranked(mallory) == {judged.pk, innocent.pk, late.pk}


def test_a_score_reinstated_during_a_ban_has_its_rank_when_the_ban_ends(
    own: list[Game], ines: Player, robin: Player, sigrid: Player, tove: Player
) -> None:
    mallory, about_one, about_other = own[0].player, case_about(own[0]), case_about(own[1])
    decided(about_one, ines, DISQUALIFY)
    banned_by(about_other, sigrid, ines)
    with pytest.raises(BadDecision, match="disqualified"):
        decided(about_one, ines, CLEAR)
    about_one.refresh_from_db()
    assert about_one.decision
    appeal(mallory, about_one.decision.number, "It was me.", LATER)
    assert decided(about_one, tove, REINSTATE, LATER).act == Act.DECIDED
    assert ranked(mallory) == set()
    lifted_by(about_other, sigrid, tove)
    assert ranked(mallory) == {game.pk for game in own}


def test_a_score_that_the_server_flagged_waits_for_its_own_case_after_a_ban(
    own: list[Game], ines: Player, sigrid: Player, tove: Player, finish: Finish
) -> None:
    mallory = own[0].player
    held, cleared = (finish(mallory, moves=20, hasty=6, days=days) for days in (4, 5))
    submit([held.pk, cleared.pk], NOON)
    case = case_about(own[0])
    banned_by(case, sigrid, ines)
    about_held, about_cleared = case_about(held), case_about(cleared)
    decided(about_cleared, ines, CLEAR)
    decided(case, sigrid, UNBAN, MUCH_LATER)
    decided(case, tove, UNBAN, MUCH_LATER)
    assert ranked(mallory) == {*(game.pk for game in own), cleared.pk}
    assert {entry.state for entry in Entry.objects.filter(game=held, valid_to=None)} == {"flagged"}
    assert set(Entry.objects.filter(game=held, listed=False, valid_to=None).values_list("held", flat=True)) == {True}
    assert set(Entry.objects.filter(game=held, valid_to=None).values_list("changed_at", flat=True)) == {MUCH_LATER}
    assert decided(about_held, ines, CLEAR, MUCH_LATER).act == Act.PROPOSED
    assert decided(about_held, sigrid, CLEAR, MUCH_LATER).act == Act.DECIDED
    assert held.pk in ranked(mallory)


def test_a_game_that_was_too_fast_during_a_ban_waits_for_its_case_when_the_ban_ends(
    own: list[Game], ines: Player, sigrid: Player, tove: Player, finish: Finish
) -> None:
    mallory, case = own[0].player, case_about(own[0])
    banned_by(case, sigrid, ines)
    held = finish(Player.objects.get(pk=mallory.pk), moves=20, hasty=6, days=4)
    submit([held.pk], NOON)
    assert open_flagged(NOON) == 0
    lifted_by(case, sigrid, tove)
    assert ranked(mallory) == {game.pk for game in own}
    assert states_of([held]) == {held.pk: "flagged"}
    assert open_flagged(LATER) == 1
    assert decided(Case.objects.get(daily=held.daily), ines, CLEAR, LATER).act == Act.DECIDED
    assert held.pk in ranked(mallory)


def test_what_reviewers_keep_flagged_is_flagged_again_when_a_ban_ends(
    own: list[Game], ines: Player, sigrid: Player, tove: Player, finish: Finish
) -> None:
    mallory, case = own[0].player, case_about(own[0])
    held = finish(mallory, moves=20, hasty=6, days=4)
    submit([held.pk], NOON)
    for game in (held, own[1]):
        decided(case_about(game), ines, Choice(Outcome.FLAG, "program"))
    banned_by(case, sigrid, ines)
    lifted_by(case, sigrid, tove)
    assert ranked(mallory) == {game.pk for game in own}
    assert states_of([held, *own]) == {held.pk: "flagged", own[1].pk: "flagged"} | dict.fromkeys(
        (game.pk for game in own if game != own[1]), "reinstated"
    )


def test_who_had_looked_at_a_deal_has_no_rank_on_it_after_a_ban_either(
    own: list[Game], ines: Player, sigrid: Player, tove: Player, finish: Finish
) -> None:
    mallory, case = own[0].player, case_about(own[0])
    banned_by(case, sigrid, ines)
    late = finish(Player.objects.get(pk=mallory.pk), days=4)
    assert late.daily
    SecretAccess.objects.create(player=mallory, daily=late.daily, at=NOON, reason="curious")
    submit([late.pk], NOON)
    lifted_by(case, sigrid, tove)
    assert ranked(mallory) == {game.pk for game in own}


def test_a_ban_is_lifted_in_the_case_in_which_it_was_decided(own: list[Game], ines: Player, sigrid: Player) -> None:
    case, other = case_about(own[0]), case_about(own[1])
    banned_by(case, sigrid, ines)
    with pytest.raises(BadDecision, match=f"banned by case {case.pk}: lift the ban there"):
        decided(other, sigrid, UNBAN)


def test_what_a_rejected_appeal_confirms_is_what_was_decided_with_a_reason_for_it(
    crowd: list[Game], ines: Player, sigrid: Player, finish: Finish
) -> None:
    case = case_about(crowd[11])
    number = decided(case, ines, DISQUALIFY).number
    with guards_dropped():
        DailyDeal.objects.update(stored_policy={"attempts": 2})
    second = finish(crowd[11].player, moves=31, attempt=2)
    submit([second.pk], NOON)
    appeal(crowd[11].player, number, "It was me.", LATER)
    with pytest.raises(BadDecision, match="not a reason"):
        decided(case, sigrid, Choice(Outcome.DISQUALIFY, "explained"), LATER)
    assert decided(case, sigrid, DISQUALIFY, LATER).games == [crowd[11].pk]
    assert second.pk in ranked(crowd[11].player)


def test_cases_that_wait_follow_the_ranks_that_a_decision_moved(
    crowd: list[Game], ines: Player, sigrid: Player, finish: Finish
) -> None:
    other = finish(crowd[0].player, moves=30, days=1)
    submit([other.pk], NOON)
    case, another, about_next = map(case_about, (crowd[0], other, crowd[1]))
    assert [one.rank for one in (another, about_next)] == [1, 2]
    banned_by(case, sigrid, ines)
    tell_moved(NOON)
    assert [Case.objects.get(pk=one.pk).rank for one in (another, about_next)] == [None, 1]
