"""The requests of the REST API, as docs/rest-api.md and docs/leaderboards.md describe them.

Each function returns a `Call`; `Client.ask` or `AsyncClient.ask` sends it and returns the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal
from urllib.parse import quote

from pyramid_client import answers
from pyramid_client.rest import Call, T, Value


def guest(display_name: str | None = None, *, is_bot: bool = False) -> Call[answers.SignedIn]:
    """A new guest. An account that `is_bot` never competes with people."""
    return _post("/guests/", answers.SignedIn, is_repeatable=False, display_name=display_name, is_bot=is_bot)


def register(
    handle: str, password: str, display_name: str | None = None, *, is_bot: bool | None = None
) -> Call[answers.SignedIn]:
    """A named account; with the token of a guest it is the guest's."""
    named = {"handle": handle, "password": password, "display_name": display_name, "is_bot": is_bot}
    return _post("/register/", answers.SignedIn, is_repeatable=False, **named)


def sign_in(handle: str, password: str) -> Call[answers.SignedIn]:
    return _post("/sign-in/", answers.SignedIn, is_repeatable=False, handle=handle, password=password)


def sign_out(*, everywhere: bool = False) -> Call[answers.SignedOut]:
    return _post("/sign-out/", answers.SignedOut, everywhere=everywhere)


def me() -> Call[answers.Player]:
    return _get("/me/", answers.Player)


def claim_link() -> Call[answers.ClaimLink]:
    """The address of a page on which a person gives a guest a name and a password."""
    return _post("/me/claim-link/", answers.ClaimLink)


def keys() -> Call[answers.Keys]:
    return _get("/me/keys/", answers.Keys)


def new_key(name: str, scopes: list[str] | None = None) -> Call[answers.SignedIn]:
    """Another token of the account, for another program; with scopes such as `read`, a limited one."""
    return _post("/me/keys/", answers.SignedIn, is_repeatable=False, name=name, scopes=scopes)


def end_key(key_id: str) -> Call[answers.Keys]:
    return Call("DELETE", f"/me/keys/{_part(key_id)}/", answers.Keys)


def own_bots() -> Call[answers.OwnBots]:
    return _get("/me/bots/", answers.OwnBots)


def create_bot(handle: str, display_name: str | None = None) -> Call[answers.SignedIn]:
    """A bot that you own, with a token for its program; you need a named account."""
    return _post("/me/bots/", answers.SignedIn, is_repeatable=False, handle=handle, display_name=display_name)


def bot_keys(handle: str) -> Call[answers.Keys]:
    return _get(f"/me/bots/{_part(handle)}/keys/", answers.Keys)


def new_bot_key(handle: str, name: str, scopes: list[str] | None = None) -> Call[answers.SignedIn]:
    """Another token of a bot that you own; with scopes, a limited one."""
    return _post(f"/me/bots/{_part(handle)}/keys/", answers.SignedIn, is_repeatable=False, name=name, scopes=scopes)


def end_bot_key(handle: str, key_id: str) -> Call[answers.Keys]:
    return Call("DELETE", f"/me/bots/{_part(handle)}/keys/{_part(key_id)}/", answers.Keys)


def notifications(before: int | None = None) -> Call[answers.Notifications]:
    """Your notifications, the newest first."""
    return _get("/me/notifications/", answers.Notifications, before=before)


def read_notifications(up_to: int, *, only: bool | None = None) -> Call[answers.Notifications]:
    """Mark your notifications as read, up to the one with this id, or only that one."""
    return _post("/me/notifications/read/", answers.Notifications, up_to=up_to, only=only)


def rule_sets() -> Call[answers.RuleSets]:
    return _get("/rules/", answers.RuleSets)


def programme() -> Call[answers.Programme]:
    """The programme, and the deals of the next two weeks."""
    return _get("/programme/", answers.Programme)


def today() -> Call[answers.Day]:
    return _get("/daily/", answers.Day)


def day(date: str) -> Call[answers.Day]:
    """The deals of a day such as `2026-11-20`."""
    return _get(f"/daily/{_part(date)}/", answers.Day)


def start_daily(rules: str) -> Call[answers.Game]:
    """The ranked attempt at today's deal; the same game while it is being played."""
    return _post("/games/", answers.Game, kind="daily", rules=rules)


def start_practice(
    rules: str, *, winnable: Literal["any", "certified"] | None = None, grade: str | None = None
) -> Call[answers.Game]:
    chosen = {"rules": rules, "winnable": winnable, "grade": grade}
    return _post("/games/", answers.Game, is_repeatable=False, kind="practice", **chosen)


def games(before: str | None = None) -> Call[answers.Games]:
    return _get("/games/", answers.Games, before=before)


def game(game_id: str) -> Call[answers.Game]:
    return _get(f"/games/{_part(game_id)}/", answers.Game)


def state(game_id: str) -> Call[answers.State]:
    """The layout of your game. The first request starts the clock."""
    return _get(f"/games/{_part(game_id)}/state/", answers.State)


