"""Score tables in the admin: to be read, not to be edited."""

from __future__ import annotations

from django.contrib import admin

from games.admin import ReadOnly
from leaderboards.models import Board, Entry


@admin.register(Board)
class BoardAdmin(ReadOnly):
    list_display = ("slug", "version")
    search_fields = ("slug",)


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    list_display = ("game", "player", "board", "since")
    list_select_related = ("game", "player", "board")
    search_fields = ("game", "player__username", "board__slug")
