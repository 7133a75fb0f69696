"""The example messages of docs/asyncapi.json: at least one of each type, by the family of sockets that has it."""

import msgspec

from games.cups import socket_wire as cup
from games.cups.examples import CUP
from games.doors.scopes import Scope
from games.notifications import wire as me
from games.notifications.examples import NOTIFICATIONS
from games.play import wire as game
from games.puzzles import socket_wire as run
from games.puzzles.examples import RUN
from games.puzzles.library import first_puzzle
from games.puzzles.refusals import StalePuzzle
from games.races import race_examples
from games.races import socket_wire as race
from leaderboards.boards import socket_wire as board
from leaderboards.boards.examples import KEY, ROWS

Example = tuple[str, msgspec.Struct]

ALICE, BOB = ROWS
POSITION = (
    "5d/Ts8s/3hJc3s/Ac5s4hKh/5c3cThQc9d/Qd7c8d6h4c6d/Js8h8cKdKs2sKc |???????????????????????????????????????????????? *"
)
NEW = game.State("2ekhgkpcm83byqh", 0, "standard", POSITION, ["2sJs", "D", "Kc", "Kd", "Ks"], 0, 0, None, "*")
LEGAL = ["2sJs", "D", "Kc", "Ks"]
REMOVED = game.Played(id=None, version=1, move="Kd", revealed=[], legal=LEGAL, moves=1, at_ms=2210, outcome=None)
UNDONE = msgspec.structs.replace(
    REMOVED, id=3, version=3, move="U", moves=3, at_ms=5120, position=POSITION.replace("Kd", "--").replace("|??", "|5h")
)
AFTER_DRAW = ["2sJs", "5h8c", "5h8h", "D", "Kc", "Ks"]
DREW = msgspec.structs.replace(
    REMOVED, id=2, version=2, move="D", revealed=["5h"], legal=AFTER_DRAW, moves=2, at_ms=3954
)
MISSED = game.Missed(
    id=8, version=4, actions="D@9000 D@9500", revealed=["9s", "Ad"], legal=LEGAL, moves=4, outcome=None
)
HINT = "wins in most orders of the cards you have not seen"
ILLEGAL = "4s9s: 4s is not in sight; 9s is not in sight"
NO_JSON = "JSON is malformed: invalid character (byte 0)"
NO_RACES = "this token lacks the scope races"
NO_ID = "Object missing required field `id`"
REMOVAL = [first_puzzle().packed.win[0].text]

EXAMPLES: dict[str, tuple[Example, ...]] = {
    "game": (
        ("a removal", game.Play(id=1, version=0, move="Kd")),
        ("a draw, with the client's own clock", game.Play(id=2, version=1, move="D", client_ms=3920)),
        ("take back", game.Undo(id=3, version=2)),
        ("make again", game.Redo(id=4, version=3)),
        ("ask for the best move", game.Hint(id=5, version=4)),
        ("give up", game.Resign(id=6, version=5)),
        ("the same deal as a new game", game.Restart(id=7)),
        ("what happened since", game.Sync(id=8, version=2)),
        ("a ping", game.Ping(id=9)),
        ("a new game", NEW),
        ("to the player", DREW),
        ("an undo", UNDONE),
        ("to those who watch", REMOVED),
        ("an illegal move", game.Refused(id=3, code="illegal_move", message=ILLEGAL, version=2)),
        ("no message at all", game.Refused(id=None, code="bad_message", message=NO_JSON, version=2)),
        ("two draws", MISSED),
        ("a guess", game.Hinted(id=5, version=5, move="Ks", reason=HINT, is_exact=False)),
        ("never winnable", game.Unwinnable(version=1, since=None)),
        ("lost by the last move", game.Unwinnable(version=12, since=11)),
        ("given up", game.Finished(version=5, result="resigned", moves=4, elapsed_ms=61250, cards_left=27)),
        ("on the tables of its day", game.Placed(boards=[game.Standing(str(KEY), rank=12, of=340)])),
        ("a new game", game.Restarted(id=7, game="2ek4hzk1m8w0qtx")),
        ("taken over", game.Superseded()),
        ("the answer to a ping", game.Pong(id=9, elapsed_ms=61400)),
    ),
    "board": (
        ("a ping", board.Ping(type="ping", id=7)),
        ("to someone who is not on it", board.Table(board=str(KEY), version=1, count=1, rows=[ALICE], own=None)),
        ("bob has come", board.Changes(version=2, count=2, rows=[BOB], gone=[], own=BOB)),
        ("bob was disqualified", board.Changes(version=3, count=1, rows=[], gone=["bob"], own=None)),
        ("not a ping", board.Refused(code="bad_message", message=NO_ID)),
        ("the answer to a ping", board.Pong(id=7, version=2)),
    ),
    "race": (
        ("begin the countdown", race.Start(id=1)),
        ("leave the room", race.Leave(id=2)),
        ("race again", race.Rematch(id=3)),
        ("a ping", race.Ping(id=4)),
        ("a room with two racers", race.Room(race_examples.CREATED, race_examples.RACE)),
        ("one of them has moved", race.Standings([race_examples.RUNNING])),
        ("a rematch", race.Done(id=3, race="7c2m9xk4v1qd")),
        ("not the host", race.Refused(id=1, code="not_host", message="only the host can start this race")),
        ("a token for something else", race.Refused(id=2, code="missing_scope", message=NO_RACES, scope=Scope.RACES)),
        ("the answer to a ping", race.Pong(id=4, server_now=race_examples.CREATED)),
    ),
    "run": (
        ("a removal", run.Remove(id=1, number=14, moves=REMOVAL)),
        ("how it stands", run.Look(id=2)),
        ("end it", run.End(id=3)),
        ("a ping", run.Ping(id=4)),
        ("the first message", run.Shown(None, RUN)),
        ("a puzzle solved", run.Judged(1, "solved", None, RUN)),
        ("gone on elsewhere", run.Refused(1, "stale_puzzle", StalePuzzle.example)),
        ("the answer to a ping", run.Pong(4, RUN.server_now)),
    ),
    "cup": (
        ("a ping", cup.Ping(type="ping", id=7)),
        ("a cup with a match that is running", cup.Bracket(CUP)),
        ("one of them has removed cards", cup.Progress([cup.CardsLeft("2x9k4m7vq1ht", "carol", 7)])),
        ("not a ping", cup.Refused(code="bad_message", message=NO_ID)),
        ("the answer to a ping", cup.Pong(id=7)),
    ),
    "me": (
        ("whether the connection is alive", me.Ping(type="ping", id=7)),
        ("the first message", me.News(unread=0, notifications=[])),
        ("a notification", me.News(unread=1, notifications=NOTIFICATIONS.notifications[:1])),
        ("not a ping", me.Refused(code="bad_message", message=NO_ID)),
        ("whether the connection is alive", me.Pong(id=7)),
    ),
}
