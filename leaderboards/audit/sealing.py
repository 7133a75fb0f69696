"""Seal the verified results of final days, each day by one leaf of the public log."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from games.calendar.models import DailyDeal
from games.play.models import Game, Logs, logs_of
from games.rules import DamagedLog, Logged
from games.tlog import leaves as log_leaves
from games.tlog import merkle, proofs, tree
from leaderboards.audit.models import DayRoot, MerkleTile, SealedResult
from leaderboards.audit.refusals import NotSealed
from leaderboards.audit.verifying import batches, verify_entered
from leaderboards.boards.models import Entry, EntryState

logger = logging.getLogger(__name__)

VERIFIED = (EntryState.VERIFIED, EntryState.REINSTATED)
LEAF_FIELDS = (
    *("daily__day", "daily__rules", "daily__division", "pk"),
    *("status", "cards_left", "moves", "elapsed_ms"),
)


@dataclass(frozen=True, slots=True)
class Proof:
    """The proof that a result is leaf number `index` of a day's tree; `path` leads from it to the root."""

    sealed: SealedResult
    path: list[str]


def seal_days(now: datetime) -> int:
    """Seal the final days that are not sealed yet, oldest first, and return how many."""
    sealed = DayRoot.objects.order_by("-day").values_list("day", flat=True).first()
    days = DailyDeal.objects.filter(day__gt=sealed) if sealed else DailyDeal.objects.all()
    final = [daily.day for daily in days.order_by("day") if daily.key.final_at <= now]
    for day in dict.fromkeys(final):
        while verify_entered(now):
            pass
        seal(day, now)
    return len(set(final))


def is_sealed(first: date, last: date) -> bool:
    """Return True if every day of a period is sealed; of one without deals, once any later day is."""
    daily = DailyDeal.objects.filter(day__range=(first, last)).order_by("-day").first()
    return DayRoot.objects.filter(day__gte=daily.day if daily else last + timedelta(days=1)).exists()


def seal(day: date, now: datetime) -> DayRoot | None:
    """Seal the verified results of a day, or return None if another process was first."""
    leaves = leaves_of(day)
    tiles = _tiles_of(leaves)
    root = merkle.root(tiles, len(leaves)).hex()
    try:
        with transaction.atomic():
            made = DayRoot.objects.create(day=day, count=len(leaves), root=root, made_at=now)
            SealedResult.objects.bulk_create(
                (
                    SealedResult(day_root=made, index=index, game_id=game, leaf=leaf)
                    for index, (game, leaf) in enumerate(leaves.items())
                ),
                batch_size=1000,
            )
            MerkleTile.objects.bulk_create(
                (
                    MerkleTile(day_root=made, level=level, number=place, hashes=hashes)
                    for (level, place), hashes in tiles.items()
                ),
                batch_size=100,
            )
            tree.append(_leaf_of(made), now)
    except IntegrityError:
        return None
    return made


def leaves_of(day: date) -> dict[str, str]:
    """Return the verified results of a day by game, each as the text to hash, in the order of the games."""
    verified = Entry.objects.filter(valid_to=None, state__in=VERIFIED, game__daily__day=day)
    return _leaves_of_games(sorted(set(verified.order_by().values_list("game_id", flat=True))))


def log_hash(log: Sequence[Logged]) -> str:
    """Return the hash of a log in the notation of records: `4d9c@1000 6s7s@2000`."""
    return hashlib.sha256(" ".join(f"{row.action}@{row.at_ms}" for row in log).encode("ascii")).hexdigest()


def proof_of(game: str) -> Proof:
    """Return the proof that a game's result was sealed. Raises `NotSealed`."""
    sealed = SealedResult.objects.select_related("day_root").filter(game=game).first()
    if sealed is None:
        raise NotSealed(f"no day is sealed with a result of the game {game!r}")
    spans = merkle.path(sealed.index, sealed.day_root.count)
    at_places = Q(*(Q(level=level, number=number) for level, number in merkle.places(spans)), _connector=Q.OR)
    tiles = _stored_tiles(sealed.day_root.tiles.filter(at_places))
    near = [merkle.hash_of(span, tiles) for span in spans]
    return Proof(sealed, [step.hex() for step in near])


