from __future__ import annotations

from django.templatetags.static import static
from django.urls import path
from django.views.generic import RedirectView

from games.web import deals, practice, views

app_name = "web"
urlpatterns = [
    path("", views.home, name="home"),
    path("rules/<slug:name>/", views.rule_set, name="rule-set"),
    path("practice/", practice.practice, name="practice"),
    path("deals/<slug:deal_id>/", deals.deal, name="deal"),
    path("games/<slug:game_id>/", practice.game, name="game"),
    path("players/<slug:handle>/", views.player, name="player"),
    # Browsers ask for it on pages that name no icon, such as the admin's.
    path("favicon.ico", RedirectView.as_view(url=static("games/icon.svg"))),
]
