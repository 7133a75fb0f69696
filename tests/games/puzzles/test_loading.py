"""Puzzles are loaded from files of any size, each checked, and are then as good as those that every server has."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.puzzles import library
from games.puzzles.choosing import puzzle_between, puzzle_near
from games.puzzles.library import FILE, find_puzzle, loaded, puzzle_ids, shelf
from games.puzzles.lines import Line
from games.puzzles.packing import Packed
from games.puzzles.refusals import UnknownPuzzle
from games.puzzles.shelf import Shelf


@pytest.fixture
def lines(
    puzzles: list[Packed], tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[list[Line]]:
    """Return the lines of some puzzles, of which the server has the first."""
    lines = list(map(Line.of, puzzles))
    few = tmp_path / "few.txt"
    few.write_text(f"{lines[0]}\n")
    settings.LOCAL_FILES = tmp_path / "var"
    monkeypatch.setattr(library, "FILE", few)
    _forget()
    yield lines
    _forget()


def _forget() -> None:
    for kept in (shelf, puzzle_ids, find_puzzle):
        kept.cache_clear()


def load(folder: Path, lines: list[object], *options: str) -> str:
    file, said = folder / "more.txt", StringIO()
    file.write_text("".join(f"{line}\n" for line in lines))
    call_command("load_puzzles", str(file), *options, stdout=said, stderr=StringIO())
    _forget()
    return said.getvalue()


def test_what_is_new_is_loaded_once_and_can_be_played(lines: list[Line], tmp_path: Path) -> None:
    assert load(tmp_path, [*lines[:3], lines[2]]) == "2 new puzzles; there are 3\n"
    assert load(tmp_path, [*lines[:3]]) == "0 new puzzles; there are 3\n"
    assert loaded().read_text().splitlines() == [str(line) for line in lines[1:3]]
    assert find_puzzle(lines[2].id).packed.text == lines[2].text
    assert puzzle_ids() == (lines[0].id,)  # the days keep their puzzles
    assert {puzzle_between(0, 1, chance) for chance in range(3)} == {line.id for line in lines[:3]}
    assert puzzle_near(lines[1].seed, None) in {line.id for line in lines[:3]}


@pytest.mark.usefixtures("jobs_in_this_process")
def test_an_interrupted_run_goes_on_where_it_ended(lines: list[Line], tmp_path: Path) -> None:
    load(tmp_path, [*lines[:2]])
    with loaded().open("a") as file:
        file.write(str(lines[2])[:30])
    _forget()
    load(tmp_path, [*lines[:4]], "--jobs", "2")
    assert loaded().read_text().splitlines() == [str(line) for line in lines[1:4]]


@pytest.mark.parametrize("what", ["rating", "id", "removals", "text", "other", "é"])
def test_a_line_that_is_no_puzzle_is_refused_with_its_number(lines: list[Line], tmp_path: Path, what: str) -> None:
    _, good, line, *_ = lines
    puzzle = Packed.from_text(line.text)
    twice = next(later for later in range(len(puzzle.win), 0, -1) if later != puzzle.decisions)
    bad = {
        "rating": line._replace(seed=line.seed + 1),
        "id": line._replace(id="0123456789"),
        "removals": line._replace(text=puzzle._replace(decisions=twice).text),
        "text": line._replace(text=line.text[:-4]),
        "other": "other things",
        "é": "é",
    }[what]
    complaint = "'ascii'" if what == "é" else "line 3: not a puzzle"
    with pytest.raises(CommandError, match=rf"more\.txt: {complaint}"):
        load(tmp_path, [lines[0], good, bad])
    _forget()
    with pytest.raises(UnknownPuzzle):
        find_puzzle(line.id)


def test_a_shelf_finds_every_puzzle_of_a_file_by_id_and_by_rating() -> None:
    lines = [Line.read(line) for line in FILE.read_text().splitlines()]
    shelf = Shelf([FILE, FILE, Path("nowhere")])
    ordered = sorted(lines, key=lambda line: (line.seed, line.id))
    assert shelf.between(0, len(shelf)) == [line.id for line in ordered]
    for line in lines[::100]:
        assert (shelf.line(line.id), shelf.seed(line.id)) == (line, line.seed)
        assert ordered[shelf.place_of(line.seed)].seed == line.seed
        assert ordered[shelf.place_of(line.seed) - 1].seed < line.seed or shelf.place_of(line.seed) == 0


@pytest.mark.parametrize("puzzle_id", ["", "0123456789", "0X12345678", "f" * 1000, "\u0661" * 10, "-123456789"])
def test_a_shelf_has_nothing_else(puzzle_id: str) -> None:
    assert puzzle_id not in Shelf([FILE])
    assert "0" * 10 not in Shelf([])
