"""All sockets of the server: their addresses, who may use them, and the types of their messages."""

from typing import NamedTuple

import msgspec

from games.cups import socket_wire as cup
from games.doors.scopes import Scope
from games.doors.sockets.close_codes import CloseCode
from games.notifications import wire as me
from games.play import wire as game
from games.puzzles import socket_wire as run
from games.races import socket_wire as race
from leaderboards.boards import socket_wire as board

QUESTIONS = ("ping", "sync")
Type = type[msgspec.Struct]


def message_name(kind: Type) -> str:
    """Return the `type` that a message has on the wire."""
    return kind.__name__.lower()


class Socket(NamedTuple):
    """A socket to describe: its address, who may use it, the messages of both sides, and the close codes.

    `replies` maps each type of a client's message to the types that answer it; `unsolicited` are those sent unprompted.
    """

    name: str
    address: str
    description: str
    parameters: tuple[tuple[str, str, str], ...]
    replies: dict[Type, tuple[Type, ...]]
    unsolicited: tuple[Type, ...]
    close_codes: tuple[CloseCode, ...]
    security: tuple[str, ...] = ()
    speaks_like: str = ""  # another socket with the same messages
    becomes: "Socket | None" = None  # the socket whose messages it has from some moment on
    needs: tuple[Scope, ...] = (Scope.READ,)  # one of them, of a token that opens it
    commands_need: Scope = Scope.READ  # of all messages but those that only ask

    @property
    def family(self) -> str:
        return self.speaks_like or self.name

    @property
    def phases(self) -> list["Socket"]:
        """This socket, and then the one that it becomes."""
        return [self, *(self.becomes.phases if self.becomes else ())]

    @property
    def types(self) -> list[Type]:
        """All types of messages, a client's first, each once and in a fixed order."""
        answers = (answer for answers in self.replies.values() for answer in answers)
        return list(dict.fromkeys([*self.replies, *self.unsolicited, *answers]))

    def scopes_of(self, kind: Type) -> tuple[Scope, ...]:
        return self.needs if message_name(kind) in QUESTIONS else (self.commands_need,)


