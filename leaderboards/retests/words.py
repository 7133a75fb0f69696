"""An invitation to a retest, in plain words: what happens, what it can show, and what it cannot."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from leaderboards.retests.models import Retest


def invitation(retest: Retest) -> list[str]:
    """Return the sentences of an invitation, each about one thing."""
    return [_free(), _course(retest), _alone(), _deals(), _shows(), _does_not_show(), _counts_nowhere()]


def _free() -> str:
    return _(
        "One of your scores is in question. You may accept this retest, decline it, or let it pass. Declining it or "
        "letting it pass is not evidence against you."
    )


def _course(retest: Retest) -> str:
    text = ngettext(
        "You play %(count)d deal in one sitting of %(minutes)d minutes. Each deal appears when you ask for it, after "
        "the one before has ended. The time of the sitting goes on if your connection breaks or you take a break; a "
        "deal that you give up counts and is not replaced.",
        "You play %(count)d deals in one sitting of %(minutes)d minutes. Each deal appears when you ask for it, after "
        "the one before has ended. The time of the sitting goes on if your connection breaks or you take a break; a "
        "deal that you give up counts and is not replaced.",
        retest.size,
    )
    return text % {"count": retest.size, "minutes": retest.minutes}


def _alone() -> str:
    return _(
        "There are no hints; please use no program, and let nobody help you. Reviewers may watch. They see the cards "
        "that you see, and no others. No deal exists before you start it, so nobody knows one before."
    )


def _deals() -> str:
    return _(
        "Some deals are new. Others may play like deals that you have won, in other cards; you do not see which ones."
    )


def _shows() -> str:
    return _(
        "A retest can show whether your choices on new deals fit cards that you have not seen, how near you come to "
        "the fewest moves, and whether that is like your earlier games."
    )


def _does_not_show() -> str:
    return _(
        "It cannot show that an earlier game was honest or was not. A bad day, nerves, a small screen or a slow line "
        "make anybody play worse. The reviewers weigh its result with everything else, and people decide."
    )


def _counts_nowhere() -> str:
    return _("These games count on no table, in no streak and in no statistics.")
