"""Games and their log, and the times when servers were up."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, Self

import msgspec
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models import F, Q, TextField
from django.db.models.expressions import RawSQL

from games.calendar.models import DailyDeal, Deal
from games.deals.policy import PRACTICE, Policy
from games.players.models import ID_ALPHABET, ID_LENGTH, Player, new_id
from games.rules import OWN_SUITS, Action, Deck, Logged, Outcome, Record, Suits, TimedAction
from games.rules.record import DAY_TAG, DIVISION_TAG, DOWNTIME_TAG, SUITS_TAG
from games.rules.sealed_log import unseal

SUMMARY_FIELDS = ("finished_at", "elapsed_ms", "moves", "draws", "recycles", "undos", "hints", "cards_left")

# An id of a game begins with the day that the game belongs to: that of its daily deal, that of the game that it starts
# again, or else that of its start. So what has to be unique among games is so within a day, and a database can divide
# its tables by the ids (docs/growing.md). Ids of later days are greater, as texts too.
FIRST_DAY = date(2020, 1, 1)
MARK_LENGTH = 3  # 32,768 days
GAME_ID_LENGTH = MARK_LENGTH + ID_LENGTH


def day_mark(day: date) -> str:
    """Return the characters with which ids of a day begin. Raises ValueError outside the years 2020 to 2109."""
    number = (day - FIRST_DAY).days
    if not 0 <= number < len(ID_ALPHABET) ** MARK_LENGTH:
        raise ValueError(f"ids of games have no room for {day}")
    return "".join(ID_ALPHABET[number >> shift & 31] for shift in (10, 5, 0))


def new_game_id(mark: str) -> str:
    """Return an id of a day that begins with its mark."""
    return mark + new_id()


def id_for(game: "Game") -> str:
    """Return a new id for a game, from the day that it belongs to."""
    if game.restart_of_id is not None:
        return new_game_id(game.restart_of_id[:MARK_LENGTH])
    return new_game_id(day_mark(game.daily.day if game.daily else game.created_at.date()))


class GameIdField(models.CharField):  # type: ignore[type-arg]  # Django has no such arguments
    """The id of a game, which it gets when it is saved unless it has one; to migrations it is a text."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options | {"max_length": GAME_ID_LENGTH, "default": None, "editable": False})

    def deconstruct(self) -> tuple[Any, Any, Any, Any]:
        name, _, arguments, options = super().deconstruct()
        del options["default"]
        return name, "django.db.models.CharField", arguments, options

    def get_pk_value_on_save(self, instance: Any) -> str:
        return id_for(instance)


class GameKind(StrEnum):
    """The kinds of games, which are counted apart."""

    DAILY = "daily"
    PRACTICE = "practice"
    RACE = "race"
    RETEST = "retest"


