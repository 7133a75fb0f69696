from games.notifications import wire
from games.players.examples import STARTED

NOTIFICATIONS = wire.Notifications(
    [
        wire.Notification(
            id=12,
            at=STARTED,
            kind="moved",
            subject="7",
            words="A decision about another score moved your rank.",
            page="/review/own/",
            is_read=False,
        )
    ],
    unread=1,
    next=None,
)
NOTIFICATION_SETTINGS = wire.NotificationSettings(
    [wire.NotificationKind("moved", "Ranks moved by a decision", is_on=True, is_optional=True)]
)
