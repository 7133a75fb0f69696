"""Rooms of races."""

from __future__ import annotations

from typing import ClassVar

from rest_framework import serializers

from games.kit.rest.inputs import Choice, Input, Text, WholeNumber, YesOrNo
from games.models import ID_LENGTH, Race
from games.services.accounts import LONGEST_HANDLE
from games.services.races.rating import Family
from games.services.races.rooms import Terms

PAST, CURRENT = "past", "current"
PEOPLE, BOTS = "people", "bots"
SHORTEST_S, LONGEST_S = 30, 3600
MOST_COUNTDOWN_S = 60


class NewRaceInput(Input):
    """The terms of a new race."""

    example: ClassVar = {"rules": "standard", "limit_s": 600, "is_public": False}

    rules = Text(max_length=40, help_text="The slug, an alias or the title of a rule set whose deals can be certified.")
    tie_break = Choice(
        Race.TieBreak.values,
        default=Terms.tie_break,
        help_text="What counts after the cards left: `time`, then moves, or `moves`, then time.",
    )
    limit_s = WholeNumber(
        min_value=SHORTEST_S, max_value=LONGEST_S, default=Terms.limit_s, help_text="Seconds from the start to the end."
    )
    countdown_s = WholeNumber(
        min_value=0, max_value=MOST_COUNTDOWN_S, default=Terms.countdown_s, help_text="Seconds until it starts."
    )
    is_public = YesOrNo(default=Terms.is_public, help_text="Listed and open to all; otherwise by invite.")
    admits_bots = YesOrNo(default=Terms.admits_bots, help_text="Whether bots may join.")


class JoinInput(Input):
    """The invite to a race that is not public."""

    example: ClassVar = {"invite": "5f0c4f7a9be1d2c38a6405b7e91d23fc"}

    invite = Text(required=False, default="", max_length=64, allow_blank=True, help_text="The last part of its link.")


class InvitationInput(Input):
    """The player to invite."""

    example: ClassVar = {"handle": "dave"}

    handle = Text(max_length=LONGEST_HANDLE)


class BeforeInput(Input):
    before = Text(required=False, max_length=ID_LENGTH, help_text="A race: only those before it.")


class RacesInput(BeforeInput):
    when = serializers.ChoiceField(
        [CURRENT, PAST], default=CURRENT, help_text="`current`: those that are not over; `past`: those that were run."
    )


class RatingsInput(Input):
    family = serializers.ChoiceField(
        [str(family) for family in Family], default=str(Family.THIRTEEN), help_text="A family of rule sets."
    )
    of = serializers.ChoiceField([PEOPLE, BOTS], default=PEOPLE, help_text="Both are rated among themselves.")
    limit = serializers.IntegerField(min_value=1, max_value=100, default=100, help_text="How many rows at most.")
