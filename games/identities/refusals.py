"""Refusals of pages; programs have no door to identities."""

from http import HTTPStatus

from django.utils.translation import gettext_lazy as _

from games.doors.refusals import Refusal


class ProofFailed(Refusal):
    """No issuer and no passkey confirmed who the visitor is, or what came back was not asked for in this browser."""

    status = HTTPStatus.FORBIDDEN
    reason = _("That did not work, or it took too long. Try again.")
    example = "the issuer did not confirm who you are"


class IdentityTaken(Refusal):
    """Another account has the identity. Two accounts are never made one."""

    reason = _("Another account here signs in with this already. Sign in with it, and remove it there first.")
    example = "another account has this identity"


class IssuersBusy(Refusal):
    """As many wait for an issuer as may at once, since one of them may not answer."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    reason = _("Others are waiting for the same. Try again in a moment.")
    example = "two are waiting for an issuer already; try again in a moment"


class LastWayIn(Refusal):
    """The account has no other way to sign in."""

    reason = _("This is your only way to sign in. Add another one, or choose a password, first.")
    example = "this is the only way into the account"


class TooManyIdentities(Refusal):
    """The account has as many identities as it may have."""

    reason = _("You have as many ways to sign in as an account may have. Remove one first.")
    example = "an account has at most 10 identities"
