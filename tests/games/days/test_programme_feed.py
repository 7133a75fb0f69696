"""The coming deals are in the calendars of those who subscribe."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
import time_machine
from django.test import Client
from icalendar import Calendar
from pytest_django import Settings

from games.calendar.programme import scheduled

ADDRESS = "/feeds/programme.ics"


@pytest.mark.django_db
def test_every_deal_of_the_next_weeks_is_an_event_that_calendars_read(
    client: Client, now: datetime, settings: Settings
) -> None:
    settings.PYRAMID_DAILY_RULE_SETS = []
    with time_machine.travel(now, tick=False):
        response = client.get(ADDRESS)
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(response.content)
    assert (calendar["VERSION"], bool(calendar["PRODID"]), calendar.errors) == ("2.0", True, [])
    days = {(deal.key.day, deal.key.rules) for deal in scheduled(now.date(), 28)}
    assert len(calendar.events) == len(days)
    for event in calendar.events:
        assert event.errors == []
        assert event.end - event.start == timedelta(days=1)
        assert event.uid.endswith("@testserver")
        assert event.stamp <= now
        assert client.get(str(event.url).removeprefix("http://testserver")).status_code == 200
    summaries = {event.uid: event.summary for event in calendar.events}
    assert len(summaries) == len(days)
    assert summaries["2026-03-01.standard@testserver"] == "Pyramid: Standard, hard"  # a Sunday
    assert summaries["2026-03-02.standard@testserver"] == "Pyramid: Standard, easy"
    assert b"DTSTART:20260301T000000Z\r\n" in response.content


@pytest.mark.django_db
def test_the_file_has_the_line_ends_and_lengths_of_the_format_and_the_same_etag_all_day(
    client: Client, now: datetime
) -> None:
    with time_machine.travel(now, tick=False) as clock:
        first = client.get(ADDRESS)
        clock.shift(timedelta(hours=11))
        again = client.get(ADDRESS, headers={"if-none-match": first["ETag"]})
    assert again.status_code == 304
    assert "public" in first["Cache-Control"]
    assert first.content.endswith(b"END:VCALENDAR\r\n")
    assert all(len(line) <= 75 for line in first.content.split(b"\r\n"))
    assert not re.search(rb"[^\r]\n", first.content)


@pytest.mark.usefixtures("dailies")
def test_days_that_are_committed_to_stay_in_the_calendar_as_they_are_when_the_programme_changes(
    client: Client, now: datetime, settings: Settings
) -> None:
    settings.PYRAMID_PROGRAMME = {"slots": [{"rules": "standard", "grade": "hard"}]}
    with time_machine.travel(now, tick=False):
        events = Calendar.from_ical(client.get(ADDRESS).content).events
    assert [event.summary for event in events[:8]] == ["Pyramid: Standard"] * 8
    assert {event.summary for event in events[8:]} == {"Pyramid: Standard, hard"}


@pytest.mark.django_db
def test_nobody_changes_anything_here(client: Client) -> None:
    assert client.post(ADDRESS).status_code == 405
