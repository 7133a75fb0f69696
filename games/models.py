"""The tables of all subjects, for Django. Import a model from its subject, never from here."""

from games.analysis import models as analysis  # noqa: F401
from games.beacon import models as beacon  # noqa: F401
from games.calendar import models as calendar  # noqa: F401
from games.cups import models as cups  # noqa: F401
from games.identities import models as identities  # noqa: F401
from games.keys import models as keys  # noqa: F401
from games.notifications import models as notifications  # noqa: F401
from games.oauth import models as oauth  # noqa: F401
from games.personal_data import models as personal_data  # noqa: F401
from games.play import models as play  # noqa: F401
from games.players import models as players  # noqa: F401
from games.push import models as push  # noqa: F401
from games.puzzles import models as puzzles  # noqa: F401
from games.races import models as races  # noqa: F401
from games.statistics import models as statistics  # noqa: F401
from games.status import models as status  # noqa: F401
from games.tlog import models as tlog  # noqa: F401
from games.worker import models as worker  # noqa: F401
