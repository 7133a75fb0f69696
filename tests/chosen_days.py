"""Choose the deals of today and the coming days, as the worker does: `python -m tests.chosen_days`."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "pyramid_server.settings")
    django.setup()
    from games.calendar.dailies import ensure_dailies  # noqa: PLC0415  models exist from here on

    ensure_dailies(datetime.now(UTC))


if __name__ == "__main__":
    main()
