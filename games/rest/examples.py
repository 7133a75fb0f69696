"""Examples for the OpenAPI document: the game of docs/notation.md, and every refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import msgspec

from games import errors, news_wire, wire
from games.deals.chain import FIRST_LINK
from games.deals.daily import DailyKey
from games.deals.policy import PRACTICE, RANKED
from games.kit.errors import Refusal
from games.kit.rest.openapi import REFUSALS
from games.models import DailyDeal, Deal, Game, GameKind, GameReview, Player
from games.rest import account_schemas, notification_schemas, schemas
from games.review import Review, ReviewedAction, Verdict
from games.rules import RULE_SETS, UNDO, Action, Deck, Outcome, Play, Position, Record, RulesError
from games.rules.sealed_log import unseal
from games.services.disclosure import DisclosedDaily, Reveal
from games.services.races.rating import Family
from games.services.shared_deals import SharedDeal
from games.session import Session

STARTED = datetime(2026, 3, 1, 10, tzinfo=UTC)
NOW = STARTED + timedelta(seconds=58, milliseconds=209)
RULES = RULE_SETS["relaxed"]
DECK = "Td2hJhQd5d6c5cAs5hAcAd4h2sQhKc8c3dTh9sJs9d4dTs3h9c6sTc7s3c5s4c8d9h8h2c6dKs7cKhQcJdKd4s7h8sAh2d3sJc6hQs7d"

ALICE = Player(username="guest-k2m8p1xz7f3q", display_name="Alice", is_guest=True)
PLAYER = account_schemas.Player.of(ALICE)
GUEST = account_schemas.SignedIn(PLAYER, "e5c62d" + "0" * 58, STARTED + timedelta(days=30))
STATISTICS = schemas.Statistics(
    PLAYER,
    schemas.Streak(3, 12),
    schemas.Streak(1, 5),
    [schemas.Best("standard", GameKind.DAILY, moves=43, elapsed_ms=171_250)],
    [schemas.Results("standard", GameKind.DAILY, 12, 5, [1, 0, 2, 1])],
    [schemas.OwnRating(Family.THIRTEEN, 1684, 380, 14, is_provisional=False, course=[1658, 1701, 1684])],
)
RATINGS = schemas.Ratings(
    Family.THIRTEEN,
    "people",
    [schemas.RatedPlayer(1, PLAYER, schemas.Rating(Family.THIRTEEN, 1684, 380, 14, is_provisional=False))],
)
CAROL = account_schemas.Player.of(Player(username="carol", display_name="Carol"))
NAMED = account_schemas.SignedIn(CAROL, "7b1f0a" + "0" * 58, STARTED + timedelta(days=30))
KEYS = account_schemas.Keys(
    [
        account_schemas.Key(
            "7b1f0a6cd2e94f38", "token", "My bot", STARTED, STARTED, STARTED + timedelta(days=30), is_current=True
        )
    ]
)
ROBOT = account_schemas.Player.of(Player(username="deep-thirteen", display_name="Deep Thirteen", is_bot=True))
NEW_BOT = account_schemas.SignedIn(ROBOT, "c40e8d" + "0" * 58, STARTED + timedelta(days=30))
OWN_BOTS = account_schemas.OwnBots([account_schemas.OwnBot(ROBOT, STARTED, tokens=1)], most=5)
CLAIM_LINK = account_schemas.ClaimLink(
    "https://pyramid.example/account/claim/WzEsIiJd:1vxZQp:0Xk3Vt1kX5qL8w2n9c7d4s6h/", 900
)
EXPORT = account_schemas.Export("done", 12, 12, STARTED, NOW, NOW + timedelta(days=7))
PENDING_EXPORT = account_schemas.Export("pending", 4, 12, STARTED, None, None)
NOTIFICATIONS = notification_schemas.Notifications(
    [
        news_wire.Notification(
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
NOTIFICATION_SETTINGS = notification_schemas.NotificationSettings(
    [notification_schemas.NotificationKind("moved", "Ranks moved by a decision", is_on=True, is_optional=True)]
)
TICKET = account_schemas.Ticket("WzEsIiJd:1vxZQp:0Xk3Vt1kX5qL8w2n9c7d4s6h", 60)
DEAL = Deal(id="8d2nq6vtc0hw", rules=RULES.slug, deck=DECK)
GAME = Game(id="7f3kq2m8p1xz", player=ALICE, deal=DEAL, created_at=STARTED)
GAME_ANSWER = schemas.Game.of(GAME)
_BEST = Game(status="won", cards_left=0, moves=43, elapsed_ms=171_250)
PAR_DEAL = Deal(id=DEAL.id, rules=RULES.slug, deck=DECK, par=29, grade="medium")
SHARED_DEAL = SharedDeal(PAR_DEAL, day=None, best=_BEST, yours=None)
ATTEMPT = "5w9c2hq7dk4m"


def session_after(*actions: str) -> Session:
    """Return the example's game after some actions, one a second."""
    session = Session(GAME.id, PRACTICE, Play(Position.deal(Deck.from_text(DECK), RULES)), STARTED)
    for action in actions:
        act(session, action)
    return session


