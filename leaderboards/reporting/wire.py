"""The common field of reports over REST."""

from typing import Annotated

from msgspec import Meta

from games.doors.wire import Stripped
from leaderboards.reporting.models import LONGEST_TEXT

ForReviewers = Annotated[Stripped, Meta(max_length=LONGEST_TEXT, description="For reviewers alone.")]
