"""The texts of docs/notation.md on the wire, and ids of games: rule sets, cards, moves, positions and results."""

from typing import Annotated, Literal

from msgspec import Meta

from games.play.models import GAME_ID_LENGTH
from games.players.models import ID_ALPHABET

RANK, SUIT = "[A2-9TJQK]", "[cdhsCDHS]"
CARD = RANK + SUIT
ACTION = f"([DRUYH]|P?{CARD}|{CARD}{CARD})"
PLACE = rf"({CARD}|\?\?)"

GameId = Annotated[str, Meta(pattern=f"^[{ID_ALPHABET}]{{{GAME_ID_LENGTH}}}$", max_length=GAME_ID_LENGTH)]
RuleSlug = Annotated[str, Meta(max_length=40, pattern=r"^[a-z][a-z0-9-]*$")]
CardText = Annotated[str, Meta(pattern=f"^{CARD}$")]
DeckText = Annotated[str, Meta(pattern=f"^{PLACE}+$", max_length=208)]
MoveText = Annotated[str, Meta(pattern=f"^([DR]|P?{CARD}|{CARD}{CARD})$")]
ActionText = Annotated[str, Meta(pattern=f"^{ACTION}$")]
TimedActions = Annotated[str, Meta(pattern=rf"^({ACTION}@\d+( {ACTION}@\d+)*)?$")]
PositionText = Annotated[str, Meta(pattern=r"^[A2-9TJQKcdhsCDHS?/+-]+ [A2-9TJQKcdhsCDHS?,|-]+ (\*|\d+)( [rc]:[^ ]+)*$")]
Moves = list[MoveText]
Outcome = Literal["won", "stuck"]
Result = Literal["won", "stuck", "resigned", "expired"]
ResultSoFar = Literal["*", "won", "stuck", "resigned", "expired"]
Status = Literal["playing", "won", "stuck", "resigned", "expired"]
