"""The notices of a club as an Atom feed (RFC 4287)."""

import hashlib
from datetime import datetime

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe

from games.runtime.clock import clock
from leaderboards.clubs.models import Club
from leaderboards.clubs.notices import Notice, notices_of
from leaderboards.clubs.reading import find_club, roster_of
from leaderboards.clubs.refusals import UnknownClub
from leaderboards.clubs.words import notice_text

ENTRIES = 50


class ClubNotices(Feed):  # type: ignore[type-arg]  # generic for type checkers alone
    """The latest notices of a club, newest first, the same for every reader."""

    feed_type = Atom1Feed
    author_name = "Pyramid"

    def get_object(self, request: HttpRequest, club_id: str) -> Club:
        return _public_club(club_id)

    def title(self, club: Club) -> str:
        return _("Club %(name)s") % {"name": club.name}

    def subtitle(self, club: Club) -> str:
        return club.description

    def link(self, club: Club) -> str:
        return reverse("club-notices-page", args=[club.pk])

    def items(self, club: Club) -> list[Notice]:
        return _notices(club)

    def item_title(self, item: Notice) -> str:
        return notice_text(item)

    def item_description(self, item: Notice) -> str:
        return ""

    def item_link(self, item: Notice) -> str:
        if item.first is None:
            return reverse("web:player", args=[item.player.listed_handle])
        return reverse("web:game", args=[item.first.game])

    def item_guid(self, item: Notice) -> str:
        return f"tag:pyramid,{item.at.date()}:club-notice-{item.id}"

    def item_pubdate(self, item: Notice) -> datetime:
        return item.at

    item_updateddate = item_pubdate


def _public_club(club_id: str) -> Club:
    """Return a club whose page everyone can read. Raises `Http404`."""
    try:
        club = find_club(club_id)
        roster_of(club)
    except UnknownClub as error:
        raise Http404(str(error)) from error
    return club


def _notices(club: Club) -> list[Notice]:
    return notices_of(club, None, clock.now())[:ENTRIES]


def _version(request: HttpRequest, club_id: str) -> str:
    """Return an ETag: it changes with the club, its notices, the language and the server's name."""
    club = _public_club(club_id)
    entries = [(one.id, one.player.listed_name) for one in _notices(club)]
    known = f"{request.build_absolute_uri()} {get_language()} {club.name} {club.description} {entries}"
    return hashlib.sha256(known.encode()).hexdigest()[:32]


@require_safe
@condition(etag_func=_version)
@cache_control(public=True, max_age=300)
@gzip_page
def notices(request: HttpRequest, club_id: str) -> HttpResponse:
    """Serve the feed."""
    return HttpResponse(ClubNotices()(request, club_id=club_id).content, content_type=Atom1Feed.content_type)


urlpatterns = [path("feeds/clubs/<slug:club_id>/", notices, name="club-feed")]
