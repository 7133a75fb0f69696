"""A bot, a scout and a copyist planted on a populated day come to the top of the queue; an honest champion does not."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random

import msgspec
import pytest

from games.players.models import Player
from leaderboards.detectors.accounts import Account, Evidence
from leaderboards.detectors.copied_line import Match
from leaderboards.detectors.foresight import Bet
from leaderboards.detectors.machine_timing import Hand as Timed
from leaderboards.moderation import traces
from leaderboards.moderation.cases import visible_cases
from leaderboards.moderation.evidence_models import AccountEvidence
from leaderboards.moderation.examining import examine_games
from leaderboards.moderation.naming import find_listed, make_lists
from leaderboards.moderation.reading import View, queue_of
from leaderboards.moderation.reports import report
from tests.integrity.hands import BOT, Hand, person, times
from tests.integrity.populate import Attempt
from tests.leaderboards.conftest import named
from tests.leaderboards.detectors.games import QUICK, choices, game
from tests.leaderboards.moderation.days import play_day

SEED = QUICK[0]
CROWD = 28
HOUR = 3600
AT_PAR, NEVER = (0.94 / 0.4, 0.51 / 0.4, 0.56 / 0.4), (0.01 / 0.18, 0.10 / 0.18, 0.16 / 0.18)
NEXT_DAY = datetime(2026, 11, 2, 1, tzinfo=UTC)


def history(player: Player, *evidence: Evidence) -> None:
    """Keep what the detectors made of a player's games before."""
    account = Account(str(player.pk))
    for seen in evidence:
        account = account.after(seen)
    AccountEvidence.objects.create(
        player=player, version=account.version, state=msgspec.to_builtins(account), updated_at=NEXT_DAY
    )


def before(number: int, paid: float, at_par: bool) -> Evidence:
    return Evidence(
        f"before-{number}",
        bets=(Bet(14, 12, 0.1, (paid,) * 5),),
        par_factors=AT_PAR if at_par else NEVER,
        gap_bin=0 if at_par else 2,
    )


def attempt(player: Player, style: str, hour: int, dice: int = 0, hand: Hand | None = None) -> Attempt:
    own = choices(style, SEED, dice)
    server = list(times(game(own, SEED).steps, hand or person(Random(player.username)), Random(player.username)))
    return Attempt(player, game(own, SEED, server).play, hour * HOUR)


@pytest.fixture
def cast(db: None) -> dict[str, Player]:
    return {name: named(name) for name in ("bot", "scout", "second", "copyist", "original", "champion")}


@pytest.fixture
def populated(cast: dict[str, Player]) -> None:
    """A day of simulated players, and what those planted among them did on the days before."""
    traces.remember([(cast["scout"].pk, "", "one tablet")], NEXT_DAY)
    traces.remember([(cast["second"].pk, "", "one tablet")], NEXT_DAY)
    history(cast["bot"], Evidence("before", hand=Timed(fastest_run_ms=700, is_sprint=False, variation=None)))
    history(cast["scout"], *(before(number, 2.3, at_par=True) for number in range(12)))
    history(cast["copyist"], *(Evidence(f"b{n}", match=Match(f"o{n}", 3.5, 8, 0, 40)) for n in range(6)))
    history(cast["champion"], *(before(number, 1.04, at_par=number % 3 == 0) for number in range(24)))
    crowd = [attempt(named(f"player-{place}"), "draws first", 6, place % 3) for place in range(CROWD)]
    planted = [
        attempt(cast["bot"], "perfect", 10, hand=BOT),
        attempt(cast["second"], "draws first", 8, dice=4),
        attempt(cast["scout"], "perfect", 11),
        attempt(cast["original"], "draws first", 7, dice=3),
        attempt(cast["copyist"], "draws first", 12, dice=3),
        attempt(cast["champion"], "champion", 13),
    ]
    play_day(0, SEED, *crowd, *planted)


def test_those_who_cheat_come_first_and_an_honest_champion_is_not_there(
    populated: None, cast: dict[str, Player], ines: Player
) -> None:
    assert examine_games(NEXT_DAY, seconds=600) == CROWD + 6
    assert make_lists(NEXT_DAY) == find_listed(NEXT_DAY) >= 1
    waiting = list(queue_of(visible_cases(ines), View.OPEN, ines, NEXT_DAY))
    assert {case.player.username for case in waiting} == {"bot", "scout", "copyist"}
    found = {case.player.username: {own.detector for own in case.findings.all()} for case in waiting}
    assert "machine timing" in found["bot"]
    assert {"foresight and near par", "preview"} <= found["scout"]
    assert "copied line" in found["copyist"]
    assert not any(own.strength == "watch" for own in cast["champion"].findings.all())

    won = cast["champion"].games.get()
    for reporter in Player.objects.filter(username__startswith="player-"):
        report(won.pk, reporter, "too good", NEXT_DAY)
    waiting = list(queue_of(visible_cases(ines), View.OPEN, ines, NEXT_DAY))
    assert [case.player.username for case in waiting][3:] == ["champion"], (
        "a crowd that reports moves nobody to the top"
    )
