from __future__ import annotations

from django.urls import path

from leaderboards.rest import views

urlpatterns = [
    path("boards/", views.BoardsView.as_view(), name="boards"),
    path("boards/<str:slug>/", views.BoardView.as_view(), name="board"),
    path("boards/<str:slug>/players/<slug:handle>/", views.PlayerOnBoardView.as_view(), name="player-on-board"),
]
