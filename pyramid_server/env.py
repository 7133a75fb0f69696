"""Read typed settings from environment variables. Each is declared once, with its sentence for docs/settings.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import dj_database_url
from psycopg import ProgrammingError
from psycopg.conninfo import make_conninfo

T = TypeVar("T")

PREFIX = "PYRAMID_"
_YES_AND_NO = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


class SettingsError(Exception):
    """Lists every invalid setting."""


@dataclass(frozen=True)
class ValueType(Generic[T]):
    """A type of value and its notation. `parse` raises ValueError; a secret is never quoted."""

    expected: str
    parse: Callable[[str], T]
    secret: bool = False


@dataclass(frozen=True)
class Declaration:
    name: str
    expected: str
    default: str
    doc: str


class Environment:
    """Reads settings one by one, collecting mistakes in order to report all of them at once."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self._mistakes: list[str] = []
        self.declared: list[Declaration] = []

    def read(self, name: str, value_type: ValueType[T], default: str, doc: str) -> T:
        """Return the value of a variable, or the default, which is given as text too. Empty means unset."""
        self.declared.append(Declaration(name, value_type.expected, default, doc))
        text = self._given.get(name, "").strip()
        try:
            return value_type.parse(text or default)
        except ValueError:
            self.refuse(name, "a value that is not shown" if value_type.secret else repr(text), value_type.expected)
            return value_type.parse(default)

    def refuse(self, name: str, given: str, expected: str) -> None:
        """Record a mistake for `raise_mistakes`."""
        self._mistakes.append(f"{name} is {given}; expected {expected}")

    def raise_mistakes(self) -> None:
        """Raise one SettingsError with all mistakes, if there are any."""
        if self._mistakes:
            raise SettingsError("\n  ".join(["Invalid settings (see docs/settings.md):", *self._mistakes]))

    @property
    def unknown(self) -> list[str]:
        """Return the variables with our prefix that are not declared."""
        declared = {declaration.name for declaration in self.declared}
        return sorted(name for name in self._given if name.startswith(PREFIX) and name not in declared)


def _one_of(texts: tuple[str, ...], text: str) -> str:
    if text.upper() not in texts:
        raise ValueError(text)
    return text.upper()


def one_of(*texts: str) -> ValueType[str]:
    return ValueType(f"one of {', '.join(texts)}", lambda text: _one_of(texts, text))


def _whole_number(lowest: int, highest: int, text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,12}", text) or not lowest <= int(text) <= highest:
        raise ValueError(text)
    return int(text)


def whole_number(lowest: int, highest: int, unit: str = "") -> ValueType[int]:
    expected = f"a whole number{unit and ' of ' + unit} from {lowest} to {highest}"
    return ValueType(expected, lambda text: _whole_number(lowest, highest, text))


def seconds(lowest: int, highest: int) -> ValueType[int]:
    return whole_number(lowest, highest, "seconds")


def _yes_or_no(text: str) -> bool:
    if text.lower() not in _YES_AND_NO:
        raise ValueError(text)
    return _YES_AND_NO[text.lower()]


def _names(text: str) -> list[str]:
    return [name for name in re.split(r"[,\s]+", text) if name]


def _hosts(text: str) -> list[str]:
    hosts = _names(text)
    for host in hosts:
        if not re.fullmatch(r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:]+\]", host, re.ASCII):
            raise ValueError(host)
    return hosts


def _origins(text: str) -> list[str]:
    origins = _names(text)
    for origin in origins:
        if not re.fullmatch(r"https?://[^/@?#]+", origin):
            raise ValueError(origin)
    return origins


def _url(text: str) -> str:
    url = urlsplit(text)
    if text and (url.scheme not in {"http", "https"} or not url.hostname or url.port == 0):  # an invalid port raises
        raise ValueError(text)
    return text


def _json_object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _long_secret(text: str) -> str:
    if 0 < len(text) < 50:
        raise ValueError("too short")
    return text


def _database(text: str) -> dict[str, Any]:
    if urlsplit(text).scheme not in {"sqlite", "postgres", "postgresql"}:
        raise ValueError("scheme")
    database: dict[str, Any] = {**dj_database_url.parse(text)}
    if not database["NAME"] or database["NAME"] == ":memory:":
        raise ValueError("no name")
    try:
        make_conninfo(**database.get("OPTIONS", {}))
    except ProgrammingError as error:
        raise ValueError("an option of PostgreSQL that does not exist") from error
    return database


def _redis(text: str) -> str:
    url = urlsplit(text)
    is_address = url.scheme in {"redis", "rediss"} and url.hostname and url.port != 0  # an invalid port raises
    if text and not (is_address and re.fullmatch("(/[0-9]{0,6})?", url.path)):
        raise ValueError("scheme")
    return text


class Mail(NamedTuple):
    """A mail server. `backend` names the class that Django sends with; "dummy" sends nothing."""

    backend: str = "dummy"
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    use_ssl: bool = False
    use_tls: bool = False


def _mail(text: str) -> Mail:
    """Read `smtp://` with TLS from the first byte (smtps), or begun later wherever a password is sent."""
    if text in {"", "console"}:
        return Mail(text or "dummy")
    url = urlsplit(text)
    if url.scheme not in {"smtp", "smtps"} or not url.hostname or url.path not in {"", "/"} or url.query:
        raise ValueError("scheme")
    is_secure, user = url.scheme == "smtps", unquote(url.username or "")
    port = url.port or (465 if is_secure else 587 if user else 25)
    return Mail("smtp", url.hostname, port, user, unquote(url.password or ""), is_secure, bool(user) and not is_secure)


def _mail_address(text: str) -> str:
    if not re.fullmatch(r"[^@\s<>]+@[^@\s<>]+", text, re.ASCII):
        raise ValueError(text)
    return text


YES_OR_NO = ValueType("yes or no", _yes_or_no)
NAMES = ValueType("names separated by commas", _names)
HOSTS = ValueType("host names separated by commas, without scheme, port and path", _hosts)
JSON_OBJECT = ValueType("a JSON object", _json_object)
URL = ValueType("http://host:port/path or https://...", _url, secret=True)
ORIGINS = ValueType("origins separated by commas, each as https://host or https://host:port", _origins)
SECRET = ValueType("at least 50 random characters", _long_secret, secret=True)
DATABASE = ValueType("sqlite:///path/to/file or postgres://user:password@host:port/name", _database, secret=True)
MAIL = ValueType("console, smtp://user:password@host:port or smtps://...", _mail, secret=True)
MAIL_ADDRESS = ValueType("a mail address", _mail_address)
REDIS = ValueType("redis://host:port/number or rediss://...", _redis, secret=True)
