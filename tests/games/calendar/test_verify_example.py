"""The one-file verifier against operators that forge: a server of our own answers whatever mallory likes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from games.deals.certify import can_be_won, first_fitting
from games.deals.daily import DailyKey
from games.deals.grading import Grade, grade_of
from games.rules import RULE_SETS
from games.tlog import merkle
from games.tlog.heads import Head
from games.tlog.notes import LOG, WITNESS, SecretKey
from tests.processes import PROJECT
from tests.vectors.log import proof as proof_of

sys.path.insert(0, str(PROJECT / "docs/examples"))
import verify_daily
from verify_daily import EMPTY, line_of, read_record

VERIFIER = PROJECT / "docs/examples/verify_daily.py"
FIRST_DAY = date(2026, 1, 5)
MADE_AT = datetime(2025, 12, 29, 9, 30, tzinfo=UTC)
LOG_KEY = SecretKey.made("pyramid.example/tlog/1", LOG)

Entry = dict[str, Any]


class Forge:
    """A log with the reveals of its days, honest until something in it is changed."""

    def __init__(self, *, days: int = 4, rules: str = "standard", grade: Grade | None = None) -> None:
        self.commitments: list[Entry] = []
        self.reveals: dict[str, Any] = {}
        self.sealed: list[str] = []
        self.shown: Entry = {}
        self.head = ""  # if it is not the one that follows from the leaves
        for number in range(days):
            key = DailyKey(FIRST_DAY + timedelta(days=number), rules, "open")
            self.commit_to(key, bytes([number] * 32), grade)
            self.sealed.append(f"pyramid/results/2|{key.day}|0|{EMPTY}")

    @property
    def when_over(self) -> list[str]:
        """The arguments that check the log when the last of its days has just ended."""
        last = max(date.fromisoformat(entry["day"]) for entry in self.commitments)
        return ["--at", f"{last + timedelta(days=1)}T00:30:00Z"]

    def commit_to(self, key: DailyKey, seed: bytes, grade: Grade | None = None) -> None:
        made = f"{MADE_AT + timedelta(hours=len(self.commitments)):%Y-%m-%dT%H:%M:%SZ}"
        names = {"day": str(key.day), "rules": key.rules, "division": key.division}
        self.commitments.append({**names, "grade": grade, "committed_at": made, "commitment": key.commitment(seed)})
        self.reveal(key, seed, first_fitting(key, seed, grade) or 0)

    def reveal(self, key: DailyKey, seed: bytes, candidate: int) -> None:
        deck = key.deck(seed, candidate).text
        self.reveals[str(key)] = {"seed": seed.hex(), "candidate": candidate, "deck": deck}

    @property
    def leaves(self) -> list[str]:
        committed = [
            f"pyramid/commitment/1|{self.name(entry)}|{entry['grade'] or 'any'}|{entry['committed_at']}"
            f"|{entry['commitment']}"
            for entry in self.commitments
        ]
        return [*committed, *self.sealed]

    def checkpoint(self) -> str:
        """Return the signed head of the log, as an operator can make it who publishes a log of lies."""
        tree = merkle.tiles(leaf.encode() for leaf in self.leaves)
        head = Head(LOG_KEY.key.name, len(self.leaves), merkle.root(tree, len(self.leaves)))
        return f"{head.text}\n{LOG_KEY.sign(head.text)}"

    def answer(self, path: str) -> Any:
        if path == "/tlog/keys":
            return LOG_KEY.key.text.encode()
        if path == "/tlog/checkpoint":
            return (self.head or self.checkpoint()).encode()
        if path.startswith("/tlog/tile/entries/"):
            return b"".join(len(leaf.encode()).to_bytes(2) + leaf.encode() for leaf in self.leaves)
        day = path.split("/")[3]
        entries = [entry for entry in self.commitments if entry["day"] == day]
        dailies = [{**entry, "reveal": self.reveals.get(self.name(entry)), **self.shown} for entry in entries]
        return {"dailies": dailies[-1:]}

    @staticmethod
    def name(entry: Entry) -> str:
        return f"{entry['day']}|{entry['rules']}|{entry['division']}"


class Busy(NamedTuple):
    """The answer of a server that wants to be asked again in some seconds, or that refuses."""

    seconds: str
    status: int = 429


@contextmanager
def served(answer: Callable[[str], Any]) -> Iterator[str]:
    """Serve what a function answers to a path, as JSON or as the bytes that it gives."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            said = answer(self.path)
            if isinstance(said, Busy):
                self.send_response(said.status)
                self.send_header("Retry-After", said.seconds)
                self.end_headers()
                return
            self.send_response(200)
            self.end_headers()
            self.wfile.write(said if isinstance(said, bytes) else json.dumps(said).encode())

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def verify(*arguments: str) -> tuple[int, str]:
    """Run the verifier in this process and return its status and all that it says."""
    verify_daily.MISTAKES.clear()
    with StringIO() as said, redirect_stdout(said), redirect_stderr(said):
        with patch.object(sys, "argv", [str(VERIFIER), *arguments]):
            try:
                status: Any = verify_daily.main()
            except SystemExit as refused:  # of the arguments
                status = refused.code
        return status, said.getvalue()


