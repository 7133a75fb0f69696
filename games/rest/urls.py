from __future__ import annotations

from django.urls import path

from games.rest.views import accounts, dailies, deals, games, play, players, programme, reviews, rule_sets, statistics

urlpatterns = [
    path("guests/", players.Guests.as_view(), name="guests"),
    path("me/", players.Me.as_view(), name="me"),
    path("me/claim/", accounts.Claim.as_view(), name="claim"),
    path("sign-in/", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out/", accounts.SignOut.as_view(), name="sign-out"),
    path("tickets/", players.Tickets.as_view(), name="tickets"),
    path("players/me/statistics/", statistics.OwnStatistics.as_view(), name="own-statistics"),
    path("players/<slug:handle>/statistics/", statistics.PlayerStatistics.as_view(), name="statistics"),
    path("rules/", rule_sets.AllRuleSets.as_view(), name="rule-sets"),
    path("rules/<str:slug>/", rule_sets.OneRuleSet.as_view(), name="rule-set"),
    path("programme/", programme.ReadProgramme.as_view(), name="programme"),
    path("daily/", dailies.Today.as_view(), name="today"),
    path("daily/commitments/", dailies.Commitments.as_view(), name="commitments"),
    path("daily/history/", dailies.DailyHistory.as_view(), name="daily-history"),
    path("daily/<str:day>/", dailies.Day.as_view(), name="day"),
    path("deals/<slug:deal_id>/", deals.OneDeal.as_view(), name="deal"),
    path("deals/<slug:deal_id>/games/", deals.GamesOnDeal.as_view(), name="games-on-deal"),
    path("games/", games.Games.as_view(), name="games"),
    path("games/<slug:game_id>/", games.OneGame.as_view(), name="game"),
    path("games/<slug:game_id>/record/", games.GameRecord.as_view(), name="record"),
    path("games/<slug:game_id>/review/", reviews.ReadReview.as_view(), name="review"),
    path("games/<slug:game_id>/state/", play.GameState.as_view(), name="state"),
    path("games/<slug:game_id>/actions/", play.Actions.as_view(), name="actions"),
    path("games/<slug:game_id>/resign/", play.Resign.as_view(), name="resign"),
    path("games/<slug:game_id>/restart/", play.Restart.as_view(), name="restart"),
]
