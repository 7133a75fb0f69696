"""A socket on a club's table: that of the board, narrowed to the members."""

from collections.abc import Awaitable
from functools import partial
from typing import Any

from games.doors.sockets.close_codes import CloseCode, Closed
from games.keys.sockets import VisitorConnection, serve
from leaderboards.boards.socket import talk_about_table
from leaderboards.clubs.refusals import UnknownClub
from leaderboards.clubs.tables import narrowed_to_club


def club_board_socket(scope: dict[str, Any], receive: Any, send: Any) -> Awaitable[None]:
    """Serve `/ws/clubs/{club_id}/boards/{slug}/`. Anyone may watch, as over REST."""
    return serve(scope, receive, send, _talk_about_club)


async def _talk_about_club(connection: VisitorConnection) -> None:
    club_id = connection.scope["url_route"]["kwargs"]["club_id"]
    try:
        await talk_about_table(connection, club_id, partial(narrowed_to_club, club_id))
    except UnknownClub:
        raise Closed(CloseCode.NOT_FOUND) from None
