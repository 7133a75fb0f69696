"""A proof is one small file, which others check without the server."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from games.tlog import leaves, tree
from games.tlog.models import Checkpoint, Cosignature
from games.tlog.notes import WITNESS, Note, SecretKey
from games.tlog.proofs import NotLogged, leaf_at, proof_of
from games.tlog.signing import sign_log
from tests.games.tlog.test_tree import fill, numbered
from tests.processes import PROJECT

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MADE = "2026-11-20|standard|main", "hard", NOW
WITNESSES = [SecretKey.made(f"witness.example/w{number}", WITNESS) for number in range(3)]


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, settings: Settings) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"


def signed(*witnesses: SecretKey) -> Checkpoint:
    """Sign the log, and have witnesses sign it too."""
    made = sign_log(NOW)
    assert made is not None
    for secret in witnesses:
        line = secret.sign(Note.from_text(made.note).body, int(NOW.timestamp()))
        Cosignature.objects.create(checkpoint=made, witness=secret.key.name, line=line, signed_at=NOW)
    return made


def checked(tmp_path: Path, proof: str, keys: str, *arguments: str) -> tuple[int, str]:
    """Check a proof with the one-file verifier, which gets no address."""
    (tmp_path / "kept.tlog-proof").write_text(proof)
    (tmp_path / "keys").write_text(keys)
    files = ["--proof", str(tmp_path / "kept.tlog-proof"), "--keys", str(tmp_path / "keys")]
    command = [sys.executable, str(PROJECT / "docs/examples/verify_daily.py"), *files, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    return run.returncode, run.stdout + run.stderr


def test_a_commitment_is_checked_offline_with_the_keys_of_three_witnesses(db: None, tmp_path: Path) -> None:
    fill(5)
    index = tree.append(leaves.commitment(*MADE, "7f" * 32), NOW)
    keys = "\n".join([signed(*WITNESSES).keys, *(secret.key.text for secret in WITNESSES)])
    proof = proof_of(leaf_at(index))
    status, said = checked(tmp_path, proof, keys, "--witnesses=3")
    assert (status, "Signed by the witness witness.example/w2." in said) == (0, True)
    assert "Leaf 5 of 6: pyramid/commitment/1|2026-11-20|standard|main|hard|" in said
    status, said = checked(tmp_path, proof.replace("index 5", "index 4"), keys)
    assert (status, "WRONG: the leaf does not lead to the head of the log" in said) == (1, True)
    assert checked(tmp_path, proof, "")[0] == 2


def test_a_log_that_nobody_witnessed_is_labelled(db: None, tmp_path: Path) -> None:
    fill(1)
    keys = signed().keys
    status, said = checked(tmp_path, proof_of(leaf_at(0)), keys)
    assert (status, "NOT CHECKED: WHETHER OTHERS SEE THE SAME LOG" in said) == (0, True)
    assert checked(tmp_path, proof_of(leaf_at(0)), keys, "--witnesses=1")[0] == 1


def test_the_head_that_most_witnesses_have_signed_is_in_the_proof(db: None) -> None:
    fill(1)
    signed(*WITNESSES)
    tree.append(numbered(1), NOW)
    signed(WITNESSES[0])
    assert "\n1\n" in proof_of(leaf_at(0))
    assert "\n2\n" in proof_of(leaf_at(1))


def test_a_leaf_without_a_signed_head_has_no_proof_yet(db: None, client: Client) -> None:
    fill(1)
    with pytest.raises(NotLogged):
        proof_of(leaf_at(0))
    assert client.get("/tlog/proof/0").status_code == 404
    signed()
    answer = client.get("/tlog/proof/0")
    assert answer.content.decode() == proof_of(leaf_at(0))
    assert answer["Content-Disposition"] == 'attachment; filename="0.tlog-proof"'
    assert client.get("/tlog/proof/1").status_code == 404


def test_a_checkpoint_is_served_with_the_newest_signature_of_each_witness(db: None, client: Client) -> None:
    fill(1)
    made = signed(*WITNESSES[:2])
    later = WITNESSES[0].sign(Note.from_text(made.note).body, int(NOW.timestamp()) + 9)
    Cosignature.objects.create(checkpoint=made, witness=WITNESSES[0].key.name, line=later, signed_at=NOW)
    note = Note.from_text(client.get("/tlog/checkpoint").content.decode())
    found = [signature.timestamp for _, signature in note.signed_by([secret.key for secret in WITNESSES])]
    assert found == [int(NOW.timestamp()) + 9, int(NOW.timestamp())]
