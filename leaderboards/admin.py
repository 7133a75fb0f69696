"""Score tables in the admin. Django loads this module; each subject registers its own tables."""

from leaderboards.audit import admin as audit  # noqa: F401
from leaderboards.boards import admin as boards  # noqa: F401
from leaderboards.clubs import admin as clubs  # noqa: F401
from leaderboards.moderation import admin as moderation  # noqa: F401
from leaderboards.webhooks import admin as webhooks  # noqa: F401
