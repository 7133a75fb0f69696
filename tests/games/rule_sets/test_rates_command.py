from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.deals.shuffle import bytes_from, shuffled_deck
from games.rule_sets import win_rates
from games.rule_sets.counting import random_deal
from games.rules import RULE_SETS, Position
from games.solver import solve
from games.solver.verdict import verdict

STANDARD, RELAXED = RULE_SETS["standard"], RULE_SETS["relaxed"]
SHORTEST = "rules,deal,verdict,nodes,ms,shortest\n"


def rates(*arguments: object) -> list[str]:
    """Return the table that the command prints."""
    out = StringIO()
    call_command("rates", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue().splitlines()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.csv"


def verdicts(out: Path) -> list[tuple[str, str, str]]:
    rows = [line.split(",") for line in out.read_text().splitlines()[1:]]
    return [(rules, deal, verdict) for rules, deal, verdict, *_ in rows]


def test_anyone_can_repeat_the_verdict_on_each_deal(out: Path) -> None:
    rates("standard", "--deals", 60, "--out", out)
    expected = []
    for number in range(1, 61):
        deck = shuffled_deck(bytes_from(f"win rates|{number}"), 52)
        expected.append(("standard", str(number), "won" if verdict(Position.deal(deck, STANDARD)) else "lost"))
    assert verdicts(out) == expected


def test_the_table_counts_the_verdicts_and_gives_the_ends_of_the_interval(out: Path) -> None:
    head, standard, giza = rates("standard", "giza", "--deals", 60, "--out", out)
    assert head == "rules,deals,won,undecided,low,high"
    won = {slug: sum(row[0] == slug and row[2] == "won" for row in verdicts(out)) for slug in ("standard", "giza")}
    assert standard.startswith(f"standard,60,{won['standard']},0,")
    assert giza.startswith(f"giza,60,{won['giza']},0,")


def test_by_default_a_row_of_the_documents_is_repeated_with_its_deals_and_its_node_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    row = {"rules": "apophis", "deals": "5", "won": "0", "undecided": "4", "node_limit": "1"}
    monkeypatch.setattr(win_rates, "_table", lambda: {"apophis": row})
    assert rates("apophis")[1] == "apophis,5,0,4,0.00,96.38"


@pytest.mark.usefixtures("jobs_in_this_process")
def test_a_count_that_was_killed_in_mid_line_goes_on_where_it_was_and_comes_to_the_same(out: Path) -> None:
    whole = rates("giza", "--deals", 120, "--jobs", 2)
    rates("giza", "--deals", 70, "--out", out)
    with out.open("a") as file:
        file.write("giza,71,wo")
    kept = out.read_text().rpartition("\n")[0]
    assert rates("giza", "--deals", 120, "--out", out) == whole
    assert out.read_text().startswith(kept)
    assert [deal for _, deal, _ in verdicts(out)] == [str(number) for number in range(1, 121)]


def test_a_file_with_the_line_ends_of_windows_is_continued_and_loses_no_verdict(out: Path) -> None:
    whole = rates("giza", "--deals", 22)
    rates("giza", "--deals", 20, "--out", out)
    out.write_bytes(out.read_bytes().replace(b"\n", b"\r\n"))
    assert rates("giza", "--deals", 22, "--out", out) == whole
    assert [deal for _, deal, _ in verdicts(out)] == [str(number) for number in range(1, 23)]


def test_what_a_file_has_is_not_judged_again_and_deals_beyond_the_number_do_not_count(out: Path) -> None:
    out.write_text(
        "rules,deal,verdict,nodes,ms\n" + "".join(f"giza,{number},undecided,9,1.5\n" for number in range(1, 11))
    )
    assert rates("giza", "--deals", 4, "--out", out)[1].startswith("giza,4,0,4,")


def test_a_count_of_shortest_wins_that_was_killed_goes_on_and_has_the_length_of_each(out: Path) -> None:
    rates("relaxed", "--deals", 20, "--shortest", "--out", out)
    with out.open("a") as file:
        file.write("relaxed,21,won,900,1.5,4")
    head, row = rates("relaxed", "--deals", 60, "--shortest", "--out", out)
    lengths = [solve(Position.deal(random_deal(number, RELAXED), RELAXED)).length for number in range(1, 61)]
    written = [line.rpartition(",")[2] for line in out.read_text().splitlines()[1:]]
    assert written == [str(length or "") for length in lengths]
    won = [length for length in lengths if length]
    bars = " ".join(str(won.count(length)) for length in range(min(won), max(won) + 1))
    assert head == "rules,deals,won,undecided,low,high,ms,least,wins"
    assert row.startswith(f"relaxed,60,{len(won)},0,")
    assert row.endswith(f",{min(won)},{bars}")


def test_a_row_without_wins_has_no_least_length() -> None:
    assert rates("no-waste", "--deals", 5, "--shortest")[1].endswith(",0,")


def test_a_deal_that_takes_more_nodes_than_allowed_stays_undecided() -> None:
    _, row = rates("apophis", "--deals", 5, "--node-limit", 1)
    assert row == "apophis,5,0,4,0.00,96.38"


@pytest.mark.parametrize("row", ["won,1,1.5,", "lost,1,1.5,31", "won,1,1.5", "won,1,1.5,31,2", "won,1,1.5,few"])
def test_a_file_of_shortest_wins_has_a_length_for_each_win_alone(out: Path, row: str) -> None:
    out.write_text(f"{SHORTEST}relaxed,1,{row}\n")
    with pytest.raises(CommandError, match=f"not a verdict: relaxed,1,{row}"):
        rates("relaxed", "--deals", 5, "--shortest", "--out", out)


def test_verdicts_are_not_mixed_with_shortest_wins(out: Path) -> None:
    out.write_text(SHORTEST)
    with pytest.raises(CommandError, match=r"does not begin with the columns rules,deal,verdict,nodes,ms$"):
        rates("relaxed", "--deals", 5, "--out", out)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("a,b\n1,2\n", "does not begin with the columns"),
        ("rules,deal,verdict,nodes,ms\ngiza,1,perhaps,9,1.5\n", "not a verdict: giza,1,perhaps"),
        ("rules,deal,verdict,nodes,ms\ngiza,1,won\n", "not a verdict: giza,1,won"),
        ("rules,deal,verdict,nodes,ms\ngiza,one,won,1,1\n", "not a verdict: giza,one,won"),
        ("rules,deal,verdict,nodes,ms\ngiza,1,é,1,1\n", "ascii"),
    ],
)
def test_a_file_with_something_else_in_it_is_refused_and_left_as_it_is(out: Path, content: str, complaint: str) -> None:
    out.write_text(content)
    with pytest.raises(CommandError, match=rf"verdicts\.csv: .*{complaint}"):
        rates("giza", "--deals", 5, "--out", out)
    assert out.read_text() == content


def test_rules_that_do_not_exist_are_refused() -> None:
    with pytest.raises(CommandError, match="klondike"):
        rates("klondike")
