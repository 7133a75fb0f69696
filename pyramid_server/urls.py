from django.contrib import admin
from django.urls import include, path
from drf_spectacular.views import SpectacularSwaggerSplitView

from leaderboards.web.achievements import all_achievements
from leaderboards.web.bots import bots
from leaderboards.web.feeds import results
from leaderboards.web.leagues import leagues, one_group
from leaderboards.web.own_review import own_review, report_score
from leaderboards.web.seasons import all_seasons, one_season
from leaderboards.web.transparency import review_report
from pyramid_server.document_views import document, document_file
from pyramid_server.error_index import ListErrorCodes
from pyramid_server.metrics import metrics
from pyramid_server.schema import Schema
from pyramid_server.staff_sign_in import StaffSignInForm

admin.site.login_form = StaffSignInForm

urlpatterns = [
    path("", include("games.web.urls")),
    path("boards/", include("leaderboards.web.urls")),
    path("seasons/", all_seasons, name="seasons-page"),
    path("seasons/<str:slug>/", one_season, name="season-page"),
    path("leagues/", leagues, name="leagues-page"),
    path("leagues/<str:week>/<int:tier>/<int:group>/", one_group, name="league-page"),
    path("achievements/", all_achievements, name="achievements-page"),
    path("bots/", bots, name="bots-page"),
    path("feeds/results/", results, name="results-feed"),
    path("review/", review_report, name="review-report"),
    path("review/own/", own_review, name="own-review"),
    path("review/report/<slug:game_id>/", report_score, name="report-score"),
    path("api/", include("games.rest.urls")),
    path("api/", include("leaderboards.rest.urls")),
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
    path("docs/", document, name="documents"),
    path("docs/<slug:title>/", document, name="document"),
    path("docs/<path:path>", document_file, name="document-file"),
    path("admin/", admin.site.urls),
    path("metrics", metrics, name="metrics"),
]

handler400 = "games.kit.rest.errors.handler400"
handler404 = "games.kit.rest.errors.handler404"
handler500 = "games.kit.rest.errors.handler500"
