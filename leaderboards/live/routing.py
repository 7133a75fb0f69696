from __future__ import annotations

from django.urls import path

from leaderboards.live.socket import watch_board

websocket_urlpatterns = [
    path("ws/boards/<str:slug>/", watch_board),  # type: ignore[arg-type]  # Channels routes ASGI applications
]
