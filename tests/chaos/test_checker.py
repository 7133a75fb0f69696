"""The checker meets liars."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.chaos.checker import anomalies
from tests.chaos.history import History, read

LOG = [(1, "Kc"), (2, "D")]


def told() -> History:
    """Return what happens where nobody lies: two actions around a fault, a read, an end and an entry."""
    history = History()
    for version, action in LOG:
        history.add("alice", "invoke", "act", "g", (version, action))
        history.add("alice", "ok", "act", "g", (version, action))
        if version == 1:
            history.add("storm", "ok", "fault", "kill")
    history.add("bob", "invoke", "read", "g")
    history.add("bob", "ok", "read", "g", 2)
    history.add("bob", "ok", "show", "g", (2, "D"))
    history.add("alice", "ok", "end", "g", "resigned")
    return history


def kept(log: list[tuple[int, str]] = LOG, status: str = "resigned", **boards: list[tuple[str, int]]) -> dict[str, Any]:
    game = {"log": log, "status": status, "replayed": len(log), "result": status, "boards": ["day"]}
    made = {
        board: {"entries": [(*entry, True) for entry in entries], "ranked": [entry[0] for entry in entries]}
        for board, entries in (boards or {"day": [("g", 7)]}).items()
    }
    return {"games": {"g": game}, "boards": made}


def found(history: History, stored: dict[str, Any], least_faults: int = 1) -> str:
    return "\n".join(anomalies(history.operations, stored, least_faults))


def test_a_true_history_has_no_anomalies_and_is_the_same_when_it_is_read_from_its_file(tmp_path: Path) -> None:
    assert found(told(), kept()) == ""
    told().write(tmp_path / "history", kept())
    assert anomalies(*read((tmp_path / "history").read_text().splitlines()), 1) == []


@pytest.mark.parametrize(
    ("stored", "told_about"),
    [
        (kept(LOG[:1]), "acknowledged D as version 2, kept None"),
        (kept([*LOG, (3, "D")]), "kept D as version 3, which nobody did"),
        (kept([LOG[0], (2, "R")]), "acknowledged D as version 2, kept R"),
        (kept([LOG[0], (3, "D")]), "the log has versions [1, 3]"),
        (kept(status="won"), "ended resigned for someone, and is kept as won"),
        ({**kept(), "games": {}}, "the game is lost"),
        (kept(week=[("g", 7)]), "day: the acknowledged entry of g is lost"),
        (kept(day=[("g", 7), ("g", 7)]), "g has 2 entries"),
        (kept(day=[("g", 7), ("h", 8)]), "h has an entry that nobody earned"),
        (kept(day=[("g", 7), ("h", 6)]), "the entries are out of order"),
        (
            {**kept(), "boards": {"day": {"entries": [("g", 7, True)], "ranked": []}}},
            "other games have a rank than those that are listed",
        ),
    ],
)
def test_what_is_kept_must_be_what_was_acknowledged(stored: dict[str, Any], told_about: str) -> None:
    assert told_about in found(told(), stored)


@pytest.mark.parametrize(
    ("kind", "f", "value", "told_about"),
    [
        ("ok", "act", (2, "D"), "version 2 was acknowledged as D and again as D"),
        ("ok", "act", (2, "R"), "version 2 was acknowledged as D and again as R"),
        ("ok", "read", 1, "bob read version 1, not 2 to 2"),
        ("ok", "read", 3, "bob read version 3, not 2 to 2"),
        ("ok", "show", (1, "D"), "was shown D as version 1, kept Kc"),
        ("ok", "end", "won", "ended won for someone"),
    ],
)
def test_nobody_may_be_answered_otherwise(kind: Any, f: str, value: object, told_about: str) -> None:
    history = told()
    history.add("bob", kind, f, "g", value)
    assert told_about in found(history, kept())


def test_a_reader_who_comes_later_must_not_be_behind_what_was_acknowledged_to_others() -> None:
    history = told()
    history.add("carol", "invoke", "read", "g")
    history.add("carol", "ok", "read", "g", 1)
    assert "carol read version 1" in found(history, kept())


@pytest.mark.parametrize("log", [LOG, [*LOG, (3, "Qh")]])
def test_an_action_of_unknown_outcome_may_have_happened_or_not(log: list[tuple[int, str]]) -> None:
    history = told()
    history.add("alice", "invoke", "act", "g", (3, "Qh"))
    history.add("alice", "info", "act", "g", (3, "Qh"))
    assert found(history, kept(log)) == ""


def test_an_action_that_was_refused_must_not_have_happened() -> None:
    history = told()
    history.add("alice", "invoke", "act", "g", (3, "Qh"))
    history.add("alice", "fail", "act", "g", (3, "Qh"))
    assert "which nobody did" in found(history, kept([*LOG, (3, "Qh")]))


def test_a_storm_in_which_nothing_was_at_stake_proves_nothing() -> None:
    assert "nothing was acknowledged" in found(History(), {"games": {}, "boards": {}}, 0)
    assert "only 1 of 10 faults happened" in found(told(), kept(), 10)
    history = told()
    history.add("storm", "ok", "fault", "cut")
    assert "nothing was acknowledged after the last fault" in found(history, kept())
