"""The periodic tasks of all subjects; importing this module registers them."""

from leaderboards.audit import tasks as audit  # noqa: F401
from leaderboards.boards import tasks as boards  # noqa: F401
from leaderboards.leagues import tasks as leagues  # noqa: F401
from leaderboards.moderation import tasks as moderation  # noqa: F401
from leaderboards.seasons import tasks as seasons  # noqa: F401
from leaderboards.skill import tasks as skill  # noqa: F401
from leaderboards.webhooks import tasks as webhooks  # noqa: F401
