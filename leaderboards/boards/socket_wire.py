"""Every message of `/ws/boards/{slug}/` as a type, its rows as over REST.

The server sends; clients only listen, or ping.
"""

from games.doors.sockets import pings
from games.doors.wire import Message, Number
from games.play.wire import BoardSlug
from games.players.wire import Handle
from leaderboards.boards.wire import Row

Ping = pings.Ping
Refused = pings.Refused
read = pings.read


class Table(Message, frozen=True):
    """The first rows, and the player's own row wherever it is, or null. Sent first; all later messages are changes."""

    board: BoardSlug
    version: Number
    count: Number
    rows: list[Row]
    own: Row | None


class Changes(Message, frozen=True):
    """The changes since the last version sent: rows that are new or have moved, handles that left the first rows."""

    version: Number
    count: Number
    rows: list[Row]
    gone: list[Handle]
    own: Row | None


class Pong(Message, frozen=True):
    """The answer to a ping."""

    id: Number
    version: Number


ServerMessage = Table | Changes | Refused | Pong
