"""The close of a day for a million accounts: the lists made from rows in PostgreSQL (ACCOUNTS=1000000)."""

from __future__ import annotations

import os
import resource
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time

from tests.processes import own_database


def main() -> None:
    accounts = int(os.environ.get("ACCOUNTS") or 1_000_000)
    with tempfile.TemporaryDirectory() as folder, own_database(Path(folder)) as environment:
        os.environ.update(environment | {"DJANGO_SETTINGS_MODULE": "pyramid_server.settings"})
        import django  # noqa: PLC0415  nothing of it may be imported before the settings are known

        django.setup()
        from django.db import connection  # noqa: PLC0415

        _close(accounts)
        connection.close()


def _close(accounts: int) -> None:
    import msgspec  # noqa: PLC0415

    from games.players.models import Player  # noqa: PLC0415
    from leaderboards.detectors.accounts import Account  # noqa: PLC0415
    from leaderboards.detectors.thresholds import VERSION  # noqa: PLC0415
    from leaderboards.moderation.evidence_models import AccountEvidence, ExaminedDeal, Listing  # noqa: PLC0415
    from leaderboards.moderation.naming import make_lists  # noqa: PLC0415
    from tests.bench.rows import multiply  # noqa: PLC0415
    from tests.integrity.populate import daily_of  # noqa: PLC0415
    from tests.leaderboards.detectors.games import QUICK, deck, par  # noqa: PLC0415
    from tests.leaderboards.moderation.days import FIRST_DAY  # noqa: PLC0415

    now = datetime(2026, 11, 20, tzinfo=UTC)
    daily = daily_of(FIRST_DAY, deck(QUICK[0]), par(QUICK[0]))
    ExaminedDeal.objects.create(daily=daily, at=now)
    player = Player.objects.create(username="player-0", display_name="player")
    state = msgspec.to_builtins(Account(str(player.pk)))
    evidence = AccountEvidence.objects.create(player=player, version=VERSION, state=state, games=1, updated_at=now)
    multiply(player, accounts - 1, {"id": f"{player.pk} + n", "username": "'player-' || n"})
    # One account in two hundred has a large value, and one in a hundred of the others some luck.
    values = "CASE WHEN mod(n, 200) = 0 THEN 1000000.0 + n WHEN mod(n, 100) = 1 THEN 10.0 + mod(n, 90) ELSE 0.5 END"
    columns = dict.fromkeys(("foresight", "near_par", "both"), values)
    multiply(evidence, accounts - 1, {"id": f"{evidence.pk} + n", "player_id": f"{player.pk} + n", **columns})
    begun, processor = perf_counter(), process_time()
    listed = make_lists(now)
    seconds, processor = perf_counter() - begun, process_time() - processor
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert listed == Listing.objects.count()
    print(
        f"{accounts:,} accounts: {listed:,} listings in {seconds:.1f} s, {processor:.1f} s of CPU, {megabytes:.0f} MB"
    )


if __name__ == "__main__":
    main()
