"""The checks of feed validators (RFC 4287), applied to every Atom feed that the server sends."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any
from xml.etree import ElementTree as ET

import feedparser  # type: ignore[import-untyped]

ATOM = "{http://www.w3.org/2005/Atom}"
TAG_URI = re.compile(r"tag:[a-z0-9.-]+,\d{4}(-\d\d(-\d\d)?)?:[\w./~%:-]*", re.ASCII)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", re.ASCII)


def require_valid_feed(response: Any, address: str) -> Any:
    """Fail unless an answer is a valid Atom feed, and return it as a feed reader reads it."""
    assert response["Content-Type"].startswith("application/atom+xml")
    feed = ET.fromstring(response.content)  # noqa: S314  our own
    assert feed.tag == f"{ATOM}feed"
    _require_common(feed)
    assert _links(feed, "self") == [address]
    entries = feed.findall(f"{ATOM}entry")
    for entry in entries:
        _require_common(entry)
        assert len(_links(entry, "alternate")) == 1
        assert entry.find(f"{ATOM}author") is not None or feed.find(f"{ATOM}author") is not None
        assert _time(entry, "published") <= _time(entry, "updated") <= _time(feed, "updated")
    ids = [element.findtext(f"{ATOM}id") for element in (feed, *entries)]
    assert len(ids) == len(set(ids))
    read = feedparser.parse(response.content)
    assert not read.bozo, read.bozo_exception
    assert len(read.entries) == len(entries)
    return read


def _require_common(element: ET.Element) -> None:
    """Require what feeds and entries have in common: one id, title and update, and nothing relative."""
    for name in ("id", "title", "updated"):
        (found,) = element.findall(f"{ATOM}{name}")
        assert found.text
    for name in ("subtitle", "summary", "content", "published"):
        assert len(element.findall(f"{ATOM}{name}")) <= 1
    name = element.findtext(f"{ATOM}id") or ""
    assert name.startswith("http") or TAG_URI.fullmatch(name), name
    for link in element.findall(f"{ATOM}link"):
        assert link.get("href", "").startswith("http"), link.attrib
    for time in (*element.findall(f"{ATOM}updated"), *element.findall(f"{ATOM}published")):
        assert TIME.fullmatch(time.text or ""), time.text


def _links(element: ET.Element, relation: str) -> list[str | None]:
    return [link.get("href") for link in element.findall(f"{ATOM}link") if link.get("rel") == relation]


def _time(element: ET.Element, name: str) -> datetime:
    return datetime.fromisoformat(element.findtext(f"{ATOM}{name}") or "")
