"""The groups of those who moderate scores, with exactly what they may do."""

from django.apps.registry import Apps
from django.contrib.auth.models import Permission
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# The log is read on pages of the desk, which keep a first reviewer's choice from the second.
SEEN = {
    "leaderboards": (
        *("accountevidence", "board", "case", "dayroot", "decision", "detectorrun", "entry", "examination"),
        *("keptfinding", "report"),
    ),
    "games": ("dailydeal", "game", "player"),
}
REVIEWER: dict[str, tuple[str, ...]] = {"leaderboards": ("review_case",)}
SENIOR: dict[str, tuple[str, ...]] = {"leaderboards": ("review_case", "ban_player", "decide_final_day", "hear_appeal")}
GROUPS: dict[str, dict[str, tuple[str, ...]]] = {"reviewer": REVIEWER, "senior reviewer": SENIOR}


def create_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    """Create the groups; their permissions first, which Django makes only after all migrations have run."""
    group = apps.get_model("auth", "Group")
    for name, more in GROUPS.items():
        made, _ = group.objects.get_or_create(name=name)
        made.permissions.set(
            [
                *(_permission(apps, app, model, f"view_{model}") for app, models in SEEN.items() for model in models),
                *(
                    _permission(apps, app, "case", codename)
                    for app, codenames in more.items()
                    for codename in codenames
                ),
            ]
        )


def _permission(apps: Apps, app: str, model: str, codename: str) -> Permission:
    kind, _ = apps.get_model("contenttypes", "ContentType").objects.get_or_create(app_label=app, model=model)
    names = dict(apps.get_model(app, model)._meta.permissions)
    name = names.get(codename, f"Can view {apps.get_model(app, model)._meta.verbose_name_raw}")
    permission, _ = apps.get_model("auth", "Permission").objects.get_or_create(
        content_type=kind, codename=codename, defaults={"name": name}
    )
    return permission


def delete_groups(apps: Apps, schema_editor: BaseDatabaseSchemaEditor | None) -> None:
    apps.get_model("auth", "Group").objects.filter(name__in=GROUPS).delete()
