"""The page on which players choose what reaches their devices, and when."""

from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext, gettext_lazy

from games.doors.pages import form_page, see_other
from games.players.models import Player
from games.players.readers import for_players, page
from games.push.quiet_hours import AT_FIRST, HOURS, is_time_zone, keep_quiet, quiet_hours_of
from games.push.subscriptions import kinds_to_push, subscriptions_of, unsubscribe
from games.push.wire import PushSettings

CLOCK = [(hour, f"{hour:02}:00") for hour in range(HOURS)]
LONGEST_NUMBER = 18


class QuietHoursForm(forms.Form):
    begins = forms.TypedChoiceField(choices=CLOCK, coerce=int, label=gettext_lazy("From"))
    ends = forms.TypedChoiceField(choices=CLOCK, coerce=int, label=gettext_lazy("Until"))
    time_zone = forms.CharField(
        max_length=64,
        label=gettext_lazy("Time zone"),
        widget=forms.TextInput({"id": "time-zone", "autocomplete": "off", "spellcheck": "false"}),
        help_text=gettext_lazy("Such as Europe/Berlin."),
    )

    def clean_time_zone(self) -> str:
        name: str = self.cleaned_data["time_zone"]
        if not is_time_zone(name):
            raise forms.ValidationError(gettext("There is no such time zone."))
        return name


@form_page
@for_players
def devices(request: HttpRequest, player: Player) -> HttpResponse:
    """List a player's devices with what they get, remove one, or set the quiet hours."""
    if "remove" in request.POST:
        unsubscribe(player, _number(request.POST["remove"]))
        messages.success(request, gettext("This device gets nothing any more."))
        return see_other("web:push")
    form = QuietHoursForm(request.POST or None, initial=_hours_of(player))
    if form.is_valid():
        keep_quiet(player, **form.cleaned_data)
        messages.success(request, gettext("Your quiet hours are saved."))
        return see_other("web:push")
    titles = {kind.code: kind.title for kind in kinds_to_push()}
    rows = [
        (row, [titles[one.kind] for one in row.wanted.all() if one.kind in titles]) for row in subscriptions_of(player)
    ]
    context = {
        "kinds": kinds_to_push(),
        "devices": rows,
        "form": form,
        "settings": msgspec.to_builtins(PushSettings.of(player)),
    }
    return page(request, "games/push.html", context, section="account")


def _hours_of(player: Player) -> dict[str, Any]:
    hours = quiet_hours_of(player)
    if hours is None:  # what the first device brings along
        return dict(zip(("begins", "ends"), AT_FIRST, strict=True))
    return {"begins": hours.begins, "ends": hours.ends, "time_zone": hours.time_zone}


def _number(text: str) -> int:
    """Return the primary key that a text is, or 0."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else 0


urlpatterns = [
    path("account/notifications/devices/", devices, name="push"),
]
