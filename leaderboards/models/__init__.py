"""Rows of the score tables and of their review."""

from leaderboards.models.awards import Award
from leaderboards.models.boards import UNRANKED, Board, Decision, Entry, EntryState, Following, PendingGame
from leaderboards.models.cases import Act, Appeal, Case, LogCheck, LogHead, LogLine, Outcome, Report
from leaderboards.models.desk import SavedView, WeighedGame
from leaderboards.models.evidence import AccountEvidence, DetectorRun, Examination, ExaminedDeal, KeptFinding, Trace
from leaderboards.models.leagues import LeagueClosing, LeagueSeat
from leaderboards.models.notices import MovedRanks, Notice
from leaderboards.models.sealing import DayRoot, MerkleTile, SealedResult
from leaderboards.models.seasons import Honour, Season
from leaderboards.models.skill import DealResults, PlayerShare
from leaderboards.models.webhooks import Delivery, Webhook, WebhookEvent

__all__ = [
    "UNRANKED",
    "AccountEvidence",
    "Act",
    "Appeal",
    "Award",
    "Board",
    "Case",
    "DayRoot",
    "DealResults",
    "Decision",
    "Delivery",
    "DetectorRun",
    "Entry",
    "EntryState",
    "Examination",
    "ExaminedDeal",
    "Following",
    "Honour",
    "KeptFinding",
    "LeagueClosing",
    "LeagueSeat",
    "LogCheck",
    "LogHead",
    "LogLine",
    "MerkleTile",
    "MovedRanks",
    "Outcome",
    "PendingGame",
    "PlayerShare",
    "Report",
    "SavedView",
    "SealedResult",
    "Season",
    "Trace",
    "Webhook",
    "WebhookEvent",
    "WeighedGame",
]
