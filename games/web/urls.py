from __future__ import annotations

from django.templatetags.static import static
from django.urls import path
from django.views.generic import RedirectView

from games.web import accounts, views

app_name = "web"
urlpatterns = [
    path("", views.home, name="home"),
    path("account/", accounts.account, name="account"),
    path("account/claim/", accounts.claim_account, name="claim"),
    path("account/sign-in/", accounts.sign_in, name="sign-in"),
    path("account/sign-out/", accounts.sign_out, name="sign-out"),
    path("rules/<slug:name>/", views.rule_set, name="rule-set"),
    # Browsers ask for it on pages that name no icon, such as the admin's.
    path("favicon.ico", RedirectView.as_view(url=static("games/icon.svg"))),
]
