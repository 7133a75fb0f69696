from __future__ import annotations

from django.urls import path

from leaderboards.rest import achievements, bots, day_export, leagues, results, review, seasons, skill, views

urlpatterns = [
    path("days/roots/", results.AllRoots.as_view(), name="roots"),
    path("days/<str:day>/merkle/", results.RootOfDay.as_view(), name="merkle"),
    path("days/<str:day>/results/", day_export.ResultsOfDay.as_view(), name="day-results"),
    path("games/<slug:game_id>/proof/", results.ProofOfGame.as_view(), name="proof"),
    path("games/<slug:game_id>/report/", review.ReportGame.as_view(), name="report"),
    path("me/review/", review.OwnReview.as_view(), name="me-review"),
    path("me/review/<int:number>/appeal/", review.AppealDecision.as_view(), name="appeal"),
    path("transparency/", review.Figures.as_view(), name="transparency"),
    path("seasons/", seasons.ListSeasons.as_view(), name="seasons"),
    path("seasons/<str:slug>/", seasons.OneSeason.as_view(), name="season"),
    path("players/<slug:handle>/honours/", seasons.HonoursOfPlayer.as_view(), name="honours"),
    path("leagues/", leagues.ReadLeagues.as_view(), name="leagues"),
    path("leagues/<str:week>/<int:tier>/<int:group>/", leagues.OneGroup.as_view(), name="league-group"),
    path("players/<slug:handle>/leagues/", leagues.LeaguesOfPlayer.as_view(), name="player-leagues"),
    path("achievements/", achievements.ListAchievements.as_view(), name="achievements"),
    path(
        "players/<slug:handle>/achievements/", achievements.AchievementsOfPlayer.as_view(), name="player-achievements"
    ),
    path("deals/<slug:deal_id>/results/", skill.ResultsOnDeal.as_view(), name="deal-results"),
    path("players/<slug:handle>/skill/", skill.SkillOfPlayer.as_view(), name="skill"),
    path("bots/", bots.ListBots.as_view(), name="bots"),
    path("boards/", views.Boards.as_view(), name="boards"),
    path("boards/following/", views.Followed.as_view(), name="followed"),
    path("boards/following/<slug:handle>/", views.OneFollowed.as_view(), name="one-followed"),
    path("boards/<str:slug>/", views.OneBoard.as_view(), name="board"),
    path("boards/<str:slug>/histogram/", views.BoardHistogram.as_view(), name="histogram"),
    path("boards/<str:slug>/players/", views.PlayersOnBoard.as_view(), name="players-on-board"),
    path("boards/<str:slug>/players/<slug:handle>/", views.PlayerOnBoard.as_view(), name="player-on-board"),
    path("boards/<str:slug>/players/<slug:handle>/history/", views.PlayerHistory.as_view(), name="player-history"),
]
