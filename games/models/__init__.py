"""The tables and their queries. Invariants are enforced by the database."""

from games.models.exports import DataExport
from games.models.games import SUMMARY_FIELDS, DailyDeal, Deal, Game, Logs, Move, logs_of
from games.models.keys import BrowserSession, TokenName
from games.models.notifications import MutedKind, Notification
from games.models.players import GUEST, ID_LENGTH, DayDivision, Erasure, Player, SecretAccess, listed_as, new_id
from games.models.programme import SetProgramme
from games.models.races import RESULT_FIELDS, Race, Racer
from games.models.ratings import Rating, RatingChange, RatingsLock, UnratedRace
from games.models.reviews import GameReview
from games.models.statistics import GameKind, PlayedDays, Tally, UncountedGame
from games.models.uptime import Uptime
from games.models.worker import WorkerTask

__all__ = [
    "GUEST",
    "ID_LENGTH",
    "RESULT_FIELDS",
    "SUMMARY_FIELDS",
    "BrowserSession",
    "DailyDeal",
    "DataExport",
    "DayDivision",
    "Deal",
    "Erasure",
    "Game",
    "GameKind",
    "GameReview",
    "Logs",
    "Move",
    "MutedKind",
    "Notification",
    "PlayedDays",
    "Player",
    "Race",
    "Racer",
    "Rating",
    "RatingChange",
    "RatingsLock",
    "SecretAccess",
    "SetProgramme",
    "Tally",
    "TokenName",
    "UncountedGame",
    "UnratedRace",
    "Uptime",
    "WorkerTask",
    "listed_as",
    "logs_of",
    "new_id",
]
