"""The admin: for looking things up, and for changing a few things about players.

Staff may play too, so as long as a deal can be played the admin shows nothing about it that its players may not know.
Django loads this module; each subject registers its own tables.
"""

from games.analysis import admin as analysis  # noqa: F401
from games.cups import admin as cups  # noqa: F401
from games.days import admin as days  # noqa: F401
from games.keys import admin as keys  # noqa: F401
from games.oauth import admin as oauth  # noqa: F401
from games.play import admin as play  # noqa: F401
from games.players import admin as players  # noqa: F401
from games.push import admin as push  # noqa: F401
from games.races import admin as races  # noqa: F401
from games.worker import admin as worker  # noqa: F401
