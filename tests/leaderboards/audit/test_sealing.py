"""A final day's verified results are sealed; nobody changes one afterwards unnoticed, and every player can check."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings
from pytest_django.live_server_helper import LiveServer

from games.calendar.models import DailyDeal
from games.play.models import Game
from games.play.sealed_logs import seal_logs
from games.players.models import Player
from games.tlog import tree
from games.tlog.models import Cosignature
from games.tlog.notes import WITNESS, Note, SecretKey
from games.tlog.signing import sign_log
from leaderboards.audit.models import SealedResult
from leaderboards.audit.refusals import NotSealed
from leaderboards.audit.sealing import leaves_of, mistakes_in_seals, proof_of, root_of, seal_days
from leaderboards.audit.verifying import verify_entered
from leaderboards.boards.decisions import decide
from leaderboards.boards.models import Decision, EntryState
from tests.calendar import prepared_dailies
from tests.guards import guards_dropped, require_guarded, tamper, undone
from tests.leaderboards.conftest import NOON
from tests.leaderboards.played import played
from tests.processes import PROJECT

DAY = NOON.date()
FINAL = NOON.replace(hour=0, minute=30) + timedelta(days=2)


@pytest.fixture
def games(alice: Player, bob: Player, daily: DailyDeal) -> list[Game]:
    return [played(alice, NOON), played(bob, NOON, actions=14)]


def test_a_day_is_sealed_when_it_is_final_and_not_a_moment_before(games: list[Game]) -> None:
    assert seal_days(FINAL - timedelta(milliseconds=1)) == 0
    with pytest.raises(NotSealed):
        root_of(DAY)
    assert seal_days(FINAL) == 1
    assert root_of(DAY).count == 2
    assert seal_days(FINAL) == 0
    assert mistakes_in_seals() == []


def test_days_follow_each_other_in_the_log_and_empty_ones_too(games: list[Game], alice: Player) -> None:
    prepared_dailies(NOON + timedelta(days=1), days_ahead=1)
    played(alice, NOON + timedelta(days=2), actions=5)
    assert seal_days(FINAL + timedelta(days=2)) == 3
    assert [leaf.fields[:2] for _, leaf in tree.leaves_of_kind("results/2")] == [
        (str(DAY + timedelta(days=later)), count) for later, count in enumerate("201")
    ]
    assert mistakes_in_seals() == []


def test_only_verified_results_are_sealed(games: list[Game]) -> None:
    decide(Decision(game=games[0], state=EntryState.DISQUALIFIED, reason="looked at", at=NOON))
    seal_days(FINAL)
    assert list(SealedResult.objects.values_list("game", flat=True)) == [games[1].pk]
    with pytest.raises(NotSealed):
        proof_of(games[0].pk)


def test_what_was_sealed_decided_or_entered_does_not_go_by_plain_sql(games: list[Game]) -> None:
    seal_days(FINAL)
    require_guarded(
        "UPDATE leaderboards_sealedresult SET leaf = 'pyramid'",
        "DELETE FROM leaderboards_sealedresult",
        "UPDATE leaderboards_dayroot SET root = ''",
        "DELETE FROM leaderboards_dayroot",
        "UPDATE leaderboards_merkletile SET number = 1",
        "DELETE FROM leaderboards_merkletile",
        "UPDATE leaderboards_decision SET reason = ''",
        "DELETE FROM leaderboards_decision",
        "DELETE FROM leaderboards_entry",
        "UPDATE leaderboards_entry SET key = key - 1",
        "UPDATE leaderboards_entry SET valid_to = NULL",
        "UPDATE leaderboards_entry SET state = 'verified'",
        match=r"never|only ever",
    )


CHANGES = (
    "UPDATE leaderboards_sealedresult SET leaf = leaf || '0'",
    'DELETE FROM leaderboards_sealedresult WHERE "index" = 1',
    "UPDATE leaderboards_dayroot SET root = ''",
    "UPDATE leaderboards_dayroot SET count = 7",
    "UPDATE leaderboards_merkletile SET hashes = substr(hashes, 1, 32)",
    "DELETE FROM leaderboards_merkletile",
    "UPDATE games_game SET moves = moves - 1",
    "UPDATE games_game SET elapsed_ms = 1",
    "UPDATE games_move SET at_ms = at_ms + 1",
)


def test_with_the_guards_dropped_every_change_of_a_sealed_day_is_found(games: list[Game]) -> None:
    seal_days(FINAL)
    for change in CHANGES:
        with undone():
            tamper(change)
            assert mistakes_in_seals(), change
            with pytest.raises(CommandError, match="wrong"):
                call_command("verify_scores", stdout=StringIO(), stderr=StringIO())
    assert mistakes_in_seals() == []


def test_days_are_sealed_and_checked_alike_from_sealed_logs(games: list[Game]) -> None:
    leaves = leaves_of_day()
    assert seal_logs(FINAL) == 2
    assert leaves_of_day() == leaves
    seal_days(FINAL)
    assert mistakes_in_seals() == []
    call_command("verify_scores", stdout=StringIO(), stderr=StringIO())


def test_a_sealed_log_that_was_spoilt_after_its_day_was_sealed_is_found(games: list[Game]) -> None:
    seal_logs(FINAL)
    seal_days(FINAL)
    with guards_dropped():
        Game.objects.filter(pk=games[0].pk).update(sealed_log=b"\x01\x00\x19 and the rest is lost")
    assert mistakes_in_seals() == [f"the game {games[0].pk} is not what was sealed of it"]
    with pytest.raises(CommandError, match=r"^1 games and 1 "):
        call_command("verify_scores", stdout=StringIO(), stderr=StringIO())


def leaves_of_day() -> dict[str, str]:
    while verify_entered(FINAL):
        pass
    return leaves_of(DAY)


def test_a_proof_reads_only_the_tiles_between_its_leaf_and_the_root(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    seal_days(FINAL)
    with django_assert_num_queries(2) as queries:
        near = proof_of(games[0].pk).path
    assert "leaf" not in queries.captured_queries[1]["sql"]
    neighbour = leaves_of(DAY)[games[1].pk]
    assert near == [hashlib.sha256(b"\0" + neighbour.encode()).hexdigest()]


@pytest.mark.django_db(transaction=True)
def test_a_player_checks_the_own_result_with_the_one_file_and_the_own_record(
    live_server: LiveServer, games: list[Game], tmp_path: Path, settings: Settings
) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"
    seal_days(FINAL)
    sign_log(FINAL)
    game, kept = games[0], tmp_path / "kept.txt"
    kept.write_text(game.record().text)

    def verify(*arguments: str) -> tuple[int, str]:
        command = [sys.executable, str(PROJECT / "docs/examples/verify_daily.py"), live_server.url, *arguments]
        run = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
        assert "Traceback" not in run.stderr
        return run.returncode, run.stdout + run.stderr

    line = f"Game {game.pk}: {game.status}, {game.cards_left} cards left, {game.moves} moves, {game.elapsed_ms} ms"
    for arguments in (["--game", game.pk], ["--record", str(kept)]):
        status, said = verify(*arguments)
        assert (status, line in said) == (0, True)
    kept.write_text(game.record().text.replace("@1000", "@999", 1))
    assert f"WRONG: the log of the game {game.pk} is" in verify("--record", str(kept))[1]
    assert verify("--game", "nosuchgame12")[0] == 2
    tamper("UPDATE leaderboards_sealedresult SET leaf = replace(leaf, 'resigned', 'won')")
    status, said = verify("--game", game.pk)
    assert (status, "does not lead to the root" in said) == (1, True)


def test_a_result_is_checked_offline_from_one_file_below_4_kb(
    games: list[Game], tmp_path: Path, settings: Settings, client: Client
) -> None:
    settings.PYRAMID_LOG_KEY_FILE = tmp_path / "log_key"
    seal_days(FINAL)
    made = sign_log(FINAL)
    assert made is not None
    witnesses = [SecretKey.made(f"witness.example/w{number}", WITNESS) for number in range(3)]
    for secret in witnesses:
        line = secret.sign(Note.from_text(made.note).body, int(FINAL.timestamp()))
        Cosignature.objects.create(checkpoint=made, witness=secret.key.name, line=line, signed_at=FINAL)
    proof = client.get(f"/tlog/proof/games/{games[0].pk}").content
    # With a million leaves in the log and a million results of the day, some forty hashes more.
    assert len(proof) + 20 * 45 + 20 * 60 < 4096
    keys = "\n".join([made.keys, *(secret.key.text for secret in witnesses)])
    record = games[0].record().text
    assert checked(tmp_path, proof, keys, record) == (0, "0 mistakes.")
    assert checked(tmp_path, proof, keys, record.replace("@1000", "@999", 1))[0] == 1
    other = client.get(f"/tlog/proof/games/{games[1].pk}").content
    assert checked(tmp_path, other, keys, record)[0] == 1
    assert client.get("/tlog/proof/games/nosuchgame12").status_code == 404


def checked(folder: Path, proof: bytes, keys: str, record: str) -> tuple[int, str]:
    """Return the status and the last line of the one-file verifier, which gets no address."""
    command = [sys.executable, str(PROJECT / "docs/examples/verify_daily.py"), "--witnesses=3"]
    for name, content in {"proof": proof, "keys": keys.encode(), "record": record.encode()}.items():
        (folder / name).write_bytes(content)
        command += [f"--{name}", str(folder / name)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    return run.returncode, run.stdout.splitlines()[-1]
