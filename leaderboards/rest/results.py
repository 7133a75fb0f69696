"""Sealed results over REST: roots of days, their chain, and the proof for one game."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.kit.rest.caching import ASK_AGAIN, FOR_GOOD, conditional
from games.kit.rest.endpoint import Endpoint, understand
from games.kit.rest.inputs import Day, Input, NumberInQuery
from games.kit.rest.openapi import FOR_ALL, NOT_MODIFIED, Answer, operation
from leaderboards.errors import NotSealed
from leaderboards.rest import examples
from leaderboards.services import sealing
from leaderboards.wire import Proof, Root, Roots

ROOTS_PER_PAGE = 100


class RootsInput(Input):
    """The position in the chain to continue from."""

    after = NumberInQuery(required=False, default=0, min_value=0, max_value=2**62, help_text="A number of the chain.")


class DayInput(Input):
    """A day."""

    day = Day()


class AllRoots(Endpoint):
    @operation("list_roots", [Answer(Roots, examples.ROOTS), NOT_MODIFIED], FOR_ALL, parameters=[RootsInput])
    def get(self, request: Request) -> HttpResponseBase:
        """List the chain of the roots of all sealed days, oldest first."""
        page = sealing.roots(self.query(RootsInput)["after"], ROOTS_PER_PAGE)
        later = f"{request.path}?after={page[-1].number}" if len(page) == ROOTS_PER_PAGE else None
        body = Roots([Root.of(row) for row in page], later)
        return conditional(request, body, FOR_GOOD if later else ASK_AGAIN)


class RootOfDay(Endpoint):
    @operation(
        "read_root",
        [Answer(Root, examples.ROOT), NOT_MODIFIED],
        (*FOR_ALL, NotSealed),
        parameters=[OpenApiParameter("day", OpenApiTypes.DATE, OpenApiParameter.PATH, description="A UTC day.")],
    )
    def get(self, request: Request, day: str) -> HttpResponseBase:
        """Read the root of the Merkle tree over a day's verified results, available soon after the day is final."""
        made = sealing.root_of(understand(DayInput, {"day": day})["day"])
        return conditional(request, Root.of(made), FOR_GOOD)


class ProofOfGame(Endpoint):
    @operation("read_proof", [Answer(Proof, examples.PROOF), NOT_MODIFIED], (*FOR_ALL, NotSealed))
    def get(self, request: Request, game_id: str) -> HttpResponseBase:
        """Read the proof that the result of a game is among the sealed results of its day."""
        return conditional(request, Proof.of(sealing.proof_of(game_id)), FOR_GOOD)
