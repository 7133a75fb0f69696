"""Progress bars of commands: one line on a terminal, and anywhere else a line now and then."""

import re
from contextlib import suppress
from io import StringIO
from threading import Event

import pytest
from django.core.management.base import OutputWrapper
from django.core.management.color import make_style

from games.doors import commands
from games.doors.commands import at_work, progress, progress_bar


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


class Log(StringIO):
    """A log that knows when something was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = Event()

    def write(self, text: str) -> int:
        written = super().write(text)
        self.written.set()
        return written


def test_elsewhere_lines_are_written_even_while_one_item_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "BETWEEN_LINES", 0.01)
    log = Log()
    for _ in progress(OutputWrapper(log), ["a", "b"], "deal"):
        assert log.written.wait(30)
    first, *_, last = log.getvalue().splitlines()
    assert first.startswith("  0%|".strip())
    assert re.match(r"100%\|.*2/2 \[", last)
    assert "\r" not in log.getvalue()


class Gone(Log):
    """A pipe that nobody reads any more."""

    def write(self, text: str) -> int:
        super().write(text)
        raise BrokenPipeError


def test_a_bar_that_nobody_reads_any_more_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "BETWEEN_LINES", 0.01)
    gone = Gone()
    with suppress(BrokenPipeError), at_work(OutputWrapper(gone), "Restoring"):
        assert gone.written.wait(10)
    lock = commands._Steady.get_lock()  # type: ignore[no-untyped-call]
    assert lock.acquire(timeout=10)
    lock.release()


def test_what_cannot_be_counted_says_what_it_is_and_for_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commands, "BETWEEN_LINES", 0.01)
    log = Log()
    with at_work(OutputWrapper(log), "Rating all races"):
        assert log.written.wait(30)
    assert set(log.getvalue().splitlines()) == {"Rating all races: 00:00"}


@pytest.mark.parametrize("stream", [StringIO(), Terminal()])
def test_items_pass_through(stream: StringIO) -> None:
    assert list(progress(OutputWrapper(stream), ["a", "b"], "deal")) == ["a", "b"]
