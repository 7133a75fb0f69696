"""Errors of a database or Redis that is away: logged once in a while; a full disk is remembered for readiness."""

import logging
import math
import re
from time import monotonic

import redis
from django.db import InterfaceError, OperationalError

TELL_AGAIN_SECONDS = 60.0
# For so long after a write that found no space: there is no way to ask PostgreSQL whether the next one will.
FULL_SECONDS = 10.0
CONNECTION = re.compile("^.*connection failed: (?=connection )")
NEEDLESS = ("Is the server running", "Multiple connection attempts failed")
NO_SPACE = {"53100", "SQLITE_FULL"}  # the codes of PostgreSQL and SQLite


class Explained(Exception):
    """A failure that somebody has to end: its text says how, and the program is not at fault."""


class Outages:
    """The errors that the database has lately given this process."""

    def __init__(self) -> None:
        self._told_at: dict[str, float] = {}
        self._full_at = -math.inf

    def note(self, of: str, error: Exception) -> bool:
        """Note an error, and return True if one of this kind is to be logged again: more lines would bury all else."""
        now = monotonic()
        if found_no_space(error):
            self._full_at = now
        if now - self._told_at.get(of, -math.inf) < TELL_AGAIN_SECONDS:
            return False
        self._told_at[of] = now
        return True

    @property
    def is_full(self) -> bool:
        """True if a write has just found no space. Heartbeats may still find some, in the space of former ones."""
        return monotonic() - self._full_at < FULL_SECONDS


def is_outage(error: Exception) -> bool:
    """Return True if the database was away or full; any other error of it is a fault of ours."""
    return isinstance(error, OperationalError | InterfaceError)


def tell(logger: logging.Logger, of: str, consequence: str, error: Exception) -> None:
    """Log an error and its consequence: what is not our fault once in a while, all else with its traceback."""
    if not is_outage(error) and not isinstance(error, redis.ConnectionError | redis.TimeoutError | Explained):
        logger.error("%s", consequence, exc_info=error)
    elif outages.note(of, error):
        logger.error("%s: %s", consequence, briefly(error))


def briefly(error: Exception) -> str:
    """Return what an error of the database or Redis says, but not what drivers repeat for each address they tried."""
    found = [CONNECTION.sub("", line).strip() for line in str(error).splitlines()]
    return "; ".join(dict.fromkeys(line for line in found if line and not line.startswith(NEEDLESS)))


def failure_of(error: Exception) -> str:
    """Say what has failed, to those who are refused something because of it and in the log."""
    return "the database cannot write: its disk is full" if found_no_space(error) else "the database does not answer"


def found_no_space(error: Exception) -> bool:
    """Return True if an error of the database says that its disk is full."""
    cause = error.__cause__
    return (getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)) in NO_SPACE


outages = Outages()
