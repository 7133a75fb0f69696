"""Browsers that decrypt what a push service gets, and check who sent it."""

from __future__ import annotations

import json
import os
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from games.push.encryption import decoded, encoded


class Browser:
    """A browser with a subscription."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = os.urandom(16)

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def subscription(self) -> dict[str, str]:
        return {"endpoint": self.endpoint, "p256dh": encoded(self.point), "auth": encoded(self.auth)}

    def read(self, body: bytes) -> Any:
        """Return a message, which is a salt, the length of a record, the sender's key and one record (RFC 8188)."""
        salt, sender, record = body[:16], body[21 : 21 + body[20]], body[21 + body[20] :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = derived(shared, 32, self.auth, b"WebPush: info\x00" + self.point + sender)
        key = derived(secret, 16, salt, b"Content-Encoding: aes128gcm\x00")
        nonce = derived(secret, 12, salt, b"Content-Encoding: nonce\x00")
        text = AESGCM(key).decrypt(nonce, record, None)
        assert text.endswith(b"\x02")
        return json.loads(text[:-1])


def claims_of(authorization: str, server_key: str) -> Any:
    """Return what the sender claims, after checking the signature (RFC 8292)."""
    scheme, token, shown_key = authorization.replace(",", "").split(" ")
    assert (scheme, shown_key) == ("vapid", f"k={server_key}")
    head, claims, signature = token.removeprefix("t=").split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(server_key))
    raw = decoded(signature)
    der = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decoded(claims))


def derived(secret: bytes, length: int, salt: bytes, info: bytes) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
