"""The programme of each day: from the admin, or else from the settings, or else the default."""

from datetime import date, timedelta
from typing import Any

from django.conf import settings

from games.calendar.models import SetProgramme
from games.deals.programme import DEFAULT, Programme, Scheduled
from games.rules import RULE_SETS


def configured_programme() -> Programme:
    """Return the programme of the settings. Raises `ProgrammeError` or `UnknownRuleSet`."""
    if settings.PYRAMID_PROGRAMME:
        return Programme.from_data(settings.PYRAMID_PROGRAMME)
    if settings.PYRAMID_DAILY_RULE_SETS:
        return Programme.from_data({"slots": [_plain_slot(name) for name in settings.PYRAMID_DAILY_RULE_SETS]})
    return DEFAULT


def scheduled(first: date, days: int) -> list[Scheduled]:
    """Return the deals that the programme calls for on a day and the following ones, in order."""
    asked = [first + timedelta(days=ahead) for ahead in range(days)]
    programmes = _programmes(asked[-1]) if asked else []
    return [deal for day in asked for deal in _valid_on(day, programmes).on(day)]


def programme_on(day: date) -> Programme:
    return _valid_on(day, _programmes(day))


def _programmes(last: date) -> list[tuple[date, Programme]]:
    """Return the programmes that begin up to a day, newest first."""
    rows = SetProgramme.objects.filter(valid_from__lte=last).order_by("-valid_from").values_list("valid_from", "slots")
    return [(valid_from, Programme.from_data({"slots": slots})) for valid_from, slots in rows]


def _valid_on(day: date, programmes: list[tuple[date, Programme]]) -> Programme:
    begun = (programme for valid_from, programme in programmes if valid_from <= day)
    return next(begun, None) or configured_programme()


def _plain_slot(name: str) -> dict[str, Any]:
    slug = RULE_SETS[name].slug
    policies = {RULE_SETS[key].slug: policy for key, policy in settings.PYRAMID_DAILY_POLICIES.items()}
    return {"rules": slug, "policy": policies.get(slug, {})}
