"""Proofs that a leaf is in the log, each a small file that is checked offline (https://c2sp.org/tlog-proof).

The extra line holds, in base64, the text of the leaf, and below it whatever leads from something smaller to the leaf.
"""

from base64 import b64encode
from collections.abc import Sequence

from django.db.models import Count

from games.tlog import merkle
from games.tlog.models import Checkpoint, LogLeaf
from games.tlog.tree import hashes_of

FIRST_LINE = "c2sp.org/tlog-proof@v1"


class NotLogged(LookupError):
    """The log has no such leaf, or has not been signed with it yet."""


def proof_of(leaf: LogLeaf, more: Sequence[str] = ()) -> str:
    """Return the proof of a leaf, with more lines below its text. Raises `NotLogged` before it is signed."""
    checkpoint = _best_checkpoint(leaf.index)
    extra = "".join(f"{line}\n" for line in (leaf.text, *more))
    near = hashes_of(merkle.path(leaf.index, checkpoint.size))
    return "\n".join(
        [FIRST_LINE, f"extra {encoded(extra.encode('ascii'))}", f"index {leaf.index}", *map(encoded, near), "", ""]
    ) + witnessed(checkpoint)


def leaf_about(subject: str) -> LogLeaf:
    """Return the leaf about a subject. Raises `NotLogged`."""
    leaf = LogLeaf.objects.filter(subject=subject).first()
    if leaf is None:
        raise NotLogged(f"the log has no leaf {subject}")
    return leaf


def leaf_at(index: int) -> LogLeaf:
    """Return a leaf by its index. Raises `NotLogged`."""
    leaf = LogLeaf.objects.filter(index=index).first()
    if leaf is None:
        raise NotLogged(f"the log has no leaf {index}")
    return leaf


def witnessed(checkpoint: Checkpoint) -> str:
    """Return a checkpoint with the newest cosignature of each witness."""
    lines = dict(checkpoint.cosignatures.order_by("id").values_list("witness", "line"))
    return checkpoint.note + "".join(lines.values())


def encoded(data: bytes) -> str:
    return b64encode(data).decode()


def _best_checkpoint(index: int) -> Checkpoint:
    """Return the newest of the checkpoints with a leaf that most witnesses have signed."""
    signed = Checkpoint.objects.filter(size__gt=index).annotate(witnesses=Count("cosignatures__witness", distinct=True))
    best = signed.order_by("-witnesses", "-pk").first()
    if best is None:
        raise NotLogged(f"leaf {index} is not signed yet: the worker does so within seconds")
    return best
