from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.puzzles.finding import find_in_deals
from games.puzzles.library import read_ids
from games.puzzles.lines import Line


def find(*arguments: object) -> str:
    out = StringIO()
    call_command("find_puzzles", *map(str, arguments), stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "puzzles.txt"


def test_it_finds_the_puzzles_of_the_first_deals_in_their_order(out: Path) -> None:
    said = find("--count", 3, "--out", out)
    deals = [(number, puzzle) for number, puzzle in enumerate(find_in_deals(range(1, 150)), 1) if puzzle]
    assert out.read_text().splitlines() == [str(Line.of(puzzle)) for _, puzzle in deals[:3]]
    assert said == f"3 puzzles in the deals 1 to {deals[2][0]}; to go on, --first {deals[2][0] + 1}\n"


def test_several_processes_find_the_same(out: Path, tmp_path: Path) -> None:
    find("--count", 3, "--out", out)
    find("--count", 3, "--out", tmp_path / "other.txt", "--jobs", 2)
    assert (tmp_path / "other.txt").read_text() == out.read_text()


def test_it_adds_to_a_file_what_is_new_and_drops_half_a_line(out: Path) -> None:
    find("--count", 2, "--out", out)
    kept = out.read_text()
    with out.open("a") as file:
        file.write("AAA")
    find("--count", 1, "--out", out)
    assert out.read_text().startswith(kept)
    assert len(set(read_ids(out.read_text()))) == 3


def test_a_file_of_something_else_is_refused_and_kept(out: Path) -> None:
    out.write_text("other\nthings\n")
    with pytest.raises(CommandError, match="not a puzzle"):
        find("--count", 1, "--out", out)
    assert out.read_text() == "other\nthings\n"
