"""The pages of moderation: its results by month, and for players their decisions with appeals, and reports."""

from datetime import datetime
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import Throttled

from games.doors.pages import form_page, granted, reading_page, sentence
from games.doors.refusals import Refusal
from games.players.models import Player
from games.players.readers import for_players, page
from games.runtime.clock import clock
from games.runtime.limits import Hit, count
from leaderboards.moderation import own_scores, transparency
from leaderboards.moderation.appeals import appeal
from leaderboards.moderation.reports import report

LARGEST = 2**62


class AppealForm(forms.Form):
    """The decision that an appeal is about, and why it is wrong."""

    number = forms.IntegerField(min_value=1, max_value=LARGEST, widget=forms.HiddenInput)
    text = forms.CharField(max_length=2000, widget=forms.Textarea(attrs={"rows": 5}), label=_("Why it is wrong"))


class ReportForm(forms.Form):
    """The suspicion about a score."""

    text = forms.CharField(
        max_length=500,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        label=_("What looks wrong"),
        help_text=_("Only reviewers read it, and only they know who wrote it."),
    )


@reading_page
def moderation_report(request: HttpRequest) -> HttpResponse:
    """Show cases, outcomes, times to the decision, and appeals, by month."""
    return page(request, "leaderboards/moderation.html", {"months": transparency.report()})


@form_page
@for_players
def own_moderation(request: HttpRequest, player: Player) -> HttpResponse:
    """Show the decisions about the reader's scores with their reasons; a POST appeals against one."""
    now, form = clock.now(), AppealForm(request.POST or None)
    if form.is_valid() and granted(form, lambda: appeal(player, **form.cleaned_data, now=now)) is not None:
        return redirect("own-review")
    response = page(request, "leaderboards/own_moderation.html", _shown(player, form, now), section="account")
    response.status_code = 400 if form.errors else 200
    return response


@form_page
@for_players
def report_score(request: HttpRequest, player: Player, game_id: str) -> HttpResponse:
    """Report a listed score to the reviewers, as often a day as over REST."""
    form, is_reported, status = ReportForm(request.POST if request.method == "POST" else None), False, 200
    if form.is_valid():
        try:
            count(Hit("reports", str(player.pk)))
            report(game_id, player, form.cleaned_data["text"], clock.now())
            is_reported = True
        except (Refusal, Throttled) as refusal:
            form.add_error(None, sentence(refusal))
            status = 429 if isinstance(refusal, Throttled) else 409
    context = {"form": form, "game": game_id, "is_reported": is_reported}
    return page(request, "leaderboards/report_score.html", context, status=status)


def _shown(player: Player, form: AppealForm, now: datetime) -> dict[str, Any]:
    decisions = own_scores.decisions_of(player, now)
    refused = form.data.get("number") if form.is_bound and form.errors else None
    return {
        "scores": own_scores.scores_of(player),
        "decisions": [
            (own, form if str(own.line.number) == refused else AppealForm(initial={"number": own.line.number}))
            for own in decisions
        ],
        "mistakes": form.non_field_errors() if form.is_bound else [],
    }


urlpatterns = [
    path("review/", moderation_report, name="review-report"),
    path("review/own/", own_moderation, name="own-review"),
    path("review/report/<slug:game_id>/", report_score, name="report-score"),
]
