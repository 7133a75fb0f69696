"""Deciding cases: at once, or proposed to a second reviewer where one person is not enough."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from django.db import transaction
from django.utils.translation import gettext as _

from games.play.models import Game
from games.players.models import Player
from leaderboards.boards import decisions as moderation
from leaderboards.boards.runs import return_to_ranks, take_from_ranks
from leaderboards.moderation import log
from leaderboards.moderation.cases import (
    best_rank,
    find_case,
    is_under_appeal,
    require_may_take,
    resting_state,
    touch,
    update_rank,
)
from leaderboards.moderation.choices import (
    ABOUT_THE_PLAYER,
    MOVES_RANKS,
    TOP,
    Choice,
    Chosen,
    Signed,
    choose,
    decisions_of,
    require_reason,
    require_sound,
)
from leaderboards.moderation.models import Act, Case, LogLine, MovedRanks, Outcome
from leaderboards.moderation.rank_moves import tell_decided
from leaderboards.moderation.refusals import BadDecision, NotAllowed

BAN = "leaderboards.ban_player"
FINAL_DAY = "leaderboards.decide_final_day"
# Promised to players in docs/appeals.md.
APPEAL_TIME = timedelta(days=14)


class Effect(StrEnum):
    """The effect of a choice, as far as it can be known by a reviewer who does not see what others chose."""

    DECIDES = "decides"
    PROPOSES = "proposes"
    PROPOSES_TO_SENIOR = "proposes to senior"  # a final day, proposed by somebody without the right to decide it
    COMPLETES = "completes"  # if both agree
    WAITS_FOR_SENIOR = "waits for senior"  # even if both agree
    SETTLES = "settles"  # if the senior agrees with one of the two


def decide(pk: int, reviewer: Player, choice: Choice, versions: Mapping[str, int], now: datetime) -> LogLine:
    """Decide a case that the reviewer has taken, propose the decision, or second another's proposal.

    The line of the log that is returned says which of these it was. `versions` are those of the preview. Raises
    `UnknownCase`, `NotTaken`, `NotAllowed`, `BadDecision`, `LogBroken`, or
    `BoardsMoved`, after which nothing has changed.
    """
    log.require_whole()
    with transaction.atomic():
        case = find_case(pk, reviewer)
        touch(case, reviewer, now)
        require_may_take(case, reviewer)  # a report, or a link to one who had a part, may be newer
        # A ban in another case at this moment has seen the games of this one, or comes first.
        case.player = Player.objects.select_for_update(no_key=True).get(pk=case.player_id)
        chosen = chosen_by(case, choice)
        match case.needs:
            case Case.Needs.SECOND:
                return _second(case, reviewer, chosen, versions, now)
            case Case.Needs.SENIOR:
                return _settle(case, reviewer, chosen, versions, now)
        _require_right(reviewer, choice)
        if needs_two(case, chosen, now):
            return _propose(case, reviewer, chosen, now)
        return _execute(case, chosen, Signed(reviewer, None, now), versions)


def chosen_by(case: Case, choice: Choice) -> Chosen:
    """Return a choice with its games; one that rejects an appeal is about those of the decision. Raises `BadDecision`.

    A decision that stays in force fits the case as it did.
    """
    if upholds(case, choice.outcome):
        require_reason(choice)
        return choose(case, replace(choice, games=tuple(case.decision.games if case.decision else ())))
    chosen = choose(case, choice)
    require_sound(case, chosen)
    return chosen


def effect_of(case: Case, reviewer: Player, chosen: Chosen, now: datetime) -> Effect:
    """Return the effect that a reviewer's choice has once it is confirmed."""
    if case.needs == Case.Needs.SECOND:
        return Effect.COMPLETES if _completes(case, reviewer, chosen, now) else Effect.WAITS_FOR_SENIOR
    if not needs_two(case, chosen, now):
        return Effect.DECIDES
    if case.needs == Case.Needs.SENIOR:
        return Effect.SETTLES
    return Effect.PROPOSES if _is_enough(chosen, [reviewer], now) else Effect.PROPOSES_TO_SENIOR


def needs_two(case: Case, chosen: Chosen, now: datetime) -> bool:
    """Return True for decisions that need two reviewers: bans, disqualifications in a top ten, final days."""
    choice = chosen.choice
    if upholds(case, choice.outcome) or not _moves_ranks(chosen):
        return False
    if choice.outcome in ABOUT_THE_PLAYER or is_final(chosen.games, now):
        return True
    rank = best_rank(case, without_ban=True)
    return choice.outcome is Outcome.DISQUALIFY and rank is not None and rank <= TOP


def _moves_ranks(chosen: Chosen) -> bool:
    """Return True for outcomes that move ranks; clearing does if a flag has kept a score from its rank."""
    if chosen.choice.outcome is Outcome.CLEAR:
        return bool(moderation.held_games(game.pk for game in chosen.games))
    return chosen.choice.outcome in MOVES_RANKS


def upholds(case: Case, outcome: Outcome) -> bool:
    """Return True for the outcome that rejects an appeal."""
    return case.decision is not None and outcome == case.decision.outcome and is_under_appeal(case)


def is_final(games: Sequence[Game], now: datetime) -> bool:
    """Return True if the tables of a day of these games are final."""
    return any(game.daily is not None and now >= game.daily.key.final_at for game in games)


def _propose(case: Case, reviewer: Player, chosen: Chosen, now: datetime) -> LogLine:
    line = log.append(_line(case, Act.PROPOSED, chosen, Signed(reviewer, None, now)))
    _hand_on(case, Case.Needs.SECOND, line)
    return line


