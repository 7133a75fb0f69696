"""Types of inputs are read strictly, and what is wrong is said field by field, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Annotated, Any, Literal

import pytest
from django.utils.translation import override
from msgspec import UNSET, Meta, UnsetType
from rest_framework.exceptions import ValidationError

from games.doors.rest.inputs import read, read_query
from games.doors.wire import Check, Input, Number, Text


class Order(Input, frozen=True):
    count: Number = 0
    rate: Annotated[int, Meta(ge=10)] = 10
    name: Annotated[Text, Meta(max_length=5, pattern="^[a-z]+$"), Check(lambda name: "Not eve." * (name == "eve"))] = (
        "bob"
    )
    secret: Annotated[str, Meta(max_length=5)] = ""
    suit: Literal["hearts", "spades"] | UnsetType = UNSET
    gift: bool = False
    day: date | UnsetType = UNSET
    at: Annotated[datetime, Meta(tz=True)] | UnsetType = UNSET
    tags: Annotated[list[Text], Meta(min_length=1, max_length=2)] | UnsetType = UNSET

    def mistakes(self) -> dict[str, str]:
        return {"gift": "Give more."} if self.gift and not self.count else {}


def mistakes_in(ask: Callable[..., object], given: object) -> Any:
    with pytest.raises(ValidationError) as refused:
        ask(Order, given)
    return refused.value.detail


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"count": None}, "This field may not be null."),
        ({"count": -1}, "At least 0."),
        ({"count": 2**31}, "At most 2147483647."),
        ({"count": "1"}, "Not a whole number."),
        ({"count": 1.0}, "Not a whole number."),
        ({"count": True}, "Not a whole number."),
        ({"name": " "}, "This field may not be empty."),
        ({"name": "mallory"}, "At most 5 characters."),
        ({"name": "Bob"}, "Not of the required form."),
        ({"name": 7}, "Not a valid string."),
        ({"name": "eve"}, "Not eve."),
        ({"name": "a\0"}, "Neither NUL characters nor lone surrogates are allowed."),
        ({"secret": "\ud800"}, "Neither NUL characters nor lone surrogates are allowed."),
        ({"suit": "Hearts"}, "Not one of the choices."),
        ({"suit": " hearts"}, "Not one of the choices."),
        ({"gift": 1}, "Neither true nor false."),
        ({"gift": True}, "Give more."),
        ({"day": "2026-02-30"}, "Not a date such as 2026-11-20."),
        ({"day": 20261120}, "Not a date such as 2026-11-20."),
        ({"at": "2026-11-20T12:00:00"}, "Not a time such as 2026-11-20T12:00:00Z."),
        ({"at": 1}, "Not a time such as 2026-11-20T12:00:00Z."),
        ({"at": "0001-01-01T00:00:00+14:00"}, "Not a time such as 2026-11-20T12:00:00Z."),
        ({"at": "9999-12-31T23:59:59-14:00"}, "Not a time such as 2026-11-20T12:00:00Z."),
        ({"tags": "a"}, "Not a list."),
        ({"tags": []}, "This field may not be empty."),
        ({"tags": ["a", "b", "c"]}, "At most 2 items."),
        ({"tags": ["a", "\udfff"]}, "Neither NUL characters nor lone surrogates are allowed."),
    ],
)
def test_every_mistake_is_said_in_a_sentence(given: dict[str, object], sentence: str) -> None:
    assert mistakes_in(read, given) == {name: [sentence] for name in given}
    with override("de"):
        (said,) = mistakes_in(read, given).values()
    assert (said == [sentence]) == (sentence in {"Not eve.", "Give more."})


def test_all_wrong_fields_are_named_at_once() -> None:
    assert mistakes_in(read, {"count": -1, "rate": 9, "name": ""}).keys() == {"count", "rate", "name"}


def test_surrounding_spaces_are_no_part_of_a_text_but_of_a_secret() -> None:
    order = read(Order, {"name": " carol\n", "secret": " a ", "tags": [" b"]})
    assert (order.name, order.secret, order.tags) == ("carol", " a ", ["b"])


def test_a_query_has_numbers_in_plain_digits_and_true_or_false() -> None:
    order = read_query(Order, {"count": "12", "gift": "true", "day": "2026-11-20", "suit": "spades"})
    assert (order.count, order.gift, order.day, order.suit) == (12, True, date(2026, 11, 20), "spades")


@pytest.mark.parametrize(
    "text", ["", " 1", "+1", "1.0", "1e1", "01", "0x1", "\u0663", "1_0", "9" * 5000, "null", "true"]
)
def test_a_number_in_a_query_has_no_other_form(text: str) -> None:
    assert mistakes_in(read_query, {"count": text}).keys() == {"count"}


@pytest.mark.parametrize("text", ["1700000000", "2026-11-20", "2026-11-20T12:00Z", "null"])
def test_a_time_in_a_query_has_no_other_form(text: str) -> None:
    assert mistakes_in(read_query, {"at": text}) == {"at": ["Not a time such as 2026-11-20T12:00:00Z."]}
