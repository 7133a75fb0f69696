"""The tables of all subjects, for Django. Import a model from its subject, never from here."""

from leaderboards.achievements import models as achievements  # noqa: F401
from leaderboards.audit import models as audit  # noqa: F401
from leaderboards.boards import models as boards  # noqa: F401
from leaderboards.clubs import models as clubs  # noqa: F401
from leaderboards.cups import models as cups  # noqa: F401
from leaderboards.desk import models as desk  # noqa: F401
from leaderboards.leagues import models as leagues  # noqa: F401
from leaderboards.moderation import evidence_models as evidence  # noqa: F401
from leaderboards.moderation import models as moderation  # noqa: F401
from leaderboards.retests import models as retests  # noqa: F401
from leaderboards.seasons import models as seasons  # noqa: F401
from leaderboards.skill import models as skill  # noqa: F401
from leaderboards.webhooks import models as webhooks  # noqa: F401
