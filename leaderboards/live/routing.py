from __future__ import annotations

from django.urls import path

from leaderboards.live.socket import board_socket

websocket_urlpatterns = [
    path("ws/boards/<str:slug>/", board_socket),  # type: ignore[arg-type]  # Channels routes ASGI applications
]
