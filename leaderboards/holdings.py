"""The tables of scores and their moderation that are about players; see `games.personal_data.holdings`."""

from django.conf import settings
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.personal_data.holdings import (
    AS_STAFF,
    AS_STAFF_STAYS,
    NOT_PERSONAL,
    OTHERS,
    STAYS,
    STAYS_NAMELESS,
    UNSAID,
    Holding,
)
from leaderboards.achievements.models import Award
from leaderboards.audit.models import SealedResult
from leaderboards.boards.models import Decision, Entry, Following, PendingGame
from leaderboards.clubs.models import ClubAct, ClubDecision, ClubReport, Membership, MutedPlayer, Outsider
from leaderboards.cups.models import CupDecision, CupReport, CupResult
from leaderboards.desk.models import SavedView
from leaderboards.leagues.models import LeagueSeat
from leaderboards.moderation.evidence_models import (
    AccountEvidence,
    Examination,
    KeptFinding,
    Listing,
    Trace,
    WeighedGame,
)
from leaderboards.moderation.models import Act, Appeal, Case, LogLine, Report
from leaderboards.retests.models import Retest, RetestDeal
from leaderboards.seasons.models import Honour
from leaderboards.skill.models import PlayerShare

_SCORES = _("Your scores on the tables, and the sealed results of days.")
_MODERATION = _("What automatic checks and reviewers found about your ranked games, and what was decided.")
_RETESTS = _("The retests that reviewers offered you, and how their games ended.")
_REPORTS = _("Reports and appeals that you wrote.")
_SKILL = _("How much of your results is you, and how much the deals.")
_FOLLOWING = _("The players you follow.")
_CLUBS = _("The clubs that you are in, were in, asked to join, or were invited to.")
_MUTED = _("The players whose notices in clubs you do not see.")
_ACTS = _("What you did in clubs, and what their officers did about you.")
_ACTS_STAY = _("As long as the club exists; without your name once the account is deleted.")
_FOR_REVIEWERS = "it is for the reviewers while they work"
_FOR_COLLEAGUES = "it is what reviewers tell each other; the reason in words for you is under /api/me/review/"
_TRACES = _(
    "Keyed hashes of your network address and of a random identifier of your browser, which show reviewers that two "
    "accounts may belong to one person. The address itself is not kept."
)


