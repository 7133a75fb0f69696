"""A client of Pyramid Server: see README.md."""

from pyramid_client import answers, api, board_messages, messages
from pyramid_client.asynchronous import AsyncBoard, AsyncClient, AsyncGame
from pyramid_client.blocking import Board, Client, Game
from pyramid_client.errors import Closed, PyramidError, Refused, Superseded, Unreachable
from pyramid_client.rest import Call

__all__ = [
    "AsyncBoard",
    "AsyncClient",
    "AsyncGame",
    "Board",
    "Call",
    "Client",
    "Closed",
    "Game",
    "PyramidError",
    "Refused",
    "Superseded",
    "Unreachable",
    "answers",
    "api",
    "board_messages",
    "messages",
]
