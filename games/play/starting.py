"""Start games: ranked attempts at daily deals, practice, and restarts of a deal."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from games.calendar.dailies import opened_dailies, remembered_dailies
from games.calendar.dealing import deal_at_last
from games.calendar.divisions import eligible_division, enter_division, may_be_main
from games.calendar.models import DailyDeal, Deal
from games.calendar.refusals import UnknownDaily
from games.deals.daily import DailyKey, Division
from games.deals.policy import PRACTICE, RANKED, Policy
from games.deals.shuffle import random_deck, suits_of
from games.play.models import Game, day_mark, id_for, practice_among
from games.play.refusals import (
    AlreadyAttempted,
    AlreadySeenByStaff,
    Conflict,
    NoOpenDaily,
    RestartNotAllowed,
    TooManyGames,
    TooManyOpenGames,
)
from games.play.session import Change
from games.players.models import Player
from games.rules import RULE_SETS
from games.runtime.limits import Hit, seconds_to_wait

MOST_TRIES = 10


def start_ranked(player: Player, rules: str, now: datetime) -> Game:
    """Return the attempt that `get_or_start_next` gives."""
    return get_or_start_next(player, rules, now)[0]


def first_attempt(player: Player, rules: str, now: datetime) -> Game | None:
    """Return a player's first attempt at today's deal as it would be, not stored yet.

    None where the player's division has no such deal. Raises `UnknownRuleSet` or `NoOpenDaily`.
    """
    dailies = _todays_dailies(rules, now)
    daily = dailies.get(eligible_division(player, *_asked(dailies)))
    return None if daily is None else _game(player, daily.deal, None, now, daily=daily)


def known_first_attempt(player: Player, rules: str, now: datetime) -> Game | None:
    """Return what `first_attempt` returns if nothing has to be read for it, else None. Never blocks."""
    slug = RULE_SETS[rules].slug
    dailies = {daily.division: daily for daily in remembered_dailies(now.date()) if daily.rules == slug}
    daily = dailies.get(Division.OPEN)
    if daily is None or not daily.is_dealt or may_be_main(player, *_asked(dailies)):
        return None
    return _game(player, daily.deal, None, now, daily=daily)


def start_of(game: Game) -> Change:
    """Return the change that starts a first attempt once it is durable."""
    row = {str(field.column): getattr(game, field.attname) for field in Game._meta.concrete_fields}
    return Change(game.id, start={column: value for column, value in row.items() if value is not None})


def unfinished_attempts(asked: Sequence[tuple[int, str, date]]) -> list[Game | None]:
    """Return the unfinished attempt, if any, of each player, by primary key, at the deal of a rule set and day."""
    players, rules, days = map(set, zip(*asked, strict=True))
    attempts = Game.objects.filter(
        status=Game.Status.PLAYING, player__in=players, daily__day__in=days, daily__rules__in=rules
    )
    known = {
        (game.player_id, game.daily.rules, game.daily.day): game
        for game in attempts.order_by().select_related("daily")
        if game.daily is not None
    }
    return [known.get(one) for one in asked]


def get_or_start_next(player: Player, rules: str, now: datetime) -> tuple[Game, bool]:
    """Return the player's unfinished attempt at today's deal, or else a new one, and True if it is new.

    Costs several queries; `games.play.live.starting` calls it for a player who has an attempt or cannot have a first
    one.
    Raises `UnknownRuleSet`, `NoOpenDaily`, `AlreadySeenByStaff`, `Conflict`, or `AlreadyAttempted` naming the last
    attempt.
    """
    daily = _todays_deal(player, rules, now)
    for _ in range(MOST_TRIES):
        last = last_attempt(player, daily)
        if last is not None and not last.is_over:
            return last, False
        number = _number_after(last, daily)
        _require_unseen(player, daily)
        with suppress(IntegrityError), transaction.atomic():  # another device may be as fast
            return _new_game(player, daily.deal, None, now, daily=daily, attempt=number), True
    raise Conflict("your other devices keep starting and ending attempts at this deal; try again")


def start_practice(player: Player, rules: str, now: datetime) -> Game:
    """Start a practice game on a random deal. Raises `UnknownRuleSet` or what `practise` raises."""
    rule_set = RULE_SETS[rules]
    with _practising(player):
        deal = Deal.objects.create(rules=rule_set.slug, deck=random_deck(rule_set).text, created_at=now)
        return _new_game(player, deal, PRACTICE, now)


def practise(player: Player, deal: Deal, now: datetime) -> Game:
    """Start a practice game on a deal; whether the player may is for the caller to know.

    Raises `TooManyOpenGames` or `TooManyGames`.
    """
    with _practising(player):
        return _new_game(player, deal, PRACTICE, now)


def permit_restart(game: Game, now: datetime) -> bool:
    """Permit `start_again`, and count the game that it will start; return False if it was started before.

    Separate, because a game that is still being played is resigned in between, and must not be if the restart is
    refused. Raises `RestartNotAllowed`, `AlreadyAttempted`, `AlreadySeenByStaff`, `TooManyGames`, or `NoOpenDaily`
    after the day.
    """
    if followed_by(game) is not None:
        return False
    _require_restartable(game, now)
    if game.daily is None:
        _count_practice(game.player)
    return True


def _require_restartable(game: Game, now: datetime) -> None:
    if not game.policy.restart:
        raise RestartNotAllowed("this game cannot be restarted")
    if game.daily is not None:
        if now >= game.daily.key.closes_at:
            raise NoOpenDaily("the day of this deal is over; no attempt at it can start")
        _require_unseen(game.player, game.daily)
        _number_after(last_attempt(game.player, game.daily), game.daily)


def start_again(game: Game, now: datetime) -> Game:
    """Return the one successor of a finished game: the same deal in the same suits, from the beginning.

    The successor of a ranked attempt is the next attempt. Repeating the call returns the same game. Raises what
    `permit_restart` raises, which comes first, or `TooManyOpenGames`.
    """
    if (follower := followed_by(game)) is not None:
        return follower
    _require_restartable(game, now)
    ranked: dict[str, Any] = {}
    if game.daily is not None:
        ranked = {"daily": game.daily, "attempt": _number_after(last_attempt(game.player, game.daily), game.daily)}
    try:
        with transaction.atomic() if ranked else _room_for_practice(game.player):
            policy = None if game.is_ranked else game.policy
            return _new_game(game.player, game.deal, policy, now, restart_of=game, suits=game.suits, **ranked)
    except IntegrityError:  # two requests came at the same moment
        if (follower := followed_by(game)) is not None:
            return follower
        raise Conflict(
            "another of your devices started an attempt at this deal at the same moment; try again"
        ) from None


def followed_by(game: Game) -> Game | None:
    """Return the successor of a game, None if there is none."""
    return Game.objects.select_related("player", "deal", "daily").filter(restart_of=game).first()


def _todays_deal(player: Player, rules: str, now: datetime) -> DailyDeal:
    """Return today's deal of the player's division, which is fixed from now on.

    Raises `UnknownRuleSet` or `NoOpenDaily`.
    """
    dailies = _todays_dailies(rules, now)
    division = enter_division(player, next(iter(dailies.values())))
    if division not in dailies:
        raise NoOpenDaily(f"no daily deal of {rules} is open today in the division {division}")
    return dailies[division]


def _todays_dailies(rules: str, now: datetime) -> dict[str, DailyDeal]:
    """Return today's deals by division. Raises `UnknownRuleSet` or `NoOpenDaily`."""
    try:
        dailies = opened_dailies(now.date(), rules, now)
        if not all(daily.is_dealt for daily in dailies.values()):  # no worker has run in the last minute
            deal_at_last(now.date(), now)
            dailies = opened_dailies(now.date(), rules, now)
        return dailies
    except UnknownDaily as error:
        raise NoOpenDaily(f"no daily deal of {rules} is open today") from error


