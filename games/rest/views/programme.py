from __future__ import annotations

from typing import Any

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.deals.grading import Grade
from games.deals.programme import DEFAULT, Scheduled, Slot
from games.kit.rest.endpoint import Endpoint
from games.kit.rest.openapi import FOR_ALL, Answer, operation
from games.rest import examples
from games.services.programme import programme_on, scheduled

DAYS_SHOWN = 14


class SlotSerializer(serializers.Serializer[Slot]):
    """Deals on some weekdays; several rule sets take turns, a week each."""

    rules = serializers.ListField(child=serializers.CharField(), source="names")
    days = serializers.ListField(child=serializers.CharField())
    divisions = serializers.ListField(child=serializers.CharField())
    grades = serializers.SerializerMethodField(help_text="By weekday; a day without one takes any winnable deal.")

    def get_grades(self, slot: Slot) -> dict[str, str]:
        return {day.value: grade.value for day in slot.days if (grade := slot.grade_on(day))}


class ScheduledSerializer(serializers.Serializer[Scheduled]):
    day = serializers.DateField(source="key.day")
    rules = serializers.CharField(source="key.rules")
    division = serializers.CharField(source="key.division")
    grade = serializers.ChoiceField([grade.value for grade in Grade], allow_null=True)


class ProgrammeSerializer(serializers.Serializer[dict[str, Any]]):
    slots = SlotSerializer(many=True, help_text="The programme of today.")
    dailies = ScheduledSerializer(many=True, help_text="What it asks for today and on the days that follow.")


EXAMPLE = {"slots": DEFAULT.slots, "dailies": list(DEFAULT.on(examples.NOW.date()))}


class ReadProgramme(Endpoint):
    @operation("read_programme", Answer(ProgrammeSerializer, EXAMPLE), FOR_ALL)
    def get(self, request: Request) -> Response:
        """Read the programme: rule sets, weekdays and grades, and the deals of the next two weeks."""
        today = timezone.now().date()
        answer = {"slots": programme_on(today).slots, "dailies": scheduled(today, DAYS_SHOWN)}
        return Response(ProgrammeSerializer(answer).data)
