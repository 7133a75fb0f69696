"""Every address of the server, and ways through it: the list comes from the URL conf and grows with it.

A new address of known parameters is visited without further ado. One with a parameter that `Cast.values` does not know,
a new operation of the API that changes something and has no body here, and a new socket all fail the test.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import product
from typing import Any

from django.apps import apps
from django.contrib.auth import SESSION_KEY
from django.contrib.contenttypes.models import ContentType
from django.db.models import F
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games.calendar.models import DailyDeal, Deal
from games.deals.daily import Division
from games.play.models import Game
from games.players.models import Player
from games.puzzles.library import find_puzzle, puzzle_ids
from leaderboards.clubs.models import Club
from leaderboards.moderation.models import Case
from pyramid_server.socket_urls import websocket_urlpatterns
from tests.games.api import openapi

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
TO_ROW = re.compile(r"admin/\w+/\w+/<object_id>/")
IN_REGEX = re.compile(r"\^?\(\?P(<\w+>)[^)]*\)(/?)\$")
ADMIN = "admin/"
SIGN_IN_OF_STAFF = "/admin/login/"
MOST_ROWS, MOST_GAMES = 2, 3
STALE = 10**6
FORBIDDEN, METHOD_NOT_ALLOWED = 403, 405
NO_ROW, FORMS_OF_ADMIN = "/0/", ("/add/", "/change/", "/delete/")
PASSWORD = "a good long password"
BODIES: dict[tuple[str, str], list[dict[str, object]]] = {
    ("post", "api/guests/"): [{"display_name": "Guest"}],
    ("patch", "api/me/"): [{"display_name": "Somebody"}],
    ("post", "api/me/claim/"): [{"handle": "admin", "password": PASSWORD}],
    ("post", "api/register/"): [{"handle": "admin", "password": PASSWORD}],
    ("post", "api/me/claim-link/"): [{}],
    ("post", "api/me/mail/"): [{"email": "a@example.org", "password": PASSWORD}],
    ("post", "api/password-reset/"): [{"email": "a@example.org"}],
    ("post", "api/me/keys/"): [{"name": "My bot"}],
    ("delete", "api/me/keys/{key_id}/"): [{}],
    ("post", "api/me/bots/"): [{"handle": "admin"}],
    ("post", "api/me/bots/{handle}/keys/"): [{"name": "My bot"}],
    ("delete", "api/me/bots/{handle}/keys/{key_id}/"): [{}],
    ("post", "api/me/bots/{handle}/delete/"): [{"confirm": False}],
    ("post", "api/me/export/"): [{}],
    ("post", "api/me/delete/"): [{"confirm": False}],  # a yes would end the reader
    ("post", "api/me/password/"): [{"password": PASSWORD, "new_password": "1234"}],
    ("post", "api/sign-in/"): [{"handle": "root", "password": PASSWORD}],
    ("post", "api/sign-out/"): [],  # it would end the token that a reader comes with
    ("post", "api/tickets/"): [{}],
    ("post", "api/puzzles/{puzzle_id}/attempts/"): [{"moves": [find_puzzle(puzzle_ids()[0]).packed.win[0].text]}],
    ("post", "api/puzzles/{puzzle_id}/solution/"): [{}],
    ("post", "api/puzzles/runs/"): [{"kind": "storm"}],
    ("post", "api/puzzles/runs/{run_id}/removals/"): [{"number": 1, "moves": ["4s9h"]}],
    ("post", "api/puzzles/runs/{run_id}/end/"): [{}],
    ("post", "api/games/"): [
        {"kind": "daily", "rules": "standard"},
        {"kind": "practice", "rules": "standard"},
        {"kind": "practice", "rules": "relaxed", "winnable": "certified"},
    ],
    ("post", "api/cups/"): [{"name": "Oxbow Open", "rules": "standard", "opens_at": "2026-03-02T12:00:00Z"}],
    ("post", "api/cups/join/"): [{"letters": "BBBBBB"}],
    ("post", "api/cups/{cup_id}/enter/"): [{}],
    ("post", "api/cups/{cup_id}/withdraw/"): [{}],
    ("post", "api/cups/{cup_id}/decisions/"): [{"act": "start"}],
    ("post", "api/cups/{cup_id}/removals/"): [{"handle": "nobody"}],
    ("post", "api/cups/{cup_id}/report/"): [{}],
    ("post", "api/races/"): [{"rules": "relaxed"}],
    ("post", "api/clubs/"): [{"name": "Oxbow Club"}],
    ("post", "api/clubs/join/"): [{"letters": "BBBBBB"}],
    ("post", "api/clubs/{club_id}/report/"): [{"about": "name"}],
    ("put", "api/clubs/muted/{handle}/"): [{}],
    ("delete", "api/clubs/muted/{handle}/"): [{}],
    ("put", "api/clubs/{club_id}/terms/"): [{"name": "Oxbow Club"}],
    ("post", "api/clubs/{club_id}/join/"): [{}],
    ("post", "api/clubs/{club_id}/duels/"): [{"opponent": "0" * 12, "week": "2026-W10"}],
    ("post", "api/clubs/{club_id}/duels/{duel_id}/"): [{"act": "accept"}],
    ("post", "api/clubs/{club_id}/leave/"): [],  # its tables would be empty afterwards
    ("post", "api/clubs/{club_id}/members/"): [{"handle": "nobody", "act": "invite"}],
    ("post", "api/races/{race_id}/join/"): [{"invite": "0" * 32}],
    ("post", "api/races/{race_id}/invitations/"): [{"handle": "nobody"}],
    ("post", "api/races/{race_id}/invitations/circle/"): [{"circle": "0" * 12}],
    ("post", "api/races/{race_id}/leave/"): [{}],
    ("post", "api/races/{race_id}/start/"): [{}],
    ("post", "api/races/{race_id}/rematch/"): [{}],
    ("post", "api/games/{game_id}/actions/"): [{"version": STALE, "action": "D"}, {"version": 0, "action": "5c8d"}],
    ("post", "api/games/{game_id}/resign/"): [{"version": STALE}],
    ("post", "api/games/{game_id}/restart/"): [{}],
    ("post", "api/games/{game_id}/report/"): [{"text": "too good"}],
    ("post", "api/me/review/{number}/appeal/"): [{"text": "it was my brother"}],
    ("post", "api/me/retests/{retest_id}/accept/"): [{}],
    ("post", "api/me/retests/{retest_id}/decline/"): [{}],
    ("post", "api/me/retests/{retest_id}/games/"): [{}],
    ("post", "api/me/notifications/read/"): [{"up_to": 0}],
    ("put", "api/me/notifications/settings/"): [{"off": []}],
    ("post", "api/me/push/subscriptions/"): [
        {
            "endpoint": "https://fcm.googleapis.com/fcm/send/1",
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
            "kinds": ["day", "overtaken"],
        }
    ],
    ("delete", "api/me/push/subscriptions/{subscription}/"): [{}],
    ("put", "api/me/push/quiet-hours/"): [{"time_zone": "UTC", "begins": 22, "ends": 8}],
    ("post", "api/deals/{deal_id}/games/"): [{}],
    ("put", "api/boards/following/{handle}/"): [{}],
    ("delete", "api/boards/following/{handle}/"): [{}],
}
QUERIES = {
    "api/boards/<slug>/players/": "?handles=nobody",
    "admin/review/<pk>/moves/": "?outcome=clear&reason=explained",
}
# It would end the session of the player or of the staff that looks on.
NOT_POSTED = {"admin/logout/", "account/sign-out/"}
SOCKETS = {
    *("ws/games/<slug:game_id>/", "ws/daily/<slug:rules>/", "ws/boards/<str:slug>/", "ws/races/<slug:race_id>/"),
    *(
        "ws/me/",
        "ws/races/<slug:race_id>/play/",
        "ws/cups/<slug:cup_id>/play/",
        "ws/runs/<slug:run_id>/",
        "ws/cups/<slug:cup_id>/<int:division>/",
        "ws/clubs/<slug:club_id>/boards/<str:slug>/",
    ),
}


def routes(patterns: Iterable[URLPattern | URLResolver] | None = None, prefix: str = "") -> Iterator[str]:
    """Yield every route of the URL conf, such as `api/daily/<day>/`, once for each pattern."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        text = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, text)
        else:
            yield PARAMETER.sub(r"<\1>", IN_REGEX.sub(r"\1\2", text))


