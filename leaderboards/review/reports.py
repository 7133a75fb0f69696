"""Reports by players: they open a case or join one, and count by how many independent people made them."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games.models import Game, Player
from leaderboards.errors import NotReportable
from leaderboards.models import Report
from leaderboards.review.cases import open_or_join, weigh

BY_REPORT = "report"


def report(game_id: str, reporter: Player, text: str, now: datetime) -> Report:
    """Report a listed score; the second report of the same player about a case changes nothing.

    Raises `NotReportable`.
    """
    game = Game.objects.filter(pk=game_id, entries__listed=True, entries__valid_to=None).select_related("daily").first()
    if game is None or game.daily is None:
        raise NotReportable("there is no listed score of this game")
    if game.player_id == reporter.pk:
        raise NotReportable("this is your own score")
    earlier = Report.objects.filter(case__player=game.player_id, case__daily=game.daily, reporter=reporter).first()
    if earlier:
        return earlier
    with transaction.atomic():
        case = open_or_join(game.player_id, game.daily, BY_REPORT, now, reporter)
        made = Report.objects.create(case=case, game=game, reporter=reporter, at=now, text=text)
        weigh(case)
    return made