def verified(forge: Forge, *arguments: str) -> tuple[int, str]:
    with served(forge.answer) as address:
        return verify(address, *arguments, *forge.when_over)


def test_an_honest_log_holds_and_the_verifier_says_what_it_did_not_check() -> None:
    status, said = verified(Forge())
    assert (status, "4 deals of past days checked, 0 mistakes" in said) == (0, True)
    assert "NOT CHECKED: WHETHER THE WHOLE LOG WAS EXCHANGED" in said
    assert "DECKS" not in said


def test_a_second_commitment_to_one_day_is_found() -> None:
    forge = Forge()
    key = DailyKey(FIRST_DAY, "standard", "open")
    forge.commit_to(key, bytes(range(32)))
    status, said = verified(forge)
    assert status == 1
    assert f"WRONG: leaf 4 of the log is the second one about pyramid/commitment/1|{key}" in said


def test_a_candidate_that_was_chosen_after_committing_is_found() -> None:
    forge, key, seed = Forge(), DailyKey(FIRST_DAY, "standard", "open"), bytes(32)
    first = first_fitting(key, seed) or 0
    second = next(n for n in range(first + 1, 99) if can_be_won(key.deck(seed, n), RULE_SETS["standard"]))
    forge.reveal(key, seed, second)
    status, said = verified(forge)
    assert (status, f"WRONG: the deck of {key} is not the first of its seed that can be won" in said) == (1, True)


def test_a_grade_is_part_of_the_choice_and_of_the_leaf() -> None:
    forge, key, seed = Forge(days=1, grade=Grade.HARD), DailyKey(FIRST_DAY, "standard", "open"), bytes(32)
    assert verified(forge)[0] == 0
    rules = RULE_SETS["standard"]
    decks = ((n, key.deck(seed, n)) for n in range(99))
    other = next(n for n, deck in decks if can_be_won(deck, rules) and grade_of(deck, rules) is Grade.EASY)
    forge.reveal(key, seed, other)
    assert f"the deck of {key} is not the first of its seed that can be won and is hard" in verified(forge)[1]
    forge.head = forge.checkpoint()
    forge.commitments[0]["grade"] = Grade.EASY  # mallory says that easy was asked for, and leaves the head as it was
    assert "WRONG: the leaves of the log do not lead to its signed head" in verified(forge)[1]


def test_a_reveal_that_is_withheld_is_found() -> None:
    forge = Forge()
    del forge.reveals[f"{FIRST_DAY}|standard|open"]
    status, said = verified(forge)
    assert (status, f"WRONG: the seed of {FIRST_DAY}|standard|open is due and missing" in said) == (1, True)


@pytest.mark.parametrize("seed", ["zz" * 32, None])
def test_a_seed_in_a_wrong_shape_is_a_mistake_and_no_traceback(seed: Any) -> None:
    forge = Forge(days=1)
    name = forge.name(forge.commitments[0])
    forge.commitments[0]["commitment"] = sha256(f"pyramid/daily/1|{name}|{seed}".encode()).hexdigest()
    forge.reveals[name]["seed"] = seed
    status, said = verified(forge)
    assert (status, f"WRONG: the seed of {name} is not the one" in said) == (1, True)


def test_results_that_are_not_sealed_in_time_are_found() -> None:
    forge = Forge()
    forge.sealed = []
    status, said = verified(forge)
    assert (status, f"WRONG: the results of {FIRST_DAY} are not sealed" in said) == (1, True)
    assert "2026-01-08 are not sealed" not in said  # its time has not come


def test_a_day_that_shows_another_grade_or_time_than_the_log_is_found() -> None:
    forge = Forge(days=1)
    for field, other in {"grade": "easy", "committed_at": "2025-12-01T00:00:00Z"}.items():
        forge.shown = {field: other}
        status, said = verified(forge)
        assert (status, f"the day shows another {field} of {FIRST_DAY}|standard|open" in said) == (1, True)


