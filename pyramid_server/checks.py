"""System checks of settings that need more than the settings module itself."""

from difflib import get_close_matches
from typing import Any

from django.conf import settings
from django.core import checks

from games.doors.commands import SETTINGS


@checks.register(SETTINGS)
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


@checks.register(SETTINGS)
def a_server_behind_a_proxy_has_a_name(**kwargs: Any) -> list[checks.CheckMessage]:
    if not settings.BEHIND_TLS_PROXY or settings.ALLOWED_HOSTS != settings.LOOPBACK_HOSTS:
        return []
    return [
        checks.Warning(
            "PYRAMID_BEHIND_TLS_PROXY is set, and PYRAMID_ALLOWED_HOSTS is not: every request for another name than"
            " localhost is refused.",
            hint="Set PYRAMID_ALLOWED_HOSTS to the names that the proxy passes on.",
            id="pyramid_server.W002",
        )
    ]
