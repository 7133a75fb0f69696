"""The lists at the close of a day, and what becomes of those who are on them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from games.players.models import Player
from leaderboards.detectors.accounts import Account, Evidence
from leaderboards.detectors.foresight import Bet
from leaderboards.detectors.naming import BOTH, FORESIGHT, NEAR_PAR
from leaderboards.moderation import examining, lists, naming
from leaderboards.moderation.evidence_models import AccountEvidence, KeptFinding, KeptList, Listing
from leaderboards.moderation.models import Case
from tests.leaderboards.conftest import named
from tests.leaderboards.detectors.games import QUICK
from tests.leaderboards.moderation.days import FIRST_DAY, attempt, play_day

LATER = datetime(2026, 11, 20, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def mallory(db: None) -> Player:
    return named("mallory")


def history(player: Player, paid: float, games: int = 9) -> None:
    """Keep evidence of games before, each of which paid so much."""
    account = Account(str(player.pk))
    for number in range(games):
        account = account.after(Evidence(f"before-{number}", bets=(Bet(14, 12, 0.1, (paid,) * 5),)))
    AccountEvidence.objects.create(
        player=player,
        version=account.version,
        state=msgspec.to_builtins(account),
        games=games,
        foresight=account.foresight_fortune.value,
        updated_at=LATER,
    )


def play(day: int, *players: Player) -> None:
    """Have everyone play a day, and examine it."""
    play_day(day, QUICK[day], *(attempt(player, "draws first", QUICK[day]) for player in players))
    assert examining.examine_games(LATER, seconds=60) == len(players)


def test_whoever_is_named_gets_a_case_once_and_everybody_else_nothing(alice: Player, mallory: Player) -> None:
    history(mallory, 3.5)
    play(0, alice, mallory)
    assert naming.make_lists(LATER) == 2
    bet = KeptList.objects.get(detector=FORESIGHT)
    assert (bet.day, bet.accounts, bet.named, bet.watched) == (FIRST_DAY, 2, 1, 1)
    assert {one.detector: one.named for one in KeptList.objects.all()} == {FORESIGHT: 1, BOTH: 1, NEAR_PAR: 0}
    assert (naming.find_listed(LATER), naming.find_listed(LATER)) == (2, 0)
    found = KeptFinding.objects.get(detector=FORESIGHT)
    assert (found.player, found.detector, found.strength, found.threshold) == (mallory, FORESIGHT, "case", 200)
    assert Case.objects.get().player == mallory
    standing = lists.standings_of(mallory.pk)[FORESIGHT]
    assert (standing.day, standing.bar, standing.is_named) == (FIRST_DAY, 200, True)
    assert not lists.standings_of(alice.pk)[FORESIGHT].is_named

    play(1, alice, mallory)
    assert naming.make_lists(LATER) == naming.find_listed(LATER) == 2
    assert KeptFinding.objects.count() == 2, "that it is still there is nothing new"


def test_the_bar_rises_with_the_number_of_accounts_that_were_judged(alice: Player, mallory: Player) -> None:
    history(mallory, 3.5)
    value = AccountEvidence.objects.get().foresight
    for number in range(int(value / 100)):
        history(named(f"honest-{number}"), 0.5, games=1)
    play(0, alice, mallory)
    naming.make_lists(LATER)
    bet = KeptList.objects.get(detector=FORESIGHT)
    assert (bet.accounts, bet.named, bet.watched) == (int(value / 100) + 2, 0, 1)
    naming.find_listed(LATER)
    assert set(KeptFinding.objects.values_list("strength", flat=True)) == {"watch"}
    assert not Case.objects.exists()


def test_a_day_has_lists_once_all_of_its_games_are_examined_and_never_two(alice: Player, mallory: Player) -> None:
    history(mallory, 3.5)
    play_day(0, QUICK[0], attempt(alice, "draws first", QUICK[0]), attempt(mallory, "draws first", QUICK[0]))
    assert examining.examine_games(LATER, seconds=0) == 1
    assert naming.make_lists(LATER) == 0
    assert not KeptList.objects.exists()
    assert examining.examine_games(LATER, seconds=60) == 1
    assert (naming.make_lists(LATER), naming.make_lists(LATER)) == (2, 0)
    assert Listing.objects.count() == 2


def test_of_several_days_that_were_examined_only_the_newest_has_lists(alice: Player, mallory: Player) -> None:
    for day in (0, 1):
        play(day, alice, mallory)
    naming.make_lists(LATER)
    assert set(KeptList.objects.values_list("day", flat=True)) == {FIRST_DAY + DAY}
    assert naming.make_lists(LATER) == 0


def test_an_account_that_has_fallen_off_the_list_is_said_to_have_done_so(alice: Player, mallory: Player) -> None:
    history(mallory, 3.5)
    play(0, alice, mallory)
    naming.make_lists(LATER)
    AccountEvidence.objects.filter(player=mallory).update(foresight=3)
    play(1, alice)
    naming.make_lists(LATER)
    standing = lists.standings_of(mallory.pk)[FORESIGHT]
    assert (standing.day, standing.is_named, standing.times) == (FIRST_DAY + DAY, False, 0)


@pytest.mark.parametrize("gone", [{"banned_at": LATER}, {"is_active": False}])
def test_an_account_that_is_gone_counts_among_all_and_makes_no_room_on_the_list(
    alice: Player, mallory: Player, gone: dict[str, object]
) -> None:
    eve = named("eve")
    for cheat in (mallory, eve):
        history(cheat, 3.5)
    Player.objects.filter(pk=eve.pk).update(**gone)
    play(0, alice, mallory)
    naming.make_lists(LATER)
    bet = KeptList.objects.get(detector=FORESIGHT)
    assert (bet.accounts, bet.named, bet.as_judged.named.bar) == (3, 1, 300)
    assert not lists.standings_of(eve.pk)[FORESIGHT].is_named


def test_only_the_newest_lists_keep_who_is_on_them(alice: Player, mallory: Player) -> None:
    history(mallory, 3.5)
    play(0, alice, mallory)
    naming.make_lists(LATER)
    naming.find_listed(LATER)
    play(1, alice, mallory)
    naming.make_lists(LATER)
    assert set(Listing.objects.values_list("list__day", flat=True)) == {FIRST_DAY + DAY}
    assert KeptList.objects.filter(day=FIRST_DAY).count() == 3
