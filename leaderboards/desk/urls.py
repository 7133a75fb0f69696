"""The addresses of the desk inside the admin, which checks each visitor itself."""

from collections.abc import Callable

from django.http import HttpResponse

from leaderboards.desk import acting, case, clubs, cups, lists, player, queue

PAGES: tuple[tuple[str, Callable[..., HttpResponse], str], ...] = (
    ("review/", queue.queue, "review"),
    ("review/views/", queue.views, "review-views"),
    ("review/decisions/", lists.decisions, "review-decisions"),
    ("review/detectors/", lists.detectors, "review-detectors"),
    ("review/faults/", lists.faults, "review-faults"),
    ("review/clubs/", clubs.clubs, "review-clubs"),
    ("review/clubs/<slug:club_id>/", clubs.club, "review-club"),
    ("review/cups/", cups.cups, "review-cups"),
    ("review/cups/<slug:cup_id>/", cups.cup, "review-cup"),
    ("review/players/<int:pk>/", player.player, "review-player"),
    ("review/<int:pk>/", case.case, "review-case"),
    ("review/<int:pk>/moves/", acting.who_moves, "review-moves"),
)
