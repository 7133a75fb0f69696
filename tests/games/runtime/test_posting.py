"""Requests to addresses that others gave reach the internet alone, once, in a limited time."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from games.runtime import posting
from games.runtime.posting import is_public, leads_inside, post
from tests.listener import Listener, answering_oddly, listening

NAME = "listener.example"


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


Resolve = Callable[..., None]


@pytest.fixture
def resolve(monkeypatch: pytest.MonkeyPatch) -> Resolve:
    """Let a name resolve to these addresses, one list for each look-up; another look-up fails."""

    def resolve(*look_ups: list[str]) -> None:
        waiting = list(look_ups)

        def found(host: str, port: int, **options: object) -> list[Any]:
            assert host == NAME
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in waiting.pop(0)]

        monkeypatch.setattr(socket, "getaddrinfo", found)

    return resolve


@pytest.mark.parametrize("address", ["93.184.216.34", "192.88.98.1", "2606:4700::1111", "2a00:1450:4001::1"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        *("10.0.0.1", "172.16.0.1", "192.168.1.1", "127.0.0.1", "169.254.169.254", "100.64.0.1"),
        *("0.0.0.0", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255"),  # noqa: S104
        "192.88.99.1",  # relays of 6to4
        *("::", "::1", "fe80::1%eth0", "fd00::1", "fec0::1", "ff02::1", "ff0e::1"),
        *("::127.0.0.1", "::10.0.0.1", "::ffff:10.0.0.1", "::ffff:93.184.216.34", "::ffff:0:127.0.0.1"),  # IPv4 inside
        *("64:ff9b::a00:1", "64:ff9b:1::a00:1", "2002:a00:1::", "2001:0:a00:1::1"),  # NAT64, 6to4, Teredo
        *("5f00::1", "100::1", "2001:db8::1", "3fff::1", "2001:20::1", "4000::1"),  # without a network, or unused
    ],
)
def test_all_others_are_not(address: str) -> None:
    assert not is_public(address)


def test_nothing_inside_a_private_network_is_reached(listener: Listener) -> None:
    for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "2130706433", "0x7f.1"):
        answer = post(f"http://{host}:{listener.port}/", {}, b"{}")
        assert (answer.status, answer.may_be_sent) == (None, False), host
    assert listener.arrived == []


@pytest.mark.parametrize("addresses", [["93.184.216.34", "127.0.0.1"], ["127.0.0.1", "93.184.216.34"]])
def test_a_name_with_one_private_address_among_its_addresses_is_refused(
    listener: Listener, resolve: Resolve, addresses: list[str]
) -> None:
    resolve(addresses)
    answer = post(f"http://{NAME}:{listener.port}/", {}, b"{}")
    assert answer.error == f"{NAME} is in a private network"
    assert listener.arrived == []


def test_a_name_is_looked_up_once_so_that_it_cannot_lead_elsewhere_after_the_check(
    listener: Listener, resolve: Resolve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "is_public", lambda address: address == "127.0.0.1")  # this machine is the internet
    resolve(["127.0.0.1"], ["127.0.0.2"])
    assert post(f"http://{NAME}:{listener.port}/", {}, b"{}").is_accepted
    assert [headers["Host"] for _, headers, _ in listener.arrived] == [f"{NAME}:{listener.port}"]


def test_the_next_address_of_a_name_is_tried_if_one_cannot_be_reached(listener: Listener, resolve: Resolve) -> None:
    resolve(["127.0.0.9", "127.0.0.1"])
    assert post(f"http://{NAME}:{listener.port}/", {}, b"{}", to_private=True).is_accepted
    resolve(["127.0.0.9"])
    answer = post(f"http://{NAME}:{listener.port}/", {}, b"{}", to_private=True)
    assert (answer.status, answer.may_be_sent) == (None, False)


def test_tls_checks_the_name_and_not_the_address(
    listener: Listener, resolve: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener.socket = tls_for_the_name(tmp_path, monkeypatch).wrap_socket(listener.socket, server_side=True)
    resolve(["127.0.0.1"])
    assert post(f"https://{NAME}:{listener.port}/", {}, b"{}", to_private=True).is_accepted
    monkeypatch.undo()
    answer = post(f"https://127.0.0.1:{listener.port}/", {}, b"{}", to_private=True)
    assert "CERTIFICATE_VERIFY_FAILED" in answer.error
    assert not answer.may_be_sent


def tls_for_the_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """Return what a server needs to speak TLS under its name, and trust it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    certificate = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "certificate").write_bytes(
        certificate.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    )
    (folder / "key").write_bytes(key.private_bytes(*form))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "certificate", folder / "key")
    monkeypatch.setenv("SSL_CERT_FILE", str(folder / "certificate"))
    monkeypatch.setattr(posting, "_tls", posting._tls.__wrapped__)  # which reads the certificate now
    return context


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_not_accepted(listener: Listener, status: int) -> None:
    listener.status = status
    answer = post(listener.url, {}, b"{}", to_private=True)
    assert (answer.status, answer.error, answer.is_accepted) == (status, f"HTTP {status}", False)
    assert [(path, body) for path, _, body in listener.arrived] == [("/hook?for=us", b"{}")]


