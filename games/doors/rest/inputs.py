"""Read bodies and query strings as strictly as frames: values are never coerced, unknown fields never ignored."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from functools import cache
from typing import Any, TypeVar, get_args

import msgspec
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import ValidationError

from games.doors.wire import Check, Input

I = TypeVar("I", bound=Input)  # noqa: E741
Convert = Callable[[Any, Any], Any]

MOST_SHOWN = 40
UNREADABLE = re.compile("[\0\ud800-\udfff]")
# msgspec's messages, and the sentences for people. The first match wins.
SENTENCES = {
    r".* got `null`": _("This field may not be null."),
    r"Expected `(?:str|array)` of length >= 1": _("This field may not be empty."),
    r"Expected `str` of length <= (?P<most>\d+)": _("At most %(most)s characters."),
    r"Expected `array` of length <= (?P<most>\d+)": _("At most %(most)s items."),
    r"Expected `int` >= (?P<least>\d+)": _("At least %(least)s."),
    r"Expected `int` <= (?P<most>\d+)": _("At most %(most)s."),
    r"Expected `str` matching": _("Not of the required form."),
    r"Expected `str": _("Not a valid string."),
    r"Expected `int": _("Not a whole number."),
    r"Expected `bool": _("Neither true nor false."),
    r"Expected `array": _("Not a list."),
    r"Invalid enum": _("Not one of the choices."),  # the wrong value, which may not be printable, is not quoted
    r".*\bdatetime\b": _("Not a time such as 2026-11-20T12:00:00Z."),
    r".*\bdate\b": _("Not a date such as 2026-11-20."),
}


class NothingInput(Input, frozen=True):
    """An empty body."""


class DayInput(Input, frozen=True):
    """A day."""

    day: date


def read(shape: type[I], data: object, convert: Convert = msgspec.convert) -> I:
    """Return a JSON object as its type. Raises `ValidationError` with what is wrong with each field."""
    known = _require_known(shape, data)
    values, mistakes = {}, {}
    for field in _fields(shape):
        try:
            if field.name in known:
                values[field.name] = _value(known[field.name], field.type, convert)
            elif field.required:
                raise ValidationError(gettext("This field is required."))
        except ValidationError as error:
            mistakes[field.name] = error.detail
    if mistakes:
        raise ValidationError(mistakes)
    made = shape(**values)
    if wrong := made.mistakes():
        raise ValidationError({name: [mistake] for name, mistake in wrong.items()})
    return made


def read_query(shape: type[I], texts: Mapping[str, str]) -> I:
    """Return a query string as its type. Raises `ValidationError`."""
    return read(shape, texts, _convert_text)


def _convert_text(text: str, kind: Any) -> Any:
    """Convert a text of a query string: for msgspec 1 is a yes and 1e0 a number, here `true` and plain digits are."""
    try:
        return msgspec.convert(text, kind)
    except msgspec.ValidationError:
        value = msgspec.convert(text, kind, strict=False)
        if (str(value).lower() if isinstance(value, bool) else str(value)) == text:
            return value
        raise


def _require_known(shape: type[Input], data: object) -> Mapping[str, Any]:
    """Return a JSON object that has no undeclared fields. Raises `ValidationError`."""
    if not isinstance(data, Mapping):
        raise ValidationError({"non_field_errors": [gettext("Not a JSON object.")]})
    if unknown := sorted(set(data).difference(shape.__struct_fields__)):
        # Quoted, because JSON strings may hold lone surrogates, which cannot be encoded as UTF-8.
        shown = [name[:MOST_SHOWN] for name in unknown]
        mistakes = [gettext("There is no field %(name)s.") % {"name": ascii(name)} for name in shown]
        raise ValidationError({"non_field_errors": mistakes})
    return data


def _value(given: Any, kind: Any, convert: Convert) -> Any:
    """Return a value as its type. Raises `ValidationError`."""
    notes = _notes(kind)
    tidy = str.strip if str.strip in notes else str
    try:
        value = convert([_text(item, tidy) for item in given] if isinstance(given, list) else _text(given, tidy), kind)
        value = value.astimezone(UTC) if isinstance(value, datetime) else value
    except msgspec.ValidationError as error:
        raise ValidationError(_sentence(str(error))) from None
    except OverflowError:  # a time that is in another age in UTC
        raise ValidationError(_sentence("datetime")) from None
    for check in notes:
        if isinstance(check, Check) and (mistake := check.mistake_in(value)):
            raise ValidationError(mistake)
    return value


def _text(given: Any, tidy: Callable[[str], str]) -> Any:
    """Return a text without what surrounds it; anything else as it is. Raises `ValidationError`."""
    if not isinstance(given, str):
        return given
    if UNREADABLE.search(given):
        raise ValidationError(gettext("Neither NUL characters nor lone surrogates are allowed."))
    return tidy(given)


def _sentence(error: str) -> str:
    matches = ((re.match(pattern, error), sentence) for pattern, sentence in SENTENCES.items())
    return next((str(sentence) % match.groupdict() for match, sentence in matches if match), error)


_fields = cache(msgspec.structs.fields)


@cache
def _notes(kind: Any) -> tuple[object, ...]:
    """Return the annotations of a type and of its parts."""
    return *getattr(kind, "__metadata__", ()), *(note for part in get_args(kind) for note in _notes(part))
