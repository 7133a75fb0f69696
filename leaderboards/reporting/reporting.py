"""Count reports, and choose what is removed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.doors.refusals import Refusal
from games.players.models import Player
from games.runtime.limits import Hit, count


def require_reporter(reporter: Player, refusal: Refusal) -> None:
    """Count a try to report something, and raise the refusal for a guest. Raises `Throttled`."""
    count(Hit("reports", str(reporter.pk)))
    if reporter.is_guest:
        raise refusal


@dataclass(frozen=True)
class Choice:
    """A removal that a reviewer chooses, its reason, and what stood there at that time."""

    removed: str
    reason: str
    text: str
    name: str
    description: str = ""

    def columns(self, by: Player, at: datetime) -> dict[str, Any]:
        """Return the columns of the decision that it becomes."""
        return {"removed": self.removed, "reason": self.reason, "text": self.text, "by": by, "at": at}
