"""Overload: new work is refused while so much waits already that those who came before would wait for seconds more."""

from types import TracebackType

from prometheus_client import Counter

shed = Counter("pyramid_shed_total", "Requests and new sockets that were refused because too many waited.", ["of"])


class Crowd:
    """Those who wait for one thing. `is_full` counts a refusal."""

    def __init__(self, of: str, most: int) -> None:
        self._of, self._most = of, most
        self._waiting = 0

    def is_full(self) -> bool:
        full = self._waiting >= self._most
        if full:
            shed.labels(of=self._of).inc()
        return full

    def __enter__(self) -> None:
        self._waiting += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waiting -= 1