def test_a_deal_that_a_day_shows_twice_is_found() -> None:
    forge = Forge(days=1)

    def answer(path: str) -> Any:
        told = forge.answer(path)
        return {"dailies": told["dailies"] * 2} if path == f"/api/daily/{FIRST_DAY}/" else told

    with served(answer) as address:
        assert "WRONG: a day has the same deal twice" in verify(address, *forge.when_over)[1]


def test_a_log_of_thousands_of_years_is_found_wrong_at_once_and_in_one_line() -> None:
    forge = Forge(days=1)
    forge.commit_to(DailyKey(date.max, "standard", "open"), bytes(32))
    with served(forge.answer) as address:
        status, said = verify(address, "--at", "2026-01-06T00:30:00Z")
    assert (status, "WRONG: 2026-01-06 to 9999-12-30 were left out of the log" in said) == (1, True)


def test_what_a_server_says_moves_no_cursor() -> None:
    forge = Forge(days=1)
    forge.sealed.append("\x1b[2J0 mistakes\n")
    status, said = verified(forge)
    assert (status, "\x1b" in said, "leaf 2 of the log is not written as documented" in said) == (1, False, True)


def test_a_log_without_an_end_is_not_read() -> None:
    forge = Forge(days=1)
    forge.head = forge.checkpoint().replace("\n2\n", "\n1000001\n")
    assert verified(forge)[0] == 2


def test_leaves_that_are_missing_are_not_made_up_for() -> None:
    forge = Forge(days=2)
    forge.head = forge.checkpoint()
    forge.sealed.pop()
    assert verified(forge)[0] == 2


def test_a_head_that_another_key_has_signed_is_found() -> None:
    forge = Forge(days=1)
    other = SecretKey.made(LOG_KEY.key.name, LOG)
    body = forge.checkpoint().partition("\n\n")[0]
    forge.head = f"{body}\n\n{other.sign(f'{body}{chr(10)}')}"
    status, said = verified(forge)
    assert (status, "WRONG: no key of the log pyramid.example/tlog/1 that you trust has signed" in said) == (1, True)


RECORD = """[Game "game1"]
[Rules "standard"]
[Deck "{deck}"]
[Day "2026-01-05"]
[Division "open"]

D@1000 D@2000 resigned
"""


class SealedForge(Forge):
    """A log that has the result of a game on its first deal."""

    def __init__(self) -> None:
        super().__init__(days=1)
        self.shown_proof = ""  # if it is not the one of the result
        self.deal = f"{FIRST_DAY}|standard|open"
        self.record = RECORD.format(deck=self.reveals[self.deal]["deck"])
        self.seal(self.record)

    def seal(self, record: str) -> None:
        self.line = "|".join(line_of(read_record(record)).values())
        root = merkle.root(merkle.tiles([self.line.encode()]), 1).hex()
        self.sealed = [f"pyramid/results/2|{FIRST_DAY}|1|{root}"]

    def proof(self, place: int = 1) -> str:
        return proof_of(
            self.leaves, place, [self.line, "index 0"][: 2 * place], keys=[LOG_KEY], origin=LOG_KEY.key.name
        )

    def answer(self, path: str) -> Any:
        if path.startswith("/tlog/proof/"):
            return (self.shown_proof or self.proof()).encode()
        return {"record": self.record} if path.startswith("/api/games/") else super().answer(path)


def result_of(forge: SealedForge, folder: Path, asked: str, *arguments: str) -> tuple[int, str]:
    """Check the game of a forge by the record that it shows, or by a copy of it that was kept."""
    kept = folder / "kept.txt"
    kept.write_text(forge.record)
    with served(forge.answer) as address:
        return verify(address, asked, str(kept) if asked == "--record" else "game1", *arguments)


@pytest.mark.parametrize("asked", ["--game", "--record"])
def test_a_result_is_checked_from_its_record_to_the_deal_that_was_committed_to(asked: str, tmp_path: Path) -> None:
    status, said = result_of(SealedForge(), tmp_path, asked)
    assert (status, "Game game1: resigned, 28 cards left, 2 moves, 2000 ms, one of 1 of 2026-01-05" in said) == (
        0,
        True,
    )
    assert "NOT CHECKED: WHETHER THE WHOLE LOG WAS EXCHANGED" in said
    for lie, answer in RESULT_LIES.items():
        forge = SealedForge()
        answer(forge)
        status, said = result_of(forge, tmp_path, asked)
        assert (status, f"WRONG: {lie}" in said) == (1, True), said


