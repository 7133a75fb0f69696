"""make judge: a folder of records in, a verdict for each account out; mistakes in lines are reported."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules import Record
from games.rules.suits import Suits
from leaderboards.detectors.accounts import Evidence
from leaderboards.detectors.turns import Visit
from leaderboards.judging import days, verdicts
from leaderboards.judging.links import links_of, network_of
from leaderboards.judging.reading import AccountRow, GameRow, Placed
from tests.games.conftest import jobs_in_this_process  # noqa: F401  a fixture
from tests.integrity.hands import BOT, Hand, person, times
from tests.leaderboards.detectors.games import QUICK, choices, deal, deck, game, par

HONEST_HAND = person(Random(7))
SEEDS = QUICK[:2]
KEYS = {
    "account",
    "level",
    "games",
    "false_records",
    "watched_after",
    "case_after",
    "fortunes",
    "findings",
    "failed_detectors",
    "version",
}
Row = dict[str, Any]
RISEN = re.compile(r": (case|watch) after \d+ games: ")


def day_of(seed: int) -> str:
    return f"2026-03-{1 + SEEDS.index(seed):02}"


def row(seed: int, account: str, style: str, hand: Hand = HONEST_HAND, **changes: Any) -> Row:
    """Return the row of a game that somebody of a style plays on a deal."""
    own = choices(style, seed)
    dice = Random(f"{account}/{seed}")
    played = game(own, seed, list(times(game(own, seed).steps, hand, dice)), name=f"{account}-{seed}", account=account)
    started = f"{day_of(seed)}T{10 + len(account) % 8:02}:00:00Z"
    record = Record(played.id, deal(seed).rules, deck(seed), account, started, tuple(played.play.actions), own.result)
    told: Row = {"game": played.id, "account": account, "day": day_of(seed), "started": started, "record": record.text}
    return told | {"client_ms": [at + 3 for _, at in played.play.actions]} | changes


def account(name: str, **facts: str) -> Row:
    return {"account": name, "created": "2026-02-01T00:00:00Z", "device": None, "address": None} | facts


def usual_deals() -> list[Row]:
    return [{"day": day_of(seed), "deck": deck(seed).text, "par": par(seed)} for seed in SEEDS]


def usual() -> list[Row]:
    return [row(seed, "alice", "casual") for seed in SEEDS] + [row(seed, "mallory", "perfect", BOT) for seed in SEEDS]


class Judged:
    """The output of the command for a folder with these rows."""

    def __init__(
        self,
        folder: Path,
        games: Sequence[Row | str],
        *,
        accounts: Sequence[Mapping[str, Any]] | None = (account("alice"), account("mallory")),
        more_deals: Sequence[Mapping[str, Any]] | None = (),
        jobs: int = 1,
        options: Sequence[str] = (),
    ) -> None:
        deals = None if more_deals is None else [*usual_deals(), *more_deals]
        for name, rows in (("games", games), ("accounts", accounts), ("deals", deals)):
            if rows is not None:
                lines = [each if isinstance(each, str) else json.dumps(each) for each in rows]
                (folder / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines))
        out, err = StringIO(), StringIO()
        call_command("judge", str(folder), "--jobs", str(jobs), *options, stdout=out, stderr=err, no_color=True)
        self.verdicts = [json.loads(line) for line in out.getvalue().splitlines()]
        lines = [line for line in err.getvalue().splitlines() if "game/s]" not in line and "s/game]" not in line]
        self.risen = [line for line in lines if RISEN.search(line)]
        self.problems = [line for line in lines if line not in self.risen]

    def __getitem__(self, name: str) -> Row:
        (verdict,) = [verdict for verdict in self.verdicts if verdict["account"] == name]
        return dict(verdict)

    def found(self, name: str) -> set[str]:
        return {finding["detector"] for finding in self[name]["findings"]}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    """The usual games, judged by one job."""
    return Judged(tmp_path_factory.mktemp("usual"), usual())


def test_a_planted_bot_comes_first_and_nobody_else_is_found(judged: Judged) -> None:
    assert [verdict["account"] for verdict in judged.verdicts] == ["mallory", "alice"]
    assert [verdict["level"] for verdict in judged.verdicts] == ["case", "none"]
    assert (judged["mallory"]["case_after"], judged["mallory"]["games"]) == (2, 2)
    assert judged.found("mallory") == {"machine timing"}
    assert all(set(verdict) == KEYS for verdict in judged.verdicts)
    assert judged.problems == []


@pytest.mark.usefixtures("jobs_in_this_process")
def test_two_jobs_come_to_the_same_verdicts(tmp_path: Path, judged: Judged) -> None:
    of_two = Judged(tmp_path, usual(), jobs=2)
    assert (of_two.verdicts, of_two.problems) == (judged.verdicts, [])


def test_who_rises_is_said_at_the_close_of_the_day_and_printed_if_wanted(tmp_path: Path) -> None:
    judged = Judged(tmp_path, usual(), options=["--as-they-come"])
    assert judged.risen == ["mallory: case after 2 games: machine timing"]
    assert [(verdict["account"], verdict["level"]) for verdict in judged.verdicts] == [
        ("mallory", "case"),  # as it came
        ("mallory", "case"),
        ("alice", "none"),
    ]


def test_a_day_closes_once_no_game_that_may_have_begun_on_it_is_waiting() -> None:
    def day(number: int, *hours: int) -> days.Day:
        rows = [GameRow(f"{number}/{hour}", "alice", str(number), hour * 3_600_000, "") for hour in hours]
        return days.Day(tuple(Placed("", row) for row in rows), {}, {}, range(len(rows)))

    both = [day(1, 1, 30), day(2, 25)]
    done = [days.DayJudged([days.Judged("alice", placed.row.started_ms) for placed in one.games]) for one in both]
    closed = [[game.started_ms // 3_600_000 for game in games] for games in verdicts.closed_days(both, done)]
    assert closed == [[1], [25, 30]]


def test_a_pair_that_takes_turns_is_watched_without_a_link(monkeypatch: pytest.MonkeyPatch) -> None:
    conclusions = verdicts.Conclusions(["mallory", "bob"])
    risen: list[dict[str, Any]] = []
    for day in range(10):
        at = 1_772_409_600_000 + day * 86_400_000 + day * 5_000_000
        seen = Visit(f"m{day}", "mallory", str(day), at, at + 60_000, is_won=False)
        after = Visit(f"b{day}", "bob", str(day), at + 90_000, at + 400_000, is_won=True)
        games = [days.Judged(visit.account, visit.started_ms, Evidence(visit.game), visit) for visit in (seen, after)]
        risen += conclusions.close(games)
    assert {(one["account"], one["level"]) for one in risen} == {("mallory", "watch"), ("bob", "watch")}
    assert [one["level"] for one in conclusions.verdicts()] == ["watch", "watch"]


@pytest.mark.parametrize(
    ("games", "complaint"),
    [([], "no line of .*games.jsonl could be read"), (["{", "x"], "no line of"), (["record"], "none of the games")],
)
def test_without_a_game_that_can_be_judged_it_fails(tmp_path: Path, games: list[str], complaint: str) -> None:
    lines: list[Row | str] = [row(SEEDS[0], "alice", "casual") | {"record": "x"} if g == "record" else g for g in games]
    with pytest.raises(CommandError, match=complaint):
        Judged(tmp_path, lines)


def test_a_large_day_is_judged_in_slices_with_the_same_verdicts(
    tmp_path: Path, judged: Judged, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdicts, "SLICE", 1)
    assert Judged(tmp_path, usual()).verdicts == judged.verdicts


def test_fortunes_are_told_with_their_highest(judged: Judged) -> None:
    fortunes = judged["mallory"]["fortunes"]
    assert set(fortunes) == {"foresight", "near_par", "copied_line", "foresight_and_near_par"}
    assert fortunes["foresight"]["highest"] >= fortunes["foresight"]["now"] > 0
    assert set(fortunes["foresight_and_near_par"]) == {"now"}
    assert fortunes["near_par"]["now"] > 1


def test_a_record_that_does_not_replay_is_a_finding_and_the_others_are_judged(tmp_path: Path) -> None:
    broken = row(SEEDS[0], "mallory", "perfect")
    broken["record"] = broken["record"].replace("D@", "R@", 1)
    judged = Judged(tmp_path, [broken, *usual()[:2]])
    assert judged["mallory"]["level"] == "case"
    assert judged["mallory"]["false_records"] == 1
    assert "does not replay" in judged["mallory"]["findings"][0]["explanation"]
    assert judged["alice"]["games"] == 2
    assert judged.problems[0].startswith(f"{tmp_path / 'games.jsonl'}:1: ")


def test_a_deck_that_is_no_deal_of_its_day_is_a_finding(tmp_path: Path) -> None:
    judged = Judged(tmp_path, [row(SEEDS[0], "mallory", "perfect", day=day_of(SEEDS[1]))])
    assert "none of the deals" in judged["mallory"]["findings"][0]["explanation"]


def test_a_game_in_suits_of_its_own_is_judged_like_any_other(tmp_path: Path) -> None:
    suits = Suits("dhsc" * 13)
    told = row(SEEDS[0], "mallory", "perfect")
    record = Record.from_text(told["record"])
    other = Record(
        record.game,
        record.rules,
        suits.of_deck(record.deck),
        record.player,
        record.started,
        tuple(timed._replace(action=suits.of_action(timed.action)) for timed in record.actions),
        record.result,
        (("Suits", suits.text),),
    )
    plain, changed = Judged(tmp_path, [told]), Judged(tmp_path, [told | {"record": other.text}])
    assert changed.verdicts == plain.verdicts
    assert changed["mallory"]["games"] == 1


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("{", "truncated"),
        ("games", "malformed"),
        ('{"game": "g"}', "account"),
        ('{"nested": ' + 5000 * "[", "recursion"),
        ({"client_ms": ["x"]}, "client_ms"),
        ({"day": 5}, "day"),
        ({"started": "yesterday"}, "started is not a time"),
        ({"record": "nonsense"}, "a record starts with the tags"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_wrong_line_is_told_by_file_and_line_and_left_out(tmp_path: Path, wrong: str | Row, message: str) -> None:
    line = wrong if isinstance(wrong, str) else row(SEEDS[0], "mallory", "perfect") | wrong
    judged = Judged(tmp_path, [usual()[0], line])
    (problem,) = judged.problems
    assert problem.startswith(f"{tmp_path / 'games.jsonl'}:2: ")
    assert message in problem.lower()
    assert judged["alice"]["games"] == 1
    assert judged["mallory"]["findings"] == []


def test_an_unknown_rule_set_is_told(tmp_path: Path) -> None:
    told = row(SEEDS[0], "mallory", "perfect")
    other = told | {"record": told["record"].replace('"standard"', '"spider"')}
    judged = Judged(tmp_path, [other, row(SEEDS[0], "alice", "casual")])
    assert "no rule set is called 'spider'" in judged.problems[0]


def test_times_of_the_client_that_do_not_fit_are_left_out(tmp_path: Path) -> None:
    judged = Judged(tmp_path, [row(SEEDS[0], "alice", "casual", client_ms=[1, 2])])
    assert "client_ms has 2 times" in judged.problems[0]
    assert judged["alice"]["games"] == 1


def test_only_the_first_attempt_at_a_deal_counts(tmp_path: Path) -> None:
    first = row(SEEDS[0], "alice", "casual")
    later = row(SEEDS[0], "alice", "perfect", started=f"{day_of(SEEDS[0])}T20:00:00Z")
    judged = Judged(tmp_path, [later, first])
    assert judged["alice"]["games"] == 1
    assert "games.jsonl:1: not the first attempt of alice" in judged.problems[0]


def test_without_accounts_and_deals_games_are_judged_with_what_can_be_worked_out(
    tmp_path: Path, judged: Judged
) -> None:
    alone = Judged(tmp_path, usual(), accounts=None, more_deals=None)
    assert [verdict["account"] for verdict in alone.verdicts] == ["mallory", "alice"]
    assert alone["mallory"]["fortunes"] == judged["mallory"]["fortunes"]
    assert sum("there is no such file" in problem for problem in alone.problems) == 2
    assert any("no account 'alice'" in problem for problem in alone.problems)


def test_an_account_without_games_and_a_deal_that_is_none_do_no_harm(tmp_path: Path) -> None:
    judged = Judged(
        tmp_path,
        usual(),
        accounts=[account("alice"), account("mallory"), account("bob")],
        more_deals=[{"day": "2026-03-09", "deck": "2c2c", "par": 3}],
    )
    assert (judged["bob"]["level"], judged["bob"]["games"]) == ("none", 0)
    assert judged.problems[0].startswith(f"{tmp_path / 'deals.jsonl'}:3: ")


def test_a_scout_on_the_same_device_moves_the_case_up(tmp_path: Path) -> None:
    scout = row(SEEDS[0], "bob", "draws first", started=f"{day_of(SEEDS[0])}T01:00:00Z")
    judged = Judged(
        tmp_path,
        [scout, row(SEEDS[0], "mallory", "perfect")],
        accounts=[account("bob", device="d1"), account("mallory", device="d1")],
    )
    assert judged.found("mallory") == {"preview"}
    assert judged["mallory"]["level"] == "none"


@pytest.mark.parametrize(
    ("folder", "complaint"), [("nowhere", "there is no folder /"), (".", r"games\.jsonl: No such file")]
)
def test_a_folder_without_games_is_an_error(tmp_path: Path, folder: str, complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        call_command("judge", str(tmp_path / folder))


def test_jobs_are_at_least_one(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="'0' is not a whole number of 1 or more"):
        call_command("judge", str(tmp_path), "--jobs", "0")


def test_an_address_links_the_less_the_more_players_share_it_and_a_device_links_firmly() -> None:
    def links(number: int, ranked: int, **facts: str) -> dict[tuple[str, str], float]:
        names = [f"p{place:03}" for place in range(number)]
        return links_of([AccountRow(name, **facts) for name in names], names[:ranked])

    assert links(2, 2, device="d") == {("p000", "p001"): 1.0}
    assert links(2, 2, address="192.0.2.1") == {("p000", "p001"): 0.5}
    assert links(10, 10, address="192.0.2.1")["p003", "p007"] == 0.1
    assert links(90, 10, address="192.0.2.1")["p003", "p007"] == 0.1  # who never played weakens nothing
    assert links(200, 200, address="192.0.2.1") == {}
    assert links(2, 2) == {}


@pytest.mark.parametrize(
    ("address", "network"),
    [("2001:db8:1:2:3::4", "2001:db8:1:2::/64"), ("192.0.2.7", "192.0.2.7"), ("k3y3dha5h", "k3y3dha5h")],
)
def test_addresses_of_one_household_are_one_network(address: str, network: str) -> None:
    assert network_of(address) == network
