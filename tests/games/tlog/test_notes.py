"""Notes, keys and heads: what others have signed is read, and nothing that was changed."""

from __future__ import annotations

import pytest

from games.tlog.heads import Head
from games.tlog.notes import LOG, WITNESS, Key, Note, SecretKey, Signature

# The example in the documentation of Go's package golang.org/x/mod/sumdb/note.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
NOTE = """If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
"""
HEAD = Head("pyramid.example/log", 3, bytes(range(32)))
LOG_KEY, WITNESS_KEY = SecretKey.made(HEAD.origin, LOG), SecretKey.made("witness.example/w1", WITNESS)


def signers(text: str, *keys: Key) -> list[str]:
    return [key.name for key, _ in Note.from_text(text).signed_by(keys)]


def test_a_note_that_others_signed_is_read_and_written_as_it_was() -> None:
    peter = Key.from_text(PETER, LOG)
    assert peter.text == PETER
    assert signers(NOTE, peter) == ["PeterNeumann"]
    assert Note.from_text(NOTE).text == NOTE


@pytest.mark.parametrize(
    ("old", "new"), [("answer", "problem"), ("problem is.\n", "problem is.\n\n"), ("ZJku", "ZJkv")]
)
def test_a_note_that_was_changed_is_refused(old: str, new: str) -> None:
    with pytest.raises(ValueError, match="the signature of PeterNeumann is wrong"):
        signers(NOTE.replace(old, new), Key.from_text(PETER, LOG))


def test_signatures_of_unknown_keys_count_for_nothing() -> None:
    namesake = SecretKey.made("PeterNeumann", LOG).key
    assert signers(NOTE, namesake, LOG_KEY.key) == []


def test_a_checkpoint_has_the_signature_of_the_log_and_those_of_witnesses() -> None:
    note = f"{HEAD.text}\n{LOG_KEY.sign(HEAD.text)}{WITNESS_KEY.sign(HEAD.text, 1_800_000_000)}"
    assert signers(note, LOG_KEY.key, WITNESS_KEY.key) == [HEAD.origin, "witness.example/w1"]
    (_, found), *_ = Note.from_text(note).signed_by([WITNESS_KEY.key])
    assert found.timestamp == 1_800_000_000
    assert Head.from_text(Note.from_text(note).body) == HEAD


def test_a_cosignature_of_another_time_or_head_is_refused() -> None:
    signature = Signature.from_line(WITNESS_KEY.sign(HEAD.text, 1_800_000_000).rstrip("\n"))
    later = signature._replace(data=(1_800_000_001).to_bytes(8) + signature.data[8:])
    assert WITNESS_KEY.key.signs(signature, HEAD.text)
    assert not WITNESS_KEY.key.signs(later, HEAD.text)
    assert not WITNESS_KEY.key.signs(signature, HEAD._replace(size=4).text)
    assert not WITNESS_KEY.key.signs(signature._replace(data=b""), HEAD.text)


def test_keys_are_read_as_they_are_written() -> None:
    for secret, type_ in ((LOG_KEY, LOG), (WITNESS_KEY, WITNESS)):
        assert SecretKey.from_text(secret.text, type_) == secret
        assert Key.from_text(secret.key.text, type_) == secret.key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a+b+c",
        PETER.replace("Peter", "Paul"),
        PETER.replace("c74f20a3", "c74f20a4"),
        PETER[:-4],
        PETER.replace("+ARpc", "+BBpc"),
        f"PRIVATE+KEY+{PETER}",
    ],
)
def test_what_is_not_a_key_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Key.from_text(text, LOG)


@pytest.mark.parametrize(
    "text",
    [
        "",
        HEAD.text[:-1],
        f"{HEAD.text}more\n",
        HEAD.text.replace("\n3\n", "\n03\n"),
        HEAD.text.replace("\n3\n", "\n-3\n"),
        HEAD.text.replace("\n3\n", "\n٣\n"),
        HEAD.text.replace("Hh8=", "Hh9="),  # other bits that no byte has
        HEAD.text.replace("pyramid", "pyra mid"),
    ],
)
def test_a_head_is_written_in_one_way(text: str) -> None:
    with pytest.raises(ValueError, match="not the head of a log"):
        Head.from_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— a b\n",
        NOTE[:-1],
        NOTE.replace("your", "yo\tur"),
        NOTE + NOTE.splitlines(True)[-1] * 40,
    ],
)
def test_what_is_not_a_note_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        Note.from_text(text)
