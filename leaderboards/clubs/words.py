"""The notices of clubs in words, in the reader's language."""

from collections.abc import Callable

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy

from games.play.words import result_of, word
from games.rules import RULE_SETS
from leaderboards.clubs.notices import Notice, NoticeKind

SENTENCES: dict[NoticeKind, Promise] = {
    NoticeKind.JOINED: gettext_lazy("{player} joined."),
    NoticeKind.LEFT: gettext_lazy("{player} left."),
    NoticeKind.WON: gettext_lazy("{player} won {deal} on {day}: {result}."),
    NoticeKind.RECORD: gettext_lazy("{player} set the club's record in {deal} on {day}: {result}."),
}


def notice_text(notice: Notice) -> str:
    """Return a notice as plain text."""
    return _filled(notice, notice.player.listed_name, lambda sentence, **facts: sentence.format(**facts))


def notice_html(notice: Notice) -> SafeString:
    """Return a notice with a link to its player."""
    page = reverse("web:player", args=[notice.player.listed_handle])
    name = format_html('<a href="{}"><bdi>{}</bdi></a>', page, notice.player.listed_name)
    return SafeString(_filled(notice, name, format_html))


def _filled(notice: Notice, player: str, fill: Callable[..., str]) -> str:
    return fill(str(SENTENCES[notice.kind]), player=player, **_facts(notice))


def _facts(notice: Notice) -> dict[str, str]:
    if notice.first is None:
        return {}
    board, values = notice.first.board, notice.values
    deal = f"{word(RULE_SETS[board.rules].title)} ({word(board.division_name)})"
    result = result_of(values["cards_left"], values["moves"])
    return {"day": date_format(notice.first.day, "LONG_DATE"), "deal": deal, "result": result}