def test_an_answer_that_does_not_come_is_cut(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "SECONDS", 0.05)
    listener.released.clear()
    answer = post(listener.url, {}, b"{}", to_private=True)
    assert (answer.status, answer.may_be_sent) == (None, True)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_an_answer_that_comes_byte_by_byte_is_cut(
    scheme: str, resolve: Resolve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "SECONDS", 0.5)
    context = tls_for_the_name(tmp_path, monkeypatch)
    resolve(["127.0.0.1"])
    over = Event()
    with socket.create_server(("127.0.0.1", 0)) as server:
        dripping = Thread(target=drip, args=(server, context if scheme == "https" else None, over))
        dripping.start()
        try:
            answer = post(f"{scheme}://{NAME}:{server.getsockname()[1]}/", {}, b"{}", to_private=True)
        finally:
            over.set()
            dripping.join()
    assert answer.status is None


def drip(server: socket.socket, context: ssl.SSLContext | None, over: Event) -> None:
    """Send a valid beginning of an answer that never ends; each byte would restart a timeout."""
    line = server.accept()[0]
    with suppress(OSError):
        line = context.wrap_socket(line, server_side=True) if context else line
        line.sendall(b"HTTP/1.1 2")
        while not over.wait(0.02):
            line.sendall(b"a")
    line.close()


@pytest.mark.parametrize("size", [100_000, 10_000_000])
def test_a_header_without_end_is_not_read_to_its_end(size: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer_at_length() -> None:
            line = server.accept()[0]
            line.recv(65536)
            with suppress(OSError):
                line.sendall(b"HTTP/1.1 200 OK\r\nX: " + b"a" * size)
            line.close()

        serving = Thread(target=answer_at_length)
        serving.start()
        answer = post(f"http://127.0.0.1:{server.getsockname()[1]}/", {}, b"{}", to_private=True)
        serving.join()
    assert "header line" in answer.error


@pytest.mark.parametrize("address", ["ftp://example.org/", "http://", "http://[half", "not an address"])
def test_an_invalid_address_is_an_error_and_no_crash(address: str) -> None:
    assert post(address, {}, b"", to_private=True).status is None


def test_an_address_with_a_password_is_not_called(listener: Listener) -> None:
    answer = post(f"http://alice:secret@127.0.0.1:{listener.port}/", {}, b"", to_private=True)
    assert "not sent" in answer.error
    assert "secret" not in answer.error
    assert listener.arrived == []


def test_an_address_without_a_path_is_called_at_the_root(listener: Listener) -> None:
    assert post(f"http://127.0.0.1:{listener.port}?for=us", {}, b"{}", to_private=True).is_accepted
    assert [path for path, _, _ in listener.arrived] == ["/?for=us"]


@pytest.mark.parametrize("line", [b"\0\x1b[31mno", b"HTTP/\0.1 200 OK", b"HTTP/1.1 \x9b31m OK"])
def test_what_an_answer_says_instead_of_a_status_is_quoted_as_printable_text(line: bytes) -> None:
    with answering_oddly(line) as address:
        answer = post(address, {}, b"", to_private=True)
    assert answer.status is None
    assert answer.error.isprintable()
    assert "?" in answer.error


@pytest.mark.parametrize(
    ("address", "is_inside"),
    [
        ("http://127.0.0.1:8041", True),
        ("http://10.0.0.7/", True),
        ("http://[::1]:8041/", True),
        ("http://localhost:8041", True),
        ("https://witness.example", False),
        ("https://localhost.example", False),
        ("http://93.184.216.34/", False),
        ("nonsense", False),
    ],
)
def test_only_an_address_that_says_so_leads_inside(address: str, is_inside: bool) -> None:
    assert leads_inside(address) is is_inside
