"""A cache of the database is never older than the last change that its process was notified of."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction

from games.runtime import memory
from games.runtime.memory import Memory
from games.runtime.pubsub import PubSub


@pytest.fixture(autouse=True)
def _others_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PubSub, "period", 1)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def weather(clock: Clock) -> Memory[str]:
    return Memory("weather", 3, clock)


@pytest.fixture
def elsewhere(clock: Clock) -> Memory[str]:
    """The memory of another process, which hears the same notices."""
    return Memory("weather", 3, clock)


def reading(*values: str) -> Iterator[str]:
    return iter(values)


def test_what_was_read_is_remembered_for_some_seconds(weather: Memory[str], clock: Clock) -> None:
    values = reading("rain", "sun")
    assert [weather.get("giza", lambda: next(values)) for _ in range(2)] == ["rain", "rain"]
    assert weather.recall("giza") == "rain"
    clock.now = memory.SECONDS
    assert weather.recall("giza") is None
    assert weather.get("giza", lambda: next(values)) == "sun"


def test_values_last_as_long_as_they_say_from_the_beginning_of_their_reading(clock: Clock) -> None:
    def read_slowly() -> str:
        clock.now += 3
        return "sun"

    weather: Memory[str] = Memory("weather", 3, clock, lambda value: 5.0)
    weather.get("giza", read_slowly)
    clock.now = 4.9
    assert weather.recall("giza") == "sun"
    clock.now = 5.0
    assert weather.recall("giza") is None
    weather.get("cairo", lambda: "rain")
    assert list(weather._values) == ["cairo"]


def test_nothing_is_remembered_of_what_is_not_there(weather: Memory[str]) -> None:
    values: Iterator[str | None] = iter([None, "rain"])
    assert [weather.get("giza", lambda: next(values)) for _ in range(2)] == [None, "rain"]


def test_when_there_is_no_room_the_oldest_go(weather: Memory[str]) -> None:
    for place in ("giza", "cairo", "luxor", "aswan"):
        weather.get(place, lambda: "sun")
    assert [weather.recall(place) for place in ("giza", "cairo", "luxor", "aswan")] == [None, "sun", "sun", "sun"]


@pytest.mark.django_db(transaction=True)
def test_what_has_changed_is_forgotten_here_and_elsewhere_and_nothing_else(
    weather: Memory[str], elsewhere: Memory[str]
) -> None:
    for here in (weather, elsewhere):
        for place in ("giza", "cairo"):
            here.get(place, lambda: "sun", lambda _: "egypt")
        here.get("rome", lambda: "sun", lambda _: "italy")
    weather.forget("egypt")
    for here in (weather, elsewhere):
        assert [here.recall(place) for place in ("giza", "cairo", "rome")] == [None, None, "sun"]
    weather.forget()
    assert (weather.recall("rome"), elsewhere.recall("rome")) == (None, None)


@pytest.mark.django_db(transaction=True)
def test_elsewhere_it_is_forgotten_once_the_change_is_committed(weather: Memory[str], elsewhere: Memory[str]) -> None:
    elsewhere.get("giza", lambda: "rain")
    with transaction.atomic():
        weather.forget("giza")
        assert elsewhere.recall("giza") == "rain"
    assert elsewhere.recall("giza") is None


@pytest.mark.django_db(transaction=True)
def test_what_changes_while_it_is_read_is_not_remembered(weather: Memory[str], elsewhere: Memory[str]) -> None:
    def read() -> str:
        elsewhere.forget("giza")
        return "what was so before"

    weather.get("giza", lambda: "rain")
    weather.forget("giza")
    assert weather.get("giza", read) == "what was so before"
    assert weather.recall("giza") is None


@pytest.mark.django_db(transaction=True)
def test_nothing_is_remembered_that_is_not_committed(weather: Memory[str]) -> None:
    with transaction.atomic():
        assert weather.get("giza", lambda: "rain") == "rain"
    assert weather.recall("giza") is None


def test_while_others_cannot_be_heard_and_of_the_time_before_nothing_is_remembered(
    weather: Memory[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    weather.get("giza", lambda: "rain")
    monkeypatch.setattr(PubSub, "period", 0)
    assert weather.get("giza", lambda: "sun") == "sun"
    assert weather.recall("giza") is None
    monkeypatch.setattr(PubSub, "period", 7)
    assert weather.recall("giza") is None
    weather.get("giza", lambda: "wind")
    assert weather.recall("giza") == "wind"