def is_for_staff(route: str) -> bool:
    return route.startswith(ADMIN)


def is_same_always(route: str) -> bool:
    """Return True for documents, and for the addresses of rows that lead on to the pages of these rows."""
    return route.startswith(("docs/", "api/docs/", "api/schema/")) or TO_ROW.fullmatch(route) is not None


def operations() -> Iterator[tuple[str, str]]:
    """Yield the operations of the API that change something, such as `("post", "api/games/")`."""
    for path, methods in openapi()["paths"].items():
        yield from ((method, path.removeprefix("/")) for method in methods if method != "get")


def require_every_socket_to_be_known() -> None:
    assert {str(pattern.pattern) for pattern in websocket_urlpatterns} == SOCKETS


@dataclass(frozen=True)
class Cast:
    """The values for parameters of addresses: today's daily deals, those of tomorrow, and alice's games."""

    alice: Player
    today: list[DailyDeal]
    tomorrow: list[DailyDeal]
    refused: set[tuple[str, str]] = field(default_factory=set)  # methods and routes
    read: set[str] = field(default_factory=set)  # what is the same always
    closed: set[tuple[str, str]] = field(default_factory=set)  # methods and addresses, to the superuser just now

    def paths(self, route: str) -> list[str]:
        """Return the addresses of a route. Raises `KeyError` for a parameter that nobody has thought of."""
        names = PARAMETER.findall(route)
        template = "/" + PARAMETER.sub("{}", route)
        return [template.format(*chosen) for chosen in product(*(self.values(route, name) for name in names))]

    def values(self, route: str, name: str) -> list[str]:
        if name == "object_id" and (row := re.match(r"admin/(\w+)/(\w+)/<", route)):
            return self._rows(*row.groups())
        if route.startswith("admin/review/players/"):
            return [str(self.alice.pk)]
        if name == "slug" and route.startswith(("api/boards/", "boards/", "api/clubs/")):
            return self.boards
        dailies = self.visited
        known = {  # only what is asked for is looked up
            "game_id": self.games if name == "game_id" else [],
            "deal_id": [daily.deal.pk for daily in dailies],
            "race_id": ["0" * 12],
            "cup_id": ["0" * 12],
            "retest_id": ["0" * 12],
            "club_id": self.clubs if name == "club_id" else [],
            "duel_id": ["0" * 12],
            "puzzle_id": list(puzzle_ids()[:2]),
            "run_id": ["0123456789ab"],
            "code": ["BBBBBB"],
            "day": [str(self.today[0].day), str(self.tomorrow[0].day), str(self.today[0].day - timedelta(days=1))],
            "handle": [self.alice.username],
            "name": ["standard"],
            "slug": ["standard"],
            "week": ["2026-W09"],
            "month": ["2026-03"],
            "tier": ["1"],
            "group": ["1"],
            "rules": ["standard"],
            "pk": self.cases if "review/" in route else [str(daily.pk) for daily in dailies],
            "content_type_id": [str(ContentType.objects.get_for_model(Deal).pk)],
            "object_id": [dailies[0].deal.pk],
            "app_label": ["games"],
            "url": ["nowhere"],
            "number": ["1"],
            "key_id": ["0" * 16],
            "subscription": ["1"],
            "link": ["nonsense"],
            "title": ["rules", "nowhere"],
            "path": ["asyncapi.json", "nowhere"],
            "level": ["0", "1"],
            "place": ["000.p/1", "000.p/4"],
            "index": ["0", "1"],
            "uidb64": ["MQ"],
            "token": ["nonsense"],
            "issuer": ["lichess"],
        }
        return known[name]

    @property
    def visited(self) -> list[DailyDeal]:
        """Return the deals whose own addresses are visited: of each day both rule sets and divisions, all of alice's.

        A day's deals are in the order of rule set and division. What is left out is secret in all that others tell.
        """
        return [*self.today[1:], *self.tomorrow[1:3]]

    @property
    def cases(self) -> list[str]:
        return [str(pk) for pk in Case.objects.values_list("pk", flat=True)] or ["0"]

    @property
    def games(self) -> list[str]:
        """Alice's games on today's deals, ranked ones first, or else a name that no game has."""
        mine = Game.objects.filter(player=self.alice, deal__daily__in=self.today)
        mine = mine.order_by(F("daily_id").asc(nulls_last=True), "created_at", "pk")
        return [game.id for game in mine[:MOST_GAMES]] or ["0" * 15]

    @property
    def clubs(self) -> list[str]:
        """The club that alice is in, or else a name that no club has."""
        return list(Club.objects.filter(memberships__player=self.alice).values_list("pk", flat=True)) or ["0" * 12]

    @property
    def boards(self) -> list[str]:
        daily = next(daily for daily in self.today if daily.division == Division.OPEN)  # alice is a guest
        return [
            f"daily.{daily.day}.{daily.rules}.{daily.division}.fewest-moves",
            f"all-time.{daily.rules}.{daily.division}.fastest",
        ]

    def _rows(self, app: str, model: str) -> list[str]:
        """Return keys of rows: of deals those of today and tomorrow, of everything else some."""
        dailies = self.visited
        secret = {"deal": [daily.deal.pk for daily in dailies], "dailydeal": [str(daily.pk) for daily in dailies]}
        some = apps.get_model(app, model)._default_manager.order_by("pk").values_list("pk", flat=True)
        # A page of a player or a group has all permissions in it, and takes its time.
        most = 1 if model in {"player", "group"} else MOST_ROWS
        return secret.get(model) or [str(pk) for pk in some[:most]] or ["0"]


