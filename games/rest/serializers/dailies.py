from __future__ import annotations

from games.kit.rest.inputs import Day, Input, NumberInQuery


class CommitmentsInput(Input):
    """Where to go on in the chain."""

    after = NumberInQuery(required=False, default=0, min_value=0, max_value=2**62, help_text="A number of the chain.")


class DayInput(Input):
    """Which day."""

    day = Day()


class DailyHistoryInput(Input):
    """Where to go on in the list of past days."""

    before = Day(required=False, help_text="Only days before this one; today if it is left out.")
