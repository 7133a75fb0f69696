"""Strict input fields: values are never coerced, unknown fields never ignored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, ClassVar, cast

from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.fields import empty

from games.kit.names import mistake_in

MOST_SHOWN = 40


class Input(serializers.Serializer[Any]):
    """A JSON object or query string that rejects undeclared fields; `example` is shown in the schema."""

    example: ClassVar[dict[str, object]] = {}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := sorted(set(data) - set(self.fields))):
            # Quoted, because JSON strings may hold lone surrogates, which cannot be encoded as UTF-8.
            shown = [name[:MOST_SHOWN] for name in unknown]
            mistakes = [gettext("There is no field %(name)s.") % {"name": ascii(name)} for name in shown]
            raise ValidationError({"non_field_errors": mistakes})
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A string, never a number in its place; surrounding spaces are stripped."""

    def run_validation(self, data: Any = empty) -> Any:
        _require_text(data)
        return super().run_validation(data)


class Choice(serializers.ChoiceField):
    """One of several words. The error does not quote a wrong value, which may not be printable."""

    default_error_messages = {"invalid_choice": gettext_lazy("Not one of the choices.")}

    def run_validation(self, data: Any = empty) -> Any:
        _require_text(data)
        return super().run_validation(data)


class WholeNumber(serializers.IntegerField):
    """A JSON number without a fraction."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return data


class NumberInQuery(serializers.IntegerField):
    """A whole number in a query string, in plain digits."""

    def to_internal_value(self, data: Any) -> int:
        if not re.fullmatch(r"[0-9]{1,19}", str(data), re.ASCII):
            self.fail("invalid")
        return super().to_internal_value(data)


class YesOrNo(serializers.BooleanField):
    """`true` or `false`, not a string or number that might mean it."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data


class Day(serializers.DateField):
    """A date written as 2026-11-20."""

    def to_internal_value(self, value: Any) -> date:
        if not (isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII)):
            self.fail("invalid", format="YYYY-MM-DD")
        return super().to_internal_value(value)


class ListOf(serializers.ListField):
    """A list; its error is that of the first wrong item, since `fields` of an error are lists of sentences."""

    def run_child_validation(self, data: Any) -> Any:
        try:
            return super().run_child_validation(data)
        except ValidationError as error:
            raise ValidationError(next(iter(cast(dict[int, Any], error.detail).values()))) from None


def _require_text(data: object) -> None:
    if not isinstance(data, str) and data is not empty and data is not None:
        raise ValidationError(gettext("Not a valid string."))


def require_good_name(text: str) -> None:
    """Refuse a name that others could not read, or that would overflow its place on a page."""
    if mistake := mistake_in(text):
        raise ValidationError(mistake)