def _deal_another_deck(forge: SealedForge) -> None:
    """Show a player cards that are not those of the day, and the same ones as the day's."""
    deck = forge.reveals[forge.deal]["deck"]
    forge.reveals[forge.deal]["deck"] = deck[:-4] + deck[-2:] + deck[-4:-2]
    forge.record = RECORD.format(deck=forge.reveals[forge.deal]["deck"])


def _choose_another_seed(forge: SealedForge) -> None:
    forge.reveal(DailyKey(FIRST_DAY, "standard", "open"), bytes(range(32)), 0)
    forge.record = RECORD.format(deck=forge.reveals[forge.deal]["deck"])


def _play_other_cards(forge: SealedForge) -> None:
    forge.record = RECORD.format(deck=DailyKey(FIRST_DAY, "standard", "main").deck(bytes(32), 0).text)


def _leave_out_the_deal(forge: SealedForge) -> None:
    forge.reveals.clear()


def _show_another_log(forge: SealedForge) -> None:
    other = SealedForge()
    other.commitments[0]["committed_at"] = "2025-12-29T09:29:00Z"
    forge.shown_proof = other.proof()


def _prove_another_leaf(forge: SealedForge) -> None:
    forge.shown_proof = forge.proof(0)


def _prove_another_result(forge: SealedForge) -> None:
    forge.seal(forge.record.replace("D@2000", "D@1900"))


RESULT_LIES = {
    "the deck of 2026-01-05|standard|open is not the one that its seed leads to": _deal_another_deck,
    "the seed of 2026-01-05|standard|open is not the one that was committed to": _choose_another_seed,
    "the game game1 was not played with the cards of 2026-01-05|standard|open": _play_other_cards,
    "the seed of 2026-01-05|standard|open is due and missing": _leave_out_the_deal,
    "the log that the server shows is not the one of the proof": _show_another_log,
    "this is the proof of 'pyramid/commitment/1|2026-01-05|standard|open|any": _prove_another_leaf,
    "the time of the game game1 is 2000 in its record, and 1900 was sealed": _prove_another_result,
}


class ExportingForge(SealedForge):
    """A log whose day is exported with the result of its game."""

    def __init__(self) -> None:
        super().__init__()
        names = {"rules": "standard", "division": "open"}
        *_, game, result, left, moves, elapsed, _ = self.line.split("|")
        told = {
            "game": game,
            "result": result,
            "cards_left": int(left),
            "moves": int(moves),
            "elapsed_ms": int(elapsed),
        }
        deal = names | self.reveals[self.deal]
        self.day: Entry = {"day": str(FIRST_DAY), "count": 1, "root": self.sealed[0].split("|")[3], "deals": [deal]}
        self.results = [names | told | {"leaf": self.line, "record": self.record}]

    def answer(self, path: str) -> Any:
        if not path.startswith("/api/days/"):
            return super().answer(path)
        first = int(path.partition("=")[2])
        lines = [{"type": "result", **result} for result in self.results[first:]]
        lines = lines if first else [{"type": "day", **self.day}, *lines]
        return "".join(json.dumps(line) + "\n" for line in lines).encode()


OTHER_DECK = DailyKey(FIRST_DAY, "standard", "main").deck(bytes(32), 0).text
NOT_SEALED = "what the server shows of 2026-01-05 are not the results that were sealed"
EXPORT_LIES: list[tuple[str, Callable[[ExportingForge], Any]]] = [
    (NOT_SEALED, lambda forge: forge.results.clear()),
    (NOT_SEALED, lambda forge: forge.results.append(forge.results[0])),
    (NOT_SEALED, lambda forge: forge.results[0].update(leaf=forge.line.replace("|2|", "|1|"))),
    (NOT_SEALED, lambda forge: forge.day.update(root=EMPTY)),
    (NOT_SEALED, lambda forge: forge.day.update(day="2026-01-06")),
    (NOT_SEALED, lambda forge: forge.day.update(count=2)),
    (NOT_SEALED, lambda forge: forge.day["deals"][0].update(seed="1" * 64)),
    (NOT_SEALED, lambda forge: forge.day["deals"].clear()),
    ("the game game1 has another result than the line", lambda forge: forge.results[0].update(moves=1)),
    ("the log of the game game1 is", lambda f: f.results[0].update(record=f.record.replace("D@1000", "D@999"))),
    (
        "the game game1 was not played with the cards of 2026-01-05|standard|open",
        lambda f: f.results[0].update(record=RECORD.format(deck=OTHER_DECK)),
    ),
]


