"""The heartbeat of a server process, which reveals the times when no server was up."""

import logging
from datetime import UTC, datetime
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, connection

from games.play.models import Uptime
from games.play.uptime import record_heartbeat

logger = logging.getLogger(__name__)


def start_heartbeat() -> None:
    """Beat in a separate thread as long as the process lives; `PYRAMID_HEARTBEAT_SECONDS=0` disables it."""
    if settings.PYRAMID_HEARTBEAT_SECONDS:
        Thread(target=record_heartbeats, args=[Event()], name="heartbeat", daemon=True).start()


def record_heartbeats(stop: Event) -> None:
    """Record heartbeats until the end. The next heartbeat makes up for one that could not be written."""
    stretch: Uptime | None = None
    while True:
        try:
            stretch = record_heartbeat(stretch, datetime.now(UTC))
        except DatabaseError as error:
            logger.warning("a heartbeat could not be written: %s", error)
        finally:
            connection.close()
        if stop.wait(settings.PYRAMID_HEARTBEAT_SECONDS):
            return
