"""Leaves of a log: those of an honest one, and those of operators who lie, whose head is right all the same."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime, timedelta
from typing import Any

from games.deals.daily import DailyKey
from games.deals.grading import Grade
from games.tlog import leaves

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
OTHER = hashlib.sha256(b"another seed").hexdigest()


def honest() -> list[str]:
    """Return the commitments to six deals of four days, a decision, and the results of two days."""
    made: list[str] = []
    for number, (days, rules, division, grade) in enumerate(ASKED, start=1):
        key = DailyKey(FIRST_DAY + timedelta(days=days), rules, division)
        at = MADE_AT + timedelta(hours=number)
        made.append(leaves.commitment(str(key), grade, at, key.commitment(bytes([number] * 32))).text)
    sealed = [leaves.results(FIRST_DAY + timedelta(days=number), number, _root(number)).text for number in range(2)]
    return [*made, leaves.decision(1, "6e" * 32).text, *sealed]


def _root(count: int) -> str:
    return hashlib.sha256(b"a day's results" if count else b"").hexdigest()


def exchanged(place: int, old: str, new: str) -> list[str]:
    """Return the honest leaves with another text in one of them."""
    made = honest()
    assert old in made[place]
    return [*made[:place], made[place].replace(old, new, 1), *made[place + 1 :]]


def without(*places: int) -> list[str]:
    return [leaf for place, leaf in enumerate(honest()) if place not in places]


def second(old: str = "", new: str = "") -> list[str]:
    """Return the honest leaves with a second commitment to the deal of the first."""
    kind, *fields = honest()[0].split("|")
    again = "|".join([kind, *fields[:4], "2026-01-01T09:30:00Z", OTHER])
    return [*honest(), again.replace(old, new, 1)]


def vectors() -> dict[str, list[dict[str, Any]]]:
    first, last = honest()[0].split("|"), honest()[-1]
    refused = {
        "a second commitment to a deal": second(),
        "a second commitment, in a division with a space": second("open", "open "),
        "a second commitment, in a division with a capital": second("open", "Open"),
        "a second commitment, to a day with a space": second("2026-01-05", "2026-01-05 "),
        "a second commitment, to a day in digits of another script": second("-05", "-0\N{ARABIC-INDIC DIGIT FIVE}"),
        "a second commitment, to a rule set with a space": second("standard", "standard "),
        "a second commitment, to an alias": second("standard", "pyramid"),
        "a second commitment, with an unknown grade": second("any", "open"),
        "a second root of a day": [*honest(), last.replace("|1|", "|2|")],
        "a second line of the decision log with a number": [*honest(), leaves.decision(1, OTHER).text],
        "a commitment in capitals": exchanged(0, first[-1], first[-1].upper()),
        "a commitment with a field too many": exchanged(0, first[-1], f"{first[-1]}|0"),
        "a commitment with a field too few": exchanged(0, "|any", ""),
        "a grade that is left out": exchanged(0, "any", ""),
        "a day that does not exist": exchanged(5, "2026-01-08", "2026-01-32"),
        "a time in another form": exchanged(5, "T15:30:00Z", " 15:30:00"),
        "a time before that of the commitment before": exchanged(5, "2025-12-29", "2025-12-01"),
        "an hour that does not exist": exchanged(5, "T15", "T25"),
        "midnight as the end of a day": exchanged(5, "T15:30:00", "T24:00:00"),
        "a time in the year zero": exchanged(0, "2025-12-29", "0000-01-01"),
        "the commitment to another deal": exchanged(5, honest()[5].split("|")[-1], first[-1]),
        "a kind that does not exist": exchanged(6, "decision/2", "decision/1"),
        "a number of results with a zero before it": exchanged(8, "|1|", "|01|"),
        "a number of results below 0": exchanged(8, "|1|", "|-1|"),
        "a day without results that has a root": exchanged(8, "|1|", "|0|"),
        "results of a day before the last": [*without(7), honest()[7]],
        "an empty leaf": [*honest(), ""],
        "a leaf that ends with a line": exchanged(6, "6e6e", "6e\n6e"),
        "a day was left out": without(2),
        "the log ends before the last day that is over": without(5),
    }
    return {
        "valid": [{"name": "six deals of four days", "over": OVER, "leaves": honest()}],
        "refused": [{"name": name, "over": OVER, "leaves": lied} for name, lied in refused.items()],
    }