def _second(case: Case, second: Player, chosen: Chosen, versions: Mapping[str, int], now: datetime) -> LogLine:
    """Carry out a decision on which both agree; a disagreement goes to a senior reviewer."""
    proposal = _proposal(case)
    line = _line(case, Act.SECONDED, chosen, Signed(second, None, now))
    line.about = proposal
    agreed = _agree(proposal, line)
    if agreed and _completes(case, second, chosen, now):
        choice = Choice(Outcome(proposal.outcome), proposal.reason, proposal.text, tuple(proposal.games))
        return _execute(
            case, Chosen(choice, chosen.games), Signed(proposal.by, second, now), versions, second_line=line
        )
    line = log.append(line)
    _hand_on(case, Case.Needs.SENIOR, proposal)
    return line


def _settle(case: Case, senior: Player, chosen: Chosen, versions: Mapping[str, int], now: datetime) -> LogLine:
    """Carry out a decision on which a senior reviewer and one of the two others agree; any other is a new proposal."""
    _require_right(senior, chosen.choice)
    proposal = _proposal(case)
    seconded = case.log.filter(act=Act.SECONDED, about=proposal).last()
    own = _line(case, Act.DECIDED, chosen, Signed(senior, None, now))
    stand = (line for line in (proposal, seconded) if line and _is_staff(line.by))
    agrees = next((line for line in stand if _agree(line, own)), None)
    if agrees is None and needs_two(case, chosen, now):
        return _propose(case, senior, chosen, now)
    if agrees is not None and not _is_enough(chosen, [senior, agrees.by], now):
        raise NotAllowed(_("a final day takes a reviewer with the right to decide final days"))
    return _execute(case, chosen, Signed(senior, agrees.by if agrees else None, now), versions)


def _execute(
    case: Case, chosen: Chosen, signed: Signed, versions: Mapping[str, int], second_line: LogLine | None = None
) -> LogLine:
    """Carry out a decision.

    Player, games, boards, log and notifications are always written in this order, which rules out deadlocks.
    """
    outcome = chosen.choice.outcome
    if outcome is Outcome.BAN:
        moderation.set_ban(case.player, signed.at)
        chosen = choose(case, chosen.choice)  # a game may have ended meanwhile; later ones find the player banned
    decisions = decisions_of(chosen, signed)
    line = _line(case, Act.DECIDED, chosen, signed)
    changes = moderation.decide(*decisions, versions=versions, now=signed.at)
    # The boards of runs come after those of games, here as everywhere.
    if outcome is Outcome.BAN:
        take_from_ranks(case.player, signed.at)
    if outcome is Outcome.UNBAN:
        moderation.lift_ban(case.player)
        return_to_ranks(case.player, signed.at)
    line.about = case.decision
    line.confirms = signed.confirmed_by
    line.facts = {
        "appeal": is_under_appeal(case),
        "boards": {change.board.slug: [change.before, change.board.version] for change in changes},
    }
    if second_line is not None:
        log.append(second_line)
    log.append(line)
    _close_with(case, line)
    update_rank(Case.objects.get(pk=case.pk))
    tell_decided(line)
    if changes:
        MovedRanks.objects.create(line=line)
    return line


def _close_with(case: Case, line: LogLine) -> None:
    """Record the decision. One that rejects an appeal, or favours the player, cannot be appealed."""
    rejects = line.facts["appeal"] and line.about is not None and line.outcome == line.about.outcome
    against = line.outcome in (Outcome.DISQUALIFY, Outcome.BAN) and not rejects
    until = line.at + APPEAL_TIME if against else None
    state = resting_state(Case.Needs.NOBODY, until, line.at)
    Case.objects.filter(pk=case.pk).update(
        state=state,
        needs=Case.Needs.NOBODY,
        reviewer=None,
        touched_at=None,
        proposal=None,
        decision=line,
        appeal_until=until,
    )


def _hand_on(case: Case, needs: Case.Needs, proposal: LogLine) -> None:
    Case.objects.filter(pk=case.pk).update(
        state=Case.State.OPEN, needs=needs, reviewer=None, touched_at=None, proposal=proposal
    )


def _line(case: Case, act: Act, chosen: Chosen, signed: Signed) -> LogLine:
    choice = chosen.choice
    return LogLine(
        at=signed.at,
        case=case,
        act=act,
        by=signed.by,
        outcome=choice.outcome,
        reason=choice.reason,
        text=choice.text,
        games=sorted(game.pk for game in chosen.games),
    )


def _agree(one: LogLine, other: LogLine) -> bool:
    about_the_player = one.outcome in ABOUT_THE_PLAYER
    return one.outcome == other.outcome and (about_the_player or one.games == other.games)


def _completes(case: Case, second: Player, chosen: Chosen, now: datetime) -> bool:
    """Return True if the choice of a second reviewer takes effect once both agree."""
    return _is_enough(chosen, [_proposal(case).by, second], now)


def _is_enough(chosen: Chosen, two: list[Player | None], now: datetime) -> bool:
    """Return True unless one left the staff or was banned, or neither is a senior, as bans and final days require."""
    rights = [BAN] if chosen.choice.outcome in ABOUT_THE_PLAYER else []
    rights += [FINAL_DAY] if is_final(chosen.games, now) else []
    has_seniors = all(any(player and player.has_perm(right) for player in two) for right in rights)
    return has_seniors and all(map(_is_staff, two))


def _is_staff(player: Player | None) -> bool:
    return player is not None and player.is_staff and player.banned_at is None


def _require_right(reviewer: Player, choice: Choice) -> None:
    if choice.outcome in ABOUT_THE_PLAYER and not reviewer.has_perm(BAN):
        raise NotAllowed(_("bans are for senior reviewers"))


def _proposal(case: Case) -> LogLine:
    if case.proposal is None:
        raise BadDecision("nothing is proposed")
    return case.proposal