def test_the_results_that_a_day_shows_are_those_that_were_sealed() -> None:
    status, said = verified(ExportingForge(), str(FIRST_DAY))
    assert (status, "1 deals of past days checked, 0 mistakes" in said) == (0, True)
    assert "NOT CHECKED: WHETHER THE RESULTS THAT THE SERVER SHOWS" in verified(ExportingForge())[1]
    for lie, tell in EXPORT_LIES:
        forge = ExportingForge()
        tell(forge)
        status, said = verified(forge, str(FIRST_DAY))
        assert (status, f"WRONG: {lie}" in said) == (1, True), said


def test_what_goes_with_a_result_is_not_passed_over(tmp_path: Path) -> None:
    forge, kept = SealedForge(), tmp_path / "checkpoint"
    status, said = result_of(forge, tmp_path, "--record", "--witnesses=1")
    assert (status, "WRONG: 0 witnesses that you trust have signed, and 1 were asked for" in said) == (1, True)
    other = SealedForge()
    other.commitments[0]["committed_at"] = "2025-12-29T09:29:00Z"
    kept.write_text(other.checkpoint())
    status, said = result_of(forge, tmp_path, "--record", "--checkpoint", str(kept))
    assert (status, "WRONG: the log does not continue the head of 2 leaves" in said) == (1, True)
    kept.write_text(forge.checkpoint())
    assert result_of(forge, tmp_path, "--record", "--checkpoint", str(kept))[0] == 0


def test_witnesses_that_mallory_names_beside_the_own_key_are_nobodys(tmp_path: Path) -> None:
    forge, witness = Forge(days=1), SecretKey.made("witness.example/w1", WITNESS)
    signed = forge.checkpoint()
    forge.head = signed + witness.sign(signed.partition("\n\n")[0] + "\n", 1)
    keys = f"{LOG_KEY.key.text}\n{witness.key.text}"

    def answer(path: str) -> Any:
        return keys.encode() if path == "/tlog/keys" else forge.answer(path)

    with served(answer) as address:
        status, said = verify(address, "--witnesses=1", *forge.when_over)
    assert (status, "WRONG: 0 witnesses that you trust have signed" in said, "Signed by" in said) == (1, True, False)
    assert "NOT CHECKED: WHETHER OTHERS SEE THE SAME LOG" in said
    (tmp_path / "keys").write_text(keys)
    status, said = verified(forge, "--witnesses=1", f"--keys={tmp_path / 'keys'}")
    assert (status, "Signed by the witness witness.example/w1." in said) == (0, True)


def test_a_proof_that_is_checked_offline_says_nothing_about_the_cards(tmp_path: Path) -> None:
    forge = SealedForge()
    files = {"proof": forge.proof(), "keys": LOG_KEY.key.text, "record": forge.record}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    status, said = verify(*(word for name in files for word in (f"--{name}", str(tmp_path / name))))
    assert (status, "NOT CHECKED: WHETHER THE CARDS ARE THOSE OF THE DAY" in said) == (0, True)


def test_a_mistake_stays_one_if_what_comes_after_it_cannot_be_read() -> None:
    forge = Forge(days=1)
    forge.sealed.append("lie")
    forge.reveals[f"{FIRST_DAY}|standard|open"] = "hidden"
    status, said = verified(forge)
    assert (status, "WRONG: leaf 2 of the log" in said, "THE REST WAS NOT CHECKED" in said) == (1, True, True)


