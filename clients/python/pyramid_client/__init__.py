"""A client of Pyramid Server: see README.md."""

from pyramid_client import (
    answers,
    api,
    board_messages,
    clubs,
    cup_messages,
    cups,
    me_messages,
    messages,
    race_messages,
    run_messages,
)
from pyramid_client.asynchronous import AsyncBoard, AsyncClient, AsyncCup, AsyncGame, AsyncRace, AsyncRun
from pyramid_client.blocking import Board, Client, Cup, Game, Race, Run
from pyramid_client.errors import Closed, PyramidError, Refused, Superseded, Unreachable
from pyramid_client.rest import Call

__all__ = [
    "AsyncBoard",
    "AsyncClient",
    "AsyncCup",
    "AsyncGame",
    "AsyncRace",
    "AsyncRun",
    "Board",
    "Call",
    "Client",
    "Closed",
    "Cup",
    "Game",
    "PyramidError",
    "Race",
    "Refused",
    "Run",
    "Superseded",
    "Unreachable",
    "answers",
    "api",
    "board_messages",
    "clubs",
    "cup_messages",
    "cups",
    "me_messages",
    "messages",
    "race_messages",
    "run_messages",
]
