"""The kinds of notifications about clubs."""

from datetime import date

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.notifications.models import Notification
from games.notifications.notifications import Facts, NotificationKind, register
from leaderboards.clubs.models import Club, ClubDecision, Duel, Removal


def _page(facts: Facts) -> str:
    return reverse("club-page", args=[facts["club"]])


def _about_duel(facts: Facts) -> str:
    week = "{0.year:04}-W{0.week:02}".format(date.fromisoformat(facts["week"]).isocalendar())
    return str(DUELS[facts["what"]]) % {"other": facts["other"], "week": week}


DUELS = {
    "offered": _("The club %(other)s proposes a duel in the week %(week)s."),
    "accepted": _("The club %(other)s accepts the duel in the week %(week)s."),
    "won": _("Your club won the duel against %(other)s in the week %(week)s."),
    "lost": _("Your club lost the duel against %(other)s in the week %(week)s."),
    "drawn": _("The duel of your club and %(other)s in the week %(week)s is a draw."),
}
DUEL = register(NotificationKind("club_duel", _("Duels of your clubs"), _about_duel, _page))
INVITED = register(
    NotificationKind(
        "club_invited",
        _("Invitations to clubs"),
        lambda facts: gettext("%(by)s invites you to the club %(name)s.") % facts,
        _page,
    )
)
ADMITTED = register(
    NotificationKind(
        "club_admitted",
        _("Clubs that admit you"),
        lambda facts: gettext("You are now in the club %(name)s.") % facts,
        _page,
    )
)


DUEL_STEPS = ("offered", "accepted", "over")


def subject_of_duel(duel: Duel, step: str) -> str:
    """Return the subject of the notifications about a step of a duel."""
    return f"{duel.pk} {step}"


def rename_in_notifications(club: Club) -> None:
    """Give the notifications that have the name of a club its new one."""
    players = club.acts.filter(act__in=("invite", "admit")).values("about")
    for row in Notification.objects.filter(player__in=players, kind__in=(INVITED.code, ADMITTED.code), subject=club.pk):
        _rename(row, "name", club)
    duels = Duel.objects.filter(Q(challenger=club) | Q(opponent=club))
    subjects = [subject_of_duel(duel, step) for duel in duels for step in DUEL_STEPS]
    for row in Notification.objects.filter(kind=DUEL.code, subject__in=subjects):
        if row.facts["club"] != club.pk:
            _rename(row, "other", club)


def _rename(row: Notification, field: str, club: Club) -> None:
    row.facts = {**row.facts, field: club.name}
    row.save(update_fields=["facts"])


SENTENCES = {
    Removal.NAME: _("Reviewers have removed the name of your club."),
    Removal.DESCRIPTION: _("Reviewers have removed the description of your club."),
    Removal.CLOSE: _("Reviewers have closed your club."),
}


def _removed(facts: Facts) -> str:
    return f"{SENTENCES[Removal(facts['removed'])]} {ClubDecision.Reason(facts['reason']).label}"


def _page_unless_closed(facts: Facts) -> str:
    return reverse("clubs-page") if facts["removed"] == Removal.CLOSE else _page(facts)


REMOVED = register(
    NotificationKind(
        "club_removed",
        _("Decisions of reviewers about your clubs"),
        _removed,
        _page_unless_closed,
        is_optional=False,
    )
)
