"""The links of the chain are fed to archives."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from games.calendar.models import DailyDeal
from games.days import feeds
from tests.atom import require_valid_feed

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(client: Client, address: str) -> list[str]:
    """Return the texts of a feed's entries."""
    feed = ET.fromstring(client.get(address).content)  # noqa: S314  our own
    return [entry.findtext(f"{ATOM}summary") or "" for entry in feed.findall(f"{ATOM}entry")]


@pytest.fixture
def chain(daily: DailyDeal, monkeypatch: pytest.MonkeyPatch) -> list[DailyDeal]:
    """Return a chain of more than one page, the last one not full."""
    chain = list(DailyDeal.objects.order_by("number"))
    monkeypatch.setattr(feeds, "LINKS_A_PAGE", len(chain) - 1)
    return chain


def test_the_feed_has_every_link_with_what_it_names_and_leads_to_the_pages_before(
    client: Client, chain: list[DailyDeal]
) -> None:
    newest = client.get("/feeds/links/")
    assert newest["Content-Type"].startswith("application/atom+xml")
    (before,) = re.findall(r'<link href="([^"]+)" rel="prev-archive"', newest.content.decode())
    assert before == "http://testserver/feeds/links/0/"
    told = [*entries(client, before), *entries(client, "/feeds/links/")]
    assert [text.split()[0] for text in told] == [f"{daily.number}:{daily.link}" for daily in chain]
    assert told[0].endswith(f"commitment {chain[0].commitment} grade {chain[0].grade or 'any'}")
    assert not any(daily.seed in "".join(told) for daily in chain)


def test_validators_of_feeds_find_nothing_wrong(client: Client, chain: list[DailyDeal]) -> None:
    for address in ("/feeds/links/", "/feeds/links/0/"):
        assert require_valid_feed(client.get(address), f"http://testserver{address}").entries


def test_a_full_page_never_changes_and_the_newest_is_asked_for_again(client: Client, chain: list[DailyDeal]) -> None:
    full, newest = client.get("/feeds/links/0/"), client.get("/feeds/links/")
    assert ("immutable" in full["Cache-Control"], b"<fh:archive" in full.content) == (True, True)
    assert ("no-cache" in newest["Cache-Control"], b"<fh:archive" in newest.content) == (True, False)
    assert client.get("/feeds/links/", HTTP_IF_NONE_MATCH=newest["ETag"]).status_code == 304


def test_a_page_that_is_not_full_yet_is_no_archive(client: Client, daily: DailyDeal) -> None:
    for number in (0, 7, 10**12):
        assert client.get(f"/feeds/links/{number}/").status_code == 404


def test_before_the_first_commitment_the_feed_is_empty(client: Client, db: None) -> None:
    assert entries(client, "/feeds/links/") == []
