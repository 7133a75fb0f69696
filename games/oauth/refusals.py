from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class TooManyApps(Refusal):
    """The player has registered as many apps as an account may; remove one first."""

    reason = _("You have registered as many apps as an account may. Remove one first.")
    example = "you have 10 apps; remove one first"


class BadAddress(Refusal):
    """An address of an app is neither https nor on the player's own machine, or has parts that it may not have."""

    status = HTTPStatus.BAD_REQUEST
    field = "addresses"
    reason = _(
        "An address begins with https://, or with http://127.0.0.1 for a program on the player's machine, and has no "
        "fragment and no password."
    )
    example = "http://example.com/ is not an address to send players back to"


class UnknownDevice(Refusal):
    """No device that waits shows this code, or somebody has decided already."""

    status = HTTPStatus.NOT_FOUND
    field = "code"
    reason = _("No device that waits shows this code. Look again, or have the device show a new one.")
    example = "no device that waits shows this code"


class TooManyDevices(Refusal):
    """Too many devices wait for an app at the moment."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    reason = _("Too many devices wait for this app. Try again in some minutes.")
    example = "too many devices wait for this app; try again in some minutes"
