"""The tables of scores and their moderation, with their guards (`leaderboards.guards`) and the groups of reviewers."""

from __future__ import annotations

import django.core.validators
import django.db.models.deletion
import games.players.models
import games.races.invites
import leaderboards.webhooks.models
from django.conf import settings
from django.db import migrations, models

from games.runtime.tables_at_once import at_once
from games.runtime.triggers import CreateTriggers
from leaderboards.moderation.groups import create_groups, delete_groups
from leaderboards.guards import GUARDS


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("games", "0002_token_terms"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Board",
            fields=[
                ("id", models.BigIntegerField(editable=False, primary_key=True, serialize=False)),
                ("slug", models.CharField(max_length=80, unique=True)),
                ("version", models.PositiveBigIntegerField(default=0)),
            ],
            options={
                "ordering": ["slug"],
            },
        ),
        migrations.CreateModel(
            name="DayRoot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField(unique=True)),
                ("count", models.PositiveBigIntegerField(help_text="How many results there are.")),
                ("root", models.CharField(max_length=64)),
                ("made_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["day"],
            },
        ),
        migrations.CreateModel(
            name="DealResults",
            fields=[
                (
                    "daily",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="results",
                        serialize=False,
                        to="games.dailydeal",
                    ),
                ),
                ("played", models.PositiveIntegerField()),
                ("won", models.PositiveIntegerField()),
                ("lost", models.JSONField(default=list)),
                ("over_par", models.JSONField(default=list)),
            ],
        ),
        migrations.CreateModel(
            name="ExaminedDeal",
            fields=[
                (
                    "daily",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="examined",
                        serialize=False,
                        to="games.dailydeal",
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="LogCheck",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("lines", models.PositiveBigIntegerField()),
                ("mistake", models.CharField(blank=True, default="", max_length=500)),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="Case",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("taken", "Taken"),
                            ("decided", "Decided"),
                            ("appealed", "Appealed"),
                            ("closed", "Closed"),
                        ],
                        default="open",
                        max_length=8,
                    ),
                ),
                (
                    "needs",
                    models.CharField(
                        choices=[
                            ("reviewer", "Reviewer"),
                            ("second", "a second reviewer"),
                            ("senior", "a senior reviewer"),
                            ("appeal", "somebody new, for an appeal"),
                            ("nobody", "Nobody"),
                        ],
                        default="reviewer",
                        max_length=8,
                    ),
                ),
                ("opened_at", models.DateTimeField()),
                ("strength", models.FloatField(default=0, help_text="Of the evidence, from 0.")),
                (
                    "rank",
                    models.PositiveIntegerField(
                        help_text="The best rank on the boards of the day; empty: none.", null=True
                    ),
                ),
                ("urgency", models.FloatField(default=0)),
                ("touched_at", models.DateTimeField(help_text="When the reviewer did something last.", null=True)),
                ("appeal_until", models.DateTimeField(null=True)),
                (
                    "daily",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="cases", to="games.dailydeal"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="cases", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "reviewer",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="cases_taken",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-urgency", "id"],
                "permissions": [
                    ("review_case", "Can take, note and decide cases, and propose what needs two"),
                    ("ban_player", "Can propose and confirm bans"),
                    ("decide_final_day", "Can confirm decisions about final days"),
                    ("hear_appeal", "Can hear appeals and settle disagreements"),
                ],
                "indexes": [
                    models.Index(fields=["state", "-urgency"], name="cases_by_urgency"),
                    models.Index(fields=["-urgency"], name="all_cases_by_urgency"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "daily"), name="one_case_per_player_and_deal"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("reviewer__isnull", False), ("state", "taken"), ("touched_at__isnull", False)),
                            models.Q(models.Q(("state", "taken"), _negated=True), ("reviewer__isnull", True)),
                            _connector="OR",
                        ),
                        name="taken_by_somebody",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LogLine",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveBigIntegerField(unique=True)),
                ("at", models.DateTimeField()),
                (
                    "act",
                    models.CharField(
                        choices=[
                            ("opened", "Opened"),
                            ("joined", "Joined"),
                            ("taken", "Taken"),
                            ("released", "Released"),
                            ("noted", "Noted"),
                            ("proposed", "Proposed"),
                            ("seconded", "Seconded"),
                            ("decided", "Decided"),
                            ("appealed", "Appealed"),
                            ("retest", "Retest"),
                        ],
                        max_length=8,
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("clear", "Clear"),
                            ("flag", "keep flagged, wait"),
                            ("disqualify", "Disqualify"),
                            ("reinstate", "Reinstate"),
                            ("ban", "Ban"),
                            ("unban", "Unban"),
                        ],
                        default="",
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, default="", help_text="The code of a reason.", max_length=16)),
                ("text", models.CharField(blank=True, default="", help_text="For colleagues.", max_length=2000)),
                ("text_hash", models.CharField(blank=True, default="", max_length=64)),
                ("games", models.JSONField(default=list, help_text="The games that it is about.")),
                ("facts", models.JSONField(default=dict)),
                ("salt", models.CharField(max_length=32)),
                (
                    "about",
                    models.ForeignKey(
                        help_text="The line that it answers or takes back.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leaderboards.logline",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        help_text="Empty: the server itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="log", to="leaderboards.case"
                    ),
                ),
                (
                    "confirms",
                    models.ForeignKey(
                        help_text="The other of two reviewers.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "indexes": [
                    models.Index(fields=["act", "at"], name="log_by_act"),
                ],
            },
        ),
        migrations.CreateModel(
            name="PendingGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="pending",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("finished_at", models.DateTimeField()),
                ("error", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={
                "ordering": ["finished_at"],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "address",
                    models.CharField(
                        max_length=500, validators=[django.core.validators.URLValidator(["https", "http"])]
                    ),
                ),
                ("events", models.JSONField(default=list, help_text="What is sent.")),
                (
                    "secret",
                    models.CharField(default=leaderboards.webhooks.models.new_secret, editable=False, max_length=100),
                ),
                ("is_active", models.BooleanField(default=True, help_text="An answer 410 ends it.")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="WeighedGame",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="weighed",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("at", models.DateTimeField()),
                ("steps", models.JSONField(null=True)),
                ("error", models.CharField(blank=True, default="", max_length=300)),
            ],
        ),
        migrations.CreateModel(
            name="DetectorRun",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("detector", models.CharField(max_length=32)),
                ("version", models.CharField(max_length=24)),
                ("games", models.PositiveIntegerField(default=0)),
                ("cpu_us", models.PositiveBigIntegerField(default=0)),
                ("errors", models.PositiveIntegerField(default=0)),
                ("last_error", models.CharField(blank=True, default="", max_length=500)),
                ("last_run_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-day", "detector"],
                "constraints": [
                    models.UniqueConstraint(fields=("day", "detector", "version"), name="one_run_per_day_and_detector")
                ],
            },
        ),
        migrations.CreateModel(
            name="Entry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.BigIntegerField()),
                ("entered_at_version", models.PositiveBigIntegerField()),
                ("valid_from", models.PositiveBigIntegerField()),
                ("changed_at", models.DateTimeField()),
                ("valid_to", models.PositiveBigIntegerField(null=True)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("provisional", "Provisional"),
                            ("verified", "Verified"),
                            ("flagged", "Flagged"),
                            ("disqualified", "Disqualified"),
                            ("reinstated", "Reinstated"),
                        ],
                        default="provisional",
                        max_length=12,
                    ),
                ),
                ("listed", models.BooleanField(default=True)),
                (
                    "held",
                    models.BooleanField(default=False, help_text="The server's own flag keeps it from a rank."),
                ),
                (
                    "board",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="leaderboards.board",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="entries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entries",
                "ordering": ["board", "key", "entered_at_version"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("listed", True)),
                        fields=["board", "key", "entered_at_version", "valid_from", "valid_to"],
                        name="entries_in_order",
                    ),
                    models.Index(fields=["player", "board"], name="entries_of_player"),
                    models.Index(fields=["game"], name="entries_of_game"),
                    models.Index(
                        condition=models.Q(("listed", True)),
                        fields=["board", "valid_from"],
                        name="entries_by_beginning",
                    ),
                    models.Index(
                        condition=models.Q(("listed", True), ("valid_to__isnull", False)),
                        fields=["board", "valid_to"],
                        name="entries_by_end",
                    ),
                    models.Index(fields=["board", "changed_at"], name="entries_by_time"),
                    models.Index(
                        condition=models.Q(("state", "provisional"), ("valid_to", None)),
                        fields=["game"],
                        name="entries_to_verify",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("valid_to", None)),
                        fields=("game", "board"),
                        name="one_current_entry_per_board_and_game",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("listed", True), ("valid_to", None)),
                        fields=("board", "player"),
                        name="one_listed_entry_per_board_and_player",
                    ),
                    models.CheckConstraint(condition=models.Q(("key__gte", 0)), name="keys_from_zero"),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("valid_to", None), ("valid_to__gt", models.F("valid_from")), _connector="OR"
                        ),
                        name="ends_after_it_begins",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("held", False), models.Q(("listed", False), ("state", "flagged")), _connector="OR"
                        ),
                        name="held_is_flagged_and_not_listed",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Examination",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="examination",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("version", models.CharField(max_length=24)),
                ("at", models.DateTimeField()),
                ("cpu_us", models.PositiveBigIntegerField(default=0, help_text="Processor time, in microseconds.")),
                ("evidence", models.JSONField(null=True)),
                (
                    "foresight",
                    models.FloatField(default=1, help_text="The account's fortune of the bet after this game."),
                ),
                ("near_par", models.FloatField(default=1)),
                ("combined", models.FloatField(default=1)),
                ("failed", models.JSONField(default=list, help_text="The detectors that raised.")),
                ("error", models.CharField(blank=True, default="", max_length=500)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="examinations",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["at", "game"],
                "indexes": [
                    models.Index(fields=["player", "at"], name="examinations_of_player"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Following",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "followed",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followers",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "follower",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="followed",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["follower", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("follower", "followed"), name="followed_once"),
                    models.CheckConstraint(
                        condition=models.Q(("follower", models.F("followed")), _negated=True),
                        name="nobody_follows_themselves",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KeptFinding",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("detector", models.CharField(max_length=32)),
                ("version", models.CharField(max_length=24)),
                ("strength", models.CharField(max_length=8)),
                ("score", models.FloatField()),
                ("threshold", models.FloatField()),
                ("explanation", models.TextField()),
                ("numbers", models.JSONField(default=dict)),
                ("innocent", models.JSONField(default=list)),
                (
                    "games",
                    models.JSONField(default=list, help_text="The games that it rests on, the most telling first."),
                ),
                ("at", models.DateTimeField()),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="findings",
                        to="leaderboards.case",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="findings", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="findings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["player", "detector", "version"], name="findings_of_player"),
                    models.Index(fields=["detector", "at"], name="findings_by_detector"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("detector__in", ["haste", "downtime", "verification"])),
                        fields=("game", "detector"),
                        name="what_the_server_found_once",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LeagueClosing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("week", models.DateField(help_text="Its Monday.", unique=True)),
                (
                    "version",
                    models.PositiveBigIntegerField(default=0, help_text="The version of the board that counts."),
                ),
                (
                    "sizes",
                    models.JSONField(
                        help_text="The number of players in each open tier of the week after, the highest first."
                    ),
                ),
                ("closed_at", models.DateTimeField()),
                (
                    "board",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leaderboards.board",
                    ),
                ),
            ],
            options={
                "ordering": ["-week"],
            },
        ),
        migrations.CreateModel(
            name="LeagueSeat",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("tier", models.PositiveSmallIntegerField(help_text="1 is the highest.")),
                ("group", models.PositiveIntegerField(help_text="1, 2, 3 ... within the tier.")),
                (
                    "rank",
                    models.PositiveSmallIntegerField(
                        help_text="In the closed week's group; empty: did not play.", null=True
                    ),
                ),
                ("idle", models.PositiveSmallIntegerField(default=0, help_text="Weeks in a row without a game.")),
                (
                    "closing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="leaderboards.leagueclosing",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="league_seats",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["closing", "tier", "group", "id"],
                "indexes": [
                    models.Index(fields=["closing", "tier", "group"], name="seats_of_a_group"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "closing"), name="one_seat_per_player_and_week"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MovedRanks",
            fields=[
                (
                    "line",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="moved_ranks",
                        serialize=False,
                        to="leaderboards.logline",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Appeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("text", models.CharField(max_length=2000)),
                ("salt", models.CharField(max_length=32)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="appeals", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "decision",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="appeal", to="leaderboards.logline"
                    ),
                ),
                (
                    "line",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="appeal_made",
                        to="leaderboards.logline",
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
            },
        ),
        migrations.CreateModel(
            name="PlayerShare",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rules", models.CharField(max_length=40)),
                ("at", models.DateTimeField()),
                ("games", models.PositiveIntegerField()),
                (
                    "effect",
                    models.FloatField(help_text="Cards that the player leaves more than others on the same deals."),
                ),
                ("by_player", models.FloatField()),
                ("by_player_low", models.FloatField()),
                ("by_player_high", models.FloatField()),
                ("by_deal", models.FloatField()),
                ("by_deal_low", models.FloatField()),
                ("by_deal_high", models.FloatField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shares",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["rules"],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "rules"), name="one_share_per_player_and_rules"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("text", models.CharField(blank=True, default="", max_length=500)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="leaderboards.case"
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="games.game"
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("case", "reporter"), name="reported_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedView",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("query", models.CharField(max_length=300)),
                ("is_shared", models.BooleanField(default=False)),
                (
                    "owner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_views",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "constraints": [
                    models.UniqueConstraint(fields=("owner", "name"), name="views_by_name"),
                ],
            },
        ),
        migrations.CreateModel(
            name="SealedResult",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveBigIntegerField()),
                ("leaf", models.CharField(max_length=300)),
                (
                    "day_root",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="results", to="leaderboards.dayroot"
                    ),
                ),
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="sealed", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["day_root", "index"],
                "constraints": [
                    models.UniqueConstraint(fields=("day_root", "index"), name="one_leaf_per_place"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Season",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(max_length=80, unique=True)),
                (
                    "version",
                    models.PositiveBigIntegerField(help_text="The version of the board that is the season's table."),
                ),
                ("count", models.PositiveBigIntegerField(help_text="How many entries the table has.")),
                ("month", models.DateField(help_text="Its first day.")),
                ("closed_at", models.DateTimeField()),
                (
                    "board",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, related_name="season", to="leaderboards.board"
                    ),
                ),
            ],
            options={
                "ordering": ["-month", "slug"],
            },
        ),
        migrations.CreateModel(
            name="Honour",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("rank", models.PositiveBigIntegerField()),
                (
                    "top",
                    models.PositiveSmallIntegerField(
                        help_text="1, 5 or 10, as a percentage; empty: none of these.", null=True
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        help_text="The row of the season's table.",
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="leaderboards.entry",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="honours", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="honours", to="leaderboards.season"
                    ),
                ),
            ],
            options={
                "ordering": ["season", "rank", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("season", "player"), name="one_honour_per_season_and_player"),
                    models.CheckConstraint(
                        condition=models.Q(("rank__lte", 3), ("top__isnull", False), _connector="OR"),
                        name="honours_are_for_something",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Trace",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[("address", "Address"), ("site", "Site"), ("device", "Device"), ("owner", "Owner")],
                        max_length=7,
                    ),
                ),
                ("mark", models.CharField(max_length=32)),
                ("first_seen", models.DateField()),
                ("last_seen", models.DateField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="traces", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(fields=["kind", "mark"], name="traces_by_mark"),
                    models.Index(fields=["last_seen"], name="traces_by_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "kind", "mark"), name="one_trace_per_mark"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "message",
                    models.CharField(
                        help_text="The `webhook-id`, the same in each attempt.", max_length=40, unique=True
                    ),
                ),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("day.opened", "Day Opened"),
                            ("day.closed", "Day Closed"),
                            ("day.final", "Day Final"),
                            ("season.closed", "Season Closed"),
                            ("club.week", "Club Week"),
                            ("decision.made", "Decision Made"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "subject",
                    models.CharField(
                        help_text="The day, the season, the week or the number of the decision.", max_length=80
                    ),
                ),
                ("body", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("next_at", models.DateTimeField(help_text="Empty: accepted, or given up.", null=True)),
                ("delivered_at", models.DateTimeField(null=True)),
                ("status", models.PositiveSmallIntegerField(help_text="That of the last answer.", null=True)),
                ("error", models.CharField(blank=True, max_length=200)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="leaderboards.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "deliveries",
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("next_at__isnull", False)), fields=["next_at"], name="deliveries_to_send"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("webhook", "event", "subject"), name="each_event_once_per_webhook"),
                ],
            },
        ),
        migrations.CreateModel(
            name="AccountEvidence",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.CharField(max_length=24)),
                ("state", models.JSONField()),
                ("games", models.PositiveIntegerField(default=0)),
                ("foresight", models.FloatField(default=1)),
                ("near_par", models.FloatField(default=1)),
                ("both", models.FloatField(default=0, help_text="The mean of both, where it counts.")),
                ("updated_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="evidence",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["player", "version"],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "version"), name="one_evidence_per_player_and_version")
                ],
            },
        ),
        migrations.CreateModel(
            name="KeptList",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("day", models.DateField()),
                ("detector", models.CharField(max_length=32)),
                ("version", models.CharField(max_length=24)),
                ("accounts", models.PositiveIntegerField(help_text="All that were judged.")),
                ("named", models.PositiveIntegerField()),
                ("watched", models.PositiveIntegerField(help_text="Those who are named included.")),
                ("at", models.DateTimeField()),
            ],
            options={
                "ordering": ["-day", "detector"],
                "constraints": [
                    models.UniqueConstraint(fields=("detector", "day"), name="one_list_per_detector_and_day")
                ],
            },
        ),
        migrations.CreateModel(
            name="Listing",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("value", models.FloatField()),
                ("found_at", models.DateTimeField(null=True)),
                (
                    "list",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="listings",
                        to="leaderboards.keptlist",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="listings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["id"],
                "indexes": [
                    models.Index(condition=models.Q(("found_at", None)), fields=["id"], name="listings_without_finding")
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("list", "player"), name="one_listing_per_list"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Award",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("code", models.CharField(max_length=24)),
                ("at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="awards",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["player", "at", "code"],
                "constraints": [
                    models.UniqueConstraint(fields=("player", "code"), name="one_award_per_player_and_achievement")
                ],
            },
        ),
        migrations.CreateModel(
            name="Decision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("provisional", "Provisional"),
                            ("verified", "Verified"),
                            ("flagged", "Flagged"),
                            ("disqualified", "Disqualified"),
                            ("reinstated", "Reinstated"),
                        ],
                        max_length=12,
                    ),
                ),
                ("reason", models.CharField(max_length=500)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        help_text="Empty: the server itself.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "confirmed_by",
                    models.ForeignKey(
                        help_text="The second reviewer, who final days need.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="decisions", to="games.game"
                    ),
                ),
            ],
            options={
                "ordering": ["game", "id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("by", None), ("state", "flagged")),
                        fields=["game"],
                        name="flags_of_the_server",
                    ),
                    models.Index(
                        condition=models.Q(("state__in", ["disqualified", "reinstated"])),
                        fields=["at"],
                        name="decisions_that_change_ranks",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MerkleTile",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("level", models.PositiveSmallIntegerField()),
                ("number", models.PositiveIntegerField()),
                ("hashes", models.BinaryField()),
                (
                    "day_root",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tiles",
                        to="leaderboards.dayroot",
                    ),
                ),
            ],
            options={
                "ordering": ["day_root", "level", "number"],
                "constraints": [
                    models.UniqueConstraint(fields=("day_root", "level", "number"), name="one_tile_per_place")
                ],
            },
        ),
        migrations.CreateModel(
            name="LookedAt",
            fields=[
                (
                    "board",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="looked_at",
                        serialize=False,
                        to="leaderboards.board",
                    ),
                ),
                ("version", models.PositiveBigIntegerField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name="case",
            name="decision",
            field=models.ForeignKey(
                help_text="What was decided last.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="leaderboards.logline",
            ),
        ),
        migrations.AddField(
            model_name="case",
            name="proposal",
            field=models.ForeignKey(
                help_text="What a second reviewer has to look at.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="leaderboards.logline",
            ),
        ),
        migrations.CreateModel(
            name="ValueCounts",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("field", models.CharField(max_length=12)),
                ("version", models.PositiveBigIntegerField()),
                ("counts", models.JSONField()),
                (
                    "board",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="value_counts",
                        to="leaderboards.board",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "value counts",
                "ordering": ["board", "field"],
                "constraints": [models.UniqueConstraint(fields=("board", "field"), name="counted_once")],
            },
        ),
        migrations.AddConstraint(
            model_name="entry",
            constraint=models.CheckConstraint(
                condition=models.Q(("listed", True), ("state", "disqualified"), _negated=True),
                name="unranked_is_not_listed",
            ),
        ),
        migrations.CreateModel(
            name="Retest",
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
                ("offered_at", models.DateTimeField()),
                ("open_until", models.DateTimeField(help_text="When the sitting has to have begun.")),
                ("rules", models.CharField(max_length=40)),
                ("fresh", models.PositiveSmallIntegerField(help_text="How many deals are new.")),
                (
                    "alike",
                    models.PositiveSmallIntegerField(help_text="How many play like deals that the account has won."),
                ),
                ("minutes", models.PositiveSmallIntegerField(help_text="Of the sitting, by the clock on the wall.")),
                ("accepted_at", models.DateTimeField(null=True)),
                ("begun_at", models.DateTimeField(null=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "end",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("declined", "Declined"),
                            ("expired", "Not taken in time"),
                            ("done", "All deals played"),
                            ("time_up", "Time was up"),
                        ],
                        default="",
                        max_length=8,
                    ),
                ),
                ("scored_at", models.DateTimeField(null=True)),
                (
                    "version",
                    models.CharField(
                        blank=True, default="", help_text="Of the detectors that scored it.", max_length=24
                    ),
                ),
                ("foresight", models.FloatField(null=True)),
                ("near_par", models.FloatField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="retests", to="leaderboards.case"
                    ),
                ),
                (
                    "offered_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="retests", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ["-offered_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="RetestDeal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("scored_at", models.DateTimeField(null=True)),
                ("outcome", models.CharField(blank=True, default="", max_length=8)),
                ("moves", models.PositiveIntegerField(null=True)),
                ("cards_left", models.PositiveSmallIntegerField(null=True)),
                ("par", models.PositiveSmallIntegerField(null=True)),
                ("bets", models.PositiveSmallIntegerField(default=0, help_text="How many cards were bet on.")),
                ("bet", models.JSONField(default=list)),
                ("par_factors", models.JSONField(default=list)),
                ("error", models.CharField(blank=True, default="", max_length=300)),
                (
                    "game",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="retested",
                        to="games.game",
                    ),
                ),
                (
                    "origin",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="games.game"
                    ),
                ),
                (
                    "retest",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="deals",
                        to="leaderboards.retest",
                    ),
                ),
            ],
            options={
                "ordering": ["retest", "number"],
            },
        ),
        migrations.AddIndex(
            model_name="retest",
            index=models.Index(
                condition=models.Q(("end__in", ("done", "time_up")), ("scored_at", None)),
                fields=["ended_at"],
                name="unscored_retests",
            ),
        ),
        migrations.AddConstraint(
            model_name="retest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("ended_at", None)), fields=("player",), name="one_open_retest_per_player"
            ),
        ),
        migrations.AddConstraint(
            model_name="retest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("end", ""), ("ended_at", None)),
                    models.Q(("ended_at__isnull", False), models.Q(("end", ""), _negated=True)),
                    _connector="OR",
                ),
                name="retest_ends_in_some_way",
            ),
        ),
        migrations.AddConstraint(
            model_name="retest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("begun_at", None),
                    models.Q(("accepted_at__lte", models.F("begun_at")), ("begun_at__lt", models.F("open_until"))),
                    _connector="OR",
                ),
                name="retest_begins_accepted_and_in_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="retest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("begun_at", None), models.Q(("end__in", ("done", "time_up")), _negated=True)),
                    models.Q(
                        ("begun_at__isnull", False), models.Q(("end__in", ("declined", "expired")), _negated=True)
                    ),
                    _connector="OR",
                ),
                name="retest_is_played_once_begun",
            ),
        ),
        migrations.AddConstraint(
            model_name="retest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("foresight", None), ("near_par", None), ("scored_at", None)),
                    models.Q(
                        ("foresight__isnull", False),
                        ("near_par__isnull", False),
                        ("scored_at__gte", models.F("ended_at")),
                    ),
                    _connector="OR",
                ),
                name="retest_is_scored_after_its_end",
            ),
        ),
        migrations.AddConstraint(
            model_name="retestdeal",
            constraint=models.UniqueConstraint(fields=("retest", "number"), name="retest_deals_are_numbered"),
        ),
        migrations.AddConstraint(
            model_name="retestdeal",
            constraint=models.CheckConstraint(condition=models.Q(("number__gte", 1)), name="retest_deals_from_one"),
        ),
        migrations.CreateModel(
            name="Club",
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
                    "name_key",
                    models.CharField(help_text="Shared by names that look alike.", max_length=120, unique=True),
                ),
                ("description", models.CharField(blank=True, max_length=200)),
                (
                    "emblem",
                    models.CharField(help_text="The suits in the middle and above, and the colour.", max_length=10),
                ),
                (
                    "admission",
                    models.CharField(
                        choices=[
                            ("open", "everyone who has its letters"),
                            ("request", "those whose request is granted"),
                            ("invitation", "those who are invited"),
                        ],
                        max_length=10,
                    ),
                ),
                ("code", models.CharField(default=games.races.invites.new_code, max_length=6, unique=True)),
                ("founded_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ClubAct",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("act", models.CharField(max_length=16)),
                ("at", models.DateTimeField()),
                (
                    "about",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="acts_of_clubs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="acts_in_clubs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="acts", to="leaderboards.club"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.PositiveSmallIntegerField(choices=[(1, "Owner"), (2, "Officer"), (3, "Member")], default=3),
                ),
                ("joined_at", models.DateTimeField()),
                ("left_at", models.DateTimeField(null=True)),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memberships",
                        to="leaderboards.club",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="club_memberships",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["role", "joined_at", "pk"],
                "indexes": [models.Index(fields=["club", "joined_at"], name="members_by_time")],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("left_at", None)), fields=("club", "player"), name="in_a_club_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("left_at", None), ("left_at__gte", models.F("joined_at")), _connector="OR"),
                        name="clubs_are_left_after_joining",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Outsider",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "state",
                    models.CharField(
                        choices=[("asked", "asked to join"), ("invited", "invited"), ("banned", "banned")], max_length=7
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="outsiders",
                        to="leaderboards.club",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="outside_clubs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["at", "pk"],
                "constraints": [models.UniqueConstraint(fields=("club", "player"), name="one_state_outside_a_club")],
            },
        ),
        migrations.CreateModel(
            name="MutedPlayer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "by",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_players",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_by",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["by", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("by", "player"), name="players_muted_once"),
                    models.CheckConstraint(
                        condition=models.Q(("by", models.F("player")), _negated=True), name="nobody_mutes_themselves"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CupResult",
            fields=[
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="result",
                        serialize=False,
                        to="games.cupentry",
                    ),
                ),
                (
                    "points",
                    models.PositiveSmallIntegerField(
                        help_text="Empty: a guest, or another account of a person.", null=True
                    ),
                ),
            ],
            options={
                "ordering": ["entry"],
            },
        ),
        migrations.CreateModel(
            name="ClubDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "removed",
                    models.CharField(
                        choices=[
                            ("nothing", "Nothing: keep the club as it is"),
                            ("name", "Remove the name"),
                            ("description", "Remove the description"),
                            ("close", "Close the club, with its name and description"),
                        ],
                        max_length=11,
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("insulting", "It insults or threatens people."),
                            ("private", "It contains personal data of somebody."),
                            ("advertising", "It advertises something."),
                            ("misleading", "It pretends to be of somebody else."),
                        ],
                        max_length=11,
                    ),
                ),
                ("text", models.CharField(blank=True, help_text="For colleagues.", max_length=500)),
                ("name", models.CharField(help_text="The name before.", max_length=40)),
                ("name_key", models.CharField(db_index=True, max_length=120)),
                ("description", models.CharField(blank=True, max_length=200)),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="decisions", to="leaderboards.club"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="ClubReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("about", models.CharField(choices=[("name", "Name"), ("description", "Description")], max_length=11)),
                ("text", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                (
                    "club",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="leaderboards.club"
                    ),
                ),
                (
                    "decision",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="leaderboards.clubdecision",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("decision", None)),
                        fields=("club", "reporter"),
                        name="one_open_report_of_a_club",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="CupDecision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "reason",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("insulting", "It insults or threatens people."),
                            ("private", "It contains personal data of somebody."),
                            ("advertising", "It advertises something."),
                            ("misleading", "It pretends to be of somebody else."),
                        ],
                        max_length=11,
                    ),
                ),
                ("text", models.CharField(blank=True, help_text="For colleagues.", max_length=500)),
                ("name", models.CharField(help_text="The name before.", max_length=40)),
                ("name_key", models.CharField(db_index=True, max_length=120)),
                ("at", models.DateTimeField()),
                (
                    "removed",
                    models.CharField(
                        choices=[("nothing", "Nothing: keep the name"), ("name", "Remove the name")], max_length=7
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "cup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="decisions", to="games.cup"
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="CupReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(blank=True, max_length=500)),
                ("at", models.DateTimeField()),
                (
                    "cup",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="games.cup"
                    ),
                ),
                (
                    "decision",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="reports",
                        to="leaderboards.cupdecision",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(class)ss",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("decision", None)),
                        fields=("cup", "reporter"),
                        name="one_open_report_of_a_cup",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Duel",
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
                ("board", models.CharField(help_text="The table of the week that decides.", max_length=80)),
                ("week", models.DateField(help_text="Its Monday.")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("offered", "proposed"),
                            ("accepted", "accepted"),
                            ("declined", "declined"),
                            ("withdrawn", "withdrawn"),
                        ],
                        default="offered",
                        max_length=9,
                    ),
                ),
                ("proposed_at", models.DateTimeField()),
                ("answered_at", models.DateTimeField(null=True)),
                (
                    "challenger",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="duels_proposed",
                        to="leaderboards.club",
                    ),
                ),
                (
                    "opponent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="duels_received",
                        to="leaderboards.club",
                    ),
                ),
            ],
            options={
                "ordering": ["-week", "pk"],
                "indexes": [
                    models.Index(fields=["challenger", "week"], name="duels_by_challenger"),
                    models.Index(condition=models.Q(("state", "accepted")), fields=["week"], name="duels_to_close"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["offered", "accepted"])),
                        fields=("challenger", "opponent", "board"),
                        name="one_duel_of_two_clubs_on_a_board",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("challenger", models.F("opponent")), _negated=True),
                        name="no_club_duels_itself",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DuelResult",
            fields=[
                (
                    "duel",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="result",
                        serialize=False,
                        to="leaderboards.duel",
                    ),
                ),
                ("version", models.PositiveBigIntegerField(help_text="The version of the board that counts.")),
                ("challenger_sum", models.BigIntegerField(null=True)),
                ("opponent_sum", models.BigIntegerField(null=True)),
                ("closed_at", models.DateTimeField()),
            ],
        ),
        CreateTriggers(GUARDS),
        migrations.RunPython(create_groups, delete_groups),
    ]
    operations = at_once(operations)
