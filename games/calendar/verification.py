"""Verify daily deals by recomputing them from their seeds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import NamedTuple

from games.calendar.models import DailyDeal
from games.deals.certify import first_fitting
from games.deals.chain import FIRST_LINK
from games.deals.grading import Grade
from games.tlog import tree


class KeptLink(NamedTuple):
    """A link of the chain that somebody has kept."""

    number: int
    link: str

    @classmethod
    def from_text(cls, text: str) -> KeptLink:
        """Read `N:HASH`. Raises ValueError."""
        found = re.fullmatch(r"([1-9]\d{0,17}):([0-9a-f]{64})", text, re.ASCII)
        if found is None:
            raise ValueError(f"a link is written N:HASH, its number and 64 lower-case hexadecimal digits, not {text!r}")
        return cls(int(found[1]), found[2])


def dailies_to_verify(day: date | None, rules: str | None, division: str | None) -> list[DailyDeal]:
    """Return the daily deals of a day, a rule set and a division, or of all where one is None."""
    dailies = DailyDeal.objects.select_related("deal").order_by("number")
    asked = {"day": day, "rules": rules, "division": division}
    return list(dailies.filter(**{name: value for name, value in asked.items() if value is not None}))


def mistakes_in_chain(kept: Sequence[KeptLink] = ()) -> list[str]:
    """Return the mistakes in the log, in the chain of commitments, and kept links that are missing from it."""
    chain = list(DailyDeal.objects.order_by("number"))
    links = {daily.number: daily.link for daily in chain}
    lost = [each for each in kept if links.get(each.number) != each.link]
    return [
        *tree.mistakes_in_log(),
        *_mistakes_in_links(chain),
        *_mistakes_in_leaves(chain),
        *(f"the chain does not pass through the link {each.number}:{each.link}" for each in lost),
    ]


def mistakes_in(daily: DailyDeal) -> list[str]:
    """Return the mistakes in a daily deal, in words that reveal nothing secret."""
    key, seed = daily.key, bytes.fromhex(daily.seed)
    grade = Grade(daily.grade) if daily.grade else None
    fits = f"can be won and is {grade}" if grade else "can be won"
    checks = {
        f"the seed of {key} is not the one that was committed to": key.commitment(seed) == daily.commitment,
        f"the deck of {key} is not the one that its seed leads to": key.deck(seed, daily.candidate).text
        == daily.deal.deck,
        f"the deck of {key} is not the first of its seed that {fits}": (first_fitting(key, seed, grade) or 0)
        == daily.candidate,
        f"{key} has a deal of other rules": daily.deal.rules == daily.rules,
    }
    return [mistake for mistake, holds in checks.items() if not holds]


def _mistakes_in_leaves(chain: Sequence[DailyDeal]) -> list[str]:
    """Return the deals that the log does not have as they are, and the commitments of the log without a deal."""
    logged = {leaf.text for _, leaf in tree.leaves_of_kind("commitment/1")}
    made = {daily.leaf.text: daily for daily in chain}
    return [
        *(f"the log does not have the commitment to {made[text]}" for text in made if text not in logged),
        *(f"the log has a commitment without a deal: {text}" for text in sorted(logged - made.keys())),
    ]


def _mistakes_in_links(chain: Sequence[DailyDeal]) -> Iterator[str]:
    last, before = FIRST_LINK, None
    for number, daily in enumerate(chain, start=1):
        last = daily.link_after(last)
        if (daily.number, daily.link) != (number, last):
            yield f"the chain of commitments is broken at number {number}, {daily}"
            return
        if before and daily.committed_at < before.committed_at:
            yield f"the chain of commitments runs backwards at number {number}, {daily}"
        before = daily
