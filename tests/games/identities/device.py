"""A device that keeps passkeys, as browsers ask it; it may lie in whatever it signs."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

PRESENT, VERIFIED, HAS_CREDENTIAL = 1, 4, 64


def text(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def value(text: str) -> bytes:
    return urlsafe_b64decode(f"{text}===")


class Device:
    """Keeps one passkey; `lies` replaces parts of what it signs, each under the name of a part below."""

    def __init__(self, **lies: Any) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.number = secrets.token_bytes(32)
        self.count = 0
        self.user = b""
        self.lies = lies

    def make(self, options: dict[str, Any], origin: str) -> dict[str, Any]:
        """Return the answer of `navigator.credentials.create()`."""
        self.user = value(options["user"]["id"])
        number = self.part("number", self.number)
        made = bytes(16) + len(number).to_bytes(2, "big") + number + self.part("cose", cbor2.dumps(self.cose()))
        signed = self.signed(options["rp"]["id"], HAS_CREDENTIAL) + made
        attestation = self.part("attestation", {"fmt": "none", "attStmt": {}}) | {"authData": signed}
        response = {"attestationObject": text(cbor2.dumps(attestation))}
        return self.answer("webauthn.create", options, origin, response)

    def use(self, options: dict[str, Any], origin: str) -> dict[str, Any]:
        """Return the answer of `navigator.credentials.get()`."""
        signed = self.signed(options["rpId"])
        response = {"authenticatorData": text(signed), "userHandle": text(self.part("user", self.user))}
        answer = self.answer("webauthn.get", options, origin, response)
        data = signed + sha256(value(answer["response"]["clientDataJSON"])).digest()
        key = self.part("key", self.key)
        return answer | {"response": answer["response"] | {"signature": text(key.sign(data, ec.ECDSA(SHA256())))}}

    def cose(self) -> dict[int, Any]:
        point = self.key.public_key().public_numbers()
        return {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}

    def signed(self, host: str, flags: int = 0) -> bytes:
        flags |= self.part("flags", PRESENT | VERIFIED)
        return sha256(self.part("host", host).encode()).digest() + bytes([flags]) + self.count.to_bytes(4, "big")

    def answer(self, kind: str, options: dict[str, Any], origin: str, response: dict[str, Any]) -> dict[str, Any]:
        challenge = self.part("challenge", options["challenge"])
        client = {"type": self.part("type", kind), "challenge": challenge, "origin": self.part("origin", origin)}
        number = text(self.part("said", self.part("number", self.number)))
        said = {"clientDataJSON": text(json.dumps(client).encode())} | response
        return {"id": number, "rawId": number, "type": "public-key", "response": said}

    def part(self, name: str, honest: Any) -> Any:
        return self.lies.get(name, honest)