def log_proof_of(game: str) -> str:
    """Return the proof that a game's result is in the log, to be checked offline.

    Raises `NotSealed`, and `NotLogged` before the log is signed with the root of its day.
    """
    found = proof_of(game)
    made = found.sealed.day_root
    leaf = proofs.leaf_about(_leaf_of(made).subject)
    near = [proofs.encoded(bytes.fromhex(step)) for step in found.path]
    return proofs.proof_of(leaf, [found.sealed.leaf, f"index {found.sealed.index}", *near])


def root_of(day: date) -> DayRoot:
    """Return the root of a day. Raises `NotSealed`."""
    made = DayRoot.objects.filter(day=day).first()
    if made is None:
        raise NotSealed(f"{day.isoformat()} is not sealed: it is not final, or nothing was played")
    return made


def mistakes_in_seals() -> list[str]:
    """Return the mistakes in the sealed days: in roots, and in leaves that differ from their games or the log."""
    mistakes = [mistake for made in DayRoot.objects.all() for mistake in _mistakes_in_day(made)]
    return mistakes + _mistakes_in_leaves()


def _mistakes_in_leaves() -> list[str]:
    """Return the days whose root in the log is missing or another one, and those that only the log has."""
    logged = {leaf.text for _, leaf in tree.leaves_of_kind("results/2")}
    sealed = {_leaf_of(made).text: made.day for made in DayRoot.objects.all()}
    return [
        *(f"the log does not have the results of {sealed[text]}" for text in sealed if text not in logged),
        *(f"the log has results of a day that is not sealed so: {text}" for text in sorted(logged - sealed.keys())),
    ]


def _leaf_of(made: DayRoot) -> log_leaves.Leaf:
    return log_leaves.results(made.day, made.count, made.root)


def _tiles_of(leaves: Mapping[str, str]) -> dict[merkle.Place, bytes]:
    return merkle.tiles(leaf.encode("ascii") for leaf in leaves.values())


def _stored_tiles(tiles: QuerySet[MerkleTile]) -> dict[merkle.Place, bytes]:
    return {(tile.level, tile.number): bytes(tile.hashes) for tile in tiles}


def _leaves_of_games(games: Sequence[str]) -> dict[str, str]:
    leaves: dict[str, str] = {}
    for batch in batches(games):
        logs = logs_of(batch)
        rows = Game.objects.filter(pk__in=batch).order_by("pk").values_list(*LEAF_FIELDS)
        leaves |= {row[3]: leaf for row in rows if (leaf := _leaf(row, logs))}
    return leaves


def _leaf(row: Sequence[object], logs: Logs) -> str | None:
    """Return the result of a game as it is hashed, None if its log cannot be read, which is reported."""
    game = str(row[3])
    try:
        return "|".join(["pyramid/result/1", *map(str, row), log_hash(logs[game])])
    except DamagedLog as error:
        logger.error("the log of game %s cannot be read: %s", game, error)
        return None


def _mistakes_in_day(made: DayRoot) -> list[str]:
    sealed = dict(made.results.order_by("index").values_list("game_id", "leaf"))
    tiles = _tiles_of(sealed)
    if (len(sealed), merkle.root(tiles, len(sealed)).hex()) != (made.count, made.root):
        return [f"the sealed results of {made.day} do not lead to its root"]
    if _stored_tiles(made.tiles.all()) != tiles:
        return [f"the stored hashes of {made.day}, from which proofs are made, are not those of its results"]
    now = _leaves_of_games(list(sealed))
    return [f"the game {game} is not what was sealed of it" for game, leaf in sealed.items() if now.get(game) != leaf]
