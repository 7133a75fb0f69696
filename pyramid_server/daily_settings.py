"""Mistakes in the settings of daily deals, reported at startup with those of all other settings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.deals.policy import Policy, PolicyError
from games.deals.programme import Programme, ProgrammeError
from games.rules import RULE_SETS

Mistake = tuple[str, str, str]
"""A setting, the part of its value that is wrong, and what would be right."""


def mistakes_in(
    programme: Mapping[str, Any], rule_sets: Iterable[str], policies: Mapping[str, Any]
) -> Iterator[Mistake]:
    """Yield the mistakes in `PYRAMID_PROGRAMME`, `PYRAMID_DAILY_RULE_SETS` and `PYRAMID_DAILY_POLICIES`."""
    known = f"rule sets, of which there are {', '.join(RULE_SETS)}"
    rule_sets = list(rule_sets)
    for name, slugs in (("PYRAMID_DAILY_RULE_SETS", rule_sets), ("PYRAMID_DAILY_POLICIES", policies)):
        for slug in slugs:
            if slug not in RULE_SETS:
                yield name, f"about {slug!r}", known
    yield from _doubles_in(rule_sets)
    for slug, policy in policies.items():
        try:
            Policy.from_data(policy)
        except PolicyError as error:
            expected = f"a policy as in docs/daily-deals.md ({slug}: {error})"
            yield "PYRAMID_DAILY_POLICIES", repr(policy), expected
    if programme:
        try:
            Programme.from_data(programme)
        except ProgrammeError as error:
            expected = f"a programme as in docs/daily-deals.md ({error.code}: {error})"
            yield "PYRAMID_PROGRAMME", repr(programme), expected


def _doubles_in(rule_sets: Iterable[str]) -> Iterator[Mistake]:
    named = Counter(RULE_SETS[name].slug for name in rule_sets if name in RULE_SETS)
    for slug, times in named.items():
        if times > 1:
            yield "PYRAMID_DAILY_RULE_SETS", f"about {slug!r} more than once", "each rule set once"
