from games.players.examples import STARTED
from games.push import wire

PUSH_SETTINGS = wire.PushSettings(
    server_key="BEl62iUYgUivxIkv69yViEuiBIa-Ib9-SkvMeAtA3LFgDzkrxZJjSgSnfckjBJuBkr3qBUYIHBQFLXYp5Nksh8U",
    kinds=[wire.PushKind("invited", "Invitations to races")],
    subscriptions=[wire.Subscription(7, "https://fcm.googleapis.com/fcm/send/c1KrmpTuRm4", ["invited"], STARTED, None)],
    most=10,
    quiet_hours=wire.QuietHours("Europe/Berlin", 22, 8),
)
