"""Replace the key of the log, or begin a new log; either way a leaf says so."""

from collections.abc import Sequence
from datetime import datetime

from games.tlog import leaves, tree
from games.tlog.heads import Head
from games.tlog.keys import last_head, made_key
from games.tlog.models import Checkpoint
from games.tlog.notes import SecretKey
from games.tlog.signing import head_in


def replace_key(keys: Sequence[SecretKey], now: datetime) -> list[SecretKey]:
    """Announce a new key of the log in a leaf, and return it before the old ones, which sign beside it."""
    new = made_key(keys[0].key.name)
    tree.append(leaves.key(new.key.public), now)
    return [new, *keys]


def begin_new_log(keys: Sequence[SecretKey], now: datetime) -> list[SecretKey]:
    """Name the last head of the old log in a leaf, and return the key of a new one, which has all leaves so far.

    Raises IntegrityError if the old log has a successor already.
    """
    last = Checkpoint.objects.last()
    old = _last_signed(last.origin if last else keys[0].key.name)
    new = made_key()
    tree.append(leaves.predecessor(old.origin, old.size, old.root), now)
    tree.append(leaves.key(new.key.public), now)
    return [new]


def _last_signed(origin: str) -> Head:
    """Return the largest head of a log that is known to be signed, from the file beside the key or the database."""
    signed = Checkpoint.objects.filter(origin=origin).last()
    heads = [head_in(signed.note)] if signed else []
    kept = last_head()
    heads += [kept] if kept and kept.origin == origin else []
    if not heads:
        raise ValueError("the old log was never signed: there is nothing to continue")
    return max(heads, key=lambda head: head.size)
