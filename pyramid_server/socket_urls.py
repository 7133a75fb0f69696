"""The addresses of all sockets. Those of pages are imported with the first request."""

from django.urls import path

from games.cups.socket import cup_socket, entrant_socket
from games.notifications.socket import news_socket
from games.play.socket import daily_socket, game_socket
from games.puzzles.socket import run_socket
from games.races.socket import race_socket, racer_socket
from leaderboards.boards.socket import board_socket
from leaderboards.clubs.socket import club_board_socket

# Channels routes ASGI applications, which Django's types do not know.
websocket_urlpatterns = [
    path("ws/games/<slug:game_id>/", game_socket),  # type: ignore[arg-type]
    path("ws/daily/<slug:rules>/", daily_socket),  # type: ignore[arg-type]
    path("ws/races/<slug:race_id>/", race_socket),  # type: ignore[arg-type]
    path("ws/races/<slug:race_id>/play/", racer_socket),  # type: ignore[arg-type]
    path("ws/runs/<slug:run_id>/", run_socket),  # type: ignore[arg-type]
    path("ws/cups/<slug:cup_id>/play/", entrant_socket),  # type: ignore[arg-type]
    path("ws/cups/<slug:cup_id>/<int:division>/", cup_socket),  # type: ignore[arg-type]
    path("ws/me/", news_socket),  # type: ignore[arg-type]
    path("ws/boards/<str:slug>/", board_socket),  # type: ignore[arg-type]
    path("ws/clubs/<slug:club_id>/boards/<str:slug>/", club_board_socket),  # type: ignore[arg-type]
]
