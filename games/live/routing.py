from __future__ import annotations

from django.urls import path

from games.live.consumer import play_game

websocket_urlpatterns = [
    path("ws/games/<slug:game_id>/", play_game),  # type: ignore[arg-type]  # Channels routes ASGI applications
]
