"""Signed notes (https://c2sp.org/signed-note), and cosignatures of witnesses (https://c2sp.org/tlog-cosignature).

A key is written as text: that of a log or witness as `NAME+ID+KEY`, and the secret half as `PRIVATE+KEY+NAME+ID+KEY`.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

LOG, WITNESS = 1, 4  # the types of signatures
PRIVATE = "PRIVATE+KEY+"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:_/-]*")
LONGEST_NAME = 100
KEY_BYTES, SIGNATURE_BYTES, TIME_BYTES = 32, 64, 8
MOST_SIGNATURES = 40  # of a note, those of unknown keys included


class Key(NamedTuple):
    """The public key of a log or a witness."""

    name: str
    type: int
    public: bytes

    @classmethod
    def from_text(cls, text: str, type_: int) -> Key:
        """Read a key of a type. Raises ValueError."""
        name, identifier, data = _parts(text)
        key = cls(name, data[0], data[1:])
        if (data[0], len(key.public)) != (type_, KEY_BYTES) or key.id.hex() != identifier:
            raise ValueError("this is not such a key, or its parts do not belong together")
        return key

    @property
    def id(self) -> bytes:
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.type]) + self.public).digest()[:4]

    @property
    def text(self) -> str:
        return f"{self.name}+{self.id.hex()}+{b64encode(bytes([self.type]) + self.public).decode()}"

    def signs(self, signature: Signature, body: str) -> bool:
        """Return True if a signature is one of this key for the body of a note."""
        data = signature.data
        if self.type == WITNESS:
            if len(data) != TIME_BYTES + SIGNATURE_BYTES:
                return False
            body, data = cosigned(body, signature.timestamp), data[TIME_BYTES:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(data, body.encode())
        except (InvalidSignature, ValueError):
            return False
        return True


class SecretKey(NamedTuple):
    """The secret half of a key."""

    key: Key
    secret: bytes

    @classmethod
    def made(cls, name: str, type_: int) -> SecretKey:
        return cls.of(name, type_, Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def from_text(cls, text: str, type_: int) -> SecretKey:
        """Read a secret key of a type. Raises ValueError, which does not quote it."""
        if not text.startswith(PRIVATE):
            raise ValueError(f"a secret key begins with {PRIVATE}")
        name, identifier, data = _parts(text.removeprefix(PRIVATE))
        if (data[0], len(data)) != (type_, 1 + KEY_BYTES):
            raise ValueError("this is not such a secret key")
        made = cls.of(name, type_, data[1:])
        if made.key.id.hex() != identifier:
            raise ValueError("the parts of this secret key do not belong together")
        return made

    @classmethod
    def of(cls, name: str, type_: int, secret: bytes) -> SecretKey:
        """Return the key of 32 secret bytes."""
        _require_name(name)
        public = Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()
        return cls(Key(name, type_, public), secret)

    @property
    def text(self) -> str:
        key = self.key
        return f"{PRIVATE}{key.name}+{key.id.hex()}+{b64encode(bytes([key.type]) + self.secret).decode()}"

    def sign(self, body: str, at: int = 0) -> str:
        """Return the line of a signature for the body of a note; `at` is the time of a cosignature, in seconds."""
        is_witness = self.key.type == WITNESS
        signed = cosigned(body, at) if is_witness else body
        stamp = at.to_bytes(TIME_BYTES) if is_witness else b""
        data = stamp + Ed25519PrivateKey.from_private_bytes(self.secret).sign(signed.encode())
        return Signature(self.key.name, self.key.id, data).line


class Signature(NamedTuple):
    """A line below a note."""

    name: str
    key_id: bytes
    data: bytes

    @classmethod
    def from_line(cls, line: str) -> Signature:
        """Read a line without its end. Raises ValueError."""
        found = re.fullmatch(r"— ([^\s+]{1,200}) ([A-Za-z0-9+/=]{8,8000})", line)
        if found is None:
            raise ValueError("a signature is written '— NAME BASE64'")
        data = b64decode(found[2], validate=True)
        return cls(found[1], data[:4], data[4:])

    @property
    def line(self) -> str:
        return f"— {self.name} {b64encode(self.key_id + self.data).decode()}\n"

    @property
    def timestamp(self) -> int:
        """Return the time at which a witness signed, in seconds since 1970."""
        return int.from_bytes(self.data[:TIME_BYTES])


class Note(NamedTuple):
    """A text with the signatures below it."""

    body: str
    signatures: Sequence[Signature]

    @classmethod
    def from_text(cls, text: str) -> Note:
        """Read a note. Raises ValueError."""
        body, gap, lines = text.rpartition("\n\n")
        if not gap or not lines.endswith("\n") or any(char < " " and char != "\n" for char in text):
            raise ValueError("this is not a signed note: a text, an empty line, and lines of signatures")
        if lines.count("\n") > MOST_SIGNATURES:
            raise ValueError(f"more than {MOST_SIGNATURES} signatures")
        return cls(f"{body}\n", read_signatures(lines))

    @property
    def text(self) -> str:
        return f"{self.body}\n{''.join(signature.line for signature in self.signatures)}"

    def signed_by(self, keys: Iterable[Key]) -> Iterator[tuple[Key, Signature]]:
        """Yield the keys of some that signed it. Raises ValueError if a signature of one of them is wrong."""
        for key in keys:
            for signature in self.signatures:
                if (signature.name, signature.key_id) == (key.name, key.id):
                    if not key.signs(signature, self.body):
                        raise ValueError(f"the signature of {key.name} is wrong")
                    yield key, signature


def read_signatures(lines: str) -> list[Signature]:
    """Read lines of signatures. Raises ValueError."""
    return [Signature.from_line(line) for line in lines.removesuffix("\n").split("\n")]


def cosigned(body: str, at: int) -> str:
    """Return the text that a witness signs."""
    return f"cosignature/v1\ntime {at}\n{body}"


def _parts(text: str) -> tuple[str, str, bytes]:
    name, identifier, data = [*text.strip().split("+", 2), "", ""][:3]
    _require_name(name)
    return name, identifier, b64decode(data, validate=True) or b"\0"


def _require_name(name: str) -> None:
    if len(name) > LONGEST_NAME or not NAME.fullmatch(name):
        raise ValueError(f"a name is written like pyramid.example/log, in at most {LONGEST_NAME} characters")
