"""A cache on Redis that is empty while Redis is away: what counts requests must not keep anyone from playing."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis import RedisError

logger = logging.getLogger(__name__)


class RedisOrNothing(RedisCache):
    """Knows nothing and keeps nothing while Redis does not answer. Only what the project uses is covered."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        try:
            return super().get(key, default, version)
        except RedisError as error:
            logger.warning("requests are not counted, Redis does not answer: %s", error)
            return default

    def set(self, key: Any, value: Any, timeout: Any = None, version: int | None = None) -> None:
        try:
            super().set(key, value, timeout, version)
        except RedisError as error:
            logger.warning("requests are not counted, Redis does not answer: %s", error)