def _asked(dailies: Mapping[str, DailyDeal]) -> tuple[DailyKey, Policy]:
    """Return the key and the policy that decide about the division; the deals of a day and rule set share a policy."""
    daily = next(iter(dailies.values()))
    return daily.key, daily.policy


def last_attempt(player: Player, daily: DailyDeal) -> Game | None:
    """Return the player's newest ranked attempt at a daily deal."""
    of_day = Q(id__gte=day_mark(daily.day), id__lt=day_mark(daily.day + timedelta(days=1)))
    return player.games.filter(of_day, daily=daily).order_by("attempt").last()


def _number_after(last: Game | None, daily: DailyDeal) -> int:
    """Return the number of the next attempt. Raises `AlreadyAttempted`."""
    if last is None:
        return 1
    most = daily.policy.attempts
    if last.attempt >= most:
        had = "your ranked attempt" if most == 1 else f"your {most} ranked attempts"
        raise AlreadyAttempted(f"you have had {had} at this deal: game {last.id}", last.id)
    return last.attempt + 1


def _require_unseen(player: Player, daily: DailyDeal) -> None:
    """Raise `AlreadySeenByStaff` if the player has looked at the deal's secrets."""
    if daily.seen_by.filter(player=player).exists():
        raise AlreadySeenByStaff("you have looked at the secrets of this deal, so you cannot play it")


