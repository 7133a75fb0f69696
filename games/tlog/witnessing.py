"""A witness signs a head of a log only after a proof that it continues the last one that it has signed.

Everything that it keeps is in one folder: its key, the keys of the log, and the last head of each log. A head that does
not continue the last one is kept too, as evidence.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from games.tlog import merkle
from games.tlog.heads import Head
from games.tlog.keys import write_private
from games.tlog.notes import LOG, WITNESS, Key, Note, SecretKey

MOST_HASHES = 63
SIZE_TYPE = "text/x.tlog.size"
Alarm = Callable[[str], None]


class Reply(NamedTuple):
    """The answer to a request."""

    status: int
    text: str = ""
    media: str = "text/plain; charset=utf-8"


class Submission(NamedTuple):
    """A head that a log shows, with the size from which its proof begins."""

    old: int
    near: Sequence[bytes]
    note: Note

    @classmethod
    def from_text(cls, text: str) -> Submission:
        """Read the body of a request. Raises ValueError."""
        proof, gap, note = text.partition("\n\n")
        first, *lines = proof.split("\n")
        found = re.fullmatch("old (0|[1-9][0-9]{0,15})", first)
        if not found or not gap or len(lines) > MOST_HASHES:
            raise ValueError("a request is written as 'old SIZE', hashes, an empty line and a checkpoint")
        near = [b64decode(line, validate=True) for line in lines]
        if any(len(each) != merkle.SIZE for each in near):
            raise ValueError("a hash has 32 bytes")
        return cls(int(found[1]), near, Note.from_text(note))


class Witness:
    """A witness with its folder. `alarm` tells the person who runs it of a log with two histories."""

    def __init__(self, folder: Path, name: str, alarm: Alarm) -> None:
        self._folder, self._alarm, self._lock = folder, alarm, Lock()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "key"
        if not path.exists():
            write_private(path, f"{SecretKey.made(name, WITNESS).text}\n", is_new=True)
        self._secret = SecretKey.from_text(path.read_text().strip(), WITNESS)

    @property
    def key(self) -> Key:
        return self._secret.key

    @property
    def trusted(self) -> list[Key]:
        """The keys of logs that are signed for."""
        with suppress(FileNotFoundError):
            return [Key.from_text(line, LOG) for line in (self._folder / "log-keys").read_text().split()]
        return []

    def trust(self, keys: Sequence[Key]) -> None:
        """Sign for logs with these keys too."""
        lines = dict.fromkeys(key.text for key in [*self.trusted, *keys])
        write_private(self._folder / "log-keys", "".join(f"{line}\n" for line in lines))

    def last_head(self, origin: str) -> Head | None:
        """Return the last head of a log that was signed, None if there was none."""
        with suppress(FileNotFoundError):
            return Head.from_text(Note.from_text(self._place(origin).read_text()).body)
        return None

    def add_checkpoint(self, body: str, now: datetime, *, has_looked: bool = False) -> Reply:
        """Answer a log that shows a head, as https://c2sp.org/tlog-witness has it.

        Anyone can send an old head or a false proof, so they raise an alarm only if it has fetched them itself.
        """
        try:
            shown = Submission.from_text(body)
            head = Head.from_text(shown.note.body)
        except ValueError as error:
            return Reply(HTTPStatus.BAD_REQUEST, f"{error}\n")
        keys = [key for key in self.trusted if key.name == head.origin]
        if not keys:
            return Reply(HTTPStatus.NOT_FOUND, "this witness does not know the log\n")
        if not _is_signed(shown.note, keys):
            return Reply(HTTPStatus.FORBIDDEN, "the log has not signed this with a known key\n")
        if shown.old > head.size:
            return Reply(HTTPStatus.BAD_REQUEST, "the old size is larger than the new one\n")
        with self._lock:
            return self._judged(shown, head, now, has_looked=has_looked)

    def _judged(self, shown: Submission, head: Head, now: datetime, *, has_looked: bool) -> Reply:
        last = self.last_head(head.origin) or Head(head.origin, 0, merkle.EMPTY)
        if shown.old != last.size:
            if has_looked and head.size < last.size:
                self._report(shown.note, head, f"it was cut: it had {last.size} leaves before, and now {head.size}")
            return Reply(HTTPStatus.CONFLICT, f"{last.size}\n", SIZE_TYPE)
        if head.size == last.size and head.root != last.root:
            self._report(shown.note, head, f"it has other leaves now among its {last.size}")
            return Reply(HTTPStatus.CONFLICT, f"{last.size}\n", SIZE_TYPE)
        if not merkle.has_grown(last.size, last.root, head.size, head.root, shown.near):
            if has_looked:
                self._report(shown.note, head, f"its {head.size} leaves do not continue the {last.size} from before")
            return Reply(HTTPStatus.UNPROCESSABLE_ENTITY, "this does not continue the head that was signed last\n")
        line = self._secret.sign(head.text, int(now.timestamp()))
        write_private(self._place(head.origin), shown.note.text + line)
        return Reply(HTTPStatus.OK, line)

    def _report(self, note: Note, head: Head, what: str) -> None:
        """Keep a head that contradicts the last one, signed by the log itself, and raise the alarm."""
        path = self._place(f"{head.origin}-against-{head.size}")
        write_private(path, note.text)
        self._alarm(f"{head.origin} shows another history: {what}. The head that proves it is in {path}")

    def _place(self, origin: str) -> Path:
        return self._folder / f"{re.sub('[^A-Za-z0-9.-]', '_', origin)}.head"


def _is_signed(note: Note, keys: Sequence[Key]) -> bool:
    try:
        return any(True for _ in note.signed_by(keys))
    except ValueError:
        return False