GAME = Socket(
    name="game",
    address="/ws/games/{id}/",
    description=(
        "Play a game of your own, for which a token needs the scope `play`, or watch another player's, for which it "
        "needs `read`. The first message is `state`. A move is answered after it is durable, and may always be sent "
        "again. Watchers may only `sync` and `ping`."
    ),
    parameters=(("id", "The game, as `POST /api/games/` answers it.", "2ekhgkpcm83byqh"),),
    replies={
        game.Play: (game.Played, game.Refused),
        game.Undo: (game.Played, game.Refused),
        game.Redo: (game.Played, game.Refused),
        game.Hint: (game.Hinted, game.Refused),
        game.Resign: (game.Finished, game.Refused),
        game.Restart: (game.Restarted, game.Refused),
        game.Sync: (game.Missed, game.State, game.Refused),
        game.Ping: (game.Pong, game.Refused),
    },
    unsolicited=(game.State, game.Played, game.Refused, game.Unwinnable, game.Finished, game.Placed, game.Superseded),
    close_codes=tuple(CloseCode),
    security=("token", "ticket", "session"),
    needs=(Scope.PLAY, Scope.READ),
    commands_need=Scope.PLAY,
)
DAILY = GAME._replace(
    name="daily",
    needs=(Scope.PLAY,),
    speaks_like="game",
    address="/ws/daily/{rules}/",
    description=(
        "Play today's daily deal of a rule set: your ranked attempt starts, or continues, and this is its socket. Once "
        "all your attempts have ended, it shows the result of the last one."
    ),
    parameters=(("rules", "The rule set.", "standard"),),
)
ENTRANT = GAME._replace(
    name="entrant",
    needs=(Scope.PLAY,),
    speaks_like="game",
    address="/ws/cups/{id}/play/",
    description=(
        "Enter the qualification of a cup, for which a token needs the scope `races` too: your one attempt starts, or "
        "continues, and this is its socket. Close code 4404 has the reason `code=` with the code of the refusal."
    ),
    parameters=(("id", "The cup, as `GET /api/cups/` lists it.", "4m7vq1ht2x9k"),),
)
BOARD = Socket(
    name="board",
    address="/ws/boards/{slug}/",
    description=(
        "The first rows of a score table, and then their changes. The first message is `table`. Anyone may watch; "
        "players who authenticate, as on a game's socket, also get their own row."
    ),
    parameters=(("slug", "The board, as `GET /api/boards/` names it.", "daily.2026-11-20.standard.open.fastest"),),
    replies={board.Ping: (board.Pong, board.Refused)},
    unsolicited=(board.Table, board.Changes, board.Refused),
    close_codes=tuple(code for code in CloseCode if code not in {CloseCode.NOT_YOURS, CloseCode.SUPERSEDED}),
)
CLUB = BOARD._replace(
    name="club",
    speaks_like="board",
    address="/ws/clubs/{club_id}/boards/{slug}/",
    description=(
        "The first rows of a score table that is narrowed to the members of a club, and then their changes, as on the "
        "socket of the whole table."
    ),
    parameters=(("club_id", "The club, as `GET /api/me/clubs/` lists it.", "2x9k4m7vq1ht"), *BOARD.parameters),
)
RACE = Socket(
    name="race",
    address="/ws/races/{id}/",
    description=(
        "The room of a race: its racers and their progress, the countdown, but never a card or a move. The first "
        "message is `room`, which is sent again whenever anything but the racers' figures has changed. Racers play on "
        "the sockets of their games. Anyone may watch a public race, members one of their club, and racers one by "
        "invite."
    ),
    parameters=(("id", "The race, as `POST /api/races/` answers it.", "2x9k4m7vq1ht"),),
    replies={
        race.Start: (race.Done, race.Refused),
        race.Leave: (race.Done, race.Refused),
        race.Rematch: (race.Done, race.Refused),
        race.Ping: (race.Pong, race.Refused),
    },
    unsolicited=(race.Room, race.Standings, race.Refused),
    close_codes=BOARD.close_codes,
    commands_need=Scope.RACES,
)
RACER = RACE._replace(
    name="racer",
    speaks_like="race",
    needs=(Scope.PLAY,),
    address="/ws/races/{id}/play/",
    description=(
        "A race that you are in, and then your game. Until the race begins, this is the socket of the race. Then, "
        "instead of another `room`, the `state` of your game is sent, and from then on this is the socket of your "
        "game. Ask for a rematch on the socket of the race."
    ),
    replies={kind: answers for kind, answers in RACE.replies.items() if kind is not race.Rematch},
    becomes=GAME._replace(needs=(Scope.PLAY,)),
    close_codes=tuple(CloseCode),
    security=GAME.security,
)
CUP = Socket(
    name="cup",
    address="/ws/cups/{id}/{division}/",
    description=(
        "The bracket of a division of a cup, and how many cards the entrants of running matches have left, but never a "
        "card or a move. The first message is `bracket`, which is sent again whenever anything else has changed. "
        "Anyone may watch, but a tournament of a club only its members."
    ),
    parameters=(
        ("id", "The cup, as `GET /api/cups/` lists it.", "4m7vq1ht2x9k"),
        ("division", "From 1, the one with the best seeds.", "1"),
    ),
    replies={cup.Ping: (cup.Pong, cup.Refused)},
    unsolicited=(cup.Bracket, cup.Progress, cup.Refused),
    close_codes=BOARD.close_codes,
)
RUN = Socket(
    name="run",
    address="/ws/runs/{id}/",
    description=(
        "A streak or a storm of your own, which `POST /api/puzzles/runs/` begins. The first message is `shown`. Each "
        "removal is judged, and answered after that is durable. When the time of a storm is up, ask with `look`."
    ),
    parameters=(("id", "The run, as `POST /api/puzzles/runs/` answers it.", "4q7rw9xz1c5k"),),
    replies={
        run.Remove: (run.Judged, run.Refused),
        run.Look: (run.Shown, run.Refused),
        run.End: (run.Shown, run.Refused),
        run.Ping: (run.Pong, run.Refused),
    },
    unsolicited=(run.Shown, run.Refused),
    close_codes=BOARD.close_codes,
    security=("token", "ticket", "session"),
    needs=(Scope.PLAY,),
    commands_need=Scope.PLAY,
)
ME = Socket(
    name="me",
    address="/ws/me/",
    description=(
        "Your notifications as they come, and how many are unread. The first message is `news`, without "
        "notifications. `GET /api/me/notifications/` lists them."
    ),
    parameters=(),
    replies={me.Ping: (me.Pong, me.Refused)},
    unsolicited=(me.News, me.Refused),
    close_codes=tuple(code for code in BOARD.close_codes if code != CloseCode.NOT_FOUND),
    security=("token", "ticket", "session"),
    needs=(Scope.NOTIFICATIONS,),
)
SOCKETS = (GAME, DAILY, ENTRANT, BOARD, CLUB, RACE, RACER, CUP, RUN, ME)
