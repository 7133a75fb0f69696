"""The functions that leaderboards registers with subjects and with events of games; importing it registers them."""

from collections.abc import Sequence
from concurrent.futures import Future
from datetime import datetime
from typing import Any

from django.dispatch import receiver

from games.cups import naming, reading
from games.personal_data import erasure, holdings
from games.play import retests, scores
from games.play.models import Game
from games.play.scores import Placement, game_finished
from games.players.devices import Seen, players_seen
from games.races import circles, people
from games.runtime.clock import clock
from games.statistics.tallies import games_counted, players_recounted
from leaderboards.achievements.awards import award_again, award_for_careers, award_for_games
from leaderboards.audit import verifying
from leaderboards.boards.batches import enter
from leaderboards.boards.decisions import counting, recounters
from leaderboards.boards.reading import daily_placements, placements_of
from leaderboards.boards.submission import is_missing
from leaderboards.clubs.circles import circles_of_member, members_of_club
from leaderboards.cups import counting as counting_cups
from leaderboards.cups.reporting import is_removed
from leaderboards.cups.results import medals_of
from leaderboards.holdings import HOLDINGS
from leaderboards.moderation import scouts
from leaderboards.moderation.evidence_models import Trace
from leaderboards.moderation.links import firm_pairs
from leaderboards.moderation.traces import keep_of_erased, remember
from leaderboards.retests import supervising
from leaderboards.seasons import seasons
from leaderboards.skill.deal_results import count_again


def _placements(game: Game) -> list[Placement]:
    return enter(game.pk).result() if is_missing(game) else placements_of(game)


scores.restrictions.append(counting)
scores.finders.append(_placements)
scores.day_finders.append(daily_placements)
retests.followers.append(supervising.may_follow)
retests.deadlines.append(supervising.ends_at)
retests.addresses.append(supervising.address)
holdings.register(*HOLDINGS)
erasure.outliving[Trace] = keep_of_erased
people.linkers.append(firm_pairs)
circles.finders.append(circles_of_member)
circles.rosters.append(members_of_club)
verifying.keepers.append(scouts.keep_back)
verifying.kept_back.append(scouts.kept_back)
recounters.append(count_again)
naming.bans.append(is_removed)
reading.medals.append(medals_of)
seasons.awarders.append(award_for_careers)
counting_cups.awarders.append(award_for_careers)


@receiver(game_finished)
def _enter_finished_game(sender: type, *, game: str, **signal: Any) -> Future[list[Placement]]:
    return enter(game)


@receiver(players_seen)
def _remember_traces(sender: type, *, visits: Sequence[Seen], **signal: Any) -> None:
    remember([(seen.player, seen.address, seen.device) for seen in visits], clock.now())


@receiver(games_counted)
def _award(sender: type, *, games: set[str], now: datetime, **signal: Any) -> None:
    award_for_games(games, now)


@receiver(players_recounted)
def _award_again(sender: type, *, players: set[int], **signal: Any) -> None:
    award_again(players, clock.now())
