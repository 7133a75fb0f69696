from __future__ import annotations

from django.templatetags.static import static
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.generic import RedirectView

from games.web import (
    account_bots,
    account_keys,
    accounts,
    calendar,
    deals,
    feeds,
    mail,
    notifications,
    options,
    own_data,
    play,
    players,
    practice,
    races,
    release,
    rules,
    views,
)

app_name = "web"


class Icon(RedirectView):
    """The icon that browsers request for pages that do not name one, such as the admin's."""

    def get_redirect_url(self, *args: object, **kwargs: object) -> str:
        return static("games/icon.svg")


urlpatterns = [
    path("", views.home, name="home"),
    path("play/<slug:rules>/", play.today, name="today"),
    path("practice/", practice.practice, name="practice"),
    path("games/<slug:game_id>/", play.game, name="game"),
    path("games/<slug:game_id>/again/", play.again, name="again"),
    path("races/", races.races, name="races"),
    path("races/<slug:race_id>/", races.race, name="race"),
    path("deals/<slug:deal_id>/", deals.deal, name="deal"),
    path("days/", views.days, name="days"),
    path("days/<slug:day>/", views.one_day, name="day"),
    path("rules/", rules.all_rules, name="rules"),
    path("rules/<slug:name>/", rules.rule_set, name="rule-set"),
    path("players/<slug:handle>/", players.player, name="player"),
    path("account/", accounts.account, name="account"),
    path("account/claim/", accounts.claim_account, name="claim"),
    path("account/claim/<str:link>/", accounts.claim_by_link, name="claim-link"),
    path("account/notifications/", notifications.own_notifications, name="notifications"),
    path("account/keys/", account_keys.keys, name="keys"),
    path("account/bots/", account_bots.bots, name="bots"),
    path("account/bots/<slug:handle>/", account_bots.bot, name="bot"),
    path("account/bots/<slug:handle>/delete/", account_bots.delete_bot, name="delete-bot"),
    path("account/data/", own_data.own_data, name="own-data"),
    path("account/data/file/", own_data.exported, name="exported"),
    path("account/delete/", own_data.delete, name="delete-account"),
    path("account/password/", account_keys.password, name="password"),
    path("account/mail/", mail.mail, name="mail"),
    path("account/mail/<str:link>/", mail.confirm_mail, name="confirm-mail"),
    path("account/reset/", mail.reset, name="reset"),
    path(
        "account/reset/<uidb64>/<token>/",
        sensitive_post_parameters()(never_cache(mail.NewPassword.as_view())),
        name="new-password",
    ),
    path("account/sign-in/", accounts.sign_in, name="sign-in"),
    path("account/sign-out/", accounts.sign_out, name="sign-out"),
    path("fairness/", views.fairness, name="fairness"),
    path("feeds/programme.ics", calendar.programme, name="programme-calendar"),
    path("feeds/links/", feeds.links, name="links"),
    path("feeds/links/<int:number>/", feeds.archived_links, name="archived-links"),
    path("release/", release.current_release, name="release"),
    path("settings/", views.settings, name="settings"),
    path("settings/language/", options.choose_language, name="language"),
    path("privacy/", own_data.privacy, name="privacy"),
    path("programs/", views.programs, name="programs"),
    path("favicon.ico", Icon.as_view()),
]