class Game(models.Model):
    """One player's attempt at a deal.

    While a game is played only its moves define its state; the commit that ends it writes the summary, and from then
    on the row is frozen. The clock runs from `started_at`, when the layout was first sent, while a server is up.
    """

    class Status(models.TextChoices):
        PLAYING = "playing"
        WON = Outcome.WON.value
        STUCK = Outcome.STUCK.value
        RESIGNED = Outcome.RESIGNED.value
        EXPIRED = Outcome.EXPIRED.value

    id: "models.CharField[str, str]" = GameIdField(primary_key=True)
    # The constraint of numbered attempts begins with the player, and its index serves for both.
    player = models.ForeignKey(Player, models.PROTECT, related_name="games", db_index=False)
    deal = models.ForeignKey(Deal, models.PROTECT, related_name="games")
    daily = models.ForeignKey(
        DailyDeal, models.PROTECT, related_name="attempts", null=True, help_text="Set for the ranked attempt only."
    )
    suits = models.CharField(
        max_length=52,
        blank=True,
        default="",
        help_text="What the suits of the deal become in this game; empty: the same.",
    )
    attempt = models.PositiveSmallIntegerField(
        default=1, help_text="Which of the player's ranked attempts at the deal."
    )
    restart_of = models.OneToOneField(
        "self", models.PROTECT, related_name="restarted_as", null=True, help_text="The game that it starts again."
    )
    stored_policy = models.JSONField(
        null=True,
        db_column="policy",
        help_text="What it was started under; empty: what its kind allows by default.",
    )
    status = models.CharField(max_length=8, choices=Status.choices, default=Status.PLAYING)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    elapsed_ms = models.PositiveBigIntegerField(null=True)
    downtime_ms = models.PositiveBigIntegerField(
        default=0, help_text="How long no server was up before it ended; not part of the elapsed time."
    )
    hasty = models.PositiveIntegerField(
        null=True, help_text="How many actions followed sooner than a person acts; empty until the end."
    )
    moves = models.PositiveIntegerField(null=True)
    draws = models.PositiveIntegerField(null=True)
    recycles = models.PositiveIntegerField(null=True)
    undos = models.PositiveIntegerField(null=True)
    hints = models.PositiveIntegerField(null=True)
    cards_left = models.PositiveSmallIntegerField(null=True)
    sealed_log = models.BinaryField(
        null=True, help_text="The whole log, some time after the end; until then it is kept as rows."
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "daily", "attempt"], name="ranked_attempts_are_numbered"),
            models.CheckConstraint(name="attempts_from_one", condition=Q(attempt__gte=1)),
            models.CheckConstraint(
                name="summary_exactly_when_finished",
                condition=Q(status="playing", **dict.fromkeys((f"{field}__isnull" for field in SUMMARY_FIELDS), True))
                | ~Q(status="playing") & Q(**dict.fromkeys((f"{field}__isnull" for field in SUMMARY_FIELDS), False)),
            ),
            models.CheckConstraint(
                name="won_exactly_when_no_card_is_left",
                condition=Q(status="won", cards_left=0)
                | ~Q(status="won") & (Q(cards_left__isnull=True) | Q(cards_left__gt=0)),
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["daily"], name="unfinished_attempts", condition=Q(status="playing")),
            models.Index(fields=["-created_at"], name="newest_games"),
            models.Index(
                fields=["finished_at"], name="unsealed_games", condition=Q(sealed_log=None, finished_at__isnull=False)
            ),
        ]
        ordering: ClassVar = ["-created_at"]

    def __str__(self) -> str:
        return self.id

    @property
    def is_ranked(self) -> bool:
        return self.daily_id is not None

    @property
    def kind(self) -> GameKind:
        if self.daily_id is not None:
            return GameKind.DAILY
        if hasattr(self, "racer"):
            return GameKind.RACE
        return GameKind.RETEST if self.deal.is_of_retest else GameKind.PRACTICE

    def without_race(self) -> Self:
        """Return this new game, of which no query has to find out that it is not one of a race."""
        Game._meta.get_field("racer").set_cached_value(self, None)
        return self

    @property
    def policy(self) -> Policy:
        """The policy that the game was started under: its own, or that of its daily deal, which never changes."""
        if self.stored_policy is not None:
            return Policy.from_data(self.stored_policy)
        return PRACTICE if self.daily is None else self.daily.policy

    @property
    def is_over(self) -> bool:
        return self.status != self.Status.PLAYING

    @property
    def deck(self) -> Deck:
        """The deal's deck in this game's suits, the only ones that its player ever sees."""
        return (Suits(self.suits) if self.suits else OWN_SUITS).of_deck(_read_deck(self.deal.deck))

    def record(self, log: Sequence[Logged] | None = None) -> Record:
        """Return the whole game as a record, its secret deck and suits included; pass `log` if it has been read."""
        started = self.started_at or self.created_at
        of_day = {DAY_TAG: str(self.daily.day), DIVISION_TAG: self.daily.division} if self.daily else {}
        tags = {**of_day, SUITS_TAG: self.suits, DOWNTIME_TAG: str(self.downtime_ms or "")}
        return Record(
            game=self.id,
            rules=self.deal.rule_set,
            deck=self.deck,
            player=self.player.username,
            started=started.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            actions=tuple(
                TimedAction(_read_action(row.action), row.at_ms) for row in (self.whole_log() if log is None else log)
            ),
            result=Outcome(self.status) if self.is_over else None,
            more_tags=tuple((name, value) for name, value in tags.items() if value),
        )

    def whole_log(self) -> list[Logged]:
        """Return all actions in order, in whichever form they are kept. Raises `DamagedLog`."""
        return logs_of([self.pk])[self.pk] if self.sealed_log is None else unseal(bytes(self.sealed_log))


