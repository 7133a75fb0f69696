from typing import Any

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.db.models import Q
from django.db.models.signals import post_delete, post_save
from django.http import HttpRequest
from django.middleware.csrf import rotate_token

from games.runtime.clock import clock


class GamesConfig(AppConfig):
    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from games import tasks  # noqa: F401, PLC0415  importing it registers them
        from games.notifications import notifications  # noqa: PLC0415
        from games.play.live import live_game  # noqa: PLC0415
        from games.push.queueing import queue  # noqa: PLC0415
        from games.races.notices import publish_progress  # noqa: PLC0415
        from games.statistics.tallies import players_recounted  # noqa: PLC0415

        notifications.listeners.append(queue)
        live_game.observers.append(publish_progress)
        players_recounted.connect(_reconsider_ratings)
        user_logged_in.connect(_note_sign_in)
        user_logged_out.connect(_end_session)
        post_save.connect(_forget_what_the_player_was, sender="games.Player")
        post_delete.connect(_forget_token, sender="knox.AuthToken")


def _note_sign_in(**signal: Any) -> None:
    from games.accounts.password_backend import note_sign_in  # noqa: PLC0415  models exist only once apps are ready

    note_sign_in(**signal)


def _end_session(sender: type, request: HttpRequest, user: Any, **signal: Any) -> None:
    from games.accounts.accounts import end_session  # noqa: PLC0415

    if user is not None and request.session.session_key:
        end_session(user, request.session.session_key)
        rotate_token(request)  # a tab that is still open shows somebody who is gone: its forms make nobody a guest


def _forget_what_the_player_was(sender: type, instance: Any, *, created: bool, **signal: Any) -> None:
    """Notify other processes of a player who has changed; of a closed account, sockets end and apps, its own and
    those that it allowed something."""
    from games.keys.authentication import revoke  # noqa: PLC0415
    from games.keys.tokens import forget_tokens  # noqa: PLC0415
    from games.oauth.granting import end_grants  # noqa: PLC0415
    from games.oauth.models import Grant  # noqa: PLC0415

    if not instance.is_active:
        revoke(instance)
        end_grants(Grant.objects.filter(Q(app__owner=instance) | Q(player=instance)))
    elif not created:
        forget_tokens(instance.pk)


def _reconsider_ratings(sender: type, *, players: set[int], **signal: Any) -> None:
    from games.races.ratings import reconsider  # noqa: PLC0415

    reconsider(players)


def _forget_token(sender: type, instance: Any, **signal: Any) -> None:
    from games.keys.tokens import forget_tokens  # noqa: PLC0415

    if instance.expiry >= clock.now():
        forget_tokens(instance.user_id)
