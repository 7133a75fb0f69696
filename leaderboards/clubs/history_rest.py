"""Notices of clubs over REST, muted players, and the log for members."""

from django.http import HttpResponse
from django.urls import path
from rest_framework.request import Request
from rest_framework.response import Response

from games.doors.rest.caching import PRIVATE, conditional
from games.doors.rest.openapi import CHANGES, FOR_ALL, FOR_PLAYERS, NOT_MODIFIED, Answer, operation
from games.doors.scopes import Scope
from games.players.endpoint import Endpoint, PlayersEndpoint
from games.players.refusals import UnknownPlayer
from games.runtime.clock import clock
from leaderboards.boards.refusals import BadCursor
from leaderboards.clubs import history_examples, history_wire, muting, notices
from leaderboards.clubs.history_wire import LogInput, NoticesInput
from leaderboards.clubs.log import log_of
from leaderboards.clubs.reading import find_club, read_club
from leaderboards.clubs.refusals import NotInClub, TooManyMuted, UnknownClub


class Notices(Endpoint):
    @operation(
        "read_club_notices",
        [Answer(history_examples.NOTICES), NOT_MODIFIED],
        (*FOR_ALL, UnknownClub, BadCursor),
        parameters=[NoticesInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, club_id: str) -> HttpResponse:
        """Read what happened in a club in the last fortnight: who joined, left, won a day, or set a record.

        A day is among it once it is final. Players whom you have muted are left out.
        """
        known, query = read_club(find_club(club_id), self.reader), self.query(NoticesInput)
        found = notices.notices_of(known.club, self.reader, clock.now())
        if query.cursor:
            found = notices.after(query.cursor, known.club, found)
        shown = found[: query.limit]
        following = notices.cursor_after(known.club, shown[-1]) if len(found) > len(shown) else None
        return conditional(
            request, history_wire.ClubNotices([history_wire.ClubNotice.of(one) for one in shown], following), PRIVATE
        )


class Log(PlayersEndpoint):
    @operation(
        "read_club_log",
        Answer(history_examples.LOG),
        (*FOR_PLAYERS, UnknownClub, NotInClub),
        parameters=[LogInput],
        scope=Scope.READ,
    )
    def get(self, request: Request, club_id: str) -> Response:
        """Read the log of a club that you are in, newest first.

        Invitations, requests, removals and bans are for the owner and officers.
        """
        club, before = find_club(club_id), self.query(LogInput).before or None
        return Response(history_wire.ClubLog.of(club, log_of(club, self.player, before, history_wire.LINES)))


class Muted(PlayersEndpoint):
    @operation("list_muted", Answer(history_examples.MUTED), FOR_PLAYERS, scope=Scope.READ)
    def get(self, request: Request) -> Response:
        """List the players whose notices you do not see."""
        return Response(history_wire.MutedPlayers.of(muting.muted_by(self.player)))


class OneMuted(PlayersEndpoint):
    @operation("mute", Answer(history_examples.MUTED), (*CHANGES, UnknownPlayer, TooManyMuted))
    def put(self, request: Request, handle: str) -> Response:
        """Hide the notices of a player from yourself, in every club, and read whom you have muted."""
        muting.mute(self.player, handle)
        return Response(history_wire.MutedPlayers.of(muting.muted_by(self.player)))

    @operation("unmute", Answer(history_examples.MUTED), CHANGES)
    def delete(self, request: Request, handle: str) -> Response:
        """Show the notices of a player again, and read whom you have muted."""
        muting.unmute(self.player, handle)
        return Response(history_wire.MutedPlayers.of(muting.muted_by(self.player)))


urlpatterns = [
    path("clubs/muted/", Muted.as_view(), name="muted"),
    path("clubs/muted/<slug:handle>/", OneMuted.as_view(), name="one-muted"),
    path("clubs/<slug:club_id>/notices/", Notices.as_view(), name="club-notices"),
    path("clubs/<slug:club_id>/log/", Log.as_view(), name="club-log"),
]