# Everybody plays the same few deals of the day, and logs spell each action in one way.
_read_deck = lru_cache(64)(Deck.from_text)
_read_action = lru_cache(4096)(Action.from_text)


def practice_among(games: models.QuerySet[Game]) -> models.QuerySet[Game]:
    """Return the practice games among some games."""
    return games.filter(daily=None, racer=None).exclude(deal__kept_for=Deal.KeptFor.RETEST)


class Move(models.Model):
    """One accepted action. The table is append-only: versions 1, 2, 3 ... without gaps, none after the game's end.

    They are deleted when the log of a finished game is sealed: read logs by `logs_of`, never from here.
    """

    game = models.ForeignKey(
        Game, models.CASCADE, related_name="log", db_index=False
    )  # the unique constraint has an index already
    version = models.PositiveIntegerField()
    action = models.CharField(max_length=5)
    at_ms = models.PositiveBigIntegerField(help_text="Server milliseconds since the game started.")
    client_ms = models.PositiveBigIntegerField(null=True, help_text="What the client's clock said; evidence only.")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "version"], name="one_move_per_version"),
            models.CheckConstraint(name="versions_from_one", condition=Q(version__gte=1)),
        ]
        ordering: ClassVar = ["game", "version"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.version} {self.action}"


class Logs(Mapping[str, list[Logged]]):
    """The logs of games. A sealed log is decoded when it is asked for, which raises `DamagedLog`."""

    def __init__(self, rows: Mapping[str, list[Logged]], sealed: Mapping[str, bytes], after: int) -> None:
        self._rows, self._sealed, self._after = rows, sealed, after

    def __getitem__(self, game: str) -> list[Logged]:
        sealed = self._sealed.get(game)
        return self._rows[game] if sealed is None else unseal(sealed)[self._after :]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


def logs_of(games: Sequence[str], after: int = 0, using: str = DEFAULT_DB_ALIAS) -> Logs:
    """Return the logs of games after a version, in whichever form each is kept; an empty one for an unknown game.

    It is one statement: between two, a log could be sealed and be seen in neither form. The database puts the rows of a
    game into one text, which costs a server less than half of what as many rows cost.
    """
    rows: dict[str, list[Logged]] = {game: [] for game in games}
    sealed: dict[str, bytes] = {}
    together = RawSQL(_ROWS[connections[using].vendor], [after], TextField())  # noqa: S611  names are ours
    found = Game.objects.using(using).order_by().filter(pk__in=games).annotate(text=together)
    for game, kept, text in found.values_list("pk", "sealed_log", "text"):
        if kept is not None:
            sealed[game] = bytes(kept)
        elif text is not None:
            rows[game] = sorted(_read_rows(text))
    return Logs(rows, sealed, after)


_ROWS = {
    vendor: f"(SELECT {together} FROM games_move WHERE game_id = games_game.id AND version > %s)"  # noqa: S608
    for vendor, together in {
        "postgresql": "json_agg(json_build_array(version, action, at_ms, client_ms))::text",
        "sqlite": "json_group_array(json_array(version, action, at_ms, client_ms))",
    }.items()
}
_read_rows = msgspec.json.Decoder(list[Logged]).decode


class Uptime(models.Model):
    """An interval in which a server process was up, from its first heartbeat to its last."""

    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(name="uptime_ends_after_it_begins", condition=Q(until__gte=F("since")))
        ]
        indexes: ClassVar = [models.Index(fields=["until"], name="uptimes_by_end")]

    def __str__(self) -> str:
        return f"{self.since} to {self.until}"
