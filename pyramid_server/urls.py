from collections.abc import Iterable
from importlib import import_module

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from pyramid_server.documents import send_file, send_index, show_document
from pyramid_server.error_index import ListErrorCodes
from pyramid_server.metrics import metrics
from pyramid_server.schema import Schema
from pyramid_server.security_contact import security_txt

# Each of these modules has the addresses of its subject.
ENDPOINTS = (
    "games.accounts.rest",
    "games.keys.rest",
    "games.bots.rest",
    "games.notifications.rest",
    "games.push.rest",
    "games.personal_data.rest",
    "games.statistics.rest",
    "games.rule_sets.rest",
    "games.days.rest",
    "games.practice.rest",
    "games.puzzles.rest",
    "games.races.rest",
    "games.cups.rest",
    "games.play.rest",
    "games.analysis.rest",
    "games.status.rest",
    "games.sharing.rest",
    "leaderboards.audit.rest",
    "leaderboards.moderation.rest",
    "leaderboards.retests.rest",
    "leaderboards.seasons.rest",
    "leaderboards.leagues.rest",
    "leaderboards.achievements.rest",
    "leaderboards.skill.rest",
    "leaderboards.bots.rest",
    "leaderboards.clubs.history_rest",
    "leaderboards.clubs.tables_rest",
    "leaderboards.clubs.duel_rest",
    "leaderboards.clubs.rest",
    "leaderboards.cups.rest",
    "leaderboards.boards.rest",
)
PAGES = (
    "leaderboards.front.pages",
    "games.site.pages",
    "games.table.pages",
    "games.offline.pages",
    "games.sharing.pages",
    "games.practice.pages",
    "games.puzzles.pages",
    "games.puzzles.feeds",
    "games.races.pages",
    "games.cups.pages",
    "leaderboards.skill.pages",
    "games.days.pages",
    "games.rule_sets.pages",
    "leaderboards.profiles.pages",
    "games.accounts.pages",
    "games.identities.pages",
    "games.identities.passkey_pages",
    "games.oauth.pages",
    "games.oauth.program_pages",
    "games.notifications.pages",
    "games.push.pages",
    "games.keys.pages",
    "games.bots.pages",
    "games.personal_data.pages",
    "games.status.pages",
    "games.days.programme_feed",
    "games.tlog.pages",
    "games.doors.release",
    "games.doors.options",
)
PAGES_ABOUT_SCORES = (
    "leaderboards.seasons.pages",
    "leaderboards.leagues.pages",
    "leaderboards.achievements.pages",
    "leaderboards.bots.pages",
    "leaderboards.clubs.week_pages",
    "leaderboards.clubs.pages",
    "leaderboards.cups.pages",
    "leaderboards.clubs.history_pages",
    "leaderboards.clubs.feeds",
    "leaderboards.boards.feeds",
    "leaderboards.moderation.pages",
    "leaderboards.retests.pages",
    "leaderboards.audit.pages",
)


def by_first_part(modules: Iterable[str]) -> list[URLResolver]:
    """Return the addresses of modules in groups that begin alike, the largest first.

    A request is compared with the addresses of its own group, and not with those of all others.
    """
    groups: dict[str, list[URLPattern]] = {}
    for module in modules:
        for each in import_module(module).urlpatterns:
            first, _, rest = str(each.pattern).partition("/")
            groups.setdefault(first, []).append(path(rest, each.callback, name=each.name))
    by_size = sorted(groups.items(), key=lambda group: len(group[1]), reverse=True)
    return [path(f"{first}/", include(group)) for first, group in by_size]


urlpatterns = [
    path("api/", include(by_first_part(ENDPOINTS))),
    path("", include(([path("", include(module)) for module in PAGES], "web"))),
    path("", include(("leaderboards.boards.pages", "boards"))),
    *(path("", include(module)) for module in PAGES_ABOUT_SCORES),
    path("api/errors/", ListErrorCodes.as_view(), name="errors"),
    path("api/schema/", Schema.as_view(), name="schema"),
    # The split view serves its script separately, as the content security policy requires.
    path(
        "api/docs/",
        SpectacularSwaggerSplitView.as_view(
            template_name="pyramid_server/api_docs.html", http_method_names=["get", "head"]
        ),
        name="api-docs",
    ),
    path("docs/", show_document, name="documents"),
    path("docs/sections.json", send_index, name="documents-index"),
    path("docs/<slug:title>/", show_document, name="document"),
    path("docs/<path:path>", send_file, name="document-file"),
    path("admin/", admin.site.urls),
    path("metrics", metrics, name="metrics"),
    path(".well-known/security.txt", security_txt, name="security-contact"),
]

handler400 = "games.doors.rest.errors.handler400"
handler404 = "games.doors.rest.errors.handler404"
handler500 = "games.doors.rest.errors.handler500"
