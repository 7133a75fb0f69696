"""The choices of a reviewer with the reasons that the player reads, and their effect on games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext, gettext_noop

from games.play.models import Game
from games.players.models import Player
from leaderboards.audit.verifying import mistakes_in
from leaderboards.boards.decisions import ranked_games
from leaderboards.boards.models import Decision, Entry, EntryState
from leaderboards.moderation.bans import banning_case, disqualified_apart, flags_in_force, taken_by_ban
from leaderboards.moderation.cases import ended_attempts
from leaderboards.moderation.models import Case, Outcome
from leaderboards.moderation.refusals import BadDecision

LONGEST_TEXT = 2000
MOVES_RANKS = (Outcome.DISQUALIFY, Outcome.REINSTATE, Outcome.BAN, Outcome.UNBAN)
ABOUT_THE_PLAYER = (Outcome.BAN, Outcome.UNBAN)
TOP = 10


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason, and the outcomes that allow it."""

    code: str
    words: str
    outcomes: tuple[Outcome, ...]


_FOR = (Outcome.CLEAR, Outcome.REINSTATE, Outcome.UNBAN)
_AGAINST = (Outcome.FLAG, Outcome.DISQUALIFY, Outcome.BAN)

REASONS = {
    reason.code: reason
    for reason in (
        Reason("explained", gettext_noop("What stood out has an innocent explanation."), _FOR),
        Reason("not_enough", gettext_noop("What was found is not enough to act on."), _FOR),
        Reason("mistaken_report", gettext_noop("The report was mistaken."), _FOR),
        Reason("our_mistake", gettext_noop("The earlier decision was our mistake."), _FOR),
        Reason("unseen_cards", gettext_noop("The play fits cards that had not been turned up yet."), _AGAINST),
        Reason("second_account", gettext_noop("The deal had been seen on a second account."), _AGAINST),
        Reason("program", gettext_noop("The times are those of a program, on an account for people."), _AGAINST),
        Reason("copied_line", gettext_noop("The games follow lines that others had played."), _AGAINST),
        Reason("clock", gettext_noop("The times of the game cannot be relied on."), _AGAINST),
        Reason("record", gettext_noop("The record of the game does not agree with its result."), _AGAINST),
    )
}


def words_of(code: str) -> str:
    """Return the text for the player, in the reader's language; empty for an unknown code."""
    return gettext(REASONS[code].words) if code in REASONS else ""


@dataclass(frozen=True, slots=True)
class Choice:
    """An outcome with the code of its reason, the text for colleagues, and games; none stands for the case's own."""

    outcome: Outcome
    reason: str
    text: str = ""
    games: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chosen:
    """A choice about a case, and the games that it affects, which are read once."""

    choice: Choice
    games: Sequence[Game]


@dataclass(frozen=True, slots=True)
class Signed:
    """The reviewers who decided and confirmed, and the time."""

    by: Player | None
    confirmed_by: Player | None
    at: datetime


def require_sound(case: Case, chosen: Chosen) -> None:
    """Raise `BadDecision` for a choice that does not fit its reason or the case."""
    choice = chosen.choice
    require_reason(choice)
    if foreign := _foreign(case, chosen):
        raise BadDecision(f"the case is not about {', '.join(sorted(foreign))}")
    is_banned = case.player.banned_at is not None
    if choice.outcome is Outcome.BAN and is_banned:
        raise BadDecision("the player is banned already")
    if choice.outcome is Outcome.UNBAN and not is_banned:
        raise BadDecision("the player is not banned")
    _require_named(case, chosen, is_banned=is_banned)


def require_reason(choice: Choice) -> None:
    """Raise `BadDecision` unless the reason is one for the outcome, and the text is short enough."""
    reason = REASONS.get(choice.reason)
    if reason is None or choice.outcome not in reason.outcomes:
        raise BadDecision(f"{choice.reason!r} is not a reason to {Outcome(choice.outcome).label}")
    if len(choice.text) > LONGEST_TEXT:
        raise BadDecision(f"the text for colleagues has at most {LONGEST_TEXT} characters")


