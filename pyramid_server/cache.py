"""A Redis cache that appears empty while Redis is down: counting requests must not keep anyone from playing."""

from __future__ import annotations

import logging
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis import RedisError

logger = logging.getLogger(__name__)


class RedisOrNothing(RedisCache):
    """Finds nothing and stores nothing while Redis does not answer. Covers only the methods that the project uses."""

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
