"""A visitor of the pages, whose browser has cookies and no script."""

from __future__ import annotations

import re
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener


class Visitor:
    """Reads pages of a server, and sends their forms."""

    def __init__(self, server: str) -> None:
        self.server, self.cookies = server, CookieJar()
        self._opener = build_opener(HTTPCookieProcessor(self.cookies))

    def read(self, path: str) -> str:
        """Return a page. Raises `HTTPError`, which the caller closes."""
        return self._open(Request(f"{self.server}{path}"))

    def send(self, path: str, **form: str) -> str:
        """Send the form of a page, and return the page that follows. Raises `HTTPError`, which the caller closes."""
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.read(path))
        assert token is not None, path
        sent = urlencode({"csrfmiddlewaretoken": token[1], **form}).encode()
        return self._open(Request(f"{self.server}{path}", sent, {"Referer": f"{self.server}{path}"}))

    def _open(self, request: Request) -> str:
        with self._opener.open(request, timeout=180) as page:
            return str(page.read().decode())


def signed_in(server: str, handle: str, password: str) -> Visitor:
    visitor = Visitor(server)
    visitor.send("/account/sign-in/", handle=handle, password=password)
    return visitor


def allow(server: str, handle: str, password: str, code: str, choice: str = "allow") -> None:
    """Sign in as a person, type the code that a device of the app *A terminal* shows, and decide."""
    visitor = signed_in(server, handle, password)
    assert "A terminal" in visitor.send("/device/", code=code)
    visitor.send("/device/", code=code, **{choice: "yes"})
