"""Chains of commitments: an honest one, and those of operators who lie."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import Any

from games.deals.chain import FIRST_LINK, Commitment, link, written
from games.deals.daily import DailyKey
from games.deals.grading import Grade

Entry = dict[str, Any]

FIRST_DAY = date(2026, 1, 5)
MADE_AT = datetime(2025, 12, 29, 9, 30, tzinfo=UTC)
OVER = "2026-01-08"
ASKED = [
    (0, "standard", "open", None),
    (0, "standard", "main", Grade.EASY),
    (1, "standard", "open", None),
    (2, "two-pyramids", "open", None),
    (2, "standard", "open", Grade.HARD),
    (3, "relaxed", "open", None),
]


def honest() -> list[Entry]:
    chain: list[Entry] = []
    for number, (days, rules, division, grade) in enumerate(ASKED, start=1):
        key = DailyKey(FIRST_DAY + timedelta(days=days), rules, division)
        made = Commitment(number, key, grade, MADE_AT + timedelta(hours=number), key.commitment(bytes([number] * 32)))
        fields = {"day": str(key.day), "rules": rules, "division": division, "grade": grade}
        after = chain[-1]["link"] if chain else FIRST_LINK
        at = written(made.committed_at)
        chain.append(
            {"number": number, **fields, "committed_at": at, "commitment": made.hash, "link": link(after, made)}
        )
    return chain


def linked(chain: list[Entry], formula: str = "pyramid/link/3", number_as: Callable[[int], Any] = int) -> list[Entry]:
    """Return a chain counted and linked again, as its operator can whatever it says."""
    last, again = FIRST_LINK, []
    for number, entry in zip(map(number_as, count(1)), chain, strict=False):
        fields = [formula, last, number, *(entry[name] for name in ("day", "rules", "division"))]
        fields += [entry["committed_at"], entry["commitment"]]
        if formula == "pyramid/link/3" or entry["grade"]:
            fields.append(entry["grade"] or "any")
        last = hashlib.sha256("|".join(map(str, fields)).encode()).hexdigest()
        again.append({**entry, "number": number, "link": last})
    return again


def exchanged(place: int, **changes: Any) -> list[Entry]:
    """Return the honest chain with other values in one entry."""
    return [{**entry, **changes} if entry["number"] == place else entry for entry in honest()]


def without(*numbers: int) -> list[Entry]:
    return [entry for entry in honest() if entry["number"] not in numbers]


def second(**changes: Any) -> list[Entry]:
    """Return a chain with a second commitment to the deal of its first entry, linked properly."""
    first, *_, last = honest()
    other = hashlib.sha256(b"another seed").hexdigest()
    return linked([*honest(), {**first, "commitment": other, "committed_at": last["committed_at"], **changes}])


def vectors() -> dict[str, list[dict[str, Any]]]:
    other = hashlib.sha256(b"another seed").hexdigest()
    valid = {
        "six deals of four days": honest(),
        "numbers with a decimal point": [{**entry, "number": float(entry["number"])} for entry in honest()],
    }
    refused = {
        "a commitment was exchanged": exchanged(3, commitment=other),
        "a day was exchanged": exchanged(3, day="2026-01-07"),
        "a rule set was exchanged": exchanged(3, rules="relaxed"),
        "a division was exchanged": exchanged(3, division="main"),
        "a time was exchanged": exchanged(3, committed_at="2025-12-29T12:30:01Z"),
        "a grade was exchanged": exchanged(5, grade="easy"),
        "a grade was left out": exchanged(5, grade=None),
        "a number was exchanged": exchanged(3, number=7),
        "the first entry is missing": without(1),
        "two entries have changed places": [honest()[at] for at in (0, 2, 1, 3, 4, 5)],
        "a formula that leaves the grade open": linked(honest(), "pyramid/link/2"),
        "a second commitment to a deal": second(),
        "a second commitment, in a division with a space": second(division="open "),
        "a second commitment, in a division with a capital": second(division="Open"),
        "a second commitment, to a day with a space": second(day="2026-01-05 "),
        "a second commitment, to a day in digits of another script": second(day="2026-01-0\N{ARABIC-INDIC DIGIT FIVE}"),
        "a second commitment, to a rule set with a space": second(rules="standard "),
        "a second commitment, to an alias": second(rules="pyramid"),
        "a second commitment, with an unknown grade": second(rules="cell", grade="open"),
        "a grade inside the commitment": linked(exchanged(1, commitment=f"{other}|hard")),
        "a commitment in capitals": linked(exchanged(1, commitment=other.upper())),
        "a day that does not exist": linked(exchanged(6, day="2026-01-32")),
        "a time in another form": linked(exchanged(6, committed_at="2025-12-30 09:30:00")),
        "a time before that of the entry before": linked(exchanged(6, committed_at="2025-12-01T00:00:00Z")),
        "an hour that does not exist": linked(exchanged(6, committed_at="2025-12-29T25:00:00Z")),
        "midnight as the end of a day": linked(exchanged(6, committed_at="2025-12-29T24:00:00Z")),
        "a time in the year zero": linked(exchanged(1, committed_at="0000-01-01T00:00:00Z")),
        "the commitment to another deal": linked(exchanged(6, commitment=honest()[0]["commitment"])),
        "a commitment in an array": linked(exchanged(6, commitment=[other])),
        "a number that is true": linked(honest(), number_as=lambda number: number == 1 or number),
        "a number in quotation marks": linked(honest(), number_as=str),
        "numbers linked with a decimal point": linked(honest(), number_as=float),
        "a day was left out": linked(without(3)),
        "the chain ends before the last day that is over": linked(without(6)),
    }
    return {
        "valid": [{"name": name, "over": OVER, "chain": chain} for name, chain in valid.items()],
        "refused": [{"name": name, "over": OVER, "chain": chain} for name, chain in refused.items()],
    }
