"""Read typed settings from environment variables; docs/settings.md says what each is for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar
from urllib.parse import unquote, urlsplit

import dj_database_url
from psycopg import ProgrammingError
from psycopg.conninfo import make_conninfo, timeout_from_conninfo

if TYPE_CHECKING:
    from games.identities.issuers import Issuer

T = TypeVar("T")

PREFIX = "PYRAMID_"
SHORTEST_SECRET = 50
MOST_WITNESSES = 8  # so that proofs stay small
_YES_AND_NO = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


class SettingsError(SystemExit):
    """Lists every invalid setting. It ends any process, also uvicorn and daphne, with its text alone and status 1."""


@dataclass(frozen=True)
class ValueType(Generic[T]):
    """A type of value and its notation. `parse` raises ValueError; a secret is never quoted."""

    expected: str
    parse: Callable[[str], T]
    secret: bool = False


class Declaration(NamedTuple):
    """A row of docs/settings.md without its sentence."""

    name: str
    expected: str
    default: str


class Environment:
    """Reads settings one by one, collecting mistakes in order to report all of them at once."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self._given = given
        self._mistakes: list[str] = []
        self.declared: list[Declaration] = []

    def read(self, name: str, value_type: ValueType[T], default: str = "") -> T:
        """Return the value of a variable, or the default, which is given as text too. Empty means unset."""
        self.declared.append(Declaration(name, value_type.expected, default))
        text = self._text_of(name)
        try:
            return value_type.parse(text or default)
        except (ValueError, RuntimeError):  # of a home that nobody has; of JSON without an end
            self.refuse(name, "a value that is not shown" if value_type.secret else repr(text), value_type.expected)
            return value_type.parse(default)

    def is_given(self, name: str) -> bool:
        """Return True for a variable with a value, which may be a mistake."""
        return bool(self._text_of(name))

    def _text_of(self, name: str) -> str:
        return self._given.get(name, "").strip()

    def refuse(self, name: str, given: str, expected: str) -> None:
        """Record a mistake for `raise_mistakes`."""
        self._mistakes.append(f"{name} is {given}; expected {expected}")

    def raise_mistakes(self) -> None:
        """Raise one SettingsError with all mistakes, if there are any."""
        if self._mistakes:
            raise SettingsError("\n  ".join(["Invalid settings (see docs/settings.md):", *self._mistakes]))

    @property
    def unknown(self) -> list[str]:
        """The variables with our prefix that are not declared."""
        declared = {declaration.name for declaration in self.declared}
        return sorted(name for name in self._given if name.startswith(PREFIX) and name not in declared)


def _require(condition: object) -> None:
    if not condition:
        raise ValueError


def one_of(*texts: str) -> ValueType[str]:
    def parse(text: str) -> str:
        _require(text.upper() in texts)
        return text.upper()

    return ValueType(f"one of {', '.join(texts)}", parse)


def whole_number(lowest: int, highest: int, unit: str = "") -> ValueType[int]:
    def parse(text: str) -> int:
        _require(re.fullmatch(r"[0-9]{1,12}", text) and lowest <= int(text) <= highest)
        return int(text)

    return ValueType(f"a whole number{unit and ' of ' + unit} from {lowest} to {highest}", parse)


def _text(expected: str, is_valid: Callable[[str], object], *, secret: bool = False) -> ValueType[str]:
    def parse(text: str) -> str:
        _require(is_valid(text))
        return text

    return ValueType(expected, parse, secret)


def _list_of(pattern: str, expected: str, is_valid: Callable[[str], object] = bool) -> ValueType[list[str]]:
    def parse(text: str) -> list[str]:
        parts = [part for part in re.split(r"[,\s]+", text) if part]
        _require(all(re.fullmatch(pattern, part, re.ASCII) and is_valid(part) for part in parts))
        return parts

    return ValueType(expected, parse)


def _yes_or_no(text: str) -> bool:
    _require(text.lower() in _YES_AND_NO)
    return _YES_AND_NO[text.lower()]


def _is_address(text: str, *schemes: str) -> bool:
    """Return True if a URL has one of the schemes and a host, and no space. Raises ValueError for an invalid port."""
    url = urlsplit(text)
    return url.scheme in schemes and bool(url.hostname) and url.port != 0 and not re.search(r"\s", text)


def _is_web_address(text: str) -> bool:
    return _is_address(text, "http", "https")


def _json_object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    _require(isinstance(value, dict))
    return dict(value)


def _database(text: str) -> dict[str, Any]:
    _require(urlsplit(text).scheme in {"sqlite", "postgres", "postgresql"})
    database: dict[str, Any] = {**dj_database_url.parse(text)}
    _require(database["NAME"] not in {"", ":memory:"} and "\0" not in unquote(text))
    options = database.get("OPTIONS", {})
    try:
        make_conninfo(**options)
        timeout_from_conninfo(options)  # which psycopg reads itself
    except ProgrammingError as error:
        raise ValueError("an option of PostgreSQL that does not exist, or no number") from error
    return database


