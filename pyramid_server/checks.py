"""System checks of settings that need more than the settings module itself, and of the database before a migration."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks
from django.db import connections

from games.doors.commands import SETTINGS
from games.tlog.keys import is_in_file, key_file, log_keys

NO_WAY_IN = "Players cannot sign in: passwords and passkeys are off, and there is no issuer."


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


@checks.register(SETTINGS)
def players_can_sign_in(**kwargs: Any) -> list[checks.CheckMessage]:
    hint = "Set PYRAMID_PASSWORDS or PYRAMID_PASSKEYS to yes, or name an issuer in PYRAMID_SIGN_IN_WITH."
    if settings.PYRAMID_PASSWORDS or settings.PYRAMID_SIGN_IN_WITH:
        return []
    if not settings.PYRAMID_PASSKEYS:
        return [checks.Error(NO_WAY_IN, hint=hint, id="pyramid_server.E001")]
    if settings.BEHIND_TLS_PROXY:
        return []
    return [
        checks.Warning(
            "Passkeys are the only way to sign in, and without PYRAMID_BEHIND_TLS_PROXY only localhost has them.",
            hint=hint,
            id="pyramid_server.W003",
        )
    ]


@checks.register(SETTINGS)
def the_log_can_be_signed(**kwargs: Any) -> list[checks.CheckMessage]:
    """Read the keys that are given or kept: with a damaged one, days would be sealed and never signed."""
    where: str | Path = "PYRAMID_LOG_KEY"
    hint = "Set the whole line that `manage.py log_key --replace` printed."
    if is_in_file():
        where, hint = key_file(), "Put the file back from where you keep it: docs/backups.md."
    if settings.PYRAMID_LOG_KEY or (is_in_file() and key_file().exists()):
        try:
            log_keys()
        except ValueError as error:
            return [checks.Error(f"{where} is not a key of a log: {error}.", hint=hint, id="pyramid_server.E003")]
    return []


@checks.register(checks.Tags.database)
def the_database_sorts_text_by_its_bytes(databases: Sequence[str] | None = None, **kwargs: Any) -> list[checks.Error]:
    """Look before a migration: ids of games are compared as text, and some languages sort z before t."""
    return [
        checks.Error(
            f"The database {connections[name].settings_dict['NAME']} sorts text as a language does, not by its bytes.",
            hint="Make it with TEMPLATE template0 LC_COLLATE 'C', as pyramid_server/deployment/roles.sql does.",
            id="pyramid_server.E002",
        )
        for name in databases or ()
        if not _sorts_by_bytes(name)
    ]


def _sorts_by_bytes(name: str) -> bool:
    with connections[name].cursor() as cursor:
        cursor.execute("SELECT 'B' < 'a'")  # in no language
        (answer,) = cursor.fetchone()
    return bool(answer)
