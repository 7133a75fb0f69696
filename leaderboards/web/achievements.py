"""The page of all achievements, with the reader's own, and those on the page of a player."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.events import profile_wanted
from games.kit.pages import page, reader_of
from games.models import Player
from leaderboards.achievements import ACHIEVEMENTS, BY_CODE
from leaderboards.services.awards import awards_of


@require_safe
@cache_control(private=True, no_cache=True)
@gzip_page
def all_achievements(request: HttpRequest) -> HttpResponse:
    """List all achievements, those of the reader with the day on which they were awarded."""
    reader = reader_of(request)
    awarded = {award.code: award.at for award in awards_of(reader)} if reader else {}
    shown = [{"achievement": each, "at": awarded.get(each.code)} for each in ACHIEVEMENTS]
    context = {"achievements": shown, "count": len(awarded)}
    return page(request, "leaderboards/achievements.html", context, section="account" if reader else "")


@receiver(profile_wanted)
def achievements_on_profile(sender: type, player: Player, **signal: Any) -> str:
    """Return the part of a player's page that shows the achievements, "" if there are none."""
    achieved = [{"achievement": BY_CODE[award.code], "at": award.at} for award in awards_of(player)]
    context = {"achieved": achieved, "all": len(ACHIEVEMENTS)}
    return render_to_string("leaderboards/_achievements.html", context) if achieved else ""
