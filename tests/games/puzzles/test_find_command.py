from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.management.commands import find_puzzles
from games.puzzles.finding import find_in_deals
from games.puzzles.library import read_ids
from games.puzzles.lines import Line
from games.puzzles.packing import Packed


def find(*arguments: object) -> str:
    out = StringIO()
    call_command("find_puzzles", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "puzzles.txt"


def test_it_finds_the_puzzles_of_the_first_deals_in_their_order(out: Path) -> None:
    printed = find("--count", 3, "--out", out)
    deals = [(number, puzzle) for number, puzzle in enumerate(find_in_deals(range(1, 150)), 1) if puzzle]
    assert out.read_text().splitlines() == [str(Line.of(puzzle)) for _, puzzle in deals[:3]]
    assert printed == f"3 puzzles from the deals 1 to {deals[2][0]}\n"


@pytest.mark.usefixtures("jobs_in_this_process")
def test_several_jobs_find_the_same(out: Path, tmp_path: Path) -> None:
    find("--count", 3, "--out", out)
    find("--count", 3, "--out", tmp_path / "other.txt", "--jobs", 2)
    assert (tmp_path / "other.txt").read_text() == out.read_text()


def test_a_file_is_continued_after_its_last_deal_without_half_a_line(out: Path, tmp_path: Path) -> None:
    find("--count", 2, "--out", out)
    with out.open("a") as file:
        file.write("AAA")
    assert find("--count", 3, "--out", out) == find("--count", 3, "--out", tmp_path / "other.txt")
    assert out.read_text() == (tmp_path / "other.txt").read_text()


def test_a_file_with_the_line_ends_of_windows_is_continued_and_loses_no_puzzle(out: Path, tmp_path: Path) -> None:
    find("--count", 3, "--out", out)
    out.write_bytes(out.read_bytes().replace(b"\n", b"\r\n"))
    find("--count", 4, "--out", out)
    find("--count", 4, "--out", tmp_path / "other.txt")
    assert out.read_text() == (tmp_path / "other.txt").read_text()


def test_a_file_without_a_whole_line_may_be_anything_and_stays_as_it_is(out: Path) -> None:
    out.write_text("notes that end without a line end")
    with pytest.raises(CommandError, match=r"puzzles\.txt: it has no whole line"):
        find("--count", 1, "--out", out)
    assert out.read_text() == "notes that end without a line end"


def test_what_a_file_has_is_not_looked_for_and_no_deal_is_looked_at_twice(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find("--count", 2, "--out", out)
    first = int(out.with_name("puzzles.txt.next").read_text())
    looked_at: list[int] = []

    def find_and_note(deals: Sequence[int]) -> list[Packed | None]:
        looked_at.extend(deals)
        return find_in_deals(deals)

    monkeypatch.setattr(find_puzzles, "find_in_deals", find_and_note)
    find("--count", 2, "--out", out)
    assert not looked_at
    find("--count", 3, "--out", out)
    assert looked_at[0] == first


def test_a_puzzle_that_is_there_though_its_deal_is_not_noted_is_not_added_again(out: Path) -> None:
    find("--count", 2, "--out", out)
    out.with_name("puzzles.txt.next").unlink()
    find("--count", 3, "--out", out)
    assert len(set(read_ids(out.read_text()))) == len(out.read_text().splitlines()) == 3


def test_a_file_that_was_removed_begins_with_the_first_deal(out: Path) -> None:
    find("--count", 1, "--out", out)
    text = out.read_text()
    out.unlink()
    find("--count", 1, "--out", out)
    assert out.read_text() == text


def test_a_file_of_something_else_is_refused_and_kept(out: Path) -> None:
    out.write_text("other\nthings\n")
    with pytest.raises(CommandError, match=r"puzzles\.txt: not a puzzle"):
        find("--count", 1, "--out", out)
    assert out.read_text() == "other\nthings\n"


def test_a_note_that_is_not_a_deal_is_refused(out: Path) -> None:
    find("--count", 1, "--out", out)
    out.with_name("puzzles.txt.next").write_text("ten\n")
    with pytest.raises(CommandError, match=r"puzzles\.txt\.next does not have the number of a deal"):
        find("--count", 2, "--out", out)
