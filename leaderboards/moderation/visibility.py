"""The rows that a member of staff may see: none about the reader, or about an account that may be the reader's too."""

from typing import TypeVar

from django.db.models import Model, QuerySet

from games.players.models import Player
from leaderboards.moderation.links import linked_to

M = TypeVar("M", bound=Model)


def visible_to(reader: object, rows: QuerySet[M], about: str = "player") -> QuerySet[M]:
    """Return the rows that a member of staff may see; `about` is the path from a row to its player.

    However weak a link is, it is a conflict of interest: other reviewers see the rows.
    """
    if not isinstance(reader, Player):
        return rows.none()
    return rows.exclude(**{f"{about}__in": {reader.pk, *linked_to(reader.pk)}})
