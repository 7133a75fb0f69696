"""Reports by players: they open a case or join one, and count by the number of independent reporters."""

from datetime import datetime

from django.db import IntegrityError, transaction

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.play.sessions import find_game
from games.players.models import Player
from leaderboards.moderation.cases import open_or_join, weigh
from leaderboards.moderation.models import Report
from leaderboards.moderation.refusals import NotReportable

BY_REPORT = "report"


def report(game_id: str, reporter: Player, text: str, now: datetime) -> Report:
    """Report a listed score; the second report of the same player about a case changes nothing.

    Raises `UnknownGame` or `NotReportable`.
    """
    game = Game.objects.filter(pk=game_id, entries__listed=True, entries__valid_to=None).select_related("daily").first()
    if game is None or game.daily is None:
        find_game(game_id)
        raise NotReportable("there is no listed score of this game")
    if game.player_id == reporter.pk:
        raise NotReportable("this is your own score")
    about = Report.objects.filter(case__player=game.player_id, case__daily=game.daily, reporter=reporter)
    if earlier := about.first():
        return earlier
    try:
        return _report(game, game.daily, Report(game=game, reporter=reporter, at=now, text=text))
    except IntegrityError:  # the same report arrived twice at once
        return about.get()


@transaction.atomic
def _report(game: Game, daily: DailyDeal, made: Report) -> Report:
    made.case = open_or_join(game.player_id, daily, BY_REPORT, made.at, made.reporter)
    made.save(force_insert=True)
    weigh(made.case)
    return made
