"""Sign the head of the log as a checkpoint, which the worker does whenever the log has grown, and look back at it."""

from collections.abc import Sequence
from datetime import datetime

from django.db import DEFAULT_DB_ALIAS

from games.runtime.outages import Explained
from games.tlog.heads import Head
from games.tlog.keys import keep_head, last_head, log_keys
from games.tlog.leaves import predecessor
from games.tlog.models import Checkpoint, LogLeaf
from games.tlog.notes import Note, SecretKey
from games.tlog.tree import continues, mistakes_in_log, root_at, size_of_log

HOW_TO_GO_ON = "docs/transparency-log.md says how to go on: `manage.py log_key --new-log`"


class LogForked(Explained):
    """The log in the database does not continue what was signed before; nothing is signed."""


def sign_log(now: datetime) -> Checkpoint | None:
    """Sign the head of the log if it has grown or there is a new key, and return the checkpoint.

    Raises `LogForked` if the log does not continue what this server has signed before.
    """
    size, keys = size_of_log(), log_keys()
    last = Checkpoint.objects.last()
    public = "\n".join(secret.key.text for secret in keys)
    # With fewer keys it can wait for a leaf: two workers, one of which has a key more, would sign by turns without end.
    if size == 0 or (last is not None and last.size == size and {*public.split()} <= {*last.keys.split()}):
        return None
    head = Head(keys[0].key.name, size, root_at(size))
    _require_continuation(head)
    keep_head(head)
    return Checkpoint.objects.create(origin=head.origin, size=size, keys=public, note=signed(head, keys), made_at=now)


def signed(head: Head, keys: Sequence[SecretKey]) -> str:
    """Return a head as a note signed with all keys."""
    return f"{head.text}\n{''.join(secret.sign(head.text) for secret in keys)}"


def head_in(note: str) -> Head:
    """Return the head that a checkpoint is about. Raises ValueError."""
    return Head.from_text(Note.from_text(note).body)


def mistakes_in_signed_log(kept: Sequence[Head] = ()) -> list[str]:
    """Return the mistakes in the log, and the heads, signed here or kept elsewhere, that it does not continue."""
    if mistakes := mistakes_in_log():
        return mistakes
    last, beside_key = Checkpoint.objects.last(), last_head()
    heads = [*kept, *([head_in(last.note)] if last else []), *([beside_key] if beside_key else [])]
    lost = [head for head in dict.fromkeys(heads) if not continues(head.size, head.root)]
    return [f"the log does not continue the head of {head.size} leaves that was signed before" for head in lost]


def require_key_of_log(origin: str, using: str = DEFAULT_DB_ALIAS) -> None:
    """Raise `LogForked` if a database has the log of another key, and no leaf that names it as the predecessor."""
    last = Checkpoint.objects.using(using).last()
    if last is None or last.origin == origin:
        return
    named = predecessor(last.origin, 0, b"\0" * 32).subject
    if not LogLeaf.objects.using(using).filter(subject=named).exists():
        raise LogForked(f"the key is of the log {origin}, the database of {last.origin}; {HOW_TO_GO_ON}")


def _require_continuation(head: Head) -> None:
    require_key_of_log(head.origin)
    before = last_head()
    if before is None or before.origin != head.origin:
        return
    if not continues(before.size, before.root):
        raise LogForked(
            f"a head of {before.size} leaves was signed before, and the database has {head.size} that do not continue "
            f"it: it was restored from an older copy, or is a fork; {HOW_TO_GO_ON}"
        )
