"""The decision log: lines that are only ever added, each chained to the one before by its hash.

link(n) = SHA-256("pyramid/decisions/1|" link(n-1) "|" line as JSON),  before the first 64 zeros
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import zip_longest

import msgspec
from django.db import transaction

from games.deals.chain import FIRST_LINK
from leaderboards.models import Case, LogHead, LogLine

_HEAD = 1


def append(line: LogLine) -> LogLine:
    """Add a line to the log, as the last thing that a transaction locks: one writer extends the chain at a time."""
    with transaction.atomic():
        LogHead.objects.get_or_create(pk=_HEAD, defaults={"link": FIRST_LINK})
        head = LogHead.objects.select_for_update().get(pk=_HEAD)
        line.number = head.number + 1
        line.link = link(head.link, line)
        line.save(force_insert=True)
        LogHead.objects.filter(pk=_HEAD).update(number=line.number, link=line.link)
    return line


def link(previous: str, line: LogLine) -> str:
    """Return the link that a line makes after another; the one before the first is `FIRST_LINK`."""
    return hashlib.sha256(f"pyramid/decisions/1|{previous}|{text_of(line)}".encode()).hexdigest()


def text_of(line: LogLine) -> str:
    """Return a line as the text that is hashed: JSON with its keys in order, without spaces."""
    names = ("number", "case_id", "act", "by_id", "outcome", "reason", "text", "text_hash", "games", "about_id")
    values = {name: getattr(line, name) for name in (*names, "confirms_id", "facts")}
    return msgspec.json.encode({**values, "at": _time(line.at)}, order="deterministic").decode()


def mistakes_in_log() -> list[str]:
    """Return what is wrong with the log: where its chain breaks, where it was cut, cases that it does not open."""
    last, number = FIRST_LINK, 0
    for number, line in enumerate(LogLine.objects.order_by("number").iterator(1000), start=1):
        last = link(last, line)
        if (line.number, line.link) != (number, last):
            return [f"the decision log is broken at line {number}"]
    head = LogHead.objects.filter(pk=_HEAD).first()
    if (head.number, head.link) != (number, last) if head else number:
        return ["the decision log does not end where it ended: lines were cut off or added beside it"]
    return list(_mistakes_in_cases())


def _mistakes_in_cases() -> Iterator[str]:
    opened = LogLine.objects.filter(act="opened").order_by("case_id").values_list("case_id", flat=True)
    cases = Case.objects.order_by("pk").values_list("pk", flat=True)
    for one, other in zip_longest(opened.iterator(), cases.iterator()):
        if one != other:
            yield f"case {other or one} is not opened exactly once in the log"
            return


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