@dataclass
class Reader:
    """Someone who looks through the doors of players, or through those of staff."""

    name: str
    is_staff: bool = False
    client: Client = field(default_factory=Client)

    @property
    def is_signed_in(self) -> bool:
        return "sessionid" in self.client.cookies and SESSION_KEY in self.client.session

    def look_everywhere(self, cast: Cast, *, forms: bool = True) -> Iterator[tuple[str, str, Any]]:
        """Visit every address and yield its route, what was asked, and the answer; with empty forms where asked for.

        Players visit everything but the admin, which sends all of them away (tests/authorisation), and staff only the
        admin: elsewhere they are players.
        """
        yield from self.look_at(
            cast, (route for route in routes() if is_for_staff(route) == self.is_staff), forms=forms
        )
        if self.is_staff:
            return
        for method, operation in operations():
            route = operation.replace("{", "<").replace("}", ">")
            for path, body in product(cast.paths(route), BODIES[method, operation]):
                ask = getattr(self.client, method)
                yield route, f"{method} {path} {body}", ask(path, body, content_type="application/json")

    def look_at(self, cast: Cast, some: Iterable[str], *, forms: bool = False) -> Iterator[tuple[str, str, Any]]:
        """Visit the addresses of some routes; those of all of them are known before the first is visited.

        A method that a route has refused to one of the readers is not tried by the others: tests/authorisation sees to
        it that nobody may use it there. Whom a door of staff sends to sign in it has not asked what they come for: they
        try one address. A form that the superuser may not use, and a row that is not there, are not asked for by the
        rest of the staff, who come right after. What is the same always is read once.
        """
        unread = [route for route in some if route not in cast.read]
        cast.read.update(filter(is_same_always, unread))
        if self.name == "superuser":
            cast.closed.clear()
        for route, paths in [(route, cast.paths(route)) for route in unread]:
            for path in paths:
                response = None
                for method in self._methods(cast, route, path, forms=forms):
                    asked = path + (QUERIES.get(route, "") if method == "GET" else "")
                    response = self.client.get(asked) if method == "GET" else self._post(path)
                    if response.status_code == METHOD_NOT_ALLOWED and not is_for_staff(route):
                        cast.refused.add((method, route))
                    if self.name == "superuser" and _is_closed(route, path, response):
                        cast.closed.add((method, path))
                    yield route, f"{method} {asked}", response
                if response is not None and response.get("Location", "").startswith(SIGN_IN_OF_STAFF):
                    break

    def _methods(self, cast: Cast, route: str, path: str, *, forms: bool) -> Iterator[str]:
        for method in ("GET", "POST") if forms and self._may_post(route) else ("GET",):
            is_closed = self.is_staff and (method, path) in cast.closed
            if (method, route) not in cast.refused and not is_closed:
                yield method

    def _may_post(self, route: str) -> bool:
        return route not in NOT_POSTED or not self.is_signed_in

    def _post(self, path: str) -> Any:
        """Send an empty form. Some make a guest of an unknown visitor: this reader stays unknown."""
        was_signed_in = self.is_signed_in
        response = self.client.post(path, {})
        if not was_signed_in:
            self.client.cookies.clear()
        return response


def _is_closed(route: str, path: str, response: Any) -> bool:
    return NO_ROW in path or (response.status_code == FORBIDDEN and route.endswith(FORMS_OF_ADMIN))


def sent(response: Any) -> bytes:
    """Return every byte of an answer that can tell something: headers, cookies and body."""
    headers = "\n".join(f"{name}: {value}" for name, value in response.items())
    body: bytes = response.getvalue() if response.streaming else response.content
    return f"{headers}\n{response.cookies.output()}\n\n".encode() + body
