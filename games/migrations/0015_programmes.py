import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0014_bans")]

    operations = [
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
            options={"verbose_name": "programme", "ordering": ["-valid_from"]},
        ),
    ]
