"""Encrypt for a browser (RFC 8291), and show its push service who sends (RFC 8292).

The package `cryptography` alone: what `http-ece` and `py-vapid` put on top of it is what stands here.
"""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
SALT_BYTES, AUTH_BYTES, POINT_BYTES = 16, 16, 65
RECORD = 4096  # the longest that push services have to take


def encoded(data: bytes) -> str:
    """Return bytes as base64url without padding."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes of base64url, with or without padding. Raises ValueError."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def read_point(data: bytes) -> ec.EllipticCurvePublicKey:
    """Return the public key of a browser. Raises ValueError."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def encrypt(text: bytes, p256dh: str, auth: str) -> bytes:
    """Return the body of a message that only the browser with these keys can read."""
    return seal(text, decoded(p256dh), decoded(auth), ec.generate_private_key(CURVE), os.urandom(SALT_BYTES))


def seal(text: bytes, point: bytes, auth: bytes, own: ec.EllipticCurvePrivateKey, salt: bytes) -> bytes:
    """Encrypt with a key and a salt that are used once."""
    own_point = _point_of(own)
    shared = own.exchange(ec.ECDH(), read_point(point))
    secret = _derived(shared, 32, auth, b"WebPush: info\0" + point + own_point)
    key = _derived(secret, 16, salt, b"Content-Encoding: aes128gcm\0")
    nonce = _derived(secret, 12, salt, b"Content-Encoding: nonce\0")
    header = salt + RECORD.to_bytes(4) + bytes([len(own_point)]) + own_point
    return header + AESGCM(key).encrypt(nonce, text + b"\2", None)


def server_key() -> str:
    """Return our public key, which browsers subscribe with."""
    return encoded(_point_of(_private_key(settings.SECRET_KEY)))


@lru_cache(maxsize=64)
def authorization(audience: str, contact: str, expires: int) -> str:
    """Return the header that signs for a push service, an origin, until a time in seconds since 1970."""
    claims = {"aud": audience, "exp": expires, "sub": contact}
    parts = [{"typ": "JWT", "alg": "ES256"}, claims]
    signed = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in parts)
    signature = _private_key(settings.SECRET_KEY).sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
    r, s = utils.decode_dss_signature(signature)
    return f"vapid t={signed}.{encoded(r.to_bytes(32) + s.to_bytes(32))}, k={server_key()}"


@lru_cache(maxsize=4)
def _private_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Derive the key from the server's secret: all nodes have the same, and nothing more has to be kept."""
    number = int.from_bytes(_derived(secret.encode(), 48, None, b"games.push.vapid"))
    return ec.derive_private_key(number % (ORDER - 1) + 1, CURVE)


def _point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, length: int, salt: bytes | None, info: bytes) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)
