"""Fill the log of an empty database, and print what adding, signing and proving cost, and how large a proof is."""

from __future__ import annotations

import json
import sys
from time import process_time

import django

django.setup()

from django.utils import timezone  # noqa: E402

from games.tlog import leaves, merkle, proofs, tree  # noqa: E402
from games.tlog.signing import sign_log  # noqa: E402

TOGETHER, ALONE, PROOFS, WITNESSES = 10_000, 200, 200, 3
RESULTS = 1_000_000  # of the day in which the largest proof is
COSIGNATURE = "— witness.example/w1 " + "x" * 108 + "\n"


def fill(size: int) -> None:
    now, begun, first = timezone.now(), process_time(), tree.size_of_log()
    for start in range(first, size - ALONE, TOGETHER):
        batch = range(start, min(start + TOGETHER, size - ALONE))
        tree.append_all([_decision(number) for number in batch], now)
    _tell("adding leaves together, each: CPU", (process_time() - begun) / (size - ALONE - first) * 1e3, "ms")
    begun = process_time()
    for number in range(size - ALONE, size):
        tree.append(_decision(number), now)
    _tell("adding a leaf alone: CPU", (process_time() - begun) / ALONE * 1e3, "ms")


def sign_and_prove(size: int) -> None:
    begun = process_time()
    assert sign_log(timezone.now())
    _tell("signing the head: CPU", (process_time() - begun) * 1e3, "ms")
    begun = process_time()
    found = [proofs.proof_of(proofs.leaf_at(index)) for index in range(0, size, size // PROOFS)]
    _tell("making a proof: CPU", (process_time() - begun) / len(found) * 1e3, "ms")
    largest = max(len(proof.encode()) for proof in found)
    _tell("a proof of a leaf", largest, "bytes")
    inner = ["x" * leaves.MOST_BYTES, f"index {RESULTS - 1}", *["x" * 44] * len(merkle.path(0, RESULTS))]
    game = proofs.proof_of(proofs.leaf_at(size // 2), inner) + COSIGNATURE * WITNESSES
    _tell(f"a proof of a result, {WITNESSES} witnesses", len(game.encode()), "bytes")
    steps = len(merkle.consistency(2 * size // 3, size))
    _tell("hashes that prove growth by half", steps, "")


def _decision(number: int) -> leaves.Leaf:
    return leaves.decision(number + 1, merkle.leaf_hash(str(number).encode()).hex())


def _tell(what: str, figure: float, unit: str) -> None:
    print(json.dumps([what, figure, unit]))


if __name__ == "__main__":
    SIZE = int(sys.argv[1])
    fill(SIZE)
    sign_and_prove(SIZE)
