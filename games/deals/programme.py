"""The programme: the rule sets, grades and policies of the daily deals of each weekday."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from enum import StrEnum
from itertools import combinations
from typing import Any, NamedTuple

import msgspec

from games.deals.beacons import BEACONS
from games.deals.certify import is_certifiable, is_found_at_once
from games.deals.daily import DailyKey, Division
from games.deals.grading import Grade
from games.deals.policy import Policy, PolicyError
from games.rules import RULE_SETS, RuleSet, UnknownRuleSet

DAYS_OF_A_WEEK = 7


class Weekday(StrEnum):
    """A day of the week."""

    MONDAY = "mon"
    TUESDAY = "tue"
    WEDNESDAY = "wed"
    THURSDAY = "thu"
    FRIDAY = "fri"
    SATURDAY = "sat"
    SUNDAY = "sun"


WEEK = tuple(Weekday)


class ProgrammeError(ValueError):
    """Invalid programme data; the text says where, `code` what is wrong."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


class Slot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Deals on some weekdays. Several rule sets take turns, a week each, counted from Monday, 1 January 0001.

    `grade` is one for all days, or one by weekday; without one any winnable deal will do. `policy` has the fields of
    `Policy`; what it leaves out has its default. `beacon` names one on which the deals depend.
    """

    rules: str | list[str]
    days: list[Weekday] = msgspec.field(default_factory=lambda: list(WEEK))
    divisions: list[Division] = msgspec.field(default_factory=lambda: list(Division))
    grade: Grade | dict[Weekday, Grade] | None = None
    policy: dict[str, Any] = msgspec.field(default_factory=dict)
    beacon: str | None = None

    @property
    def names(self) -> list[str]:
        return [self.rules] if isinstance(self.rules, str) else self.rules

    def rules_on(self, day: date) -> str:
        """Return the slug of the rule set that is due on a day."""
        week = (day.toordinal() - 1) // DAYS_OF_A_WEEK
        return RULE_SETS[self.names[week % len(self.names)]].slug

    def grade_on(self, weekday: Weekday) -> Grade | None:
        return self.grade.get(weekday) if isinstance(self.grade, Mapping) else self.grade


class Scheduled(NamedTuple):
    """A daily deal that the programme calls for."""

    key: DailyKey
    grade: Grade | None
    policy: Policy
    beacon: str | None = None


class Programme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The slots of all weekdays."""

    slots: list[Slot]

    @classmethod
    def from_data(cls, data: object) -> Programme:
        """Read a JSON object with `slots`. Raises `ProgrammeError`."""
        try:
            programme = msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise ProgrammeError("malformed_programme", str(error)) from error
        for number, slot in enumerate(programme.slots, start=1):
            _require_sound(slot, f"slot {number}")
        _require_disjoint(programme.slots)
        return programme

    @property
    def data(self) -> dict[str, Any]:
        """The programme as a JSON object."""
        return {"slots": [msgspec.to_builtins(slot) for slot in self.slots]}

    def on(self, day: date) -> Iterator[Scheduled]:
        """Yield the deals of a day."""
        weekday = WEEK[day.weekday()]
        for slot in self.slots:
            if weekday in slot.days:
                grade, policy = slot.grade_on(weekday), Policy.from_data(slot.policy)
                for division in slot.divisions:
                    yield Scheduled(DailyKey(day, slot.rules_on(day), division), grade, policy, slot.beacon)


def _require_sound(slot: Slot, name: str) -> None:
    if not (slot.names and slot.days and slot.divisions):
        raise ProgrammeError("malformed_programme", f"{name} needs at least one rule set, day and division")
    try:
        rule_sets = [RULE_SETS[each] for each in slot.names]
        Policy.from_data(slot.policy)
    except UnknownRuleSet as error:
        raise ProgrammeError(error.code, f"{name}: {error}") from error
    except PolicyError as error:
        raise ProgrammeError("malformed_policy", f"{name}: {error}") from error
    for rules in rule_sets:
        if slot.grade and not is_certifiable(rules):
            raise ProgrammeError("not_certifiable", f"{name}: deals of {rules.slug} have no certificate, so no grade")
        if slot.beacon is not None:
            _require_beacon(slot, rules, name)
    if isinstance(slot.grade, Mapping) and (others := set(slot.grade) - set(slot.days)):
        raise ProgrammeError("malformed_programme", f"{name} has no deal on {', '.join(sorted(others))}, only a grade")


def _require_beacon(slot: Slot, rules: RuleSet, name: str) -> None:
    """Raise `ProgrammeError` for a beacon that does not exist, and for deals that cannot be found in a minute."""
    if slot.beacon not in BEACONS:
        raise ProgrammeError("unknown_beacon", f"{name}: there is no beacon {slot.beacon!r}, only {', '.join(BEACONS)}")
    if not is_found_at_once(rules, is_graded=slot.grade is not None):
        graded = "of a grade " if slot.grade else ""
        raise ProgrammeError(
            "too_slow_for_beacon", f"{name}: a deal of {rules.slug} {graded}may not be found within a minute"
        )


def _require_disjoint(slots: list[Slot]) -> None:
    for (number, one), (other_number, other) in combinations(enumerate(slots, start=1), 2):
        shared = _slugs(one) & _slugs(other)
        if shared and set(one.days) & set(other.days) and set(one.divisions) & set(other.divisions):
            slug = min(shared)
            raise ProgrammeError("two_slots", f"slots {number} and {other_number} both have {slug} for one division")


def _slugs(slot: Slot) -> set[str]:
    return {RULE_SETS[name].slug for name in slot.names}


VARIANTS = (
    *("covered-pairs", "relaxed", "king-tut", "tuts-tomb", "three-piles"),
    *("triangle", "giza", "seven-reserve", "par-pyramid", "single-pass"),
)
PUZZLE = "open-pyramid"
GRADES_OF_THE_WEEK = {
    **dict.fromkeys(WEEK[:2], Grade.EASY),
    **dict.fromkeys(WEEK[2:5], Grade.MEDIUM),
    **dict.fromkeys(WEEK[5:], Grade.HARD),
}
DEFAULT = Programme.from_data(
    {
        "slots": [
            {"rules": "standard", "grade": GRADES_OF_THE_WEEK},
            {"rules": list(VARIANTS)},
            {"rules": PUZZLE, "days": [Weekday.SUNDAY]},
        ]
    }
)
"""`standard` every day, harder towards the weekend, a variant of the week, and a puzzle without luck on Sundays."""
