"""Pyramid Solitaire in a terminal: `pyramid http://127.0.0.1:8000`."""

import sys


def main() -> None:
    """Play, or say how to install what that takes."""
    try:
        from pyramid_client.terminal.app import run  # noqa: PLC0415  the package textual is an extra
    except ModuleNotFoundError as missing:
        sys.exit(f"{missing.name} is missing: pip install 'pyramid-client[terminal]'")
    run()
