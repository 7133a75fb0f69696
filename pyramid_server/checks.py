"""System checks of settings that need more than the settings module itself."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any

from django.conf import settings
from django.core import checks

from games.deals.policy import Policy, PolicyError
from games.deals.programme import DEFAULT, Programme, ProgrammeError
from games.rules import RULE_SETS


@checks.register()
def every_variable_is_a_setting(**kwargs: Any) -> list[checks.CheckMessage]:
    known = [declaration.name for declaration in settings.ENVIRONMENT.declared]
    return [
        checks.Warning(
            f"{name} is set, but there is no such setting.",
            hint=" ".join(f"Did you mean {match}?" for match in get_close_matches(name, known, 1)) or None,
            id="pyramid_server.W001",
        )
        for name in settings.ENVIRONMENT.unknown
    ]


@checks.register()
def daily_rule_sets_exist(**kwargs: Any) -> list[checks.CheckMessage]:
    return [
        checks.Error(
            f"PYRAMID_DAILY_RULE_SETS names {slug!r}, which is not a rule set.",
            hint=f"There are: {', '.join(RULE_SETS)}.",
            id="pyramid_server.E001",
        )
        for slug in settings.PYRAMID_DAILY_RULE_SETS
        if slug not in RULE_SETS
    ]


@checks.register()
def daily_policies_are_policies(**kwargs: Any) -> list[checks.CheckMessage]:
    return [
        checks.Error(
            f"PYRAMID_DAILY_POLICIES: {mistake}.",
            hint="docs/daily-deals.md lists the fields.",
            id="pyramid_server.E002",
        )
        for slug, policy in settings.PYRAMID_DAILY_POLICIES.items()
        if (mistake := _mistake_in_policy(slug, policy))
    ]


@checks.register()
def programme_can_be(**kwargs: Any) -> list[checks.CheckMessage]:
    try:
        Programme.from_data(settings.PYRAMID_PROGRAMME or DEFAULT.data)
    except ProgrammeError as error:
        hint = "docs/daily-deals.md describes a programme."
        return [checks.Error(f"PYRAMID_PROGRAMME: {error} ({error.code}).", hint=hint, id="pyramid_server.E003")]
    return []


def _mistake_in_policy(slug: str, policy: object) -> str | None:
    if slug not in RULE_SETS:
        return f"{slug!r} is not a rule set"
    try:
        Policy.from_data(policy)
    except PolicyError as error:
        return f"{slug}: {error}"
    return None
