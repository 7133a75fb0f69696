"""The notices and the log of clubs in words, in the reader's language."""

from collections.abc import Callable
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.play.words import result_of, word
from games.players.models import Player
from games.rules import RULE_SETS
from leaderboards.clubs.log import Line
from leaderboards.clubs.notices import Notice, NoticeKind

SENTENCES: dict[NoticeKind, Promise] = {
    NoticeKind.JOINED: gettext_lazy("{player} joined."),
    NoticeKind.LEFT: gettext_lazy("{player} left."),
    NoticeKind.WON: gettext_lazy("{player} won {deal} on {day}: {result}."),
    NoticeKind.RECORD: gettext_lazy("{player} set the club's record in {deal} on {day}: {result}."),
}

ACTS: dict[str, Promise] = {
    "founded": gettext_lazy("{by} founded the club."),
    "changed": gettext_lazy("{by} changed what the club says about itself."),
    "joined": SENTENCES[NoticeKind.JOINED],
    "left": SENTENCES[NoticeKind.LEFT],
    "invite": gettext_lazy("{by} invited {about}."),
    "admit": gettext_lazy("{by} granted the request of {about}."),
    "decline": gettext_lazy("{by} ended the request or invitation of {about}."),
    "remove": gettext_lazy("{by} removed {about}."),
    "ban": gettext_lazy("{by} banned {about}."),
    "unban": gettext_lazy("{by} lifted the ban of {about}."),
    "appoint": gettext_lazy("{by} made {about} an officer."),
    "demote": gettext_lazy("{by} made {about} an ordinary member."),
    "hand_over": gettext_lazy("{by} handed the club over to {about}."),
    "propose_duel": gettext_lazy("{by} proposed a duel."),
    "accept_duel": gettext_lazy("{by} accepted a duel."),
    "decline_duel": gettext_lazy("{by} declined a duel."),
    "withdraw_duel": gettext_lazy("{by} withdrew the proposal of a duel."),
}


def notice_text(notice: Notice) -> str:
    """Return a notice as plain text."""
    return _filled(notice, notice.player.listed_name, lambda sentence, **facts: sentence.format(**facts))


def notice_html(notice: Notice) -> SafeString:
    """Return a notice with a link to its player."""
    return SafeString(_filled(notice, _linked(notice.player), format_html))


def lines_of(notices: list[Notice]) -> list[dict[str, Any]]:
    """Return notices as the templates show them."""
    return [{"at": one.at, "player": one.player, "text": notice_html(one)} for one in notices]


def act_html(line: Line) -> SafeString:
    """Return a line of a log with links to its players."""
    by, about = _linked(line.by), _linked(line.about)
    return SafeString(format_html(str(ACTS[line.act]), by=by, about=about, player=about))


def _linked(player: Player | None) -> SafeString:
    if player is None or not player.is_active:
        return SafeString(_("a deleted account"))
    return format_html(
        '<a href="{}"><bdi>{}</bdi></a>', reverse("web:player", args=[player.username]), player.listed_name
    )


def _filled(notice: Notice, player: str, fill: Callable[..., str]) -> str:
    return fill(str(SENTENCES[notice.kind]), player=player, **_facts(notice))


def _facts(notice: Notice) -> dict[str, str]:
    if notice.first is None:
        return {}
    board, values = notice.first.board, notice.values
    deal = f"{word(RULE_SETS[board.rules].title)} ({word(board.division_name)})"
    result = result_of(values["cards_left"], values["moves"])
    return {"day": date_format(notice.first.day, "LONG_DATE"), "deal": deal, "result": result}
