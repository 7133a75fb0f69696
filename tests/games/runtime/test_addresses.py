"""The address that a request is counted for."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from games.runtime import addresses
from games.runtime.addresses import address_of_request, address_of_scope, subscriber

PEER = "192.0.2.1"


def asked(forwarded: list[str], peer: str = PEER) -> set[str]:
    """Return what REST and pages, and what sockets, take for the address of a client."""
    headers = {"HTTP_X_FORWARDED_FOR": ",".join(forwarded)} if forwarded else {}
    request = RequestFactory().get("/", REMOTE_ADDR=peer, **headers)  # type: ignore[arg-type]
    scope: dict[str, Any] = {
        "headers": [(b"x-forwarded-for", line.encode("latin1")) for line in forwarded],
        "client": (peer, 50000),
    }
    return {address_of_request(request), address_of_scope(scope)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("192.0.2.7", "192.0.2.7"),
        (" 192.0.2.7:50000 ", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::9", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]:443", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::9]", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        *(
            (nonsense, None)
            for nonsense in ["", "unknown", "192.0.2", "192.0.2.7.8", "a" * 9000, "1.2.3.4\0", "\u0661.2.3"]
        ),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_what_one_subscriber_has_is_one_address(text: str, expected: str | None) -> None:
    assert subscriber(text) == expected


def test_without_a_proxy_no_header_is_believed() -> None:
    assert asked(["203.0.113.9"]) == {PEER}


@pytest.mark.parametrize(
    ("hops", "forwarded", "expected"),
    [
        (1, ["203.0.113.9"], "203.0.113.9"),
        (1, ["1.1.1.1, 203.0.113.9"], "203.0.113.9"),
        (1, ["1.1.1.1", "203.0.113.9:4711"], "203.0.113.9"),
        (2, ["1.1.1.1, 203.0.113.9, 198.51.100.2"], "203.0.113.9"),
        (2, ["203.0.113.9"], "203.0.113.9"),
        (1, [], PEER),
        (1, ["203.0.113.9, gibberish"], PEER),
        (1, ["203.0.113.9, "], PEER),
    ],
)
def test_behind_proxies_the_one_farthest_out_of_ours_is_believed(
    hops: int, forwarded: list[str], expected: str, settings: Settings
) -> None:
    settings.BEHIND_TLS_PROXY, settings.PYRAMID_PROXY_HOPS = True, hops
    assert asked(forwarded) == {expected}


def test_a_proxy_that_names_no_client_is_reported_once_and_its_clients_share_limits(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.BEHIND_TLS_PROXY = True
    addresses._warn_once.cache_clear()
    assert [asked([]), asked([]), asked(["nonsense"])] == [{PEER}] * 3
    [warning] = [record for record in caplog.records if record.name == addresses.__name__]
    assert "the proxy names no client address in X-Forwarded-For" in warning.getMessage()
    assert "docs/several-nodes.md" in warning.getMessage()


def test_a_socket_file_has_no_address_and_is_counted_all_the_same() -> None:
    assert asked([], peer="") == {"unknown"}
    assert address_of_scope({"headers": []}) == "unknown"
