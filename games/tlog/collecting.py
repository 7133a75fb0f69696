"""Collect cosignatures: show new heads to witnesses, with a proof that they continue what each has seen.

https://c2sp.org/tlog-witness
"""

import logging
import re
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings

from games.runtime.posting import Answer, leads_inside, post
from games.tlog import merkle
from games.tlog.models import Checkpoint, Cosignature, WitnessState
from games.tlog.notes import WITNESS, Key, Note, read_signatures
from games.tlog.proofs import encoded
from games.tlog.signing import HOW_TO_GO_ON, LogForked
from games.tlog.tree import hashes_of

MOST_BYTES = 16_384  # of an answer, of which a line or two are expected
WAIT = timedelta(minutes=1)  # after a failure
CONFLICT, UNPROCESSABLE = 409, 422

logger = logging.getLogger(__name__)


class Witness(NamedTuple):
    """A witness that the operator trusts, and where it is asked."""

    key: Key
    address: str


def witnesses() -> list[Witness]:
    return [Witness(Key.from_text(key, WITNESS), address) for key, address in settings.PYRAMID_WITNESSES]


def collect_cosignatures(now: datetime) -> None:
    """Ask every witness that has not signed the newest head today.

    Raises `LogForked` as long as one of them has seen what the log does not continue.
    """
    newest = Checkpoint.objects.last()
    if newest is None or not witnesses():
        return
    for witness in witnesses():
        if not _has_signed(newest, witness, now) and not _has_just_failed(newest, witness, now):
            _ask(witness, newest, now)
    forked = WitnessState.objects.filter(origin=newest.origin, mistake__contains=HOW_TO_GO_ON)
    if found := [f"{state.name}: {state.mistake}" for state in forked]:
        raise LogForked("; ".join(found))


def signed_today(now: datetime) -> int:
    """Return how many of the witnesses have signed a head of this log today."""
    names = [witness.key.name for witness in witnesses()]
    made = Cosignature.objects.filter(witness__in=names, signed_at__date=now.date())
    return made.values("witness").distinct().count()


def _has_signed(newest: Checkpoint, witness: Witness, now: datetime) -> bool:
    return newest.cosignatures.filter(witness=witness.key.name, signed_at__date=now.date()).exists()


def _has_just_failed(newest: Checkpoint, witness: Witness, now: datetime) -> bool:
    failed = WitnessState.objects.filter(name=witness.key.name, origin=newest.origin).exclude(mistake="")
    return failed.filter(asked_at__gt=now - WAIT, asked_at__lte=now).exists()


def _ask(witness: Witness, newest: Checkpoint, now: datetime) -> None:
    """Show a head to a witness, twice if it has seen another one than is known here, and keep what it says."""
    known = WitnessState.objects.filter(name=witness.key.name, origin=newest.origin).first()
    size = min(known.size, newest.size) if known else 0
    answer = _show(witness, newest, size)
    seen = _size_in(answer)
    if seen is not None and seen != size and seen <= newest.size:
        size = seen
        answer = _show(witness, newest, size)
        seen = _size_in(answer)
    mistake = _mistake_in(answer, newest, size, seen)
    if not mistake:
        mistake = _keep(witness, newest, answer.body, now)
    if mistake:
        logger.error("the witness %s has not signed: %s", witness.key.name, mistake)
    else:
        size = newest.size
    WitnessState.objects.update_or_create(
        name=witness.key.name,
        defaults={"origin": newest.origin, "size": max(size, seen or 0), "asked_at": now, "mistake": mistake[:300]},
    )


def _show(witness: Witness, newest: Checkpoint, size: int) -> Answer:
    near = hashes_of(merkle.consistency(size, newest.size))
    lines = [f"old {size}", *map(encoded, near), "", newest.note]
    address = f"{witness.address.rstrip('/')}/add-checkpoint"
    body = "\n".join(lines).encode()
    headers = {"Content-Type": "text/plain; charset=utf-8"}
    return post(address, headers, body, to_private=leads_inside(witness.address), most_bytes=MOST_BYTES)


def _size_in(answer: Answer) -> int | None:
    """Return the size that a witness has seen, if it answers with one."""
    found = re.fullmatch(rb"(0|[1-9][0-9]{0,15})\n", answer.body) if answer.status == CONFLICT else None
    return int(found[1]) if found else None


def _mistake_in(answer: Answer, newest: Checkpoint, size: int, seen: int | None) -> str:
    if answer.is_accepted:
        return ""
    if seen is not None and seen > newest.size:
        return (
            f"it has seen {seen} leaves, and this server has signed {newest.size}: the database was restored from an "
            f"older copy; {HOW_TO_GO_ON}"
        )
    if answer.status == UNPROCESSABLE or (answer.status == CONFLICT and size == newest.size):
        return f"it has seen other leaves among the first {size}: this database is a fork; {HOW_TO_GO_ON}"
    return answer.error


def _keep(witness: Witness, newest: Checkpoint, body: bytes, now: datetime) -> str:
    """Store the cosignature of a witness, or return why it is not one."""
    try:
        note = Note(Note.from_text(newest.note).body, read_signatures(body.decode()))
        found = [signature for _, signature in note.signed_by([witness.key])]
    except ValueError as error:
        return f"its answer is not a signature: {error}"
    if not found:
        return "its answer has no signature of its key"
    Cosignature.objects.create(checkpoint=newest, witness=witness.key.name, line=found[0].line, signed_at=now)
    return ""
