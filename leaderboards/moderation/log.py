"""The decision log: lines that are only ever added to, each with a leaf in the public log.

hash = SHA-256(salt "|" line as JSON),  whose random salt stays here: the public hash of a line reveals nothing
"""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import NamedTuple

import msgspec
from django.db import transaction
from django.db.models import OuterRef, Subquery

from games.players.models import Player
from games.tlog import leaves, tree
from leaderboards.boards.models import Decision, EntryState
from leaderboards.moderation.models import Act, Appeal, Case, LogCheck, LogLine, Outcome
from leaderboards.moderation.refusals import LogBroken

SALT_BYTES = 16
# What a decision about a score can be that a line of an outcome contains.
STATES = {
    Outcome.CLEAR: {EntryState.VERIFIED, EntryState.REINSTATED},
    Outcome.FLAG: {EntryState.FLAGGED},
    Outcome.DISQUALIFY: {EntryState.DISQUALIFIED},
    Outcome.REINSTATE: {EntryState.REINSTATED},
    Outcome.BAN: {EntryState.DISQUALIFIED},
    Outcome.UNBAN: {EntryState.REINSTATED},
}


def append(line: LogLine) -> LogLine:
    """Add a line to the log, as the last thing that a transaction locks: there is one writer at a time."""
    with transaction.atomic():
        tree.lock()
        line.number = (LogLine.objects.order_by("-number").values_list("number", flat=True).first() or 0) + 1
        line.salt = secrets.token_hex(SALT_BYTES)
        line.save(force_insert=True)
        tree.append(leaf_of(line), line.at)
    return line


def leaf_of(line: LogLine) -> leaves.Leaf:
    return leaves.decision(line.number, hash_of(line.salt, text_of(line)))


def text_of(line: LogLine) -> str:
    """Return a line as the text that is hashed: JSON with its keys in order, without spaces."""
    names = ("number", "case_id", "act", "by_id", "outcome", "reason", "text", "text_hash", "games", "about_id")
    values = {name: getattr(line, name) for name in (*names, "confirms_id", "facts")}
    return msgspec.json.encode(
        {**values, "at": line.at.astimezone(UTC).isoformat(timespec="microseconds")}, order="deterministic"
    ).decode()


def keep_check(mistakes: Sequence[str], now: datetime) -> LogCheck:
    """Store the result of recomputing the log: decisions are locked while the last check shows a mistake."""
    return LogCheck.objects.create(at=now, lines=LogLine.objects.count(), mistake="; ".join(mistakes)[:500])


def last_check() -> LogCheck | None:
    """Return the result of the last check, None if there was none yet."""
    return LogCheck.objects.last()


def mistake_found() -> str:
    """Return the mistake that the last check found, empty for none."""
    last = last_check()
    return last.mistake if last else ""


def require_whole() -> None:
    """Raise `LogBroken` if the last check found a mistake."""
    if mistake := mistake_found():
        raise LogBroken(f"{mistake}; nothing is decided until `manage.py verify_decisions` finds it whole again")


def mistakes_in_log() -> list[str]:
    """Return all mistakes in the log: lines that are missing or contradict their leaves or scores."""
    written = tree.leaves_of_kind("decision/2")
    lines = LogLine.objects.order_by("number").iterator(1000)
    for number, (line, found) in enumerate(zip_longest(lines, written), start=1):
        if line is None:
            return ["the decision log does not end where it ended: lines were cut off"]
        if found is None or line.number != number or leaf_of(line) != found[1]:
            return [f"the decision log is broken at line {number}"]
    return [*_mistakes_in_cases(), *_mistakes_in_scores(), *_mistakes_in_bans(), *_mistakes_in_appeals()]


def _mistakes_in_cases() -> Iterator[str]:
    opened = LogLine.objects.filter(act=Act.OPENED).order_by("case_id").values_list("case_id", flat=True)
    cases = Case.objects.order_by("pk").values_list("pk", flat=True)
    for one, other in zip_longest(opened.iterator(), cases.iterator()):
        if one != other:
            yield f"case {other or one} is not opened exactly once in the log"
            return
    decided = LogLine.objects.filter(case=OuterRef("pk"), act=Act.DECIDED).order_by("-number").values("pk")
    held = Case.objects.annotate(newest=Subquery(decided[:1])).order_by("pk")
    for case, decision, newest in held.values_list("pk", "decision_id", "newest").iterator(1000):
        if newest != decision:
            yield f"case {case} does not hold what was decided last"


class _Logged(NamedTuple):
    """Decisions of the lines about games: the states by game, reviewer and time, and numbers of lines by game."""

    states: dict[tuple[str, int | None, datetime], set[EntryState]]
    last: dict[str, int]
    disqualified: dict[str, int]


def _mistakes_in_scores() -> Iterator[str]:
    """Yield people's decisions about scores, made since the log exists, that no line of it contains, and the last lines
    that disqualified a score about which no such decision is left or in force."""
    first = LogLine.objects.order_by("number").values_list("at", flat=True).first()
    if first is None:
        return
    logged, in_force = _logged(), _disqualified_once()
    for game, number in logged.disqualified.items():
        if game not in in_force or (in_force[game] != EntryState.DISQUALIFIED and logged.last[game] == number):
            yield f"the decision of line {number} about game {game} is missing"
    for decision in Decision.objects.filter(by__isnull=False, at__gte=first).iterator(1000):
        if decision.state not in logged.states.get((decision.game_id, decision.by_id, decision.at), ()):
            yield f"a decision about game {decision.game_id} does not stand in the log"


def _logged() -> _Logged:
    logged = _Logged({}, {}, {})
    for line in LogLine.objects.filter(act=Act.DECIDED).order_by("number").iterator(1000):
        states, numbers = STATES[Outcome(line.outcome)], dict.fromkeys(line.games, line.number)
        for game in line.games:
            logged.states.setdefault((game, line.by_id, line.at), set()).update(states)
        logged.last.update(numbers)
        if states == {EntryState.DISQUALIFIED}:
            logged.disqualified.update(numbers)
    return logged


def _disqualified_once() -> dict[str, str]:
    """Return the state that is in force of each game whose score was ever disqualified."""
    last = Decision.objects.filter(game=OuterRef("game")).order_by("-pk").values("state")[:1]
    disqualified = Decision.objects.filter(state=EntryState.DISQUALIFIED).order_by()
    return dict(disqualified.values_list("game_id", Subquery(last)).distinct())


def _mistakes_in_bans() -> Iterator[str]:
    """Yield the players who are banned without a case, or are not although one has banned them."""
    banned = Player.objects.exclude(banned_at=None).values_list("pk", flat=True)
    by_case = Case.objects.filter(decision__outcome=Outcome.BAN).values_list("player", flat=True)
    for player in sorted(set(banned) ^ set(by_case)):
        yield f"the ban of player {player} is not what was decided"


def _mistakes_in_appeals() -> Iterator[str]:
    for appeal in Appeal.objects.select_related("line").iterator(1000):
        if hash_of(appeal.salt, appeal.text) != appeal.line.text_hash:
            yield f"the appeal of line {appeal.line.number} is not what was written"


def hash_of(salt: str, text: str) -> str:
    """Return a salted hash, of an appeal's text or of a line; without the salt it reveals nothing."""
    return hashlib.sha256(f"{salt}|{text}".encode()).hexdigest()