def test_a_log_made_again_does_not_continue_a_head_that_was_kept(tmp_path: Path) -> None:
    forge, kept = Forge(days=2), tmp_path / "checkpoint"
    kept.write_text(forge.checkpoint())
    status, said = verified(forge, "--checkpoint", str(kept))
    assert (status, "NOT CHECKED: WHETHER THE WHOLE LOG" in said) == (0, False)
    forge.sealed.append(f"pyramid/decision/2|1|{EMPTY}")
    assert verified(forge, "--checkpoint", str(kept))[0] == 0
    forged = Forge(days=2)
    forged.commitments[0]["commitment"] = DailyKey(FIRST_DAY, "standard", "open").commitment(bytes(range(32)))
    forged.reveal(DailyKey(FIRST_DAY, "standard", "open"), bytes(range(32)), 0)
    status, said = verified(forged, "--checkpoint", str(kept))
    assert (status, "WRONG: the log does not continue the head of 4 leaves of pyramid" in said) == (1, True)
    kept.write_text(forge.checkpoint().replace(LOG_KEY.key.name, "pyramid.example/tlog/0"))
    status, said = verified(forge, "--checkpoint", str(kept))
    assert (status, "does not name pyramid.example/tlog/0, of which you kept a head" in said) == (1, True)
    for log, expected in ((forge, 0), (forged, 1)):  # naming a log is not enough to continue it
        log.sealed[2:] = [f"pyramid/decision/2|1|{EMPTY}", f"pyramid/predecessor/1|pyramid.example/tlog/0|5|{EMPTY}"]
        assert verified(log, "--checkpoint", str(kept))[0] == expected


def test_a_commitment_that_claims_to_be_older_than_the_one_before_is_found() -> None:
    forge = Forge()
    forge.commitments[2]["committed_at"] = "2025-12-01T00:00:00Z"
    assert "WRONG: the log runs backwards at leaf 2" in verified(forge)[1]


def test_a_deal_made_on_its_own_day_is_named_as_such() -> None:
    forge = Forge()
    forge.commitments[3]["committed_at"] = f"{forge.commitments[3]['day']}T12:00:00Z"
    status, said = verified(forge)
    assert (status, "1 deals WERE COMMITTED TO ONLY WHEN THEIR DAY HAD BEGUN" in said) == (0, True)


def test_where_a_search_is_needed_the_verifier_says_that_it_did_not_check() -> None:
    status, said = verified(Forge(days=2, rules="two-pyramids"))
    assert (status, "NOT CHECKED: WHETHER THE DECKS OF 2 DEALS OF TWO-PYRAMIDS" in said) == (0, True)


def test_a_server_that_is_asked_too_often_is_asked_again_when_it_says() -> None:
    forge, asked = Forge(), set[str]()

    def at_the_second_time(path: str) -> Any:
        is_first = path not in asked
        asked.add(path)
        return Busy("0") if is_first else forge.answer(path)

    with served(at_the_second_time) as address:
        status, said = verify(address, *forge.when_over)
    assert (status, "4 deals of past days checked, 0 mistakes." in said) == (0, True)


def test_of_a_game_that_is_not_shown_yet_the_verifier_says_that_its_day_has_to_be_over() -> None:
    forge = Forge()
    with served(lambda path: Busy("", 403) if path.startswith("/api/games/") else forge.answer(path)) as address:
        status, said = verify(address, "--game", "2ekhgkpcm83byqh")
    assert (status, "the record of 2ekhgkpcm83byqh" in said, "after its day" in said) == (2, True, True)


@pytest.mark.parametrize("seconds", ["0", "100", "1e9", "-1", ""])
def test_a_server_does_not_keep_the_verifier_waiting_without_end(seconds: str) -> None:
    with served(lambda _: Busy(seconds)) as address:
        status, said = verify(address)
    assert (status, "HTTP Error 429" in said) == (2, True)


@pytest.mark.parametrize(
    "answer", [b"<html>", b"\xff\xfe", {}, [], {"commitments": [{}], "next": None}, {"commitments": 3, "next": None}]
)
def test_nonsense_of_a_server_is_no_traceback(answer: Any) -> None:
    with served(lambda _: answer) as address:
        status, said = verify(address)
    assert (status, "NOTHING WAS CHECKED" in said) == (2, True)


@pytest.mark.parametrize(
    "wrong",
    [
        ["http://127.0.0.1:1"],
        ["pyramid.example"],
        ["file:///etc/passwd"],
        ["http://127.0.0.1:1", "yesterday"],
        ["http://127.0.0.1:1", "2026-02-30"],
        ["http://127.0.0.1:1", "20260101"],
        ["--division", "third"],
        ["--record", "/nowhere"],
        ["--proof", str(VERIFIER), "--keys", str(VERIFIER), "--checkpoint", str(VERIFIER)],
        ["--game", "game1", "--record", str(VERIFIER)],
        ["--game", "game1", "--division", "main"],
        ["http://127.0.0.1:1", "--links", "/nowhere"],
        ["http://127.0.0.1:1", "--links", str(VERIFIER)],
    ],
)
def test_what_cannot_be_verified_is_said_in_words(wrong: list[str]) -> None:
    assert verify(*wrong)[0] == 2
