"""Progress bars of commands: one line on a terminal, and anywhere else a line now and then."""

import re
from io import StringIO

import pytest
from django.core.management.base import OutputWrapper
from django.core.management.color import make_style

from games.doors import commands
from games.doors.commands import progress, progress_bar


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def show(stream: StringIO) -> str:
    stderr = OutputWrapper(stream)
    stderr.style_func = make_style("").ERROR  # as commands do for their standard error
    with progress_bar(stderr, 3, "deal") as bar:
        for number in range(3):
            bar.clear()
            stderr.write(f"problem {number}", str)
            bar.update()
            if stream.isatty():
                bar.refresh()
    return stream.getvalue()


def test_on_a_terminal_a_bar_stays_on_one_line_without_colours() -> None:
    shown = show(Terminal())
    assert "\x1b[31" not in shown
    assert re.search(r"3/3 \[", shown)
    lines = [line.rsplit("\r", 1)[-1].strip() for line in shown.split("\n")]
    assert lines[:3] == ["problem 0", "problem 1", "problem 2"]
    assert len(lines) == 5, "the bar is one line, and ends it"


def test_elsewhere_what_takes_seconds_shows_no_progress() -> None:
    assert show(StringIO()) == "problem 0\nproblem 1\nproblem 2\n"


def test_elsewhere_what_takes_long_writes_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "BETWEEN_LINES", 0)
    stream = StringIO()
    assert list(progress(OutputWrapper(stream), ["a", "b"], "deal")) == ["a", "b"]
    assert re.search(r"^100%\|.*2/2 \[.*\n\Z", stream.getvalue(), re.MULTILINE)
    assert "\r" not in stream.getvalue()


@pytest.mark.parametrize("stream", [StringIO(), Terminal()])
def test_items_pass_through(stream: StringIO) -> None:
    assert list(progress(OutputWrapper(stream), ["a", "b"], "deal")) == ["a", "b"]
