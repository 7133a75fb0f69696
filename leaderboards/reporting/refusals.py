from leaderboards.boards.refusals import ModerationError


class NameChanged(ModerationError):
    """The name or description has changed since the reviewer looked."""

    code = "name_changed"
