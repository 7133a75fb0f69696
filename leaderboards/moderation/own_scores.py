"""Moderation as the players concerned may know it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards.models import Decision, Entry, EntryState
from leaderboards.boards.submission import MOST_DOWNTIME_MS, MOST_HASTY
from leaderboards.moderation.choices import words_of
from leaderboards.moderation.models import Appeal, Case, LogLine, Outcome

PLAIN = (EntryState.PROVISIONAL, EntryState.VERIFIED)
BY_SERVER = gettext_noop("A check of the server found something; a person looks at it.")
TOO_FAST = gettext_noop("Actions followed each other faster than a person acts.")
DOWNTIME = gettext_noop("The clock stood still for more than a minute while no server was running.")
NOT_REPLAYED = gettext_noop("The replay of the game differs from its score.")
HELD = gettext_noop("A person looks at it. Until then the score has no rank; if it is cleared, it counts at once.")
BANNED_FROM = gettext_noop("No game of this account has a rank.")


@dataclass(frozen=True, slots=True)
class OwnScore:
    """A score of the player that is not simply provisional or verified, and why."""

    game: Game
    state: str
    words: str


@dataclass(frozen=True, slots=True)
class OwnDecision:
    """The decision in force in a case of the player. `appeal_until` is None if there is no appeal or it is too late."""

    line: LogLine
    case: Case
    words: str
    appeal_until: datetime | None
    appeal: Appeal | None

    @property
    def is_answer(self) -> bool:
        """True if it answers an appeal."""
        return bool(self.line.facts["appeal"])


def scores_of(player: Player) -> list[OwnScore]:
    """Return the scores with a decision, report or flag, the newest game first."""
    entries = Entry.objects.filter(player=player, valid_to=None, game__isnull=False).exclude(state__in=PLAIN)
    states = {game: (state, held) for game, state, held in entries.order_by().values_list("game_id", "state", "held")}
    games = Game.objects.filter(pk__in=states).select_related("player", "daily", "deal").order_by("-finished_at")
    reasons = _reasons(list(states))
    return [OwnScore(game, states[game.pk][0], _words(game, states[game.pk][1], reasons)) for game in games]


def decisions_of(player: Player, now: datetime) -> list[OwnDecision]:
    """Return the decisions about a player's scores and account, newest first."""
    cases = Case.objects.filter(player=player, decision__isnull=False).select_related("decision", "daily__deal")
    appeals = {appeal.decision_id: appeal for appeal in Appeal.objects.filter(player=player)}
    newest = cases.order_by("-decision__number")
    return [_own_decision(case, case.decision, appeals.get(case.decision.pk), now) for case in newest if case.decision]


def _own_decision(case: Case, line: LogLine, appeal: Appeal | None, now: datetime) -> OwnDecision:
    may_appeal = appeal is None and case.appeal_until is not None and now < case.appeal_until
    words = words_of(line.reason)
    if line.outcome == Outcome.BAN:
        words = f"{words} {gettext(BANNED_FROM)}"
    return OwnDecision(line, case, words, case.appeal_until if may_appeal else None, appeal)


def _words(game: Game, held: bool, reasons: Mapping[str, str]) -> str:
    """Return why a score is as it is; of a flag that holds it what was checked, without figures."""
    if game.player.banned_at is not None:
        return gettext(BANNED_FROM)
    return f"{gettext(reason_of_flag(game))} {gettext(HELD)}" if held else gettext(reasons.get(game.pk, BY_SERVER))


def reason_of_flag(game: Game) -> str:
    """Return the reason, in words for the player, for which the server itself flagged a score."""
    if (game.hasty or 0) > MOST_HASTY and not game.player.is_bot:
        return TOO_FAST
    return DOWNTIME if game.downtime_ms > MOST_DOWNTIME_MS else NOT_REPLAYED


def _reasons(games: Iterable[str]) -> dict[str, str]:
    """Return the words of the last decision about each game, but not of the server's flags: those are for reviewers."""
    last = Decision.objects.filter(game__in=games).order_by("pk")
    return {
        decision.game_id: BY_SERVER
        if decision.by_id is None and decision.state == EntryState.FLAGGED
        else decision.reason
        for decision in last
    }
