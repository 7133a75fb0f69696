from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyramid_server.env import (
    DATABASE,
    FOLDER,
    HOSTS,
    ISSUERS,
    MAIL,
    MAIL_ADDRESS,
    NAMES,
    ORIGIN,
    ORIGINS,
    REDIS,
    SECRET,
    URL,
    YES_OR_NO,
    Environment,
    SettingsError,
    ValueType,
    one_of,
    whole_number,
)

VOLUME = one_of("LOUD", "QUIET")
NUMBER = whole_number(1, 10)
DEFAULTS: dict[ValueType[Any], str] = {
    YES_OR_NO: "no",
    NAMES: "",
    HOSTS: "",
    ISSUERS: "{}",
    ORIGIN: "http://localhost:8000",
    ORIGINS: "",
    SECRET: "",
    DATABASE: "sqlite:///var/x.sqlite3",
    REDIS: "",
    URL: "",
    VOLUME: "QUIET",
    NUMBER: "5",
    FOLDER: "",
}


def read(value_type: ValueType[Any], text: str) -> Any:
    environment = Environment({"PYRAMID_X": text})
    value = environment.read("PYRAMID_X", value_type, DEFAULTS[value_type])
    environment.raise_mistakes()
    return value


@pytest.mark.parametrize(
    ("value_type", "text", "value"),
    [
        (YES_OR_NO, "Yes", True),
        (YES_OR_NO, "off", False),
        (NAMES, "a.example, b.example  c.example", ["a.example", "b.example", "c.example"]),
        (ORIGINS, "https://a.example,http://b.example:8080", ["https://a.example", "http://b.example:8080"]),
        (HOSTS, "pyramid.example,.pyramid.example [::1] *", ["pyramid.example", ".pyramid.example", "[::1]", "*"]),
        (REDIS, "rediss://:secret@cache:6380/2", "rediss://:secret@cache:6380/2"),
        (SECRET, "k" * 50, "k" * 50),
        (VOLUME, "loud", "LOUD"),
        (NUMBER, "10", 10),
    ],
)
def test_a_value_is_read_as_its_kind(value_type: ValueType[Any], text: str, value: object) -> None:
    assert read(value_type, text) == value


@pytest.mark.parametrize(
    ("value_type", "text"),
    [
        (YES_OR_NO, "maybe"),
        (ISSUERS, '{"school": {"issuer": "https://x y", "client_id": "pyramid"}}'),
        (ISSUERS, '{"school": {"issuer": "https://sso.example:port", "client_id": "pyramid"}}'),
        (ORIGIN, "https://:::"),
        (ORIGIN, "https://a.example:port"),
        (ORIGINS, "https://:::"),
        (URL, "https://x y"),
        (DATABASE, "postgres://db/pyramid?connect_timeout=soon"),
        (DATABASE, "sqlite:///var/x%00.sqlite3"),
        (ORIGINS, "a.example"),
        (ORIGINS, "https://a.example/path"),
        (ORIGINS, "https://alice@a.example"),
        (REDIS, "http://cache"),
        (HOSTS, "https://pyramid.example"),
        (HOSTS, "pyramid.example:8000"),
        (HOSTS, "pyramid.example/play"),
        (REDIS, "redis://"),
        (REDIS, "redis://cache:port"),
        (REDIS, "redis://cache/name"),
        (DATABASE, "postgres://u@h/name?no_such_option=1"),
        (FOLDER, "~no-such-user/pyramid"),
        (ISSUERS, '{"school":' * 100_000),
        (SECRET, "k" * 49),
        (VOLUME, "middling"),
        (NUMBER, "0"),
        (NUMBER, "11"),
        (NUMBER, "1.5"),
        (NUMBER, "-1"),
        (NUMBER, "٣"),
        (NUMBER, "9" * 5000),
        (DATABASE, "mysql://u@h/name"),
        (DATABASE, "postgres://u@h:port/name"),
        (DATABASE, "postgres://u@h/"),
        (DATABASE, "sqlite://:memory:"),
        (DATABASE, "var/x.sqlite3"),
    ],
)
def test_a_value_of_another_kind_is_a_mistake(value_type: ValueType[Any], text: str) -> None:
    with pytest.raises(SettingsError, match="PYRAMID_X"):
        read(value_type, text)


def test_a_variable_that_is_empty_counts_as_not_given() -> None:
    assert read(NUMBER, " ") == 5


@given(st.sampled_from([*DEFAULTS]), st.text() | st.from_regex(r"(sqlite|postgres|redis|https)://.*"))
@settings(max_examples=100)
def test_any_text_is_read_or_refused_and_never_breaks_the_reader(value_type: ValueType[Any], text: str) -> None:
    with suppress(SettingsError):
        read(value_type, text)


def test_all_mistakes_are_reported_together_with_what_was_given_and_what_is_expected() -> None:
    environment = Environment({"PYRAMID_A": "many", "PYRAMID_B": "perhaps"})
    environment.read("PYRAMID_A", whole_number(1, 10), "5")
    environment.read("PYRAMID_B", YES_OR_NO, "no")
    with pytest.raises(SettingsError) as caught:
        environment.raise_mistakes()
    assert str(caught.value).splitlines()[1:] == [
        "  PYRAMID_A is 'many'; expected a whole number from 1 to 10",
        "  PYRAMID_B is 'perhaps'; expected yes or no",
    ]


@pytest.mark.parametrize("value_type", [SECRET, DATABASE, REDIS])
def test_a_secret_that_cannot_be_used_is_not_quoted(value_type: ValueType[Any]) -> None:
    with pytest.raises(SettingsError) as caught:
        read(value_type, "ftp://alice:hunter2@host")
    assert "hunter2" not in str(caught.value)


def test_variables_with_our_prefix_that_nothing_reads_are_unknown() -> None:
    environment = Environment({"PYRAMID_KNOWN": "1", "PYRAMID_UNKNOWN": "1", "HOME": "/"})
    environment.read("PYRAMID_KNOWN", whole_number(1, 10), "5")
    assert environment.unknown == ["PYRAMID_UNKNOWN"]


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("", ("dummy", "", 0, "", "", False, False)),
        ("console", ("console", "", 0, "", "", False, False)),
        ("smtp://localhost", ("smtp", "localhost", 25, "", "", False, False)),
        ("smtp://me%40here:p%3Aw@mail.example", ("smtp", "mail.example", 587, "me@here", "p:w", False, True)),
        ("smtps://me:pw@mail.example:4650", ("smtp", "mail.example", 4650, "me", "pw", True, False)),
    ],
)
def test_a_mail_server_gets_a_password_over_tls_alone(text: str, server: tuple[object, ...]) -> None:
    assert MAIL.parse(text) == server


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "http://mail.example", "smtp://", "smtp://mail.example:x", "smtp://a/b?c"),
        *("smtp://carol:pässword@mail.example", "smtps://carol:p%C3%A4ssword@mail.example"),
    ],
)
def test_what_is_no_mail_server_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        MAIL.parse(text)


@pytest.mark.parametrize("text", ["carol", "a@b\nBcc: c@d", "Carol <a@b>", ""])
def test_what_is_no_address_to_send_from_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        MAIL_ADDRESS.parse(text)
