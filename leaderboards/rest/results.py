"""Sealed results over REST: roots of days, their chain, and the proof for one game."""

from __future__ import annotations

from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from games.kit.rest.caching import ASK_AGAIN, FOR_GOOD, conditional
from games.kit.rest.endpoint import Endpoint, understand
from games.kit.rest.inputs import Day, Input, NumberInQuery
from games.kit.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from leaderboards.errors import NotSealed
from leaderboards.models import DayRoot
from leaderboards.rest import examples
from leaderboards.services import sealing

ROOTS_PER_PAGE = 100


class RootSerializer(serializers.Serializer[DayRoot]):
    """A root of a day and its link in the chain of roots; docs/daily-deals.md has the formulas."""

    number = serializers.IntegerField(help_text="1, 2, 3 ... in the order of the days.")
    day = serializers.DateField()
    count = serializers.IntegerField(help_text="How many verified results there are.")
    root = serializers.CharField(help_text="The root of their Merkle tree, hexadecimal.")  # type: ignore[assignment]
    link = serializers.CharField()
    made_at = serializers.DateTimeField()


class RootsSerializer(serializers.Serializer[dict[str, Any]]):
    roots = RootSerializer(many=True, help_text="The oldest first.")
    next = serializers.CharField(allow_null=True, help_text="The address of later ones, if there may be some.")


class ProofSerializer(serializers.Serializer[sealing.Proof]):
    """The proof that a result is in the tree of its day."""

    game = serializers.CharField(source="sealed.game_id")
    day = serializers.DateField(source="sealed.day_root.day")
    leaf = serializers.CharField(source="sealed.leaf", help_text="The result as the text that was hashed.")
    index = serializers.IntegerField(source="sealed.index", help_text="Which leaf of the tree, from 0.")
    count = serializers.IntegerField(source="sealed.day_root.count", help_text="How many leaves there are.")
    path = serializers.ListField(child=serializers.CharField(), help_text="Hashes up to the root, the nearest first.")
    root = serializers.CharField(source="sealed.day_root.root")  # type: ignore[assignment]


class RootsInput(Input):
    """The position in the chain to continue from."""

    after = NumberInQuery(required=False, default=0, min_value=0, max_value=2**62, help_text="A number of the chain.")


class DayInput(Input):
    """A day."""

    day = Day()


class Roots(Endpoint):
    @operation("list_roots", [Answer(RootsSerializer, examples.ROOTS), NOT_MODIFIED], FOR_ALL, parameters=[RootsInput])
    def get(self, request: Request) -> HttpResponseBase:
        """List the chain of the roots of all sealed days, the oldest first."""
        page = sealing.roots(self.query(RootsInput)["after"], ROOTS_PER_PAGE)
        later = f"{request.path}?after={page[-1].number}" if len(page) == ROOTS_PER_PAGE else None
        body = RootsSerializer({"roots": page, "next": later}).data
        return conditional(request, body, FOR_GOOD if later else ASK_AGAIN)


class Merkle(Endpoint):
    @operation(
        "read_root",
        [Answer(RootSerializer, examples.ROOT), NOT_MODIFIED],
        (*FOR_ALL, NotSealed),
        parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="A UTC day.")],
    )
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """Read the root of the Merkle tree over a day's verified results, available soon after the day is final."""
        made = sealing.root_of(understand(DayInput, {"day": day})["day"])
        return conditional(request, RootSerializer(made).data, FOR_GOOD)


class GameProof(Endpoint):
    @operation("read_proof", [Answer(ProofSerializer, examples.PROOF), NOT_MODIFIED], (*FOR_ALL, NotSealed))
    def get(self, request: Request, game_id: str) -> HttpResponseBase:
        """Read the proof that the result of a game is among the sealed results of its day."""
        return conditional(request, ProofSerializer(sealing.proof_of(game_id)).data, FOR_GOOD)
