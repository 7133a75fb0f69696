"""A copy of everything about a player as a file: requested by the player, made by a worker, removed after days."""

import json
import logging
from collections.abc import Callable, Generator, Iterator
from datetime import datetime, timedelta
from io import BytesIO
from time import monotonic
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from django.core.serializers.json import DjangoJSONEncoder

from games.personal_data.holdings import Holding, holdings
from games.personal_data.models import DataExport
from games.personal_data.refusals import UnknownExport
from games.play.visibility import record_for
from games.players.models import Player
from games.runtime.limits import Hit, count

SAVED_EVERY = 200  # games
SECONDS_AT_ONCE = 2.0  # of the worker, whose other tasks wait meanwhile, however many games there are
EXPORT_NAME = "pyramid-data.zip"
State = DataExport.State

logger = logging.getLogger(__name__)


def request_export(player: Player, now: datetime) -> DataExport:
    """Request an export, which replaces an earlier one unless that is still being made. Raises `Throttled`."""
    there_is = find_export(player)
    if there_is is not None and there_is.state == State.PENDING:
        return there_is
    count(Hit("exports", str(player.pk)))
    fresh = {"state": State.PENDING, "requested_at": now, "claimed_at": None, "finished_at": None, "file": None}
    return DataExport.objects.update_or_create(player=player, defaults={**fresh, "done": 0, "total": 0})[0]


def find_export(player: Player) -> DataExport | None:
    """Return the export of a player without its file, or None."""
    return DataExport.objects.defer("file").filter(player=player).first()


def exported_file(player: Player) -> BytesIO:
    """Return the file of a player's export, a ZIP archive. Raises `UnknownExport` if there is none yet or any more."""
    file = DataExport.objects.filter(player=player, state=State.DONE).values_list("file", flat=True).first()
    if file is None:
        raise UnknownExport("there is no export of yours that is ready")
    return BytesIO(file)


_begun: list[Iterator[None]] = []  # the export that this process is making


def prepare_exports(now: datetime) -> int:
    """Go on for a while with the export that has waited longest, and return how many are made."""
    if not _begun:
        waiting = DataExport.unclaimed(now).defer("file").select_related("player").order_by("requested_at").first()
        if waiting is None or not waiting.claim(now):
            return 0
        _begun.append(_prepared(waiting, now))
    until = monotonic() + SECONDS_AT_ONCE
    for _ in _begun[0]:
        if monotonic() >= until:
            return 0
    _begun.clear()
    return 1


def _prepared(export: DataExport, now: datetime) -> Iterator[None]:
    """Make an export and store it, game by game. One that cannot be made is logged and marked as failed."""
    began, state, file = monotonic(), State.DONE, None
    unfinished = DataExport.objects.filter(pk=export.pk, state=State.PENDING)
    try:
        file = yield from _archived(export.player, now, lambda done, total: unfinished.update(done=done, total=total))
    except Exception:
        logger.exception("the export of player %s failed", export.pk)
        state = State.FAILED
    unfinished.update(state=state, file=file, finished_at=now + timedelta(seconds=monotonic() - began))


def archive_of(player: Player, now: datetime, say: Callable[[int, int], object] = lambda done, total: None) -> bytes:
    """Return everything about a player as a ZIP archive: `data.json`, and a record of each game.

    Cards that the player may not know yet are hidden in the records, as everywhere.
    """
    steps = _archived(player, now, say)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            archive: bytes = end.value
            return archive


def _archived(player: Player, now: datetime, say: Callable[[int, int], object]) -> Generator[None, None, bytes]:
    """Return the archive after a step for each game."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        data = {"made_at": now, "kept": [_part(each, player) for each in holdings()]}
        archive.writestr("data.json", json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=1))
        for name, record in _records(player, now, say):
            archive.writestr(f"records/{name}.txt", record)
            yield
    return buffer.getvalue()


def remove_old_exports(now: datetime) -> int:
    """Remove exports that were made `DataExport.DAYS_KEPT` ago, and return how many."""
    old = DataExport.objects.filter(finished_at__lt=now - timedelta(days=DataExport.DAYS_KEPT))
    removed: int = old.delete()[0]
    return removed


def _records(player: Player, now: datetime, say: Callable[[int, int], object]) -> Iterator[tuple[str, str]]:
    games = player.games.select_related("player", "deal__daily", "deal__race", "daily").order_by("pk")
    known = list(games.values_list("pk", flat=True))
    for done in range(0, len(known), SAVED_EVERY):
        say(done, len(known))
        for game in games.filter(pk__in=known[done : done + SAVED_EVERY]):
            yield game.pk, record_for(game, player, now).text
    say(len(known), len(known))


def _part(kept: Holding, player: Player) -> dict[str, Any]:
    """Return the contents of one table for a player, with the reasons for the fields that are left out."""
    rows = kept.model._base_manager.filter(kept.only, **{kept.owner: player.pk}) if kept.fields else None
    return {
        "table": kept.name,
        "what": str(kept.what),
        "until": kept.kept_until,
        "rows": [] if rows is None else list(rows.order_by("pk").values(*kept.fields.split())),
        "withheld": kept.reasons,
    }
