"""The texts of docs/notation.md on the wire: rule sets, cards, moves, positions and results."""

from typing import Annotated, Literal

from msgspec import Meta

RANK, SUIT = "[A2-9TJQK]", "[cdhsCDHS]"
CARD = RANK + SUIT
ACTION = f"([DRUYH]|P?{CARD}|{CARD}{CARD})"
PLACE = rf"({CARD}|\?\?)"

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