def act(session: Session, action: str) -> None:
    version = session.play.version
    session.act(Action.from_text(action), version, STARTED + timedelta(seconds=version + 1))


def _action_taken() -> wire.ActionTaken:
    session = session_after("4d9c", "6s7s", "D")
    played = wire.Played.of(session.step(3), session)
    return wire.ActionTaken(**msgspec.structs.asdict(played), hint=None, finished=None)


def _finished() -> Session:
    session = session_after("4d9c", "6s7s", "D")
    session.resign(3, NOW)
    return session


def _record(play: Play) -> str:
    started = STARTED.isoformat().replace("+00:00", "Z")
    deck = Deck.from_text(DECK).seen_by(play.seen)
    return Record(GAME.id, RULES, deck, ALICE.username, started, tuple(play.actions), play.result).text


ACTION_TAKEN, ENDED = _action_taken(), _finished()
FINISHED = wire.Finished.of(ENDED.summary(NOW), 3)
STATE = wire.State.of(session_after("4d9c", "6s7s", "D"), NOW)
RECORD = schemas.Record(_record(ENDED.play))
_STEPS = (
    ReviewedAction(1, "4d9c", before=29, after=28, cost=0, verdict=Verdict.BEST, best="4d9c"),
    ReviewedAction(2, "6s7s", before=28, after=27, cost=0, verdict=Verdict.BEST, best="6s7s"),
    ReviewedAction(3, "D", before=27, after=27, cost=1, verdict=Verdict.SLOWER, best="3cTs"),
)
REVIEWED = Review(shortest=29, lost_at=None, accuracy=83.3, critical=(3,), steps=_STEPS)
PENDING_REVIEW = GameReview(game=GAME, done=1, total=4)
REVIEW = GameReview(game=GAME, state="done", done=4, total=4, result=asdict(REVIEWED))

_SEED = bytes(range(32))
_OPEN, _PAST = (DailyKey(STARTED.date() - timedelta(days=ago), "standard", "open") for ago in (0, 2))
_COMMITTED_AT = _OPEN.opens_at - timedelta(days=7)
DAILY = DisclosedDaily(
    key=_OPEN,
    state=_OPEN.state(NOW),
    commitment=_OPEN.commitment(_SEED),
    committed_at=_COMMITTED_AT,
    grade="medium",
    is_yours=True,
    is_certified=True,
    policy=RANKED,
    attempt=ATTEMPT,
    reveal=None,
)
PAST_DAILY = DisclosedDaily(
    key=_PAST,
    state=_PAST.state(NOW),
    commitment=_PAST.commitment(_SEED),
    committed_at=_COMMITTED_AT,
    grade="medium",
    is_yours=True,
    is_certified=True,
    policy=RANKED,
    attempt=None,
    reveal=Reveal(_SEED.hex(), 0, _PAST.deck(_SEED).text, par=41, greedy_moves=58, grade="medium"),
)
COMMITMENT = DailyDeal(
    number=1,
    day=_OPEN.day,
    rules=_OPEN.rules,
    division=_OPEN.division,
    commitment=_OPEN.commitment(_SEED),
    committed_at=_COMMITTED_AT,
)
COMMITMENT.link = COMMITMENT.link_after(FIRST_LINK)


