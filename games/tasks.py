"""The periodic tasks of all subjects; importing this module registers them."""

from games.accounts import tasks as accounts  # noqa: F401
from games.analysis import tasks as analysis  # noqa: F401
from games.calendar import tasks as calendar  # noqa: F401
from games.notifications import tasks as notifications  # noqa: F401
from games.personal_data import tasks as personal_data  # noqa: F401
from games.play import tasks as play  # noqa: F401
from games.races import tasks as races  # noqa: F401
from games.statistics import tasks as statistics  # noqa: F401
