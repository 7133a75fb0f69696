"""The tables of games with their guards (`games.guards`)."""

from __future__ import annotations

import django.contrib.auth.models
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import games.players.models
from django.conf import settings
from django.db import migrations, models

from games.runtime.tables_at_once import at_once
from games.runtime.triggers import CreateTriggers
from games.guards import GUARDS


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="Player",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                ("email", models.EmailField(blank=True, max_length=254, verbose_name="email address")),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                ("date_joined", models.DateTimeField(default=django.utils.timezone.now, verbose_name="date joined")),
                (
                    "username",
                    models.CharField(
                        max_length=32,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9][a-z0-9-]*\\Z", "Lower-case letters, digits and hyphens."
                            )
                        ],
                        verbose_name="handle",
                    ),
                ),
                ("display_name", models.CharField(max_length=40)),
                (
                    "name_key",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="What names that look alike have in common; empty: the name is the handle, or was deleted.",
                        max_length=120,
                    ),
                ),
                (
                    "name_is_shared",
                    models.BooleanField(
                        default=False,
                        editable=False,
                        help_text="Others have the name, or one like it: tables show the handle.",
                    ),
                ),
                ("is_guest", models.BooleanField(default=False)),
                (
                    "claimed_at",
                    models.DateTimeField(blank=True, help_text="When a guest became a named account.", null=True),
                ),
                ("is_bot", models.BooleanField(default=False, help_text="Plays by program and says so.")),
                (
                    "model",
                    models.CharField(
                        blank=True,
                        editable=False,
                        help_text="The language model that plays a bot, as its owner says.",
                        max_length=40,
                    ),
                ),
                (
                    "banned_at",
                    models.DateTimeField(
                        blank=True, help_text="Since when no game of the player has a rank.", null=True
                    ),
                ),
                (
                    "key_epoch",
                    models.PositiveIntegerField(
                        default=0, editable=False, help_text="Sessions and tickets of an earlier one have ended."
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        editable=False,
                        help_text="The person who made the bot and answers for it.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="bots",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
                "abstract": False,
                "indexes": [
                    models.Index(
                        condition=models.Q(("name_key", ""), _negated=True), fields=["name_key"], name="player_names"
                    ),
                    models.Index(
                        condition=models.Q(("email", ""), _negated=True), fields=["email"], name="players_by_mail"
                    ),
                    models.Index(
                        condition=models.Q(("owner", None), _negated=True), fields=["owner"], name="players_by_owner"
                    ),
                    models.Index(
                        condition=models.Q(("model", ""), _negated=True), fields=["model"], name="models_that_play"
                    ),
                    models.Index(condition=models.Q(("is_bot", True)), fields=["is_active"], name="bots_that_play"),
                    models.Index(
                        condition=models.Q(("display_name", "Deleted player"), ("is_active", False), ("name_key", "")),
                        fields=["id"],
                        name="erased_players",
                    ),
                    models.Index(
                        condition=models.Q(("banned_at", None), _negated=True),
                        fields=["id"],
                        name="banned_players",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("owner", None), ("is_bot", True), _connector="OR"),
                        name="only_bots_have_owners",
                    ),
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="Deal",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.players.models.new_id,
                        editable=False,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("rules", models.CharField(max_length=40)),
                ("deck", models.CharField(max_length=208)),
                ("created_at", models.DateTimeField()),
                (
                    "is_winnable",
                    models.BooleanField(help_text="Proved either way; empty where it is not known.", null=True),
                ),
                ("par", models.PositiveSmallIntegerField(help_text="The fewest moves that win.", null=True)),
                (
                    "greedy_moves",
                    models.PositiveSmallIntegerField(help_text="How many a greedy player needs to win.", null=True),
                ),
                (
                    "careless_wins",
                    models.PositiveSmallIntegerField(help_text="Wins of the careless player, of 24.", null=True),
                ),
                (
                    "careful_wins",
                    models.PositiveSmallIntegerField(help_text="Wins of the careful player, of 24.", null=True),
                ),
                (
                    "grade",
                    models.CharField(help_text="How hard it is; empty while not measured.", max_length=6, null=True),
                ),
                (
                    "kept_for",
                    models.CharField(
                        blank=True,
                        choices=[("practice", "Practice"), ("race", "Race"), ("retest", "Retest")],
                        help_text="What a deal in stock is kept for, if nobody has it; that of a retest is kept for it.",
                        max_length=8,
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_winnable", True)), fields=["rules", "grade"], name="graded_deals"
                    ),
                    models.Index(
                        condition=models.Q(("kept_for", ""), _negated=True),
                        fields=["kept_for", "rules"],
                        name="deals_in_stock",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DailyDeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("rules", models.CharField(max_length=40)),
                ("division", models.CharField(max_length=16)),
                ("seed", models.CharField(max_length=64)),
                ("commitment", models.CharField(max_length=64, unique=True)),
                (
                    "committed_at",
                    models.DateTimeField(help_text="To the second, never before the one made before."),
                ),
                (
                    "grade",
                    models.CharField(
                        help_text="What the deal was chosen to be; empty: anything.", max_length=6, null=True
                    ),
                ),
                (
                    "beacon",
                    models.CharField(
                        blank=True, help_text="The beacon that the deal depends on, if any.", max_length=20
                    ),
                ),
                (
                    "round",
                    models.PositiveBigIntegerField(default=0, help_text="The round of the beacon; 0 without one."),
                ),
                (
                    "candidate",
                    models.PositiveIntegerField(
                        help_text="Which of the decks that the seed leads to, from 0.", null=True
                    ),
                ),
                (
                    "stored_policy",
                    models.JSONField(
                        db_column="policy",
                        help_text="What its attempts allow; empty: what ranked attempts do by default.",
                        null=True,
                    ),
                ),
                (
                    "deal",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="daily", to="games.deal"
                    ),
                ),
            ],
            options={
                "ordering": ["-day", "rules", "division"],
                "indexes": [
                    models.Index(condition=models.Q(("deal", None)), fields=["day"], name="dailies_not_dealt"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("day", "rules", "division"), name="one_deal_per_day_rules_division"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("candidate__isnull", False), ("deal__isnull", False)),
                            models.Q(
                                ("candidate__isnull", True),
                                ("deal__isnull", True),
                                models.Q(("beacon", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="only_a_beacon_is_waited_for",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("beacon", ""), ("round", 0)),
                            models.Q(models.Q(("beacon", ""), _negated=True), ("round__gt", 0)),
                            _connector="OR",
                        ),
                        name="a_beacon_has_a_round",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="BeaconOutcome",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("rules", models.CharField(max_length=40)),
                ("beacon", models.CharField(max_length=20)),
                ("round", models.PositiveBigIntegerField()),
                (
                    "signature",
                    models.CharField(blank=True, help_text="Of the round; empty: it came too late.", max_length=96),
                ),
                ("decided_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["day", "rules"],
                "constraints": [
                    models.UniqueConstraint(fields=("day", "rules"), name="one_beacon_outcome_per_day_and_rules"),
                    models.CheckConstraint(
                        condition=models.Q(models.Q(("beacon", ""), _negated=True), ("round__gt", 0)),
                        name="an_outcome_has_a_round",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Game",
            fields=[
                (
                    "id",
                    models.CharField(
                        editable=False,
                        max_length=15,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "suits",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="What the suits of the deal become in this game; empty: the same.",
                        max_length=52,
                    ),
                ),
                (
                    "attempt",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Which of the player's ranked attempts at the deal."
                    ),
                ),
                (
                    "stored_policy",
                    models.JSONField(
                        db_column="policy",
                        help_text="What it was started under; empty: what its kind allows by default.",
                        null=True,
                    ),
                ),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("playing", "Playing"),
                            ("won", "Won"),
                            ("stuck", "Stuck"),
                            ("resigned", "Resigned"),
                            ("expired", "Expired"),
                        ],
                        default="playing",
                        max_length=8,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("elapsed_ms", models.PositiveBigIntegerField(null=True)),
                (
                    "downtime_ms",
                    models.PositiveBigIntegerField(
                        default=0, help_text="How long no server was up before it ended; not part of the elapsed time."
                    ),
                ),
                (
                    "hasty",
                    models.PositiveIntegerField(
                        help_text="How many actions followed sooner than a person acts; empty until the end.", null=True
                    ),
                ),
                ("moves", models.PositiveIntegerField(null=True)),
                ("draws", models.PositiveIntegerField(null=True)),
                ("recycles", models.PositiveIntegerField(null=True)),
                ("undos", models.PositiveIntegerField(null=True)),
                ("hints", models.PositiveIntegerField(null=True)),
                ("cards_left", models.PositiveSmallIntegerField(null=True)),
                (
                    "sealed_log",
                    models.BinaryField(
                        help_text="The whole log, some time after the end; until then it is kept as rows.", null=True
                    ),
                ),
                (
                    "daily",
                    models.ForeignKey(
                        help_text="Set for the ranked attempt only.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="attempts",
                        to="games.dailydeal",
                    ),
                ),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="games", to="games.deal"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="games",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "restart_of",
                    models.OneToOneField(
                        help_text="The game that it starts again.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="restarted_as",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("status", "playing")), fields=["daily"], name="unfinished_attempts"
                    ),
                    models.Index(fields=["-created_at"], name="newest_games"),
                    models.Index(
                        condition=models.Q(("finished_at__isnull", False), ("sealed_log", None)),
                        fields=["finished_at"],
                        name="unsealed_games",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "daily", "attempt"), name="ranked_attempts_are_numbered"),
                    models.CheckConstraint(condition=models.Q(("attempt__gte", 1)), name="attempts_from_one"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("cards_left__isnull", True),
                                ("draws__isnull", True),
                                ("elapsed_ms__isnull", True),
                                ("finished_at__isnull", True),
                                ("hints__isnull", True),
                                ("moves__isnull", True),
                                ("recycles__isnull", True),
                                ("status", "playing"),
                                ("undos__isnull", True),
                            ),
                            models.Q(
                                models.Q(("status", "playing"), _negated=True),
                                ("cards_left__isnull", False),
                                ("draws__isnull", False),
                                ("elapsed_ms__isnull", False),
                                ("finished_at__isnull", False),
                                ("hints__isnull", False),
                                ("moves__isnull", False),
                                ("recycles__isnull", False),
                                ("undos__isnull", False),
                            ),
                            _connector="OR",
                        ),
                        name="summary_exactly_when_finished",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("cards_left", 0), ("status", "won")),
                            models.Q(
                                models.Q(("status", "won"), _negated=True),
                                models.Q(("cards_left__isnull", True), ("cards_left__gt", 0), _connector="OR"),
                            ),
                            _connector="OR",
                        ),
                        name="won_exactly_when_no_card_is_left",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Race",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.players.models.new_id,
                        editable=False,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "tie_break",
                    models.CharField(
                        choices=[("time", "Time"), ("moves", "Moves")],
                        help_text="What counts after the cards left.",
                        max_length=5,
                    ),
                ),
                ("limit_s", models.PositiveSmallIntegerField(help_text="Seconds from the start to the end.")),
                (
                    "countdown_s",
                    models.PositiveSmallIntegerField(help_text="Seconds from the host's word to the start."),
                ),
                ("is_public", models.BooleanField()),
                ("admits_bots", models.BooleanField()),
                (
                    "entry",
                    models.CharField(
                        choices=[("open", "Open"), ("set", "Set"), ("rolling", "Rolling")],
                        default="open",
                        help_text="Who gets in.",
                        max_length=7,
                    ),
                ),
                (
                    "circle",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Whose members alone see it; empty if it is for others.",
                        max_length=12,
                    ),
                ),
                ("hour", models.DateTimeField(help_text="Of the server's own races.", null=True, unique=True)),
                ("created_at", models.DateTimeField()),
                ("starts_at", models.DateTimeField(null=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[("all_finished", "All Finished"), ("time_up", "Time Up"), ("cancelled", "Cancelled")],
                        default="",
                        max_length=12,
                    ),
                ),
                (
                    "deal",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="race", to="games.deal"
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="hosted_races",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rematch_of",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="rematch", to="games.race"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "indexes": [
                    models.Index(
                        condition=models.Q(models.Q(("circle", ""), _negated=True), ("ended_at", None)),
                        fields=["circle"],
                        name="races_of_circles",
                    ),
                    models.Index(condition=models.Q(("ended_at", None)), fields=["created_at"], name="races_not_over"),
                    models.Index(
                        condition=models.Q(("begun_at__isnull", False)), fields=["-ended_at"], name="races_by_end"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("begun_at", None), ("starts_at__lte", models.F("begun_at")), _connector="OR"
                        ),
                        name="race_begins_from_its_start",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end", ""), ("ended_at", None)),
                            models.Q(("ended_at__isnull", False), models.Q(("end", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="race_ends_in_some_way",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("circle", ""), ("is_public", False), _connector="OR"),
                        name="race_of_circle_is_not_public",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("end", "cancelled"), _negated=True), ("begun_at", None), _connector="OR"
                        ),
                        name="race_that_began_is_not_cancelled",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Racer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("joined_at", models.DateTimeField()),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=8)),
                ("cards_left", models.PositiveSmallIntegerField(null=True)),
                ("moves", models.PositiveIntegerField(null=True)),
                ("elapsed_ms", models.PositiveBigIntegerField(null=True)),
                (
                    "is_rated",
                    models.BooleanField(
                        default=False, help_text="It was a claimed account when the race ended, among enough of them."
                    ),
                ),
                ("is_rival", models.BooleanField(default=False, help_text="The others are compared with it.")),
                (
                    "person",
                    models.PositiveBigIntegerField(
                        db_index=True, help_text="The same for accounts that may belong to one person.", null=True
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="racer", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="races", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "race",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="racers",
                        to="games.race",
                    ),
                ),
            ],
            options={
                "ordering": ["joined_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("race", "player"), name="one_racer_per_race_and_player"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("cards_left", None),
                                ("elapsed_ms", None),
                                ("moves", None),
                                ("outcome", ""),
                                ("place", None),
                            ),
                            models.Q(
                                ("cards_left__isnull", False),
                                ("elapsed_ms__isnull", False),
                                ("moves__isnull", False),
                                ("place__gte", 1),
                                models.Q(("outcome", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="racer_has_place_with_result",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RatingsLock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ],
        ),
        migrations.CreateModel(
            name="WorkerTask",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False, verbose_name="task")),
                ("every_seconds", models.FloatField(verbose_name="every, seconds")),
                ("last_run_at", models.DateTimeField(verbose_name="last run")),
                ("last_seconds", models.FloatField(verbose_name="duration, seconds")),
                ("runs", models.PositiveBigIntegerField(default=0, verbose_name="runs")),
                ("failures", models.PositiveBigIntegerField(default=0, verbose_name="failures")),
                (
                    "retries",
                    models.PositiveBigIntegerField(
                        default=0, help_text="Runs that followed a failure.", verbose_name="retries"
                    ),
                ),
                ("failures_in_a_row", models.PositiveIntegerField(default=0, verbose_name="failures in a row")),
                ("last_failure_at", models.DateTimeField(null=True, verbose_name="last failure")),
                (
                    "last_error",
                    models.CharField(
                        help_text="Its type; the log has the rest.", max_length=100, verbose_name="last error"
                    ),
                ),
            ],
            options={
                "verbose_name": "worker task",
                "verbose_name_plural": "worker tasks",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="PlayedDays",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="played_days",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("played", models.JSONField(default=list)),
                ("won", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="App",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.players.models.new_id,
                        editable=False,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                (
                    "addresses",
                    models.TextField(blank=True, help_text="Where players are sent back to, one address a line."),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="apps", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Grant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("scopes", models.CharField(max_length=60)),
                (
                    "key_epoch",
                    models.PositiveIntegerField(
                        help_text="That of the player then; it is void when all keys have ended."
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(help_text="When the app last got a token.")),
                (
                    "app",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grants", to="games.app"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="grants", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Voucher",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("address", models.CharField(blank=True, help_text="Of a code: where it was sent.", max_length=400)),
                (
                    "challenge",
                    models.CharField(blank=True, help_text="Of a code: the hash of its verifier.", max_length=128),
                ),
                ("expires_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "grant",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="vouchers", to="games.grant"
                    ),
                ),
            ],
            options={
                "ordering": ["expires_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="WaitingDevice",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("typed_digest", models.CharField(max_length=64, unique=True)),
                ("scopes", models.CharField(max_length=60)),
                ("expires_at", models.DateTimeField()),
                ("asked_at", models.DateTimeField(help_text="When the device last asked.", null=True)),
                ("is_denied", models.BooleanField(default=False)),
                (
                    "app",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="devices", to="games.app"
                    ),
                ),
                (
                    "grant",
                    models.OneToOneField(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="device", to="games.grant"
                    ),
                ),
            ],
            options={
                "ordering": ["expires_at", "pk"],
            },
        ),
        migrations.CreateModel(
            name="Identity",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "issuer",
                    models.CharField(
                        help_text="The address of the issuer, which no setting can give another.", max_length=200
                    ),
                ),
                (
                    "subject",
                    models.CharField(help_text="The number there, or that of the passkey.", max_length=1364),
                ),
                (
                    "public_key",
                    models.BinaryField(
                        default=b"", help_text="Of a passkey: the key of its signatures, as COSE has it."
                    ),
                ),
                (
                    "sign_count",
                    models.BigIntegerField(default=0, help_text="Of a passkey: the last count of its device, or 0."),
                ),
                ("name", models.CharField(blank=True, help_text="What the player calls a passkey.", max_length=40)),
                ("created_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(help_text="When the player last signed in with it.")),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="identities",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "identities",
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("issuer", "subject"), name="one_player_per_identity")],
            },
        ),
        migrations.CreateModel(
            name="KeptAnswer",
            fields=[
                (
                    "place",
                    models.CharField(
                        help_text="The hash of the key, its sender and the address.",
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("request", models.CharField(help_text="The hash of the body.", max_length=64)),
                ("sealed", models.BinaryField(null=True)),
                ("begun_at", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["begun_at"], name="kept_answers_by_age")],
            },
        ),
        migrations.CreateModel(
            name="BrowserSession",
            fields=[
                (
                    "session_key",
                    models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name="session key"),
                ),
                ("session_data", models.TextField(verbose_name="session data")),
                ("expire_date", models.DateTimeField(db_index=True, verbose_name="expire date")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("used_at", models.DateTimeField(default=django.utils.timezone.now, help_text="Correct to a day.")),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sessions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "browser session",
                "verbose_name_plural": "browser sessions",
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="DayDivision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("division", models.CharField(max_length=16)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="day_divisions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("player", "day"), name="one_division_per_player_and_day"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
                ("games", models.PositiveIntegerField(default=0, help_text="How many unranked games were deleted.")),
                ("is_open", models.BooleanField(default=True)),
                (
                    "by",
                    models.ForeignKey(
                        help_text="Empty: the player, or the server itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        help_text="Empty: a guest of whom nothing is left.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="erasures",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="UncountedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="uncounted",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("due_at", models.DateTimeField(db_index=True)),
                ("is_counted", models.BooleanField(default=False)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="GameAnalysis",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("done", "Done"), ("failed", "Failed")],
                        default="pending",
                        max_length=7,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("claimed_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                ("result", models.JSONField(null=True)),
                ("created_at", models.DateTimeField()),
                (
                    "asked_by",
                    models.ForeignKey(
                        help_text="Who asked first.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="analysis", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pending")), fields=["created_at"], name="pending_analyses"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("result__isnull", False), ("state", "done")),
                            models.Q(models.Q(("state", "done"), _negated=True), ("result__isnull", True)),
                            _connector="OR",
                        ),
                        name="result_exactly_when_done",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("finished_at__isnull", True), ("state", "pending")),
                            models.Q(models.Q(("state", "pending"), _negated=True), ("finished_at__isnull", False)),
                            _connector="OR",
                        ),
                        name="analysis_pending_until_finished",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField()),
                ("action", models.CharField(max_length=5)),
                ("at_ms", models.PositiveBigIntegerField(help_text="Server milliseconds since the game started.")),
                (
                    "client_ms",
                    models.PositiveBigIntegerField(help_text="What the client's clock said; evidence only.", null=True),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="log", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["game", "version"],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "version"), name="one_move_per_version"),
                    models.CheckConstraint(condition=models.Q(("version__gte", 1)), name="versions_from_one"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MutedKind",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_kinds",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["kind"],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind"), name="muted_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Notification",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                (
                    "subject",
                    models.CharField(
                        help_text="What makes it the same notification if it is sent again.", max_length=80
                    ),
                ),
                ("facts", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                ("read_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "sender",
                    models.ForeignKey(
                        db_index=False,
                        help_text="Whose name it has, so that it goes with that account.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notifications_sent",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["player", "-id"], name="notifications_of_player"),
                    models.Index(fields=["at"], name="notifications_by_age"),
                    models.Index(
                        condition=models.Q(("sender__isnull", False)), fields=["sender"], name="notifications_by_sender"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind", "subject"), name="one_notification_per_subject"),
                ],
            },
        ),
        migrations.CreateModel(
            name="UnratedRace",
            fields=[
                (
                    "race",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="unrated",
                        serialize=False,
                        to="games.race",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "racer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="rating_change",
                        serialize=False,
                        to="games.racer",
                    ),
                ),
                ("family", models.CharField(max_length=12)),
                ("ended_at", models.DateTimeField(help_text="When the race ended.")),
                ("races", models.PositiveIntegerField()),
                ("mean_before", models.FloatField()),
                ("mean", models.FloatField()),
                ("deviation", models.FloatField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["player", "family", "races"],
                "indexes": [
                    models.Index(fields=["family", "ended_at"], name="rating_changes_by_end"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "family", "races"), name="one_rating_change_per_number"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Rating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("family", models.CharField(max_length=12)),
                ("races", models.PositiveIntegerField()),
                ("mean", models.FloatField()),
                ("deviation", models.FloatField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="ratings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["player", "family"],
                "indexes": [
                    models.Index(fields=["family", "-mean"], name="ratings_by_mean"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "family"), name="one_rating_per_player_and_family"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SecretAccess",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("reason", models.CharField(max_length=500)),
                (
                    "daily",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="seen_by", to="games.dailydeal"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="secrets_seen",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="SetProgramme",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "valid_from",
                    models.DateField(help_text="The first day; later than all days committed to.", unique=True),
                ),
                ("slots", models.JSONField(help_text="A list of slots as docs/daily-deals.md describes them.")),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "programme",
                "ordering": ["-valid_from"],
            },
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=8)),
                ("rules", models.CharField(max_length=40)),
                ("played", models.PositiveIntegerField(default=0)),
                ("won", models.PositiveIntegerField(default=0)),
                ("moves", models.PositiveIntegerField(help_text="The fewest of a win.", null=True)),
                ("elapsed_ms", models.PositiveBigIntegerField(help_text="The shortest time of a win.", null=True)),
                ("over_par", models.JSONField(default=list)),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tallies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["player", "kind", "rules"],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind", "rules"), name="one_tally_per_player_kind_rules"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Uptime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                ("until", models.DateTimeField()),
            ],
            options={
                "indexes": [models.Index(fields=["until"], name="uptimes_by_end")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("until__gte", models.F("since"))), name="uptime_ends_after_it_begins"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ServiceHour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("hour", models.DateTimeField()),
                ("objective", models.CharField(max_length=20)),
                ("total", models.PositiveBigIntegerField()),
                ("missed", models.PositiveBigIntegerField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("hour", "objective"), name="one_row_an_hour_and_objective"),
                    models.CheckConstraint(
                        condition=models.Q(("missed__lte", models.F("total"))), name="what_is_missed_was_asked_for"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Backup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Rehearsal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("begun_at", models.DateTimeField()),
                ("succeeded_at", models.DateTimeField(db_index=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="DataExport",
            fields=[
                (
                    "state",
                    models.CharField(
                        choices=[("pending", "Pending"), ("done", "Done"), ("failed", "Failed")],
                        default="pending",
                        max_length=7,
                    ),
                ),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("claimed_at", models.DateTimeField(null=True)),
                ("finished_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="export",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("requested_at", models.DateTimeField()),
                ("file", models.BinaryField(null=True)),
            ],
            options={
                "ordering": ["requested_at"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "pending")), fields=["requested_at"], name="pending_exports"
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("file__isnull", False), ("state", "done")),
                            models.Q(models.Q(("state", "done"), _negated=True), ("file__isnull", True)),
                            _connector="OR",
                        ),
                        name="file_exactly_when_exported",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PushCount",
            fields=[
                ("outcome", models.CharField(max_length=8, primary_key=True, serialize=False)),
                ("count", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="QuietHours",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="quiet_hours",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("time_zone", models.CharField(max_length=64)),
                ("begins", models.PositiveSmallIntegerField()),
                ("ends", models.PositiveSmallIntegerField(help_text="There are none if it equals the beginning.")),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("begins__lt", 24), ("ends__lt", 24)), name="hours_of_a_day"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Reminder",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                ("subject", models.CharField(max_length=80)),
                ("at", models.DateTimeField(db_index=True)),
                ("reached", models.PositiveBigIntegerField(default=0, help_text="The last device that was looked at.")),
                ("is_over", models.BooleanField(default=False)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("kind", "subject"), name="one_reminder_per_subject")],
            },
        ),
        migrations.CreateModel(
            name="Subscription",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("endpoint", models.CharField(max_length=600, unique=True)),
                ("p256dh", models.CharField(help_text="The public key of the browser.", max_length=100)),
                ("auth", models.CharField(help_text="A secret that server and browser share.", max_length=30)),
                (
                    "server_key",
                    models.CharField(help_text="Our public key, to which the push service holds us.", max_length=100),
                ),
                ("language", models.CharField(max_length=10)),
                ("created_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(help_text="When a message was last accepted.", null=True)),
                (
                    "refusals",
                    models.PositiveSmallIntegerField(default=0, help_text="Messages refused since one was accepted."),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_subscriptions",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="PushMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                ("subject", models.CharField(max_length=80)),
                ("facts", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField()),
                ("until", models.DateTimeField(help_text="It is of no use from then on.")),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(help_text="Empty: under way, or over.", null=True)),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("accepted", "Accepted"),
                            ("quiet", "Quiet"),
                            ("outdated", "Outdated"),
                            ("refused", "Refused"),
                            ("unknown", "Unknown"),
                            ("gone", "Gone"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                ("error", models.CharField(blank=True, max_length=200)),
                (
                    "sender",
                    models.ForeignKey(
                        db_index=False,
                        help_text="Whose name it has, so that it goes with that account.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="push_messages_sent",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "subscription",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="messages", to="games.subscription"
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("next_at__isnull", False)), fields=["next_at"], name="messages_to_send"
                    ),
                    models.Index(fields=["created_at"], name="messages_by_age"),
                    models.Index(
                        condition=models.Q(("sender__isnull", False)), fields=["sender"], name="messages_by_sender"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("subscription", "kind", "subject"), name="one_message_per_device_subject"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="WantedKind",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=24)),
                (
                    "subscription",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wanted",
                        to="games.subscription",
                    ),
                ),
            ],
            options={
                "ordering": ["kind"],
                "indexes": [models.Index(fields=["kind", "subscription"], name="devices_that_want_a_kind")],
                "constraints": [models.UniqueConstraint(fields=("subscription", "kind"), name="wanted_once")],
            },
        ),
        migrations.CreateModel(
            name="Checkpoint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("origin", models.CharField(max_length=100)),
                ("size", models.PositiveBigIntegerField()),
                ("keys", models.TextField(help_text="The public keys that signed it, one a line.")),
                ("note", models.TextField(help_text="With their signatures.")),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="LogLeaf",
            fields=[
                ("index", models.PositiveBigIntegerField(primary_key=True, serialize=False)),
                (
                    "subject",
                    models.CharField(help_text="There is one leaf about each subject.", max_length=300, unique=True),
                ),
                ("text", models.CharField(max_length=300)),
                ("added_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["index"],
            },
        ),
        migrations.CreateModel(
            name="WitnessState",
            fields=[
                ("name", models.CharField(max_length=100, primary_key=True, serialize=False)),
                ("origin", models.CharField(max_length=100)),
                ("size", models.PositiveBigIntegerField(default=0, help_text="The largest head that it has seen.")),
                ("asked_at", models.DateTimeField()),
                ("mistake", models.CharField(blank=True, default="", max_length=300)),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Cosignature",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("witness", models.CharField(max_length=100)),
                ("line", models.TextField()),
                ("signed_at", models.DateTimeField()),
                (
                    "checkpoint",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="cosignatures", to="games.checkpoint"
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="LogSize",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("size", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="one_log")],
            },
        ),
        migrations.CreateModel(
            name="LogTile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.PositiveSmallIntegerField()),
                ("number", models.PositiveBigIntegerField()),
                ("hashes", models.BinaryField()),
            ],
            options={
                "ordering": ["level", "number"],
                "constraints": [models.UniqueConstraint(fields=("level", "number"), name="one_log_tile_per_place")],
            },
        ),
        migrations.CreateModel(
            name="PuzzleRating",
            fields=[
                ("puzzle", models.CharField(max_length=16, primary_key=True, serialize=False)),
                ("attempts", models.PositiveIntegerField()),
                ("mean", models.FloatField()),
                ("deviation", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="SolverRating",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="solver_rating",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("attempts", models.PositiveIntegerField()),
                ("mean", models.FloatField()),
                ("deviation", models.FloatField()),
            ],
        ),
        migrations.CreateModel(
            name="PuzzleRun",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.players.models.new_id,
                        editable=False,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("kind", models.CharField(choices=[("streak", "Streak"), ("storm", "Storm")], max_length=6)),
                ("seed", models.CharField(editable=False, max_length=32)),
                ("started_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField(help_text="Of a storm: when its time is up.", null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("solved", models.PositiveSmallIntegerField(default=0)),
                ("mistakes", models.PositiveSmallIntegerField(default=0)),
                (
                    "best_before",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="The most puzzles that its player had solved in a run of its kind before it.",
                    ),
                ),
                (
                    "hasty",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="Puzzles solved faster than a person solves one."
                    ),
                ),
                ("puzzle", models.CharField(max_length=16)),
                ("removed", models.CharField(blank=True, default="", max_length=80)),
                ("shown_at", models.DateTimeField()),
                ("waits", models.BooleanField(default=False, help_text="It has ended and is not on the tables yet.")),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_runs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-started_at"],
            },
        ),
        migrations.CreateModel(
            name="RunStep",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("puzzle", models.CharField(max_length=16)),
                ("is_solved", models.BooleanField()),
                ("found", models.PositiveSmallIntegerField()),
                ("elapsed_ms", models.PositiveIntegerField()),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="steps",
                        to="games.puzzlerun",
                    ),
                ),
            ],
            options={
                "ordering": ["run", "number"],
            },
        ),
        migrations.CreateModel(
            name="PuzzleAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("puzzle", models.CharField(max_length=16)),
                ("at", models.DateTimeField()),
                ("is_solved", models.BooleanField()),
                ("found", models.PositiveSmallIntegerField(help_text="The right removals before the end.")),
                ("mean_before", models.FloatField(null=True)),
                ("mean", models.FloatField(null=True)),
                ("puzzle_mean", models.FloatField(null=True)),
                ("solved_later_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_attempts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["player", "at", "id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("is_solved", False), ("solved_later_at", None)),
                        fields=["player", "at"],
                        name="failed_puzzles_of_player",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "puzzle"), name="one_first_attempt_per_player_and_puzzle"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("mean", None), ("mean_before", None), ("puzzle_mean", None)),
                            models.Q(
                                ("mean__isnull", False), ("mean_before__isnull", False), ("puzzle_mean__isnull", False)
                            ),
                            _connector="OR",
                        ),
                        name="rated_attempt_has_all_means",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("is_solved", False), ("solved_later_at", None), _connector="OR"),
                        name="solved_attempt_is_not_solved_later",
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="puzzlerun",
            index=models.Index(fields=["player", "kind", "-solved"], name="best_runs_of_player"),
        ),
        migrations.AddIndex(
            model_name="puzzlerun",
            index=models.Index(
                condition=models.Q(("ended_at", None), ("kind", "storm")), fields=["ends_at"], name="running_storms"
            ),
        ),
        migrations.AddIndex(
            model_name="puzzlerun",
            index=models.Index(condition=models.Q(("waits", True)), fields=["ended_at"], name="runs_to_enter"),
        ),
        migrations.AddConstraint(
            model_name="puzzlerun",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)),
                fields=("player", "kind"),
                name="one_running_run_per_player_and_kind",
            ),
        ),
        migrations.AddConstraint(
            model_name="puzzlerun",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("ends_at__isnull", False), ("kind", "storm")),
                    models.Q(("ends_at", None), ("kind", "streak")),
                    _connector="OR",
                ),
                name="only_storms_have_a_time_limit",
            ),
        ),
        migrations.AddConstraint(
            model_name="puzzlerun",
            constraint=models.CheckConstraint(
                condition=models.Q(("waits", False), models.Q(("ended_at", None), _negated=True), _connector="OR"),
                name="only_runs_that_ended_wait",
            ),
        ),
        migrations.AddConstraint(
            model_name="runstep",
            constraint=models.UniqueConstraint(fields=("run", "number"), name="one_step_per_number_of_run"),
        ),
        migrations.CreateModel(
            name="Cup",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.players.models.new_id,
                        editable=False,
                        max_length=12,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("rules", models.CharField(max_length=40)),
                ("for_bots", models.BooleanField()),
                (
                    "name",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Of a tournament by hand.",
                        max_length=40,
                    ),
                ),
                (
                    "code",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="The letters to sign up for a tournament by hand.",
                        max_length=6,
                    ),
                ),
                (
                    "circle",
                    models.CharField(
                        blank=True,
                        default="",
                        help_text="Whose members alone see it; empty if it is for others.",
                        max_length=12,
                    ),
                ),
                ("announced_for", models.DateTimeField()),
                ("opens_at", models.DateTimeField(help_text="When the qualification begins.")),
                (
                    "qualify_s",
                    models.PositiveSmallIntegerField(help_text="Seconds for which the qualification is open."),
                ),
                ("limit_s", models.PositiveSmallIntegerField(help_text="Seconds for each match.")),
                (
                    "rounds",
                    models.PositiveSmallIntegerField(default=0, help_text="Of Swiss by points; 0 in knockout."),
                ),
                ("seeded_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("completed", "completed"),
                            ("too_few", "cancelled: too few entered"),
                            ("server_down", "cancelled: the server was down"),
                            ("called_off", "cancelled by its organiser"),
                        ],
                        default="",
                        max_length=11,
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="hosted_cups",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "qualification",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="qualification_of",
                        to="games.race",
                    ),
                ),
            ],
            options={
                "ordering": ["-opens_at", "rules", "for_bots"],
            },
        ),
        migrations.CreateModel(
            name="CupSignup",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("removed_at", models.DateTimeField(null=True)),
                (
                    "cup",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="signups",
                        to="games.cup",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="cup_signups",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["cup", "pk"],
            },
        ),
        migrations.CreateModel(
            name="CupEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("seed", models.PositiveIntegerField()),
                ("division", models.PositiveSmallIntegerField()),
                ("place", models.PositiveSmallIntegerField(null=True)),
                (
                    "cup",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entries",
                        to="games.cup",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cup_entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["cup", "seed"],
            },
        ),
        migrations.CreateModel(
            name="CupMatch",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("division", models.PositiveSmallIntegerField()),
                ("round", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "told_at",
                    models.DateTimeField(
                        help_text="When the sockets of its players were sent word of the race.", null=True
                    ),
                ),
                ("decided_at", models.DateTimeField(null=True)),
                (
                    "cup",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="matches",
                        to="games.cup",
                    ),
                ),
                (
                    "race",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cup_match",
                        to="games.race",
                    ),
                ),
            ],
            options={
                "ordering": ["cup", "division", "round", "number"],
            },
        ),
        migrations.CreateModel(
            name="CupSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField(null=True)),
                ("goes_on", models.BooleanField(help_text="Empty until the match is decided.", null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seats", to="games.cupentry"
                    ),
                ),
                (
                    "match",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="games.cupmatch",
                    ),
                ),
            ],
            options={
                "ordering": ["match", "entry__seed"],
            },
        ),
        migrations.AddIndex(
            model_name="cup",
            index=models.Index(condition=models.Q(("ended_at", None)), fields=["opens_at"], name="cups_not_over"),
        ),
        migrations.AddIndex(
            model_name="cup",
            index=models.Index(
                condition=models.Q(("circle", ""), _negated=True), fields=["circle"], name="cups_of_circles"
            ),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.UniqueConstraint(
                condition=models.Q(("code", "")),
                fields=("announced_for", "rules", "for_bots"),
                name="one_cup_per_time_and_rules",
            ),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.UniqueConstraint(
                condition=models.Q(("code", ""), _negated=True), fields=("code",), name="one_cup_per_letters"
            ),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("opens_at__gte", models.F("announced_for")), models.Q(("code", ""), _negated=True), _connector="OR"
                ),
                name="cup_is_never_early",
            ),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("circle", ""), ("code", ""), ("name", "")),
                    models.Q(models.Q(("code", ""), _negated=True), models.Q(("name", ""), _negated=True)),
                    _connector="OR",
                ),
                name="cup_by_hand_has_a_name",
            ),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("end", ""), ("ended_at", None)),
                    models.Q(("ended_at__isnull", False), models.Q(("end", ""), _negated=True)),
                    _connector="OR",
                ),
                name="cup_ends_in_some_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="cup",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("seeded_at", None),
                    ("qualification__isnull", False),
                    models.Q(("code", ""), _negated=True),
                    _connector="OR",
                ),
                name="cup_is_seeded_after_its_qualification",
            ),
        ),
        migrations.AddConstraint(
            model_name="cupsignup",
            constraint=models.UniqueConstraint(fields=("cup", "player"), name="one_signup_per_player_of_cup"),
        ),
        migrations.AddConstraint(
            model_name="cupentry",
            constraint=models.UniqueConstraint(fields=("cup", "seed"), name="one_entry_per_seed"),
        ),
        migrations.AddConstraint(
            model_name="cupentry",
            constraint=models.UniqueConstraint(fields=("cup", "player"), name="one_entry_per_player_of_cup"),
        ),
        migrations.AddConstraint(
            model_name="cupmatch",
            constraint=models.UniqueConstraint(
                fields=("cup", "division", "round", "number"), name="one_cup_match_per_number"
            ),
        ),
        migrations.AddConstraint(
            model_name="cupseat",
            constraint=models.UniqueConstraint(fields=("match", "entry"), name="one_cup_seat_per_entry"),
        ),
        CreateTriggers(GUARDS),
    ]
    operations = at_once(operations)
