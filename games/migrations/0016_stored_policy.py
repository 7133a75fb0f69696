"""The stored form of a policy has a name of its own in the models; the columns stay what they are called."""

from django.db import migrations, models

HELP = {
    "dailydeal": "What its attempts allow; empty: what ranked attempts do by default.",
    "game": "What it was started under; empty: what its kind allows by default.",
}


class Migration(migrations.Migration):
    dependencies = (("games", "0015_programmes"),)
    operations = (
        migrations.SeparateDatabaseAndState(
            state_operations=[
                operation
                for model, help_text in HELP.items()
                for operation in (
                    migrations.RenameField(model, "policy", "stored_policy"),
                    migrations.AlterField(
                        model, "stored_policy", models.JSONField(null=True, db_column="policy", help_text=help_text)
                    ),
                )
            ]
        ),
    )
