"""A client of Pyramid Server: see README.md."""

from pyramid_client import answers, api, board_messages, messages, race_messages
from pyramid_client.asynchronous import AsyncBoard, AsyncClient, AsyncGame, AsyncRace
from pyramid_client.blocking import Board, Client, Game, Race
from pyramid_client.errors import Closed, PyramidError, Refused, Superseded, Unreachable
from pyramid_client.rest import Call

__all__ = [
    "AsyncBoard",
    "AsyncClient",
    "AsyncGame",
    "AsyncRace",
    "Board",
    "Call",
    "Client",
    "Closed",
    "Game",
    "PyramidError",
    "Race",
    "Refused",
    "Superseded",
    "Unreachable",
    "answers",
    "api",
    "board_messages",
    "messages",
    "race_messages",
]
