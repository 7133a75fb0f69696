"""Pages of other sites, which have another origin than the server's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


@contextmanager
def site_of(folder: Path) -> Iterator[str]:
    """Serve the files of a folder at the address that this returns."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=folder)) as site:
        Thread(target=site.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}"
        site.shutdown()
