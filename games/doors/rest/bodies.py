"""JSON bodies: requests are read strictly, and answers rendered by msgspec."""

import json
from collections.abc import Mapping
from typing import IO, Any

import msgspec
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.json import strict_constant

from games.doors.wire import unique

# Lazily translated texts, and error details, which are subclasses of str.
_encoder = msgspec.json.Encoder(enc_hook=str)
encode = _encoder.encode


class StrictJSONParser(JSONParser):
    """JSON as RFC 8259 defines it: in UTF-8, without NaN, and without duplicate names."""

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        try:
            return json.loads(stream.read().decode(), object_pairs_hook=unique, parse_constant=strict_constant)
        except ValueError as error:
            raise ParseError(f"the body is not valid JSON: {error}") from error
        except RecursionError as error:
            raise ParseError("the body is nested too deeply") from error


class Renderer(JSONRenderer):
    """Renders msgspec types and plain values as JSON."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return b"" if data is None else encode(data)