def _require_named(case: Case, chosen: Chosen, *, is_banned: bool) -> None:
    """Refuse a decision that leaves a ban or a disqualification in force under another name, without an appeal, and one
    that seems to take back what was not decided."""
    outcome = chosen.choice.outcome
    bans = banning_case(case.player) if is_banned else None
    if bans == case and outcome != Outcome.UNBAN:
        raise BadDecision("the player is banned by this case: lift the ban, or leave the decision as it is")
    if bans and bans != case and outcome is Outcome.UNBAN:
        raise BadDecision(f"the player is banned by case {bans.pk}: lift the ban there")
    is_disqualified = _is_disqualified(case, chosen.games, is_banned=is_banned)
    if outcome in (Outcome.CLEAR, Outcome.FLAG) and is_disqualified:
        raise BadDecision("the score is disqualified: reinstate it, or disqualify it again")
    if outcome is Outcome.REINSTATE and not is_disqualified:
        raise BadDecision("the score is not disqualified: clear it")


def _is_disqualified(case: Case, games: Iterable[Game], *, is_banned: bool) -> bool:
    """Return True if one of the games is disqualified, apart from a ban."""
    if is_banned:
        return not disqualified_apart(case.player).isdisjoint(game.pk for game in games)
    return EntryState.DISQUALIFIED in states_of(games).values()


def states_of(games: Iterable[Game]) -> dict[str | None, str]:
    """Return the states of the scores of games that are on boards."""
    entries = Entry.objects.filter(game__in=list(games), valid_to=None).order_by()
    return dict(entries.values_list("game_id", "state"))


def _foreign(case: Case, chosen: Chosen) -> set[str]:
    """Return the games in a choice that the case is not about; a ban affects other games than those it names."""
    named = set(chosen.choice.games)
    if not named:
        return named
    known = games_of(case) if chosen.choice.outcome in ABOUT_THE_PLAYER else chosen.games
    return named - {game.pk for game in known}


def games_of(case: Case) -> list[Game]:
    """Return the games that a case may decide about: the attempts at its deal, and those that its findings rest on."""
    named = {game for games in case.findings.values_list("games", flat=True) for game in games}
    own = list(ended_attempts(case))
    others = ranked_games(case.player).filter(pk__in=named - {game.pk for game in own})
    return [*own, *others]


def choose(case: Case, choice: Choice) -> Chosen:
    """Return a choice with its games: all of the player's for a ban, those that it took for lifting one."""
    return Chosen(choice, _chosen_games(case, choice))


def _chosen_games(case: Case, choice: Choice) -> list[Game]:
    if choice.outcome is Outcome.BAN:
        return list(ranked_games(case.player))
    if choice.outcome is Outcome.UNBAN:
        return taken_by_ban(case.player)
    if choice.games:
        return [game for game in games_of(case) if game.pk in choice.games]
    return list(ended_attempts(case))


def decisions_of(chosen: Chosen, signed: Signed) -> list[Decision]:
    """Return the decision about each game, leaving out games already in that state."""
    states, outcome = states_of(chosen.games), chosen.choice.outcome
    flags = flags_in_force(chosen.games) if outcome is Outcome.UNBAN else {}
    signature = {"by": signed.by, "confirmed_by": signed.confirmed_by, "at": signed.at}
    decisions = []
    for game in chosen.games:
        now = EntryState(states.get(game.pk, EntryState.PROVISIONAL))
        new = _state_after(game, outcome, now)
        if new is EntryState.REINSTATED and game.pk in flags:
            flag = flags[game.pk]  # in force again as it was: the server's, from before the day was final, holds it
            decisions.append(Decision(game=game, state=flag.state, reason=flag.reason, by=flag.by, at=flag.at))
        elif new is not None and new != now:
            reason = REASONS[chosen.choice.reason].words
            decisions.append(Decision(game=game, state=new, reason=reason, **signature))
    return decisions


def _state_after(game: Game, outcome: Outcome, now: EntryState) -> EntryState | None:
    match outcome:
        case Outcome.DISQUALIFY | Outcome.BAN:
            return EntryState.DISQUALIFIED
        case Outcome.REINSTATE | Outcome.UNBAN:
            waits = outcome is Outcome.REINSTATE and game.player.banned_at is not None  # for the end of the ban
            return EntryState.REINSTATED if now is EntryState.DISQUALIFIED and not waits else None
        case Outcome.FLAG:
            return EntryState.FLAGGED if now is not EntryState.DISQUALIFIED else None
        case Outcome.CLEAR if now is EntryState.FLAGGED:
            return EntryState.REINSTATED if mistakes_in([game.pk])[game.pk] else EntryState.VERIFIED
    return None
