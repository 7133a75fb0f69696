"""The server, with a thread that judges games all the time beside it."""

from pyramid_server.asgi import application  # noqa: F401  which uvicorn serves
from tests.bench.judged import keep_judging

keep_judging()
