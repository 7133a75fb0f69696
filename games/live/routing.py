from __future__ import annotations

from django.urls import path

from games.live.game_socket import daily_socket, game_socket
from games.live.news_socket import news_socket
from games.live.race_socket import race_socket

websocket_urlpatterns = [
    path("ws/games/<slug:game_id>/", game_socket),  # type: ignore[arg-type]  # Channels routes ASGI applications
    path("ws/daily/<slug:rules>/", daily_socket),  # type: ignore[arg-type]
    path("ws/races/<slug:race_id>/", race_socket),  # type: ignore[arg-type]
    path("ws/me/", news_socket),  # type: ignore[arg-type]
]
