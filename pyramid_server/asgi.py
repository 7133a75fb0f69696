import gc
import sys

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import WebsocketDenier
from django.urls import re_path

django.setup(set_prefix=False)

# The imports below use models, which exist only from here on.
import pyramid_server.urls  # noqa: E402, F401  every page, for which the first request would wait
from games.runtime.descriptors import raise_limit  # noqa: E402
from pyramid_server.another_node import sockets_left_to_another  # noqa: E402
from pyramid_server.handshakes import in_readers_language, with_known_origin  # noqa: E402
from pyramid_server.heartbeat import start_heartbeat  # noqa: E402
from pyramid_server.http import ThreadedHandler  # noqa: E402
from pyramid_server.postgresql.base import limit_statements  # noqa: E402
from pyramid_server.socket_urls import websocket_urlpatterns  # noqa: E402
from pyramid_server.stopping import close_players_first, finish_mails  # noqa: E402

# A player would not wait so long, but a staff decision about a large board may take that time.
LONGEST_STATEMENT_SECONDS = 30.0

# After which a thread that computes lets the event loop have its turn. By default it is five times as long, for which a
# move would wait again and again while rooms or games are read.
SWITCH_SECONDS = 0.001

# Without this, URLRouter would raise and log a traceback for an address that no pattern matches.
nowhere = re_path("", WebsocketDenier.as_asgi())

application = ProtocolTypeRouter(
    {
        "lifespan": finish_mails,
        "http": ThreadedHandler(),
        "websocket": sockets_left_to_another(
            with_known_origin(in_readers_language(URLRouter([*websocket_urlpatterns, nowhere])))
        ),
    }
)

raise_limit()
sys.setswitchinterval(SWITCH_SECONDS)
close_players_first()
limit_statements(LONGEST_STATEMENT_SECONDS)
start_heartbeat()

# Everything loaded by now stays, and games create no cycles, so a full garbage collection mostly delays players: with
# 15,000 sockets all of them, by one and a half seconds. Those before it come early, so that none takes long: they are
# due when objects have become more by so many, and where games only change, a hundred times as many are new by then.
gc.collect()
gc.freeze()
gc.set_threshold(500, 1, 24_000)
