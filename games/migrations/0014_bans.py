from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0013_secret_access")]

    operations = [
        migrations.AddField(
            model_name="player",
            name="banned_at",
            field=models.DateTimeField(blank=True, help_text="Since when no game of the player has a rank.", null=True),
        ),
    ]
