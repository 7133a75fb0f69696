"""A game's time in which no server was up has one name, here and in its record."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = (("games", "0016_stored_policy"),)
    operations = (migrations.RenameField("game", "credit_ms", "downtime_ms"),)