def _provoked(*attempts: Callable[[], object]) -> list[Exception]:
    refusals: list[Exception] = []
    for attempt in attempts:
        try:
            attempt()
        except (Refusal, RulesError) as refusal:
            refusals.append(refusal)
    return refusals


_PROVOKED = _provoked(
    lambda: RULE_SETS["spider"],
    lambda: Action.from_text("4x9s"),
    lambda: session_after("Td2h"),
    lambda: session_after("4d9c").act(UNDO, 0, NOW),
    lambda: ENDED.play.end(Outcome.RESIGNED),
    lambda: unseal(bytes(7)),
)
_TOLD: list[Exception] = [
    errors.Conflict(f"game {GAME.id} was changed elsewhere at the same moment"),
    errors.HintsNotAllowed("hints are disabled in this game"),
    errors.NotBegun("the game has not begun; read its state first"),
    errors.UndoNotAllowed("undo is disabled in this game"),
    errors.TooManyActions("a game has at most 2000 actions; this one can only be resigned"),
    errors.RestartNotAllowed("this game cannot be restarted"),
    errors.AlreadySeenByStaff("you have looked at the secrets of this deal, so you cannot play it"),
    errors.AlreadyAttempted(f"you have had your ranked attempt at this deal: game {ATTEMPT}", ATTEMPT),
    errors.NoOpenDaily("no daily deal of giza is open today"),
    errors.UnknownDaily("there is no daily deal on 2020-01-01"),
    errors.UnknownGame("there is no game '7f3kq2m8p1xy'"),
    errors.UnknownPlayer("there is no player 'guest-k2m8p1xz7f3r'"),
    errors.NotYours(f"game {GAME.id} belongs to another player"),
    errors.ReviewNotYet(f"the deal of game {GAME.id} can still be played"),
    errors.UnknownDeal("there is no deal '8d2nq6vtc0hx'"),
    errors.DealNotYet(f"deal {DEAL.id} is not shared yet"),
    errors.TooManyGames("you have started 500 practice games; the next one can begin in 173 seconds"),
    errors.TooManyOpenGames("you have 20 unfinished practice games; finish or resign one first"),
    errors.NotCertifiable("whether deals of two-pyramids can be won takes too long to decide"),
    errors.NoCertifiedDeal("no winnable deal of classic was found in time; try again, or take any deal"),
    errors.BadHandle("a handle is 3 to 32 lower-case letters and digits, with single hyphens between them"),
    errors.NameReserved("'Admin' could be mistaken for the server"),
    errors.HandleReserved("the handle 'admin' is reserved"),
    errors.HandleTaken("the handle 'carol' is taken"),
    errors.WeakPassword("This password is too common."),
    errors.AlreadyClaimed("this account is already named carol"),
    errors.SignInFailed("wrong handle or password"),
    errors.GuestAccount("a guest has no password; register first"),
    errors.NoMail("this server sends no mail"),
    errors.BadMailAddress("this is not a mail address"),
    errors.UnknownKey("you have no such session or token"),
    errors.UnknownExport("there is no export of yours that is ready"),
    errors.TooManyKeys("you have 100 tokens; end one first"),
    errors.UnknownBot("you own no bot 'deep-thirteen'"),
    errors.CannotOwnBots("a bot cannot own bots"),
    errors.TooManyBots("you own 5 bots; delete one first"),
]
REFUSALS.update({type(refusal): refusal for refusal in [*_PROVOKED, *_TOLD]})
