"""Answer decks and positions of standard input: python -m games.solver --help."""

import signal
import sys
from io import TextIOWrapper

from games.solver.json_lines import main


def command() -> None:
    """Run the command, and end the process with its exit code."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends the command without a traceback
    assert isinstance(sys.stdin, TextIOWrapper)
    sys.stdin.reconfigure(errors="replace")  # bytes outside UTF-8 make an invalid line
    raise SystemExit(main(sys.argv[1:], sys.stdin))


if __name__ == "__main__":
    command()
