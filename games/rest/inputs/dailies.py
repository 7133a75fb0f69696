from __future__ import annotations

from games.kit.rest.inputs import Day, Input, NumberInQuery


class CommitmentsInput(Input):
    """The position in the chain to continue from."""

    after = NumberInQuery(required=False, default=0, min_value=0, max_value=2**62, help_text="A number of the chain.")


class DayInput(Input):
    """A day."""

    day = Day()


class DailyHistoryInput(Input):
    """The position in the list of past days to continue from."""

    before = Day(required=False, help_text="Only days before this one; today if it is left out.")
