"""The example messages of docs/asyncapi.json: at least one instance of each type, for all sockets."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from games import news_wire as me
from games import race_wire as race
from games import wire as game
from games.rest import race_examples
from leaderboards.live import messages as board
from leaderboards.wire import RankedPlayer, Row

Example = tuple[str, msgspec.Struct]

POSITION = (
    "5d/Ts8s/3hJc3s/Ac5s4hKh/5c3cThQc9d/Qd7c8d6h4c6d/Js8h8cKdKs2sKc |???????????????????????????????????????????????? *"
)

GAME_CLIENT: tuple[Example, ...] = (
    ("a removal", game.Play(id=1, version=0, move="Kd")),
    ("a draw, with the client's own clock", game.Play(id=2, version=1, move="D", client_ms=3920)),
    ("take back", game.Undo(id=3, version=2)),
    ("make again", game.Redo(id=4, version=3)),
    ("ask for the best move", game.Hint(id=5, version=4)),
    ("give up", game.Resign(id=6, version=5)),
    ("the same deal as a new game", game.Restart(id=7)),
    ("what happened since", game.Sync(id=8, version=2)),
    ("a ping", game.Ping(id=9)),
)

GAME_SERVER: tuple[Example, ...] = (
    (
        "a new game",
        game.State(
            game="hgkpcm83byqh",
            version=0,
            rules="standard",
            position=POSITION,
            legal=["2sJs", "D", "Kc", "Kd", "Ks"],
            moves=0,
            elapsed_ms=0,
            outcome=None,
            result="*",
        ),
    ),
    (
        "to the player",
        game.Played(
            id=2,
            version=2,
            move="D",
            revealed=["5h"],
            legal=["2sJs", "5h8c", "5h8h", "D", "Kc", "Ks"],
            moves=2,
            at_ms=3954,
            outcome=None,
        ),
    ),
    (
        "an undo",
        game.Played(
            id=3,
            version=3,
            move="U",
            revealed=[],
            legal=["2sJs", "D", "Kc", "Ks"],
            moves=3,
            at_ms=5120,
            outcome=None,
            position=POSITION.replace("Kd", "--").replace("|??", "|5h"),
        ),
    ),
    (
        "to those who watch",
        game.Played(
            id=None,
            version=1,
            move="Kd",
            revealed=[],
            legal=["2sJs", "D", "Kc", "Ks"],
            moves=1,
            at_ms=2210,
            outcome=None,
        ),
    ),
    (
        "an illegal move",
        game.Refused(id=3, code="illegal_move", message="4s9s: 4s is not in sight; 9s is not in sight", version=2),
    ),
    (
        "no message at all",
        game.Refused(id=None, code="bad_message", message="JSON is malformed: invalid character (byte 0)", version=2),
    ),
    (
        "two draws",
        game.Missed(
            id=8,
            version=4,
            actions="D@9000 D@9500",
            revealed=["9s", "Ad"],
            legal=["2sJs", "D", "Kc", "Ks"],
            moves=4,
            outcome=None,
        ),
    ),
    (
        "a guess",
        game.Hinted(
            id=5, version=5, move="Ks", reason="wins in most orders of the cards you have not seen", is_exact=False
        ),
    ),
    ("never winnable", game.Unwinnable(version=1, since=None)),
    ("lost by the last move", game.Unwinnable(version=12, since=11)),
    ("given up", game.Finished(version=5, result="resigned", moves=4, elapsed_ms=61250, cards_left=27)),
    (
        "on the tables of its day",
        game.Placed(boards=[game.Standing("daily.2026-11-20.standard.open.fewest-moves", rank=12, of=340)]),
    ),
    ("a new game", game.Restarted(id=7, game="4hzk1m8w0qtx")),
    ("taken over", game.Superseded()),
    ("the answer to a ping", game.Pong(id=9, elapsed_ms=61400)),
)

ALICE = Row(
    rank=1,
    place=1,
    player=RankedPlayer("alice", "Alice", is_bot=False),
    game="4hzk1m8w0qtx",
    cards_left=0,
    moves=41,
    elapsed_ms=183250,
    result="won",
    score_state="provisional",
    at=datetime(2026, 11, 20, 10, 4, 11, 250000, UTC),
)
BOB = Row(
    rank=2,
    place=2,
    player=RankedPlayer("bob", "Bob", is_bot=False),
    game="hgkpcm83byqh",
    cards_left=2,
    moves=30,
    elapsed_ms=47250,
    result="resigned",
    score_state="provisional",
    at=datetime(2026, 11, 20, 11, 20, tzinfo=UTC),
)

BOARD_CLIENT: tuple[Example, ...] = (("a ping", board.Ping(type="ping", id=7)),)

BOARD_SERVER: tuple[Example, ...] = (
    (
        "to someone who is not on it",
        board.Table(board="daily.2026-11-20.standard.open.fastest", version=1, count=1, rows=[ALICE], own=None),
    ),
    ("bob has come", board.Changes(version=2, count=2, rows=[BOB], gone=[], own=BOB)),
    ("bob was disqualified", board.Changes(version=3, count=1, rows=[], gone=["bob"], own=None)),
    ("not a ping", board.Refused(code="bad_message", message="Object missing required field `id`")),
    ("the answer to a ping", board.Pong(id=7, version=2)),
)

RACE_CLIENT: tuple[Example, ...] = (
    ("begin the countdown", race.Start(id=1)),
    ("leave the room", race.Leave(id=2)),
    ("race again", race.Rematch(id=3)),
    ("a ping", race.Ping(id=4)),
)

RACE_SERVER: tuple[Example, ...] = (
    ("a room with two racers", race.Room(race_examples.CREATED, race_examples.RACE)),
    ("one of them has moved", race.Standings([race_examples.RUNNING])),
    ("a rematch", race.Done(id=3, race="7c2m9xk4v1qd")),
    ("not the host", race.Refused(id=1, code="not_host", message="only the host can start this race")),
    ("the answer to a ping", race.Pong(id=4, server_now=race_examples.CREATED)),
)

ME_CLIENT: tuple[Example, ...] = (("whether the connection is alive", me.Ping(type="ping", id=7)),)

ME_SERVER: tuple[Example, ...] = (
    ("the first message", me.News(unread=0, notifications=[])),
    (
        "a notification",
        me.News(
            unread=1,
            notifications=[
                me.Notification(
                    id=12,
                    at=datetime(2026, 11, 24, 0, 40, tzinfo=UTC),
                    kind="league",
                    subject="2026-11-23",
                    words="You move up to tier 3 of the leagues, group 12.",
                    page="/leagues/2026-W48/3/12/",
                    is_read=False,
                )
            ],
        ),
    ),
    ("not a ping", me.Refused(code="bad_message", message="Object missing required field `id`")),
    ("whether the connection is alive", me.Pong(id=7)),
)