def act(game_id: str, version: int, action: str) -> Call[answers.ActionTaken]:
    """An action chosen at a version: a move, `U` (undo), `Y` (redo) or, in practice, `H` (hint)."""
    return _post(f"/games/{_part(game_id)}/actions/", answers.ActionTaken, version=version, action=action)


def resign(game_id: str, version: int) -> Call[answers.Finished]:
    return _post(f"/games/{_part(game_id)}/resign/", answers.Finished, version=version)


def restart(game_id: str) -> Call[answers.Game]:
    return _post(f"/games/{_part(game_id)}/restart/", answers.Game)


def record(game_id: str) -> Call[answers.Record]:
    return _get(f"/games/{_part(game_id)}/record/", answers.Record)


def analysis(game_id: str) -> Call[answers.GameAnalysis]:
    """The analysis of a finished game, or its progress; `Client.analysis` waits until it is done."""
    return _get(f"/games/{_part(game_id)}/analysis/", answers.GameAnalysis)


def next_puzzle() -> Call[answers.Puzzle]:
    """A puzzle of about your rating that you have not attempted."""
    return _get("/puzzles/next/", answers.Puzzle)


def puzzle(puzzle_id: str) -> Call[answers.Puzzle]:
    return _get(f"/puzzles/{_part(puzzle_id)}/", answers.Puzzle)


def puzzles_of_days(until: str | None = None) -> Call[answers.PuzzleDays]:
    """The puzzles of today and of past days, newest first."""
    return _get("/puzzles/days/", answers.PuzzleDays, until=until)


def failed_puzzles() -> Call[answers.FailedPuzzles]:
    """The puzzles that you failed and have not solved since, the last first."""
    return _get("/puzzles/failed/", answers.FailedPuzzles)


def attempt_puzzle(puzzle_id: str, moves: Sequence[str]) -> Call[answers.Judgement]:
    """The verdict on the removals so far, without draws, the last one being new."""
    return _post(f"/puzzles/{_part(puzzle_id)}/attempts/", answers.Judgement, moves=list(moves))


def puzzle_solution(puzzle_id: str) -> Call[answers.AskedSolution]:
    """A win of a puzzle; as a first attempt it counts as failed."""
    return _post(f"/puzzles/{_part(puzzle_id)}/solution/", answers.AskedSolution)


def solver() -> Call[answers.Solver]:
    """Your rating at puzzles."""
    return _get("/puzzles/solver/", answers.Solver)


def start_run(kind: Literal["streak", "storm"]) -> Call[answers.Run]:
    """A streak or a storm of puzzles, the one that you are in if there is one."""
    return _post("/puzzles/runs/", answers.Run, kind=kind)


def run(run_id: str) -> Call[answers.Run]:
    return _get(f"/puzzles/runs/{_part(run_id)}/", answers.Run)


def remove_in_run(run_id: str, number: int, moves: Sequence[str]) -> Call[answers.RunStep]:
    """The verdict on the removals so far in the puzzle of this number, and the run with the next puzzle."""
    address = f"/puzzles/runs/{_part(run_id)}/removals/"
    return _post(address, answers.RunStep, is_repeatable=False, number=number, moves=list(moves))


def end_run(run_id: str) -> Call[answers.Run]:
    return _post(f"/puzzles/runs/{_part(run_id)}/end/", answers.Run)


def races(when: Literal["current", "past"] | None = None, before: str | None = None) -> Call[answers.Races]:
    """The public races that are not over, or past ones, the last first."""
    return _get("/races/", answers.Races, when=when, before=before)


def own_races(before: str | None = None) -> Call[answers.OwnRaces]:
    """Your races with your results, the last joined first."""
    return _get("/me/races/", answers.OwnRaces, before=before)


def race(race_id: str) -> Call[answers.Race]:
    return _get(f"/races/{_part(race_id)}/", answers.Race)


def open_race(  # noqa: PLR0913  the terms of a race
    rules: str,
    *,
    tie_break: Literal["time", "moves"] | None = None,
    limit_s: int | None = None,
    countdown_s: int | None = None,
    is_public: bool | None = None,
    admits_bots: bool | None = None,
) -> Call[answers.Race]:
    """A room on a new certified deal, with you in it as its host. Its `invite` lets others in."""
    times = {"limit_s": limit_s, "countdown_s": countdown_s}
    terms = {"rules": rules, "tie_break": tie_break, "is_public": is_public, "admits_bots": admits_bots, **times}
    return _post("/races/", answers.Race, is_repeatable=False, **terms)


def join_race(race_id: str, invite: str | None = None) -> Call[answers.Race]:
    """Enter a race before it starts; a race that is not public requires its invite."""
    return _post(f"/races/{_part(race_id)}/join/", answers.Race, invite=invite)


def invite_to_race(race_id: str, handle: str) -> Call[answers.Invited]:
    """Invite a player to a race that you are in; a notification leads them into the room."""
    return _post(f"/races/{_part(race_id)}/invitations/", answers.Invited, handle=handle)


