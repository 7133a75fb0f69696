"""Every table that is about players, with its purpose and its time, for the privacy page and for exports.

Apps above this one register theirs. A test holds the list complete: no table and no field about a player is missing.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db.models import Model, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from games.analysis.models import GameAnalysis
from games.calendar.models import DayDivision, SecretAccess, SetProgramme
from games.cups.models import Cup, CupEntry, CupSeat, CupSignup
from games.identities.models import Identity
from games.keys.models import BrowserSession, TokenTerms
from games.notifications.models import MutedKind, Notification
from games.oauth.models import App, Grant, Voucher, WaitingDevice
from games.personal_data.models import DataExport, Erasure
from games.play.models import Game, Move
from games.players.models import Player
from games.push.models import PushMessage, QuietHours, Subscription, WantedKind
from games.puzzles.models import PuzzleAttempt, PuzzleRun, RunStep, SolverRating
from games.races.models import Race, Racer, Rating, RatingChange
from games.statistics.models import PlayedDays, Tally, UncountedGame

Words = str | Promise
NO_SECRET = "it opens the account, or helps to forge what does"  # noqa: S105  words
UNSAID = "it would tell cheats how they are found"
NOT_PERSONAL = "it is of the server's making, and says nothing about the player"
OTHERS = "it names other people"
STAYS = _("As long as the account exists.")
STAYS_NAMELESS = _(
    "Permanently, because the ranks of others depend on it; without your name once the account is deleted."
)
AS_STAFF = _("If you are on the staff: what you looked at, changed and decided, and when.")
AS_STAFF_STAYS = _("Permanently, as an audit trail.")


@dataclass(frozen=True)
class Holding:
    """The rows of a table that are about a player, found by the path `owner`.

    `fields`, names separated by spaces, are exported, of rows that fit `only`; `withheld` has the other fields, by the
    reason for which they are not. `days` returns the number in `until`, as the settings have it.
    """

    model: type[Model]
    what: Words
    until: Words = STAYS
    owner: str = "player"
    fields: str = ""
    withheld: Mapping[str, str] = field(default_factory=dict)
    days: Callable[[], int] | None = None
    only: Q = field(default_factory=Q)

    @property
    def kept_until(self) -> str:
        """Until when it is kept, in words."""
        return str(self.until) % ({"days": self.days()} if self.days else {})

    @property
    def name(self) -> str:
        """The name of the rows in an export."""
        return f"{self.model._meta.model_name}.{self.owner}"

    @property
    def reasons(self) -> dict[str, str]:
        """The reason for each field that is not exported."""
        return {name: reason for reason, names in self.withheld.items() for name in names.split()}


def _days_of_keys() -> int:
    return -(-settings.SESSION_COOKIE_AGE // (24 * 60 * 60))


_ACCOUNT = _("Your account: handle, name, whether you are a guest or a bot, when it was made and last used, and a mail "
             "address if you gave one. The password is kept as a hash.")  # fmt: skip
_BOTS = _("Your bots. They are deleted with your account.")
_KEYS = _(
    "What gives access to your account: browser sessions, and tokens as hashes, with the names that you gave them, and "
    "when they were made and last used."
)
_GAMES = _("Your games, with the time of every move: the score tables are computed and checked from them.")

_RACES = _("The races that you hosted and ran, with your results.")
_CUPS = _("The cups that you organised and entered, and your places in them.")
_RATINGS = _("Your ratings from public races, and how each race changed them.")
_PUZZLES = _("Your first attempts at puzzles, and your rating there.")
_RUNS = _("Your streaks and storms of puzzles, and how long each puzzle took.")
_STATISTICS = _("What your finished games add up to: streaks of days, results, bests and moves over par.")
_GAMES_STAY = _(
    "Unranked games as long as the account exists. Ranked ones permanently, because the ranks of others depend on "
    "them; without your name once the account is deleted."
)

_PUSH = _("Devices on which you get notifications, what you want there, and your quiet hours.")
_PUSHED = _(
    "Notifications that were sent to your devices through the push service of each browser, which cannot read them."
)
_SENDS = "it is what is needed to send to the device"

_holdings: list[Holding] = [
    Holding(
        Player,
        _ACCOUNT,
        owner="pk",
        fields="username display_name email is_guest is_bot claimed_at date_joined last_login banned_at is_active"
        " is_staff is_superuser owner__username model",
        withheld={NO_SECRET: "password", NOT_PERSONAL: "key_epoch name_key name_is_shared"},
    ),
    Holding(Player, _BOTS, owner="owner", fields="username display_name model date_joined"),
    Holding(
        BrowserSession,
        _KEYS,
        _("Until you sign out, or %(days)d days after the last use."),
        fields="created_at used_at expire_date",
        withheld={NO_SECRET: "session_key session_data"},
        days=_days_of_keys,
    ),
    Holding(
        Identity,
        _(
            "Accounts elsewhere with which you sign in here: where, and the number that you have there. Of a passkey, "
            "what you call it, its number and its public key."
        ),
        fields="issuer subject name created_at used_at",
        withheld={"it is a key that only this server has a use for": "public_key sign_count"},
    ),
    Holding(
        AuthToken,
        _KEYS,
        _("Until you revoke it, or %(days)d days after the last use."),
        "user",
        "created expiry",
        {NO_SECRET: "digest token_key"},
        days=_days_of_keys,
    ),
    Holding(
        TokenTerms,
        _KEYS,
        _("As long as the token."),
        "token__user",
        "name scopes grant__app__name",
        {NO_SECRET: "token"},
    ),
    Holding(
        App,
        _("Apps that you have registered, so that players can allow them to act for them."),
        owner="owner",
        fields="id name addresses created_at",
    ),
    Holding(
        Grant,
        _("What you have allowed apps of other people."),
        _("Until you end it, or %(days)d days after the last use."),
        fields="app__name scopes created_at used_at",
        withheld={NOT_PERSONAL: "key_epoch"},
        days=_days_of_keys,
    ),
    Holding(
        Voucher,
        _("What an app exchanges for a token, as a hash."),
        _("Until it expires: a code after a minute, a refresh token after %(days)d days."),
        owner="grant__player",
        fields="address expires_at used_at",
        withheld={NO_SECRET: "digest challenge"},
        days=_days_of_keys,
    ),
    Holding(
        WaitingDevice,
        _("Devices that wait until you have allowed them something."),
        _("Ten minutes."),
        owner="grant__player",
        fields="app__name scopes expires_at asked_at is_denied",
        withheld={NO_SECRET: "digest typed_digest"},
    ),
    Holding(
        Game,
        _GAMES,
        _GAMES_STAY,
        fields="id deal daily__day deal__rules attempt restart_of stored_policy status created_at started_at"
        " finished_at elapsed_ms downtime_ms moves draws recycles undos hints cards_left",
        withheld={
            "it is in the record, once nobody can gain by it": "suits",
            "it is the record in another form": "sealed_log",
            UNSAID: "hasty",
        },
    ),
    Holding(
        Move,
        _GAMES,
        _GAMES_STAY,
        "game__player",
        withheld={
            "it is in the record": "game version action at_ms",
            "it is what your own program sent, and repeats its clock": "client_ms",
        },
    ),
    Holding(
        GameAnalysis,
        _("Analyses of games that you asked for."),
        _("As long as the game."),
        "asked_by",
        "game state created_at finished_at",
        {NOT_PERSONAL: "done total claimed_at", "it is about the game": "result"},
    ),
    Holding(Tally, _STATISTICS, fields="kind rules played won moves elapsed_ms over_par"),
    Holding(PlayedDays, _STATISTICS, fields="played won"),
    Holding(
        UncountedGame,
        _STATISTICS,
        _("Until the game is counted."),
        withheld={NOT_PERSONAL: "game due_at is_counted"},
    ),
    Holding(
        Race,
        _RACES,
        STAYS_NAMELESS,
        "host",
        "id deal__rules tie_break limit_s countdown_s is_public admits_bots circle rematch_of created_at starts_at"
        " begun_at ended_at end",
        {"it is secret until the race is over": "deal", NOT_PERSONAL: "hour entry"},
    ),
    Holding(
        Racer,
        _RACES,
        STAYS_NAMELESS,
        fields="race joined_at game place outcome cards_left moves elapsed_ms is_rated",
        withheld={UNSAID: "is_rival person"},
    ),
    Holding(
        Cup,
        _CUPS,
        STAYS_NAMELESS,
        "host",
        "id name rules circle announced_for opens_at limit_s rounds seeded_at ended_at end",
        {"who has them can sign up": "code", NOT_PERSONAL: "for_bots qualify_s qualification"},
    ),
    Holding(CupSignup, _CUPS, fields="cup at removed_at"),
    Holding(CupEntry, _CUPS, STAYS_NAMELESS, fields="cup seed division place"),
    Holding(CupSeat, _CUPS, STAYS_NAMELESS, owner="entry__player", fields="match place goes_on"),
    Holding(RatingChange, _RATINGS, STAYS_NAMELESS, fields="racer family ended_at races mean_before mean deviation"),
    Holding(Rating, _RATINGS, fields="family races mean deviation"),
    Holding(
        PuzzleAttempt,
        _PUZZLES,
        fields="puzzle at is_solved found mean_before mean solved_later_at",
        withheld={NOT_PERSONAL: "puzzle_mean"},
    ),
    Holding(
        PuzzleRun,
        _RUNS,
        fields="id kind started_at ends_at ended_at solved mistakes",
        withheld={
            UNSAID: "hasty",
            "it leads to puzzles that are not shown yet": "seed puzzle",
            NOT_PERSONAL: "best_before removed shown_at waits",
        },
    ),
    Holding(RunStep, _RUNS, owner="run__player", fields="run number puzzle is_solved found elapsed_ms"),
    Holding(SolverRating, _PUZZLES, fields="attempts mean deviation"),
    Holding(
        Notification,
        _("Notifications to you, and which you switched off."),
        _("For %(days)d days."),
        fields="at kind subject facts read_at",
        withheld={OTHERS: "sender"},
        days=lambda: Notification.DAYS_KEPT,
    ),
    Holding(
        Notification,
        _("Invitations that you sent to other players."),
        _("For %(days)d days."),
        "sender",
        "at kind subject",
        {OTHERS: "player facts read_at"},
        days=lambda: Notification.DAYS_KEPT,
    ),
    Holding(MutedKind, _("Notifications to you, and which you switched off."), fields="kind"),
    Holding(
        Subscription,
        _PUSH,
        _("Until you remove the device, or the browser ends it."),
        fields="endpoint language created_at sent_at",
        withheld={_SENDS: "p256dh auth server_key", NOT_PERSONAL: "refusals"},
    ),
    Holding(WantedKind, _PUSH, owner="subscription__player", fields="kind", withheld={NOT_PERSONAL: "subscription"}),
    Holding(QuietHours, _PUSH, fields="time_zone begins ends"),
    Holding(
        PushMessage,
        _PUSHED,
        _("For %(days)d days."),
        "subscription__player",
        "created_at kind subject facts outcome",
        {OTHERS: "sender", NOT_PERSONAL: "subscription until attempts next_at error"},
        days=lambda: PushMessage.KEPT.days,
    ),
    Holding(
        PushMessage,
        _("Notifications with your name that went to devices of others."),
        _("For %(days)d days."),
        "sender",
        "created_at kind",
        {OTHERS: "subscription subject facts until attempts next_at outcome error"},
        days=lambda: PushMessage.KEPT.days,
    ),
    Holding(DayDivision, _("Which division you played in on each day."), fields="day division"),
    Holding(
        DataExport,
        _("A copy of your data, if you asked for one."),
        _("For %(days)d days."),
        fields="state requested_at finished_at",
        withheld={"it is what you read": "file", NOT_PERSONAL: "done total claimed_at"},
        days=lambda: DataExport.DAYS_KEPT,
    ),
    Holding(
        Erasure,
        _("Deletions of your data: when, why and how much."),
        AS_STAFF_STAYS,
        fields="reason at games",
        withheld={OTHERS: "by", NOT_PERSONAL: "is_open"},
    ),
    Holding(Erasure, AS_STAFF, AS_STAFF_STAYS, "by", "at reason", {OTHERS: "player"}),
    Holding(SecretAccess, AS_STAFF, AS_STAFF_STAYS, fields="daily at reason"),
    Holding(SetProgramme, AS_STAFF, AS_STAFF_STAYS, "made_by", "valid_from made_at slots"),
    Holding(
        LogEntry,
        AS_STAFF,
        AS_STAFF_STAYS,
        "user",
        "action_time action_flag change_message",
        {OTHERS: "content_type object_id object_repr"},
    ),
]


def register(*holdings: Holding) -> None:
    """Add tables of an app above this one, once."""
    _holdings.extend(holding for holding in holdings if holding not in _holdings)


def holdings() -> list[Holding]:
    """Return all tables about players."""
    return list(_holdings)
