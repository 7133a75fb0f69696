"""The periodic tasks of this subject."""

from __future__ import annotations

from datetime import timedelta

from games.accounts.accounts import forget_expired_sessions, forget_expired_tokens
from games.worker.tasks import register

register(forget_expired_sessions, every=timedelta(hours=1))
register(forget_expired_tokens, every=timedelta(hours=1))
