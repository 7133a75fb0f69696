"""Store findings, and open cases for them."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef

from games.play.models import Game
from leaderboards.boards.models import Decision, EntryState
from leaderboards.boards.submission import MOST_DOWNTIME_MS, MOST_HASTY
from leaderboards.detectors.findings import Finding, Strength, false_record
from leaderboards.moderation.cases import open_or_join, reopen, weigh
from leaderboards.moderation.evidence_models import KeptFinding
from leaderboards.moderation.models import UNDECIDED, Case

GROWN = 10.0  # times the score from which a finding says something new
HASTE, DOWNTIME, VERIFICATION = "haste", "downtime", "verification"
BY_SERVER = (HASTE, DOWNTIME, VERIFICATION)
FLAGS_AT_ONCE = 200


def keep_findings(game: Game, found: Sequence[Finding], now: datetime) -> None:
    """Store the account's evidence after one more game, as far as it is new, and open a case if it is enough.

    Evidence about an account joins the case that is already waiting; a banned account gets none.
    """
    kept = {finding.detector: finding for finding in KeptFinding.objects.filter(player=game.player_id).order_by("pk")}
    new = [finding for finding in found if finding.detector in BY_SERVER or is_new(kept.get(finding.detector), finding)]
    if not new:
        return
    with transaction.atomic():
        case = _case_for(game, new, now)
        about = {"player_id": game.player_id, "game": game, "case": case, "at": now}
        rows = [KeptFinding(**about, **msgspec.to_builtins(finding)) for finding in new]
        KeptFinding.objects.bulk_create(rows, ignore_conflicts=True)
        if case is not None:
            KeptFinding.objects.filter(player=game.player_id, case=None).update(case=case)
            weigh(case)


def is_new(kept: KeptFinding | None, finding: Finding) -> bool:
    """Return True for a finding much stronger than the stored one, or stronger because of other games."""
    if kept is None or kept.version != finding.version:
        return True
    order = list(Strength)
    if order.index(finding.strength) < order.index(Strength(kept.strength)):
        return True
    has_new_games = bool(set(finding.games) - set(kept.games))
    return finding.score >= GROWN * kept.score or (finding.score > kept.score and has_new_games)


def open_flagged(now: datetime) -> int:
    """Open a case for each score that the server itself flagged, on open days too, and return their number."""
    known = KeptFinding.objects.filter(game=OuterRef("game"), detector__in=BY_SERVER)
    # Those of a banned player wait for the end of the ban.
    flags = Decision.objects.filter(~Exists(known), state=EntryState.FLAGGED, by=None, game__player__banned_at=None)
    flags = flags.select_related("game__player", "game__daily")
    waiting = {flag.game_id: flag for flag in flags.order_by("pk")[:FLAGS_AT_ONCE]}
    for flag in waiting.values():
        keep_findings(flag.game, [_of_flag(flag)], now)
    return len(waiting)


def _case_for(game: Game, found: Sequence[Finding], now: datetime) -> Case | None:
    """Return the case of the findings, opening one only if a finding is strong enough."""
    strong = [finding for finding in found if finding.strength is Strength.CASE]
    about_the_game = any(finding.detector in BY_SERVER for finding in found)
    waiting = Case.objects.filter(player=game.player_id, state__in=UNDECIDED).order_by("-pk").first()
    if waiting is not None and not about_the_game:
        return waiting
    if not strong or game.daily is None or game.player.banned_at is not None:
        return waiting
    case = open_or_join(game.player_id, game.daily, strong[0].detector, now)
    reopen(case)
    return case


def _of_flag(flag: Decision) -> Finding:
    game = flag.game
    if (game.hasty or 0) > MOST_HASTY and not game.player.is_bot:
        return _doubt(HASTE, game, game.hasty or 0, MOST_HASTY, flag.reason)
    if game.downtime_ms > MOST_DOWNTIME_MS:
        return _doubt(DOWNTIME, game, game.downtime_ms, MOST_DOWNTIME_MS, flag.reason)
    return false_record(game.pk, flag.reason)


def _doubt(detector: str, game: Game, score: float, threshold: float, why: str) -> Finding:
    return Finding(
        detector=detector,
        strength=Strength.CASE,
        score=score,
        threshold=threshold,
        explanation=f"Game {game.pk}: {why}.",
        innocent=(
            "A network that stalls delivers several actions at once.",
            "The server was away; its clock of the game stood still meanwhile.",
        ),
        games=(game.pk,),
    )
