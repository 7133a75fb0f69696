from __future__ import annotations

from django.urls import path

from games.live.consumer import game_socket

websocket_urlpatterns = [
    path("ws/games/<slug:game_id>/", game_socket),  # type: ignore[arg-type]  # Channels routes ASGI applications
]
