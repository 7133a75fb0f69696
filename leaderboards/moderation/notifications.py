"""The notifications about decisions: about one's scores, about an appeal, and of ranks that moved because of one."""

from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.notifications.notifications import Facts, NotificationKind, register
from leaderboards.boards.titles import short_title
from leaderboards.moderation.choices import words_of
from leaderboards.moderation.models import Outcome


def _decided(facts: Facts) -> str:
    text = _about_account(facts) or gettext("There is a decision about one of your scores.")
    return f"{text} {words_of(facts['reason'])}"


def _answered(facts: Facts) -> str:
    texts = (gettext("Your appeal was answered."), _about_account(facts), words_of(facts["reason"]))
    return " ".join(filter(None, texts))


def _about_account(facts: Facts) -> str:
    """Return what a decision about all of a player's scores says, empty for one about some of them."""
    match facts.get("outcome"):
        case Outcome.BAN:
            return gettext("Your account is banned: none of its games has a rank.")
        case Outcome.UNBAN:
            return gettext("The ban of your account is lifted.")
    return ""


def _link_to_decision(facts: Facts) -> str:
    return f"{reverse('own-review')}#decision-{facts['decision']}"


DECIDED = register(
    NotificationKind("decided", _("Decisions about your scores"), _decided, _link_to_decision, is_optional=False)
)
ANSWERED = register(
    NotificationKind("answered", _("Answers to your appeals"), _answered, _link_to_decision, is_optional=False)
)


def _moved(facts: Facts) -> str:
    text = gettext("You moved from %(before)d to %(after)d because of a decision about another score: %(board)s.")
    if others := facts["others"]:
        more = ngettext("You moved on %(others)d other table too.", "You moved on %(others)d other tables too.", others)
        text = f"{text} {more}"
    return text % {**facts, "board": short_title(facts["board"])}


def _link_to_board(facts: Facts) -> str:
    return reverse("boards:board", args=[facts["board"]])


MOVED = register(NotificationKind("moved", _("Ranks that a decision moved"), _moved, _link_to_board))
