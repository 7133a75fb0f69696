"""Proofs of a log that witnesses have signed, and those of mallory, who runs a log and shows what was never in it."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from games.rules import Outcome, Record
from games.tlog import merkle
from games.tlog.heads import Head
from games.tlog.notes import LOG, WITNESS, SecretKey
from tests.vectors.leaves import FIRST_DAY
from tests.vectors.results import OTHER_LEAVES, lies, line, record

Vector = dict[str, Any]

ORIGIN, AT = "pyramid.example/tlog/5f0c", 1_767_700_000
LOG_KEY = SecretKey.of(ORIGIN, LOG, bytes(range(32)))
OTHER_KEY = SecretKey.of(ORIGIN, LOG, bytes(range(1, 33)))
WITNESSES = [SecretKey.of(f"witness.example/w{number}", WITNESS, bytes([number] * 32)) for number in (1, 2, 3)]
KEYS = [LOG_KEY.key.text, *(secret.key.text for secret in WITNESSES)]
COMMITMENT = f"pyramid/commitment/1|{FIRST_DAY}|standard|open|any|2025-12-29T10:30:00Z|{'7f' * 32}"


def encoded(data: bytes) -> str:
    return b64encode(data).decode()


def proof(
    leaves: Sequence[str], place: int, inner: Sequence[str] = (), /, *, keys: Sequence[SecretKey] = (), **changes: Any
) -> str:
    """Return a proof of a leaf as a server of such a log writes it, with other values in some of its parts."""
    tree = merkle.tiles(leaf.encode() for leaf in leaves)
    size = changes.get("size", len(leaves))
    near = [merkle.hash_of(span, tree) for span in merkle.path(place, len(leaves))]
    head = Head(changes.get("origin", ORIGIN), size, merkle.root(tree, len(leaves)))
    signed = "".join(each.sign(head.text, AT) for each in keys or [LOG_KEY, *WITNESSES])
    extra = "".join(f"{text}\n" for text in (changes.get("leaf", leaves[place]), *inner))
    path = [encoded(each) for each in changes.get("near", near)]
    first = [f"extra {encoded(extra.encode())}", f"index {changes.get('index', place)}"]
    return "\n".join(["c2sp.org/tlog-proof@v1", *first, *path, "", head.text, ""]) + signed


def day_of(played: str) -> tuple[str, list[str]]:
    """Return the leaf of a day with the line of a game among its results, and what leads from one to the other."""
    lines = sorted([*OTHER_LEAVES, played])
    tree = merkle.tiles(each.encode() for each in lines)
    index = lines.index(played)
    near = [encoded(merkle.hash_of(span, tree)) for span in merkle.path(index, len(lines))]
    root = merkle.root(tree, len(lines)).hex()
    return f"pyramid/results/2|{FIRST_DAY}|{len(lines)}|{root}", [played, f"index {index}", *near]


def log_with(leaf: str) -> list[str]:
    others = [f"pyramid/decision/2|{number}|{hashlib.sha256(bytes([number])).hexdigest()}" for number in range(1, 6)]
    return [*others[:4], leaf, others[4]]


def vectors() -> dict[str, list[Vector]]:
    played = record("standard", actions=25, result=Outcome.RESIGNED)
    leaf, inner = day_of(line(played))
    leaves = log_with(leaf)
    near = [merkle.hash_of(span, merkle.tiles(each.encode() for each in leaves)) for span in merkle.path(4, 6)]
    honest: Vector = {"proof": proof(leaves, 4, inner), "keys": KEYS, "witnesses": 3, "record": played.text}
    text: str = honest["proof"]
    lines = text.split("\n")
    win, win_inner = day_of(line(played, result="won", cards_left=0))
    without = {"keys": KEYS, "witnesses": 3, "record": None}
    commitments = {
        name: {**without, "proof": proof(log_with(bad), 4)}
        for name, bad in {
            "a rule set in capitals": COMMITMENT.replace("standard", "Standard"),
            "a rule set with a space": COMMITMENT.replace("standard", "standard "),
            "a rule set that does not exist": COMMITMENT.replace("standard", "my-rules"),
            "a division that does not exist": COMMITMENT.replace("open", "closed"),
            "a day that does not exist": COMMITMENT.replace("2026-01-05", "2026-01-32"),
            "a kind of leaf that does not exist": COMMITMENT.replace("commitment/1", "commitment/0"),
            "a leaf with a field too many": f"{COMMITMENT}|0",
            "a hash in capitals": COMMITMENT.replace("7f", "7F"),
        }.items()
    }
    lied = {f"sealed with {name}": _sealed(played, lie) for name, lie in lies(played).items()} | {
        "a record that says won with cards left": {
            **_sealed(played, line(played, result="won")),
            "record": replace(played, result=Outcome.WON).text,
        },
        "a duplicate tag in the record": {
            **honest,
            "record": played.text.replace('[Rules "', '[Rules "relaxed"]\n[Rules "', 1),
        },
    }
    refused = {
        "another leaf": {**honest, "proof": proof(leaves, 4, win_inner, leaf=win)},
        "another result than the record's": {**honest, "proof": proof(log_with(win), 4, win_inner)},
        "a line that does not lead to its day": {**honest, "proof": proof(leaves, 4, win_inner)},
        "a leaf of another place": {**honest, "proof": proof(leaves, 4, inner, index=3)},
        "a step too few": {**honest, "proof": proof(leaves, 4, inner, near=near[1:])},
        "a step too many": {**honest, "proof": proof(leaves, 4, inner, near=[*near, bytes(32)])},
        "another step": {**honest, "proof": proof(leaves, 4, inner, near=[bytes(32), *near[1:]])},
        "a tree that was cut": {**honest, "proof": proof(leaves, 4, inner, size=5)},
        "a leaf behind the end": {**honest, "proof": proof(leaves, 4, inner, index=6)},
        "the key of another": {**honest, "proof": proof(leaves, 4, inner, keys=[OTHER_KEY, *WITNESSES])},
        "the origin of another": {**honest, "proof": proof(leaves, 4, inner, origin="mallory.example/tlog")},
        "witnesses alone": {**honest, "proof": proof(leaves, 4, inner, keys=WITNESSES)},
        "two witnesses instead of three": {**honest, "proof": proof(leaves, 4, inner, keys=[LOG_KEY, *WITNESSES[:2]])},
        "a witness twice": {
            **honest,
            "proof": proof(leaves, 4, inner, keys=[LOG_KEY, *WITNESSES[:2], WITNESSES[0]]),
        },
        "a cosignature of another time": {**honest, "proof": text.replace(lines[-2], _later(lines[-2]))},
        "a cosignature of another head": {
            **honest,
            "proof": "\n".join([*lines[:-2], _other_head(WITNESSES[2]), ""]),
        },
        "no keys": {**honest, "keys": []},
        "a key whose parts do not belong together": {**honest, "keys": [KEYS[0].replace("5f0c+", "5f0d+"), *KEYS[1:]]},
        "another version": {**honest, "proof": text.replace("proof@v1", "proof@v2")},
        "an index with a zero before it": {**honest, "proof": text.replace("index 4", "index 04")},
        "a line more in the head": {**honest, "proof": text.replace("\n6\n", "\n6\n6\n")},
        "base64 that says the same in other letters": {**honest, "proof": _respelt(text, lines[3])},
        "a proof that was cut": {**honest, "proof": text[: len(text) // 2]},
    }
    others = [
        record("cheops", actions=14, result=Outcome.EXPIRED),
        record("two-pyramids", actions=20, result=Outcome.RESIGNED),
    ]
    return {
        "valid": [
            {"name": "the result of a game", **honest},
            *({"name": f"a game of {other.rules.slug}", **_sealed(other, line(other))} for other in others),
            {"name": "a commitment", **without, "proof": proof(log_with(COMMITMENT), 4)},
            {"name": "the only leaf of a log", **without, "proof": proof([COMMITMENT], 0)},
            {
                "name": "a log without witnesses",
                **without,
                "witnesses": 0,
                "proof": proof([COMMITMENT], 0, keys=[LOG_KEY]),
            },
            {
                "name": "signatures of keys that nobody knows",
                **honest,
                "keys": KEYS[:2],
                "witnesses": 1,
            },
            {
                "name": "two keys, one of which is going to be replaced",
                **without,
                "proof": proof([COMMITMENT], 0, keys=[OTHER_KEY, LOG_KEY, *WITNESSES]),
            },
        ],
        "refused": [{"name": name, **vector} for name, vector in {**refused, **commitments, **lied}.items()],
    }


def _sealed(played: Record, sealed: str) -> Vector:
    """Return a record with the proof that a line, whatever it says, is in the log."""
    leaf, inner = day_of(sealed)
    return {"proof": proof(log_with(leaf), 4, inner), "keys": KEYS, "witnesses": 3, "record": played.text}


def _later(signature: str) -> str:
    start, _, data = signature.rpartition(" ")
    changed = "A" if data[20] != "A" else "B"
    return f"{start} {data[:15]}{changed}{data[16:]}"


def _other_head(witness: SecretKey) -> str:
    return witness.sign(Head(ORIGIN, 6, bytes(32)).text, AT).rstrip("\n")


def _respelt(text: str, line_: str) -> str:
    """Return a proof with a hash whose last letter has other bits that base64 leaves out."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    letter = alphabet[alphabet.index(line_[42]) ^ 1]
    return text.replace(line_, f"{line_[:42]}{letter}{line_[43:]}")
