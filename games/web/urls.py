from __future__ import annotations

from django.templatetags.static import static
from django.urls import path
from django.views.generic import RedirectView

from games.web import accounts, deals, practice, views

app_name = "web"
urlpatterns = [
    path("", views.home, name="home"),
    path("account/", accounts.account, name="account"),
    path("account/claim/", accounts.claim_account, name="claim"),
    path("account/sign-in/", accounts.sign_in, name="sign-in"),
    path("account/sign-out/", accounts.sign_out, name="sign-out"),
    path("rules/<slug:name>/", views.rule_set, name="rule-set"),
    path("practice/", practice.practice, name="practice"),
    path("deals/<slug:deal_id>/", deals.deal, name="deal"),
    path("games/<slug:game_id>/", practice.game, name="game"),
    path("players/<slug:handle>/", views.player, name="player"),
    # Browsers ask for it on pages that name no icon, such as the admin's.
    path("favicon.ico", RedirectView.as_view(url=static("games/icon.svg"))),
]
