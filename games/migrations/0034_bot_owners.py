import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0033_ratings"),
    ]

    operations = [
        migrations.AddField(
            model_name="player",
            name="owner",
            field=models.ForeignKey(
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
        migrations.AddIndex(
            model_name="player",
            index=models.Index(
                condition=models.Q(("owner", None), _negated=True), fields=["owner"], name="players_by_owner"
            ),
        ),
        migrations.AddConstraint(
            model_name="player",
            constraint=models.CheckConstraint(
                condition=models.Q(("owner", None), ("is_bot", True), _connector="OR"), name="only_bots_have_owners"
            ),
        ),
    ]
