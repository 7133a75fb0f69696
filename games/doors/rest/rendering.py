"""Answers as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.renderers import JSONRenderer


class Renderer(JSONRenderer):
    """Renders msgspec types and plain values as JSON."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return b"" if data is None else encode(data)


# Lazily translated texts, and error details, which are subclasses of str.
_encoder = msgspec.json.Encoder(enc_hook=str)
encode = _encoder.encode
