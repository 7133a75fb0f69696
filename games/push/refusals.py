from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class TooManySubscriptions(Refusal):
    """The player gets notifications on as many devices as are allowed; remove one first."""

    reason = _("You get notifications on as many devices as you may. Remove one first.")
    example = "you get notifications on 10 devices; remove one first"


class SubscriptionTaken(Refusal):
    """The address belongs to another player's device, whose keys these are not."""

    reason = _("This address belongs to another device.")
    example = "this endpoint is that of another player's device"