def _new_game(player: Player, deal: Deal, policy: Policy | None, now: datetime, **fields: Any) -> Game:
    """Create a game under a policy, or under that of its daily deal."""
    game = _game(player, deal, policy, now, **fields)
    game.save(force_insert=True)
    return game


def _game(player: Player, deal: Deal, policy: Policy | None, now: datetime, **fields: Any) -> Game:
    """Return an unsaved game. On a daily deal it gets its own permutation of suits, unless it restarts a game."""
    game = Game(player=player, deal=deal, stored_policy=policy and policy.data, created_at=now, **fields)
    game.id = id_for(game)
    is_daily = game.daily is not None or DailyDeal.objects.filter(deal=deal).exists()
    if game.restart_of is None and is_daily:
        _permute_suits(game)
    return game.without_race()


def race_game(player: Player, deal: Deal, starts_at: datetime) -> Game:
    """Return an unsaved game of a race: it allows what a ranked attempt allows, and its clock starts with the race."""
    game = Game(player=player, deal=deal, stored_policy=RANKED.data, created_at=starts_at, started_at=starts_at)
    game.id = id_for(game)
    _permute_suits(game)
    return game


def retest_game(player: Player, deal: Deal, now: datetime) -> Game:
    """Store a game of a retest, on a deal that was made for it: it allows what a ranked attempt allows."""
    game = Game(player=player, deal=deal, stored_policy=RANKED.data, created_at=now).without_race()
    game.save(force_insert=True)
    return game


def _permute_suits(game: Game) -> None:
    game.suits = suits_of(_watermark_key(settings.SECRET_KEY), game.id).text


@cache
def _watermark_key(secret: str) -> bytes:
    return salted_hmac("games.watermark", "suits", secret=secret, algorithm="sha256").digest()


@contextmanager
def _room_for_practice(player: Player) -> Iterator[None]:
    """Create a practice game if there is room for one; of several starts at once each counts those before it.

    Raises `TooManyOpenGames`.
    """
    with transaction.atomic():
        # SQLite has one writer anyway, and a transaction is one from its beginning.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        require_room_for_practice(player)
        yield


@contextmanager
def _practising(player: Player) -> Iterator[None]:
    """Create a practice game, and what it needs, if there is room for one and none too many today."""
    with _room_for_practice(player):
        _count_practice(player)
        yield


def _count_practice(player: Player) -> None:
    """Count a practice game that is about to start. Raises `TooManyGames`."""
    if wait := seconds_to_wait(Hit("practice", str(player.pk))):
        most = settings.PYRAMID_LIMITS["practice"][0]
        raise TooManyGames(f"you have started {most} practice games; the next one can begin in {wait:.0f} seconds")


def require_room_for_practice(player: Player) -> None:
    """Raise `TooManyOpenGames` if the player has too many unfinished practice games."""
    limit = settings.PYRAMID_OPEN_PRACTICE_GAMES
    if practice_among(player.games.filter(status=Game.Status.PLAYING)).count() >= limit:
        raise TooManyOpenGames(f"you have {limit} unfinished practice games; finish or resign one first")
