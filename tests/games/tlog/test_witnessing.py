"""A witness signs what continues the last head that it has signed, and raises an alarm about anything else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from games.tlog import merkle
from games.tlog.heads import Head
from games.tlog.notes import LOG, WITNESS, Note, SecretKey, read_signatures
from games.tlog.witnessing import Witness

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
LOG_KEY = SecretKey.made("pyramid.example/tlog/1", LOG)
LEAVES = [f"leaf {number}" for number in range(12)]
FORKED = [*LEAVES[:4], "mallory's leaf", *LEAVES[5:]]


class Alarms(list[str]):
    """The alarms that a witness has raised."""


@pytest.fixture
def alarms() -> Alarms:
    return Alarms()


@pytest.fixture
def witness(tmp_path: Path, alarms: Alarms) -> Witness:
    made = Witness(tmp_path / "witness", "witness.example/w1", alarms.append)
    made.trust([LOG_KEY.key])
    return made


def tiles(leaves: Sequence[str]) -> merkle.Tiles:
    return merkle.tiles(leaf.encode() for leaf in leaves)


def head(leaves: Sequence[str]) -> Head:
    return Head(LOG_KEY.key.name, len(leaves), merkle.root(tiles(leaves), len(leaves)))


def shown(leaves: Sequence[str], old: int, key: SecretKey = LOG_KEY) -> str:
    """Return the request of a log that shows its head with the proof that it begins with so many leaves."""
    near = [merkle.hash_of(span, tiles(leaves)) for span in merkle.consistency(min(old, len(leaves)), len(leaves))]
    text = head(leaves)._replace(origin=key.key.name).text
    return "\n".join([f"old {old}", *(b64encode(each).decode() for each in near), "", text, key.sign(text)])


def test_a_log_that_grows_is_signed_each_time(witness: Witness, alarms: Alarms) -> None:
    for old, new in ((0, 3), (3, 3), (3, 8), (8, 12)):
        reply = witness.add_checkpoint(shown(LEAVES[:new], old), NOW)
        assert reply.status == 200
        note = Note(head(LEAVES[:new]).text, read_signatures(reply.text))
        ((_, signature),) = note.signed_by([witness.key])
        assert signature.timestamp == int(NOW.timestamp())
        assert witness.last_head(LOG_KEY.key.name) == head(LEAVES[:new])
    assert alarms == []


def test_a_log_that_forgot_what_the_witness_has_seen_gets_the_size(witness: Witness, alarms: Alarms) -> None:
    witness.add_checkpoint(shown(LEAVES[:3], 0), NOW)
    reply = witness.add_checkpoint(shown(LEAVES[:5], 0), NOW)
    assert reply == (409, "3\n", "text/x.tlog.size")
    assert alarms == []


def test_a_log_restored_from_an_older_copy_is_not_signed(witness: Witness, alarms: Alarms) -> None:
    witness.add_checkpoint(shown(LEAVES[:8], 0), NOW)
    reply = witness.add_checkpoint(shown(LEAVES[:5], 5), NOW, has_looked=True)
    assert reply[:2] == (409, "8\n")
    assert "it was cut: it had 8 leaves before, and now 5" in alarms[0]


@pytest.mark.parametrize(("leaves", "status"), [(FORKED[:8], 409), (FORKED, 422)])
def test_a_fork_is_not_signed_and_is_kept_as_evidence(
    witness: Witness, alarms: Alarms, leaves: list[str], status: int, tmp_path: Path
) -> None:
    witness.add_checkpoint(shown(LEAVES[:8], 0), NOW)
    assert witness.add_checkpoint(shown(leaves, 8), NOW, has_looked=True).status == status
    assert witness.last_head(LOG_KEY.key.name) == head(LEAVES[:8])
    (evidence,) = (tmp_path / "witness").glob("*-against-*")
    note = Note.from_text(evidence.read_text())
    assert Head.from_text(note.body) == head(leaves)
    assert [key for key, _ in note.signed_by([LOG_KEY.key])] == [LOG_KEY.key]
    assert str(evidence) in alarms[0]


def test_strangers_raise_no_alarm_with_an_older_head_or_a_false_proof(
    witness: Witness, alarms: Alarms, tmp_path: Path
) -> None:
    witness.add_checkpoint(shown(LEAVES[:8], 0), NOW)
    false = shown(LEAVES, 8).replace("old 8\n", f"old 8\n{b64encode(bytes(32)).decode()}\n")
    replies = [witness.add_checkpoint(body, NOW) for body in (shown(LEAVES[:5], 0), shown(LEAVES[:5], 5), false)]
    assert [reply.status for reply in replies] == [409, 409, 422]
    assert alarms == []
    assert not list((tmp_path / "witness").glob("*-against-*"))
    assert witness.add_checkpoint(shown(LEAVES, 8), NOW).status == 200


def test_what_a_witness_has_seen_survives_its_restart(witness: Witness, alarms: Alarms, tmp_path: Path) -> None:
    witness.add_checkpoint(shown(LEAVES[:8], 0), NOW)
    again = Witness(tmp_path / "witness", "another.example/name", alarms.append)
    assert (again.key, again.trusted) == (witness.key, [LOG_KEY.key])
    assert again.add_checkpoint(shown(FORKED, 8), NOW).status == 422


def test_only_the_logs_that_it_knows_are_signed(witness: Witness) -> None:
    stranger = SecretKey.made("mallory.example/tlog", LOG)
    namesake = SecretKey.made(LOG_KEY.key.name, LOG)
    assert witness.add_checkpoint(shown(LEAVES, 0, stranger), NOW).status == 404
    assert witness.add_checkpoint(shown(LEAVES, 0, namesake), NOW).status == 403
    wrong = LOG_KEY.sign("another text\n").splitlines()[0]
    text = shown(LEAVES, 0)
    assert witness.add_checkpoint(text.replace(text.splitlines()[-1], wrong), NOW).status == 403
    assert witness.last_head(LOG_KEY.key.name) is None


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text.replace("old 0", "old 00"),
        lambda text: text.replace("old 0", "old -1"),
        lambda text: text.replace("old 0", "old 13"),
        lambda text: text.replace("old 0\n", "old 0\nAAAA\n"),
        lambda text: text.replace("old 0\n", "old 0\n" + 64 * (b64encode(bytes(32)).decode() + "\n")),
        lambda text: text.replace("\n12\n", "\n+12\n"),
        lambda text: text[:-1],
    ],
)
def test_what_is_not_a_request_is_refused(witness: Witness, change: object) -> None:
    assert witness.add_checkpoint(change(shown(LEAVES, 0)), NOW).status == 400  # type: ignore[operator]


def test_a_proof_for_a_first_head_is_refused(witness: Witness) -> None:
    text = shown(LEAVES, 0).replace("old 0\n", f"old 0\n{b64encode(bytes(32)).decode()}\n")
    assert witness.add_checkpoint(text, NOW).status == 422


def test_a_new_witness_trusts_nobody(tmp_path: Path, alarms: Alarms) -> None:
    witness = Witness(tmp_path, "witness.example/w1", alarms.append)
    assert witness.key.type == WITNESS
    assert witness.trusted == []