def _is_redis(text: str) -> bool:
    url = urlsplit(text)
    numbers = "0?" if url.scheme.endswith("+cluster") else "[0-9]{0,6}"  # a cluster has only the first
    is_one = _is_address(text, "redis", "rediss", "redis+cluster", "rediss+cluster")
    return is_one and bool(re.fullmatch(f"(/{numbers})?", url.path))


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
    _require(url.scheme in {"smtp", "smtps"} and url.hostname and url.path in {"", "/"} and not url.query)
    is_secure, user, password = url.scheme == "smtps", unquote(url.username or ""), unquote(url.password or "")
    port = url.port or (465 if is_secure else 587 if user else 25)
    _require((user + password).isascii())  # smtplib sends no other
    return Mail("smtp", str(url.hostname), port, user, password, is_secure, bool(user) and not is_secure)


def _witnesses(text: str) -> list[tuple[str, str]]:
    """Read keys and addresses in turn."""
    parts = [part for part in re.split(r"[,\s]+", text) if part]
    pairs = list(zip(parts[::2], parts[1::2], strict=True))
    for key, address in pairs:
        from games.tlog.notes import WITNESS, Key  # noqa: PLC0415  most servers have none

        Key.from_text(key, WITNESS)
        _require(_is_web_address(address))
    _require(len(pairs) <= MOST_WITNESSES)
    return pairs


def _issuers(text: str) -> list[Issuer]:
    given = _json_object(text)
    if not given:
        return []
    from games.identities.issuers import Issuer  # noqa: PLC0415  most servers have none

    return [Issuer.read(name, each) for name, each in given.items()]


def _cups(text: str) -> list[str]:
    """Return the texts of slots, which are valid. `none` stands for an empty list."""
    texts = [part for part in re.split(r"[,\s]+", text) if part and part != "none"]
    if texts:
        from games.cups.slots import slots_from  # noqa: PLC0415  it loads the rules

        slots_from(texts)
    return texts


def _passkeys(text: str) -> str:
    """Return the host name that passkeys are for: `*` for each its own, or nothing for none."""
    if text.lower() in _YES_AND_NO:
        return "*" if _yes_or_no(text) else ""
    _require(re.fullmatch(r"[a-z0-9-]+(\.[a-z0-9-]+)+", text, re.ASCII))
    return text


def _folder(text: str) -> Path | None:
    folder = Path(text).expanduser() if text else None
    _require(folder is None or folder.is_absolute())
    return folder


YES_OR_NO = ValueType("yes or no", _yes_or_no)
FOLDER = ValueType("an absolute path of a folder that can be written to", _folder)
COUNT = whole_number(1, 1_000_000)
CUPS = ValueType("times of day, each as 20:00, 20:00=RULES or 20:00=RULES=bots, separated by commas", _cups)
NAMES = _list_of(".+", "names separated by commas")
HOSTS = _list_of(
    r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:]+\]", "host names separated by commas, without scheme, port and path"
)
ORIGINS = _list_of(
    r"https?://[^/@?#]+", "origins separated by commas, each as https://host or https://host:port", _is_web_address
)
RELAYS = _list_of(
    r"https?://[^\s,?#@]+", "addresses separated by commas, each as https://host or https://host/path", _is_web_address
)
ORIGIN = _text(
    "https://host or https://host:port",
    lambda text: re.fullmatch(r"https?://[\w.:\[\]-]+/?", text, re.ASCII) and _is_web_address(text),
)
ISSUERS = ValueType("a JSON object as in docs/sign-in.md", _issuers, secret=True)
PASSKEYS = ValueType("yes, no, or the host name whose sub-domains share their passkeys", _passkeys)
JSON_OBJECT = ValueType("a JSON object", _json_object)
URL = _text("http://host:port/path or https://...", lambda text: not text or _is_web_address(text), secret=True)
SECRET = _text(
    f"at least {SHORTEST_SECRET} random characters",
    lambda text: not text or len(text) >= SHORTEST_SECRET,
    secret=True,
)
WITNESSES = ValueType(f"keys and addresses in turn, NAME+ID+KEY https://host, of at most {MOST_WITNESSES}", _witnesses)
LOG_KEY = _text("lines that begin with PRIVATE+KEY+", re.compile(r"(PRIVATE\+KEY\+\S+\s*)*").fullmatch, secret=True)
DATABASE = ValueType("sqlite:///path/to/file or postgres://user:password@host:port/name", _database, secret=True)
MAIL = ValueType("console, smtp://user:password@host:port or smtps://...", _mail, secret=True)
MAIL_ADDRESS = _text("a mail address", re.compile(r"[^@\s<>]+@[^@\s<>]+", re.ASCII).fullmatch)
CONTACT = _text(
    "mailto:name@host or https://...",
    lambda text: not text or _is_address(text, "https") or bool(re.fullmatch(r"mailto:[^@\s<>]+@[^@\s<>]+", text)),
)
REDIS = _text(
    "redis://host:port/number, rediss://... or, for a cluster, redis+cluster://host:port",
    lambda text: not text or _is_redis(text),
    secret=True,
)
