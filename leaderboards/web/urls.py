from __future__ import annotations

from django.urls import path

from leaderboards.web import skill, views  # noqa: F401  importing skill connects its receivers

app_name = "boards"
urlpatterns = [
    path("", views.boards, name="boards"),
    path("<str:slug>/", views.board, name="board"),
]
