"""Score tables in the admin, read-only."""

from __future__ import annotations

from django.contrib import admin

from games.admin import ReadOnly
from leaderboards.models import Board, Decision, Entry, Following, PendingGame


@admin.register(Board)
class BoardAdmin(ReadOnly):
    list_display = ("slug", "version")
    search_fields = ("slug",)


@admin.register(Entry)
class EntryAdmin(ReadOnly):
    list_display = ("__str__", "player", "board", "state", "listed", "valid_from", "valid_to", "changed_at")
    list_select_related = ("game", "player", "board")
    search_fields = ("game", "player__username", "board__slug")


@admin.register(PendingGame)
class PendingGameAdmin(ReadOnly):
    list_display = ("game", "finished_at", "error")
    search_fields = ("game__id", "game__player__username")


@admin.register(Decision)
class DecisionAdmin(ReadOnly):
    list_display = ("game", "state", "reason", "by", "at")
    list_select_related = ("game", "by")
    search_fields = ("game", "game__player__username")


@admin.register(Following)
class FollowingAdmin(ReadOnly):
    list_display = ("follower", "followed")
    list_select_related = ("follower", "followed")
    search_fields = ("follower__username", "followed__username")
