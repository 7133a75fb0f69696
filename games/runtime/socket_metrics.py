"""Metrics of live play, served at `/metrics`."""

from prometheus_client import Counter, Gauge

connections = Gauge("pyramid_sockets", "Open sockets.", multiprocess_mode="livesum")
closed = Counter("pyramid_sockets_closed_total", "Sockets that were closed, by code (0: by the client).", ["code"])
superseded = Counter("pyramid_takeovers_total", "Games that were taken over by another device.")
watchers = Gauge("pyramid_watchers", "Sockets that watch a game.", multiprocess_mode="livesum")
broadcast_up = Gauge(
    "pyramid_live_broadcast_up", "1 while other processes are reached, else 0.", multiprocess_mode="min"
)
broadcast_up.set(1)  # until one cannot be reached: without Redis there is none, and nobody may have asked yet