HOLDINGS = (
    Holding(
        Entry,
        _SCORES,
        STAYS_NAMELESS,
        fields="board__slug game key state listed held changed_at",
        withheld={NOT_PERSONAL: "entered_at_version valid_from valid_to"},
    ),
    Holding(Honour, _SCORES, STAYS_NAMELESS, fields="season__slug rank top", withheld={NOT_PERSONAL: "entry"}),
    Holding(CupResult, _SCORES, STAYS_NAMELESS, "entry__player", "entry__cup points"),
    Holding(LeagueSeat, _SCORES, STAYS_NAMELESS, fields="closing__week tier group rank idle"),
    Holding(Award, _("Your achievements."), fields="code at"),
    Holding(
        PlayerShare,
        _SKILL,
        fields="rules at games effect by_player by_player_low by_player_high by_deal by_deal_low by_deal_high",
    ),
    Holding(PendingGame, _SCORES, _("Until the score is entered."), "game__player", "game finished_at error"),
    Holding(SealedResult, _SCORES, STAYS_NAMELESS, "game__player", "day_root__day index game leaf"),
    Holding(Following, _FOLLOWING, STAYS, "follower", "followed__username"),
    Holding(Following, _FOLLOWING, STAYS, "followed", withheld={OTHERS: "follower"}),
    Holding(Membership, _CLUBS, STAYS, fields="club__name role joined_at left_at"),
    Holding(Outsider, _CLUBS, STAYS, fields="club__name state at"),
    Holding(ClubReport, _REPORTS, STAYS, "reporter", "club__name about text at", {_FOR_REVIEWERS: "decision"}),
    Holding(CupReport, _REPORTS, STAYS, "reporter", "cup__name text at", {_FOR_REVIEWERS: "decision"}),
    Holding(MutedPlayer, _MUTED, STAYS, "by", "player__username"),
    Holding(MutedPlayer, _MUTED, STAYS, "player", withheld={OTHERS: "by"}),
    Holding(ClubAct, _ACTS, _ACTS_STAY, "by", "club__name act at", {OTHERS: "about"}),
    Holding(ClubAct, _ACTS, _ACTS_STAY, "about", "club__name act at", {OTHERS: "by"}),
    Holding(
        Trace,
        _TRACES,
        _(
            "%(days)d days after they were last seen. If you delete an account with a ranked game: until the day of "
            "that game is examined and final, two days after it at the earliest. If you delete one that was in a "
            "public race: for seven days after it."
        ),
        fields="kind first_seen last_seen",
        withheld={"it is a hash that only this server can compute, and leads nowhere": "mark"},
        days=lambda: settings.PYRAMID_TRACE_DAYS,
    ),
    Holding(Report, _REPORTS, STAYS, "reporter", "at game text", {_FOR_REVIEWERS: "case"}),
    Holding(Report, _MODERATION, STAYS_NAMELESS, "game__player", withheld={OTHERS: "reporter text"}),
    Holding(Appeal, _REPORTS, fields="at text salt", withheld={NOT_PERSONAL: "decision line"}),
    Holding(
        Decision,
        _MODERATION,
        STAYS_NAMELESS,
        "game__player",
        "game state at",
        {_FOR_COLLEAGUES: "reason", OTHERS: "by confirmed_by"},
    ),
    Holding(
        Case,
        _MODERATION,
        STAYS_NAMELESS,
        fields="daily__day daily__rules opened_at appeal_until",
        withheld={
            _FOR_REVIEWERS: "needs rank touched_at proposal decision",
            UNSAID: "state strength urgency",
            OTHERS: "reviewer",
        },
        only=Q(decision__isnull=False),
    ),
    Holding(
        LogLine,
        _MODERATION,
        STAYS_NAMELESS,
        "case__player",
        "number at act outcome reason games",
        {
            _FOR_COLLEAGUES: "text",
            OTHERS: "by confirms",
            _FOR_REVIEWERS: "facts case",
            NOT_PERSONAL: "text_hash about salt",
        },
        only=Q(act__in=[Act.DECIDED, Act.APPEALED]),
    ),
    Holding(
        Examination,
        _MODERATION,
        STAYS_NAMELESS,
        fields="game version at",
        withheld={UNSAID: "evidence foresight near_par combined failed error", NOT_PERSONAL: "cpu_us"},
    ),
    Holding(
        AccountEvidence,
        _MODERATION,
        STAYS_NAMELESS,
        fields="version games updated_at",
        withheld={UNSAID: "state foresight near_par both"},
    ),
    Holding(Listing, _MODERATION, STAYS_NAMELESS, withheld={UNSAID: "list value found_at"}),
    Holding(
        KeptFinding,
        _MODERATION,
        STAYS_NAMELESS,
        withheld={UNSAID: "game case detector version strength score threshold explanation numbers innocent games at"},
    ),
    Holding(WeighedGame, _MODERATION, STAYS_NAMELESS, "game__player", withheld={UNSAID: "game at steps error"}),
    Holding(
        Retest,
        _RETESTS,
        STAYS_NAMELESS,
        fields="id rules minutes offered_at open_until accepted_at begun_at ended_at end",
        withheld={
            UNSAID: "fresh alike scored_at version foresight near_par",
            _FOR_REVIEWERS: "case",
            OTHERS: "offered_by",
        },
    ),
    Holding(
        RetestDeal,
        _RETESTS,
        STAYS_NAMELESS,
        "retest__player",
        "retest number game outcome moves cards_left par",
        {UNSAID: "origin scored_at bets bet par_factors error"},
    ),
    Holding(RetestDeal, _RETESTS, STAYS_NAMELESS, "origin__player"),
    Holding(Retest, AS_STAFF, AS_STAFF_STAYS, "offered_by", "offered_at"),
    Holding(
        ClubDecision,
        AS_STAFF,
        AS_STAFF_STAYS,
        "by",
        "club name description removed reason text at",
        {NOT_PERSONAL: "name_key"},
    ),
    Holding(CupDecision, AS_STAFF, AS_STAFF_STAYS, "by", "cup name removed reason text at", {NOT_PERSONAL: "name_key"}),
    Holding(SavedView, AS_STAFF, STAYS, "owner", "name query is_shared"),
    Holding(Case, AS_STAFF, AS_STAFF_STAYS, "reviewer", "touched_at state"),
    Holding(
        LogLine,
        AS_STAFF,
        AS_STAFF_STAYS,
        "by",
        "number at act outcome reason text",
        only=~Q(act__in=[Act.OPENED, Act.JOINED]),  # by a report, and one of them says that there was a case before
    ),
    Holding(LogLine, AS_STAFF, AS_STAFF_STAYS, "confirms", "number at"),
    Holding(Decision, AS_STAFF, AS_STAFF_STAYS, "by", "game state reason at"),
    Holding(Decision, AS_STAFF, AS_STAFF_STAYS, "confirmed_by", "game state at"),
)