def leave_race(race_id: str) -> Call[answers.Left]:
    return _post(f"/races/{_part(race_id)}/leave/", answers.Left)


def start_race(race_id: str) -> Call[answers.Race]:
    return _post(f"/races/{_part(race_id)}/start/", answers.Race)


def rematch(race_id: str) -> Call[answers.Race]:
    """The rematch of a race that is over, with you in it."""
    return _post(f"/races/{_part(race_id)}/rematch/", answers.Race)


def ratings(
    family: str | None = None, *, of: Literal["people", "bots"] | None = None, limit: int | None = None
) -> Call[answers.Ratings]:
    """The best ratings from races in a family of rule sets, without provisional ones."""
    return _get("/ratings/", answers.Ratings, family=family, of=of, limit=limit)


def bots() -> Call[answers.Bots]:
    """The bots that played in the last 30 days, and the boards on which they compete."""
    return _get("/bots/", answers.Bots)


def seasons(year: int | None = None, *, rules: str | None = None, division: str | None = None) -> Call[answers.Seasons]:
    """The seasons that ended in a year, by default the newest."""
    return _get("/seasons/", answers.Seasons, year=year, rules=rules, division=division)


def season(slug: str, *, limit: int | None = None, cursor: str | None = None) -> Call[answers.SeasonPage]:
    """Rows of a closed season such as `2026-11.standard.main`: the first, or those after the cursor `next`."""
    return _get(f"/seasons/{_part(slug)}/", answers.SeasonPage, limit=limit, cursor=cursor)


def achievements() -> Call[answers.Achievements]:
    return _get("/achievements/", answers.Achievements)


def achievements_of(handle: str) -> Call[answers.PlayerAchievements]:
    return _get(f"/players/{_part(handle)}/achievements/", answers.PlayerAchievements)


def honours(handle: str) -> Call[answers.PlayerHonours]:
    return _get(f"/players/{_part(handle)}/honours/", answers.PlayerHonours)


def deal_results(deal_id: str) -> Call[answers.DealResults]:
    """The results of people and reference players on a past daily deal."""
    return _get(f"/deals/{_part(deal_id)}/results/", answers.DealResults)


def skill(handle: str) -> Call[answers.PlayerSkills]:
    """The shares of the player and of the deals in a player's results."""
    return _get(f"/players/{_part(handle)}/skill/", answers.PlayerSkills)


def leagues() -> Call[answers.Leagues]:
    """The newest week of the leagues, with the sizes of its tiers."""
    return _get("/leagues/", answers.Leagues)


def league_group(week: str, tier: int, group: int) -> Call[answers.LeagueGroup]:
    """A group of the leagues in a week such as `2026-W48`."""
    return _get(f"/leagues/{_part(week)}/{tier}/{group}/", answers.LeagueGroup)


def leagues_of(handle: str) -> Call[answers.PlayerLeagues]:
    """A player's tier, current group and past weeks."""
    return _get(f"/players/{_part(handle)}/leagues/", answers.PlayerLeagues)


def boards(
    day: str | None = None, *, period: str | None = None, rules: str | None = None, division: str | None = None
) -> Call[answers.Boards]:
    """The score tables of a day, of today by default."""
    return _get("/boards/", answers.Boards, day=day, period=period, rules=rules, division=division)


def board(
    slug: str,
    *,
    limit: int | None = None,
    around: str | None = None,
    cursor: str | None = None,
    verified: bool | None = None,
) -> Call[answers.TablePage]:
    """Rows of a score table: the first ones, those around a player, or those after the cursor `next`."""
    asked = {"limit": limit, "around": around, "cursor": cursor, "verified": verified}
    return _get(f"/boards/{_part(slug)}/", answers.TablePage, **asked)


def standing(slug: str, handle: str) -> Call[answers.Standing]:
    return _get(f"/boards/{_part(slug)}/players/{_part(handle)}/", answers.Standing)


def standings(slug: str, handles: Iterable[str]) -> Call[answers.Standings]:
    return _get(f"/boards/{_part(slug)}/players/", answers.Standings, handles=",".join(handles))


def histogram(slug: str, *, field: str | None = None, bins: int | None = None) -> Call[answers.Histogram]:
    return _get(f"/boards/{_part(slug)}/histogram/", answers.Histogram, field=field, bins=bins)


def statistics(handle: str) -> Call[answers.Statistics]:
    return _get(f"/players/{_part(handle)}/statistics/", answers.Statistics)


def _part(text: str) -> str:
    return quote(text, safe="")


def _get(path: str, answer: type[T], **query: Value) -> Call[T]:
    return Call("GET", path, answer, query=query)


def _post(path: str, answer: type[T], *, is_repeatable: bool = True, **body: Value | list[str]) -> Call[T]:
    return Call("POST", path, answer, body=body, is_repeatable=is_repeatable)
