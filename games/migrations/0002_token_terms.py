"""Names and scopes of tokens, whose table comes after that of players; and fewer indexes of games.

None is for searches by the beginning of an id: nothing ever uses those that Django makes on PostgreSQL.
"""

from __future__ import annotations

import django.db.models.deletion
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def drop_indexes_of_beginnings(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    connection = schema_editor.connection
    with connection.cursor() as cursor:
        names = list(connection.introspection.get_constraints(cursor, "games_game"))
    for name in names:
        if name.endswith("_like"):
            schema_editor.execute(f'DROP INDEX "{name}"')


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial"), ("knox", "0009_extend_authtoken_field")]

    operations = [
        migrations.CreateModel(
            name="TokenTerms",
            fields=[
                (
                    "token",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="terms",
                        serialize=False,
                        to="knox.authtoken",
                    ),
                ),
                ("name", models.CharField(max_length=40)),
                (
                    "scopes",
                    models.CharField(
                        help_text="Words separated by spaces; a word that is missing is refused.", max_length=60
                    ),
                ),
                (
                    "grant",
                    models.ForeignKey(
                        help_text="What an app got the token for.",
                        null=True,
                        on_delete=django.db.models.deletion.RESTRICT,
                        related_name="tokens",
                        to="games.grant",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "terms of tokens",
                "ordering": ["name"],
            },
        ),
        migrations.RunPython(drop_indexes_of_beginnings, migrations.RunPython.noop),
    ]
