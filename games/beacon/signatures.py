"""The signatures of beacons: BLS on BLS12-381, in G1, of the SHA-256 of the round's number (RFC 9380).

The scheme has the name `bls-unchained-g1-rfc9380` in drand.
"""

import hashlib

from py_arkworks_bls12381 import GT, G1Point, G2Point

from games.deals.beacons import Beacon

SIGNATURE_BYTES = 48
_DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


def is_signed(beacon: Beacon, number: int, signature: bytes) -> bool:
    """Return True if a signature is the beacon's of a round. There is exactly one for each."""
    if len(signature) != SIGNATURE_BYTES:
        return False
    key = G2Point.from_compressed_bytes(bytes.fromhex(beacon.public_key))
    try:
        point = G1Point.from_compressed_bytes(signature)  # on the curve, and in its subgroup
    except ValueError:
        return False
    return point != G1Point.identity() and GT.pairing_check([message_of(number), -point], [key, G2Point()])


def message_of(number: int) -> G1Point:
    """Return the point that a beacon signs for a round."""
    digest = hashlib.sha256(number.to_bytes(8, "big")).digest()
    return G1Point.hash_to_curve(digest, _DOMAIN)
