"""The worker signs what continues what it signed before, with a key that is not in the database."""

from __future__ import annotations

import errno
import os
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from games.tlog import leaves, tree
from games.tlog.heads import Head
from games.tlog.keys import keep_keys, key_file, last_head, log_keys, made_key
from games.tlog.models import Checkpoint
from games.tlog.notes import LOG, Key, Note
from games.tlog.signing import LogForked, sign_log
from tests.games.tlog.test_tree import fill, numbered

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _own_key(tmp_path: Path, settings: Settings) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"


def require_signed(size: int) -> Checkpoint:
    made = Checkpoint.objects.last()
    assert made is not None
    note = Note.from_text(made.note)
    assert Head.from_text(note.body) == Head(made.origin, size, tree.root_at(size))
    keys = [Key.from_text(text, LOG) for text in made.keys.split()]
    assert [key for key, _ in note.signed_by(keys)] == keys
    return made


def test_a_log_is_signed_whenever_it_has_grown(db: None) -> None:
    assert sign_log(NOW) is None
    fill(2)
    assert sign_log(NOW) == require_signed(2)
    assert sign_log(NOW) is None
    tree.append(numbered(2), NOW)
    assert sign_log(NOW) == require_signed(3)


def test_the_first_start_makes_a_key_that_others_cannot_read(db: None) -> None:
    key = log_keys()[0].key
    assert log_keys()[0].key == key
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    assert key.name.startswith("localhost:8000/tlog/")


def test_a_key_in_the_environment_needs_no_file(db: None, settings: Settings) -> None:
    secret = made_key()
    settings.PYRAMID_LOG_KEY = secret.text
    fill(1)
    sign_log(NOW)
    assert require_signed(1).keys == secret.key.text
    assert list(key_file().parent.iterdir()) == []


def test_a_database_restored_from_an_older_copy_is_not_signed(db: None) -> None:
    fill(1)
    forgotten = Head(log_keys()[0].key.name, 2, bytes(32))
    key_file().with_name("log_key.head").write_text(forgotten.text)
    with pytest.raises(LogForked, match=r"2 leaves was signed before, and the database has 1 .* --new-log"):
        sign_log(NOW)
    tree.append(numbered(1), NOW)  # as many, and others
    with pytest.raises(LogForked):
        sign_log(NOW)
    assert not Checkpoint.objects.exists()
    assert last_head() == forgotten


def test_the_key_of_another_log_signs_nothing_until_a_leaf_names_the_old_one(db: None) -> None:
    fill(1)
    first = sign_log(NOW)
    assert first is not None
    keep_keys([made_key()])
    with pytest.raises(LogForked, match="the key is of the log"):
        sign_log(NOW)
    tree.append(leaves.predecessor(first.origin, 1, tree.root_at(1)), NOW)
    sign_log(NOW)
    assert require_signed(2).origin != first.origin


def test_while_a_key_is_replaced_both_sign(db: None) -> None:
    fill(1)
    sign_log(NOW)
    old = log_keys()[0]
    new = made_key(old.key.name)
    keep_keys([new, old])
    sign_log(NOW)
    assert require_signed(1).keys.split() == [new.key.text, old.key.text]


def test_two_workers_of_which_an_operator_gave_one_the_new_key_do_not_sign_by_turns(db: None) -> None:
    fill(1)
    sign_log(NOW)
    old = log_keys()[0]
    both = [made_key(old.key.name), old]
    signed = []
    for keys in (both, [old], both, [old]):
        keep_keys(keys)
        signed.append(sign_log(NOW))
    assert [bool(checkpoint) for checkpoint in signed] == [True, False, False, False]
    tree.append(numbered(9), NOW)
    assert sign_log(NOW) is not None


def _on_full_disk(*arguments: object, **more: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("change", ["--replace", "--new-log"])
def test_a_key_that_cannot_be_kept_is_not_announced_and_the_next_try_succeeds(
    db: None, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    fill(2)
    sign_log(NOW)
    old = log_keys()
    with monkeypatch.context() as full:
        full.setattr("games.tlog.keys.NamedTemporaryFile", _on_full_disk)
        with pytest.raises(CommandError, match="No space left on device"):
            call_command("log_key", change)
    assert (log_keys(), tree.size_of_log()) == (old, 2)
    call_command("log_key", change)
    assert log_keys()[0] not in old


def test_keys_of_several_logs_are_refused(db: None) -> None:
    keep_keys([made_key(), made_key()])
    with pytest.raises(ValueError, match="several names"):
        log_keys()


def test_nodes_that_share_a_database_derive_the_key_from_the_secret_that_they_share(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr("games.tlog.keys.is_in_file", lambda: False)
    key = log_keys()[0].key
    assert log_keys()[0].key == key
    settings.SECRET_KEY = "another" * 10
    assert log_keys()[0].key != key
    fill(1)
    sign_log(NOW)
    assert require_signed(1).origin == log_keys()[0].key.name
    assert not key_file().exists()
