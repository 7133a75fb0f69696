"""A player's notifications as a page, and the kinds that the player wants."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext

from games.doors.pages import form_page, see_other
from games.notifications.notifications import (
    address_of,
    listed_kinds,
    mark_read,
    mute,
    muted_by,
    notifications_of,
    words_of,
)
from games.players.models import Player
from games.players.readers import for_players, page
from games.runtime.clock import clock

PER_PAGE = 50
LARGEST_ID = 2**62


@form_page
@for_players
def own_notifications(request: HttpRequest, player: Player) -> HttpResponse:
    """List the notifications of a player, some at a time; mark them read, or choose the kinds."""
    if "read" in request.POST:
        mark_read(player, _number(request.POST["read"]) or 0, clock.now())
        return see_other("web:notifications")
    if "kinds" in request.POST:
        wanted = set(request.POST.getlist("kind"))
        mute(player, [kind.code for kind in listed_kinds() if kind.is_optional and kind.code not in wanted])
        messages.success(request, gettext("Your choice is saved. It applies to new notifications."))
        return see_other("web:notifications")
    own, before = notifications_of(player), _number(request.GET.get("before", ""))
    rows = list((own.filter(pk__lt=before) if before else own)[:PER_PAGE])
    context = {
        "rows": [{"row": row, "words": words_of(row), "address": address_of(row)} for row in rows],
        "newest": own.values_list("pk", flat=True).first(),
        "next": rows[-1].pk if len(rows) == PER_PAGE else None,
        "kinds": listed_kinds(),
        "muted": muted_by(player),
    }
    return page(request, "games/notifications.html", context, section="account")


def _number(text: str) -> int | None:
    """Return the primary key that a text is, or None."""
    is_number = text.isascii() and text.isdigit() and len(text) < len(str(LARGEST_ID))
    return int(text) if is_number else None


urlpatterns = [
    path("account/notifications/", own_notifications, name="notifications"),
]
