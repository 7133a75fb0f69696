"""The proxy of the containers before nodes that say what they were sent."""

from __future__ import annotations

import json
import re
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import create_connection
from threading import Thread
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest
from pytest_django.fixtures import Settings

from games.runtime.addresses import address_of_scope
from tests.compose import NGINX_TEMPLATE, NODES, Proxy, needs_nginx, running_proxy

pytestmark = needs_nginx
LONGEST = 64 * 1024
TIMEOUT = "1s"
REFUSED = "/refused-by-a-node"


class Node(BaseHTTPRequestHandler):
    """Answers with the headers of the request."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        is_refused = self.path == REFUSED
        answer = b'{"code": "too_many_games"}' if is_refused else json.dumps(self.headers.items()).encode()
        self.send_response(429 if is_refused else 200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_POST = do_GET  # noqa: N815  the library's name

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


class Behind(NamedTuple):
    """A proxy, the nodes behind it, and what these were asked for."""

    proxy: Proxy
    nodes: list[ThreadingHTTPServer]
    asked: list[str]

    def ask(
        self,
        path: str,
        body: bytes | Iterator[bytes] | None = None,
        headers: dict[str, str] | None = None,
        method: str = "",
    ) -> Any:
        """Return the answer, its body in `text`, and in `json` unless it is a page."""
        address = urlsplit(self.proxy.https)
        trusted = ssl.create_default_context(cafile=self.proxy.certificate)
        connection = HTTPSConnection(address.netloc, context=trusted, timeout=180)
        connection.request(method or ("GET" if body is None else "POST"), path, body, headers or {})
        answer: Any = connection.getresponse()
        answer.text = answer.read().decode()
        answer.json = None if answer.text.startswith("<") else json.loads(answer.text or "null")
        connection.close()
        return answer

    def asked_often(self, path: str, body: bytes) -> Iterator[Any]:
        return (self.ask(path, body) for _ in range(100))

    @contextmanager
    def connected(self) -> Iterator[ssl.SSLSocket]:
        address = urlsplit(self.proxy.https)
        trusted = ssl.create_default_context(cafile=self.proxy.certificate)
        with (
            create_connection(("127.0.0.1", address.port or 0), timeout=180) as line,
            trusted.wrap_socket(line, server_hostname="localhost") as client,
        ):
            yield client

    def half_said(self, text: bytes) -> bytes:
        """Send something and no more, and return all that the proxy says to it."""
        with self.connected() as client:
            client.sendall(text)
            said = b""
            with suppress(ConnectionError, ssl.SSLError):
                while more := client.recv(4096):
                    said += more
            return said


@pytest.fixture
def behind() -> Iterator[Behind]:
    with _running(TIMEOUT) as behind:
        yield behind


@contextmanager
def _running(timeout: str) -> Iterator[Behind]:
    asked: list[str] = []
    handler = type("Handler", (Node,), {"asked": asked})
    nodes = [ThreadingHTTPServer(("127.0.0.1", 0), handler) for _ in NODES]
    for node in nodes:
        Thread(target=node.serve_forever, args=(0.01,), daemon=True).start()
    with running_proxy([node.server_port for node in nodes], timeout) as proxy:
        yield Behind(proxy, nodes, asked)
    for node in nodes:
        _stop(node)


def _stop(node: ThreadingHTTPServer) -> None:
    node.shutdown()
    node.server_close()


def test_a_node_takes_the_address_from_the_proxy_whatever_the_client_writes(behind: Behind, settings: Settings) -> None:
    settings.BEHIND_TLS_PROXY = True
    written = {"X-Forwarded-For": "192.0.2.9", "X-Forwarded-Proto": "http", "Upgrade": "h2c"}
    headers = behind.ask("/", headers=written).json
    scope = {"headers": [(name.lower().encode(), value.encode()) for name, value in headers], "client": ("10.0.0.1", 1)}
    assert address_of_scope(scope) == "127.0.0.1"
    sent = dict(headers)
    assert (sent["Host"], sent["X-Forwarded-Proto"]) == (urlsplit(behind.proxy.https).netloc, "https")
    assert "Upgrade" not in sent


def test_connections_are_counted_by_subscriber() -> None:
    together = [
        ["192.0.2.1"],
        ["192.0.2.2"],
        ["::ffff:192.0.2.1"],
        ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::1", "2001:db8:1:2:ffff::"],
        ["2001:db8:1:3::1", "2001:db8:1:3:0:1::"],
        ["2001:db8::1", "2001:db8::2:0:0:1"],
    ]
    patterns = re.findall(r'^ +"~(.*)" \$\w+;$', NGINX_TEMPLATE.read_text(), re.MULTILINE)

    def counted(address: str) -> str:
        found = next((found for pattern in patterns if (found := re.search(pattern, address))), None)
        return found[1] if found else address

    counts = [{counted(address) for address in addresses} for addresses in together]
    assert [len(keys) for keys in counts] == [1] * len(together)
    assert len(set().union(*counts)) == len(together)
    assert "limit_conn_zone $subscriber " in NGINX_TEMPLATE.read_text()


@pytest.mark.parametrize("is_announced", [True, False])
def test_a_body_that_is_too_long_reaches_no_node(behind: Behind, is_announced: bool) -> None:
    assert behind.ask("/fits", b"x" * LONGEST).status == 200
    body = b"x" * (LONGEST + 1)
    refused = behind.ask("/too-long", body if is_announced else iter([body]))
    assert (refused.status, refused.json["code"]) == (413, "message_too_large")
    assert refused.headers["Access-Control-Allow-Origin"] == "*"
    assert behind.asked == ["/fits"]


def test_a_request_that_does_not_arrive_reaches_no_node_and_is_not_waited_for(behind: Behind) -> None:
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
    with ThreadPoolExecutor() as clients:
        answers = list(clients.map(behind.half_said, [b"", head[:20], head, head + b"half"]))
    assert not any(b" 200 " in answer for answer in answers)
    assert behind.asked == []


def test_bodies_that_drip_take_few_of_the_connections_and_hold_up_nobody() -> None:
    """nginx gives each part of a body its time, and the whole one none."""
    [most] = map(int, re.findall(r"limit_conn bodies (\d+);", NGINX_TEMPLATE.read_text()))
    half = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf"
    with _running(timeout="60s") as behind, ExitStack() as dripping:
        for _ in range(most):
            dripping.enter_context(behind.connected()).sendall(half)
        assert behind.ask("/read").status == 200
        # The proxy has read the last of them only a moment later.
        refused = next(answer for answer in behind.asked_often("/refused", b"{}") if answer.status != 200)
        assert (refused.status, refused.json["code"], refused.headers["Retry-After"]) == (429, "too_many_requests", "5")
        assert_every_site_may_read(refused)
        assert behind.ask("/read").status == 200
    assert "/" not in behind.asked


def test_what_a_node_refuses_reaches_the_client_as_it_is(behind: Behind) -> None:
    refused = behind.ask(REFUSED)
    assert (refused.status, refused.json["code"]) == (429, "too_many_games")


def test_plain_http_leads_to_https_and_answers_who_issues_the_certificate(behind: Behind) -> None:
    challenges = behind.proxy.log.parent / ".well-known" / "acme-challenge"
    challenges.mkdir(parents=True)
    (challenges / "token").write_text("proof")
    challenges.parent.parent.chmod(0o755)
    with urlopen(f"{behind.proxy.http}/.well-known/acme-challenge/token") as answer:
        assert answer.read() == b"proof"
    with pytest.raises(HTTPError) as moved:
        urlopen(Request(f"{behind.proxy.http}/days/?rules=standard", b"body"))
    with moved.value as answer:
        assert (answer.code, answer.headers["Location"]) == (308, "https://127.0.0.1/days/?rules=standard")


def test_metrics_of_one_process_by_chance_are_not_to_be_had(behind: Behind) -> None:
    assert behind.ask("/metrics").status == 404
    assert behind.asked == []


def test_while_a_node_is_away_the_other_one_answers_and_without_any_there_is_a_code_or_a_page(behind: Behind) -> None:
    one, other = behind.nodes
    _stop(one)
    assert {behind.ask("/", b"{}").status for _ in range(10)} == {200}
    _stop(other)
    refused = behind.ask("/")
    assert (refused.status, refused.json["code"], refused.headers["Retry-After"]) == (503, "unavailable", "1")
    assert_every_site_may_read(refused)
    shown = behind.ask("/", headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (shown.status, shown.headers["Content-Type"]) == (503, "text/html; charset=utf-8")
    assert "Deine Züge sind sicher" in shown.text


def assert_every_site_may_read(refused: Any) -> None:
    assert refused.headers["Access-Control-Allow-Origin"] == "*"
    assert refused.headers["Access-Control-Expose-Headers"] == "Retry-After"


def test_a_browser_that_asks_for_another_site_without_any_node_may_send_the_request_that_is_refused(
    behind: Behind,
) -> None:
    for node in behind.nodes:
        _stop(node)
    asked = {"Origin": "https://client.example", "Access-Control-Request-Method": "POST"}
    names = {"Access-Control-Request-Headers": "authorization,content-type"}
    leave = behind.ask("/api/games/", headers=asked | names, method="OPTIONS")
    assert (leave.status, leave.headers["Access-Control-Allow-Origin"]) == (204, "*")
    assert leave.headers["Access-Control-Allow-Headers"] == "authorization,content-type"
    assert leave.headers["Access-Control-Allow-Methods"] == "POST"
    assert behind.ask("/api/games/", b"{}").status == 503


def test_the_log_names_what_was_asked_for_but_neither_tickets_nor_addresses_of_clients(behind: Behind) -> None:
    path = "/ws/games/7/?ticket=secret"
    behind.ask(path, headers={"Connection": "Upgrade", "Upgrade": "websocket"})
    for node in behind.nodes:
        _stop(node)
    assert behind.ask(path).status == 503
    log = behind.proxy.logged("GET /ws/games/7/ ", times=2)
    assert "secret" not in log
    assert "127.0.0.1 " not in log


def test_the_certificate_can_be_read_by_nobody_else(behind: Behind) -> None:
    key = Path(behind.proxy.certificate).with_name("privkey.pem")
    assert key.stat().st_mode & 0o077 == 0
