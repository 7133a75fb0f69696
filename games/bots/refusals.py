from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class UnknownBot(Refusal):
    """The player owns no such bot."""

    status = HTTPStatus.NOT_FOUND
    reason = _("You own no such bot.")
    example = "you own no bot 'deep-thirteen'"


class CannotOwnBots(Refusal):
    """Bots and banned players cannot own bots."""

    status = HTTPStatus.FORBIDDEN
    reason = _("Bots and banned players cannot own bots.")
    example = "a bot cannot own bots"


class TooManyBots(Refusal):
    """The player owns the maximum number of bots; delete one first."""

    reason = _("You own as many bots as you may. Delete one first.")
    example = "you own 5 bots; delete one first"
