"""Report tournaments by hand to the reviewers, and decide whether their names are removed."""

from datetime import datetime

from django.db import transaction

from games.cups.finding import find_cup, require_seen
from games.cups.models import Cup
from games.cups.naming import remove_name
from games.cups.refusals import UnknownCup
from games.notifications.notifications import notify
from games.players.lookalikes import name_key
from games.players.models import Player
from leaderboards.cups.models import CupDecision, CupRemoval, CupReport
from leaderboards.cups.notifications import RENAMED
from leaderboards.cups.refusals import GuestsReportNoCups
from leaderboards.reporting.refusals import NameChanged
from leaderboards.reporting.reporting import Choice, require_reporter


def find_reportable(cup_id: str, reporter: Player) -> Cup:
    """Return a tournament by hand whose name its reader sees. Raises `UnknownCup`."""
    cup = find_cup(cup_id)
    require_seen(cup, reporter)
    if not cup.is_by_hand:
        raise UnknownCup(f"there is no tournament by hand {cup_id!r}")
    return cup


def report_cup(cup_id: str, reporter: Player, text: str, now: datetime) -> CupReport:
    """Report a tournament; another report of the same player changes nothing until reviewers have decided.

    Raises `GuestsReportNoCups`, `UnknownCup` or `Throttled`.
    """
    require_reporter(reporter, GuestsReportNoCups("a guest cannot report a tournament; claim the account first"))
    cup, made = find_reportable(cup_id, reporter), {"text": text, "at": now}
    return CupReport.objects.get_or_create(cup=cup, reporter=reporter, decision=None, defaults=made)[0]


@transaction.atomic
def decide(cup_id: str, by: Player, choice: Choice, now: datetime) -> CupDecision:
    """Remove the name of a tournament or nothing, answer its reports, and notify its organiser of a removal.

    Raises `NameChanged`.
    """
    cup = Cup.objects.select_for_update(no_key=True).get(pk=cup_id)
    if cup.name != choice.name:
        raise NameChanged("the name of this tournament has changed; look at it again")
    before = {"name": cup.name, "name_key": name_key(cup.name)}
    made = CupDecision.objects.create(cup=cup, **before, **choice.columns(by, now))
    cup.reports.filter(decision=None).update(decision=made)
    if choice.removed == CupRemoval.NAME:
        remove_name(cup)
        _notify(made, now)
    return made


def _notify(made: CupDecision, now: datetime) -> None:
    if made.cup.host_id is not None:
        notify(RENAMED, {made.cup.host_id: {"cup": made.cup_id, "reason": made.reason}}, str(made.pk), now)


def is_removed(name: str) -> bool:
    """Return True if reviewers have removed a name, or one that looks like it, from a tournament."""
    return CupDecision.objects.filter(name_key=name_key(name), removed=CupRemoval.NAME).exists()
