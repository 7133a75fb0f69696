"""The groups of those who moderate scores, with exactly what they may do."""

from typing import Any

from django.apps.registry import Apps
from django.contrib.auth.management import create_permissions
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

# The log is read on pages of the desk, which keep a first reviewer's choice from the second.
SEEN = {
    "leaderboards": (
        *("accountevidence", "board", "case", "club", "dayroot", "decision", "detectorrun", "entry", "examination"),
        *("keptfinding", "report"),
    ),
    "games": ("dailydeal", "game", "player"),
}
GROUPS = {
    "reviewer": ("review_case",),
    "senior reviewer": ("review_case", "ban_player", "decide_final_day", "hear_appeal"),
}


def create_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    """Create the groups; their permissions first, which Django makes only after all migrations have run."""
    for app in SEEN:
        config: Any = apps.get_app_config(app)
        config.models_module = getattr(
            config, "models_module", True
        )  # an app of a migration has none, and counts as empty
        create_permissions(config, verbosity=0, apps=apps)
    seen = Q()
    for app, models in SEEN.items():
        seen |= Q(content_type__app_label=app, codename__in=[f"view_{model}" for model in models])
    for name, codenames in GROUPS.items():
        group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        own = Q(content_type__app_label="leaderboards", codename__in=codenames)
        group.permissions.set(apps.get_model("auth", "Permission").objects.filter(seen | own))


def delete_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    apps.get_model("auth", "Group").objects.filter(name__in=GROUPS).delete()
