"""The reasons of refusals in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from games.kit.reasons import explain
from leaderboards import errors

explain(
    {
        errors.UnknownBoard: _("There is no such score table, or its deal has not opened yet."),
        errors.UnknownSeason: _("This season is not closed, or there is no such season."),
        errors.UnknownLeague: _("There is no such group of the leagues, or its week has no groups yet."),
        errors.NotOnBoard: _("The player has no entry on this score table."),
        errors.BadCursor: _("This continuation of the score table is not one of this server."),
        errors.NotSealed: _("The day is not final yet, or the game has no verified result."),
        errors.NotReportable: _("You cannot report this score: it is your own, or stands on no table."),
        errors.NotAppealable: _("There is nothing to appeal against, or you have appealed before."),
        errors.AppealTooLate: _("The time for an appeal is over."),
    }
)
