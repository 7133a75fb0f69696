"""A game played over its socket, through routing, authentication and the real database."""

from __future__ import annotations

from concurrent.futures import Future
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.calendar.models import Deal
from games.hints import readiness
from games.play.live import hints, live_game
from games.play.live.hints import LossNotices
from games.play.live.live_games import live_games
from games.play.models import Game
from games.play.starting import start_ranked
from games.players.models import Player
from games.rules import RULE_SETS, Position
from tests.calendar import prepared_dailies
from tests.games.conftest import Connect, MakeGame
from tests.games.ways_to_play import take_action
from tests.guards import guards_dropped

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("_no_deadline")]

DECK = "5dTs8s3hJc3sAc5s4hKh5c3cThQc9dQd7c8d6h4c6dJs8h8cKdKs2sKc5h9sAdTcJh4sQh7h7s2dAh4d9cQsTd6s2h9h2cAsJd7d3d6c"
PYRAMID = "5d/Ts8s/3hJc3s/Ac5s4hKh/5c3cThQc9d/Qd7c8d6h4c6d/Js8h8cKdKs2sKc"
FIRST_LEGAL = ["2sJs", "D", "Kc", "Kd", "Ks"]
WINNABLE = "Qh6c7hKh9d4c4hKs7cTc2sQsJc5d4d8d8h2cTs3dKd5sJs8s2dTdJh5h7sAd6h9cQc3hAh9h3c6sKc9sAc8c7dThJd3sAs6dQd2h5c4s"
WINNING = (
    "2dJh 5h8s 2cJs 5s8h Kd D D AdQs D D D D 3hTd 3dTs 5d8d 2sJc Ks D D 4d9h D 3cTc D 6s7c 4c9d D Kc D 4h9s Kh "
    "6c7h AhQh"
)


def logged(game: Game) -> list[str]:
    return [row.action for row in game.whole_log()]


async def in_log(game: Game) -> list[str]:
    return await sync_to_async(logged)(game)


async def test_the_first_message_is_the_state(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        state = await client.receive()
    elapsed = state.pop("elapsed_ms")
    assert elapsed >= 0
    assert state == {
        "type": "state",
        "game": game.id,
        "version": 0,
        "rules": "standard",
        "position": f"{PYRAMID} |{'??' * 24} *",
        "legal": FIRST_LEGAL,
        "moves": 0,
        "outcome": None,
        "result": "*",
    }


async def test_a_move_is_in_the_log_when_played_arrives(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        played = await client.ask("play", version=0, move="D", client_ms=17)
        assert await in_log(game) == ["D"]
    assert played.pop("at_ms") >= 0
    assert played == {
        "type": "played",
        "id": 1,
        "version": 1,
        "move": "D",
        "revealed": ["5h"],
        "legal": ["2sJs", "5h8c", "5h8h", "D", "Kc", "Kd", "Ks"],
        "moves": 1,
        "outcome": None,
    }
    assert await game.log.values_list("client_ms", flat=True).aget() == 17


async def test_a_move_may_be_spelled_in_any_way(connect: Connect, practice: MakeGame, alice: Player) -> None:
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        assert (await client.play("jS 2S"))["move"] == "2sJs"


async def test_undo_and_redo_count_and_reveal_nothing_new(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        await client.play("D")
        undone = await client.ask("undo", version=1)
        assert (undone["move"], undone["legal"], undone["moves"]) == ("U", FIRST_LEGAL, 2)
        assert undone["position"] == f"{PYRAMID} |5h{'??' * 23} *"
        redone = await client.ask("redo", version=2)
        assert (redone["move"], redone["revealed"], redone["version"]) == ("Y", [], 3)
    assert await in_log(game) == ["D", "U", "Y"]


async def test_a_game_is_won_and_frozen(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(WINNABLE)
    async with connect(game, alice) as client:
        await client.receive()
        answers = [await client.play(move) for move in WINNING.split()]
        answer = answers[-1]
        assert (answer["outcome"], answer["legal"]) == ("won", [])
        finished = await client.receive()
        assert finished.pop("elapsed_ms") == answer["at_ms"]
        moves = len(WINNING.split())
        assert finished == {"type": "finished", "version": moves, "result": "won", "moves": moves, "cards_left": 0}
        refused = await client.ask("undo", version=moves)
        assert refused["code"] == "game_over"
    await game.arefresh_from_db()
    assert (game.status, game.moves, game.cards_left) == ("won", moves, 0)


async def test_a_hint_is_logged_and_says_why(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(WINNABLE)
    async with connect(game, alice) as client:
        state = await client.receive()
        hinted = await client.ask("hint", version=0)
        assert (hinted["type"], hinted["version"], hinted["is_exact"]) == ("hinted", 1, False)
        assert hinted["move"] in state["legal"]
        assert hinted["reason"]
        assert (await client.ask("hint", version=0))["version"] == 1
        assert (await client.play(hinted["move"]))["moves"] == 1
        await client.ask("resign", version=2)
    await game.arefresh_from_db()
    assert (game.hints, game.moves) == (1, 1)


async def test_no_hint_is_guessed_or_counted_while_the_solver_is_being_compiled(
    connect: Connect, practice: MakeGame, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling = Future[None]()
    monkeypatch.setitem(readiness._preparing, RULE_SETS["standard"], compiling)
    monkeypatch.setattr(hints, "LOADING_SECONDS", 0)
    async with connect(await practice(WINNABLE), alice) as client:
        await client.receive()
        refused = await client.ask("hint", version=0)
        assert (refused["code"], refused["version"]) == ("unavailable", 0)
        assert (await client.play("D"))["version"] == 1
        compiling.set_result(None)
        assert (await client.ask("hint", version=1))["version"] == 2


async def test_it_is_told_once_that_a_game_cannot_be_won(connect: Connect, practice: MakeGame, alice: Player) -> None:
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        await client.play("D")
        while not client.notices:  # it is searched for beside the play
            await client.ask("ping")
        for _ in range(3):
            await client.play("D")
        await client.ask("ping")
        assert client.notices == [{"type": "unwinnable", "version": 1, "since": None}]


def swap_decks() -> None:
    with guards_dropped():
        Deal.objects.filter(daily__isnull=False).update(deck=DECK)


async def test_nothing_of_the_kind_is_searched_for_or_told_in_a_ranked_attempt(
    connect: Connect, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched_from: list[Position] = []

    def noted(start: Position, player: int) -> LossNotices:
        searched_from.append(start)
        return LossNotices(start, player)

    monkeypatch.setattr(live_game, "LossNotices", noted)
    await sync_to_async(prepared_dailies)(timezone.now(), 1)
    game = await sync_to_async(start_ranked)(alice, "standard", timezone.now())
    await sync_to_async(swap_decks)()
    async with connect(game, alice) as client:
        await client.receive()
        await client.play("D")
        await client.ask("ping")
        assert client.notices == searched_from == []


async def test_resigning_ends_the_game(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        finished = await client.ask("resign", version=0)
        assert (finished["type"], finished["result"], finished["cards_left"]) == ("finished", "resigned", 28)
        assert await client.ask("resign", version=0) == finished
    async with connect(game, alice) as client:
        state = await client.receive()
        assert (state["result"], state["legal"]) == ("resigned", [])
        assert await client.receive() == finished
        assert await client.ask("resign", version=0) == finished


async def test_a_practice_game_starts_again_on_a_socket_of_its_own(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        await client.play("D")
        assert (await client.ask("restart"))["type"] == "finished"
        restarted = await client.receive()
        assert restarted["type"] == "restarted"
        again = await client.ask("restart")
        assert again == restarted | {"id": again["id"]}
    async with connect(restarted["game"], alice) as client:
        state = await client.receive()
        assert (state["version"], state["position"].split(" ")[0]) == (0, PYRAMID)


async def test_a_ranked_attempt_cannot_be_restarted(connect: Connect, alice: Player) -> None:
    await sync_to_async(prepared_dailies)(timezone.now(), 1)
    game = await sync_to_async(start_ranked)(alice, "standard", timezone.now())
    async with connect(game, alice) as client:
        await client.receive()
        assert (await client.ask("restart"))["code"] == "restart_not_allowed"
        assert (await client.ask("hint", version=0))["code"] == "hints_not_allowed"


async def test_a_client_that_comes_back_learns_what_it_missed(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        for _ in range(3):
            await client.play("D")
    async with connect(game, alice) as client:
        assert (await client.receive())["version"] == 3
        missed = await client.ask("sync", version=1)
        assert [action.split("@")[0] for action in missed["actions"].split()] == ["D", "D"]
        assert (missed["version"], missed["revealed"], missed["moves"]) == (3, ["9s", "Ad"], 3)
        assert (await client.ask("sync", version=3))["actions"] == ""
        assert (await client.ask("sync", version=4))["type"] == "state"
        assert (await client.ask("sync"))["type"] == "state"
        await client.ask("undo", version=3)
        assert (await client.ask("sync", version=3))["position"] == f"{PYRAMID} 5h9s|Ad{'??' * 21} *"


async def test_the_same_action_sent_again_is_answered_again_and_not_applied_twice(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        first = await client.ask("play", version=0, move="D")
    async with connect(game, alice) as client:
        await client.receive()
        again = await client.ask("play", version=0, move="D")
    assert again == first
    assert await in_log(game) == ["D"]


async def test_another_action_for_an_old_version_is_stale_and_the_state_follows(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    async with connect(await practice(DECK), alice) as client:
        await client.receive()
        await client.play("D")
        refused = await client.ask("play", version=0, move="Kd")
        assert (refused["type"], refused["code"], refused["version"]) == ("refused", "stale_version", 1)
        assert (await client.receive())["type"] == "state"


async def test_a_second_device_takes_the_game_over(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as phone:
        await phone.receive()
        await phone.play("D")
        async with connect(game, alice) as laptop:
            assert (await laptop.receive())["version"] == 1
            assert await phone.receive() == {"type": "superseded"}
            assert await phone.close_code() == 4409
            assert (await laptop.play("Kd"))["version"] == 2
    assert await in_log(game) == ["D", "Kd"]


async def test_a_move_from_elsewhere_is_heard_before_play_goes_on(
    connect: Connect, practice: MakeGame, alice: Player
) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
        await sync_to_async(take_action)(game, "D", 0, timezone.now())
        played = await client.receive()
        assert (played["type"], played["version"], played["id"]) == ("played", 1, None)
        refused = await client.ask("play", version=0, move="Kd")
        assert (refused["code"], refused["version"]) == ("stale_version", 1)
        assert (await client.receive())["version"] == 1
        assert (await client.play("Kd"))["version"] == 2
    assert await in_log(game) == ["D", "Kd"]


async def test_the_clock_goes_on_while_nobody_is_connected(connect: Connect, practice: MakeGame, alice: Player) -> None:
    game = await practice(DECK)
    async with connect(game, alice) as client:
        await client.receive()
    await Game.objects.filter(pk=game.pk).aupdate(started_at=timezone.now() - timedelta(hours=1))
    async with connect(game, alice) as client:
        assert (await client.receive())["elapsed_ms"] >= 3_600_000
        assert (await client.ask("ping"))["elapsed_ms"] >= 3_600_000


async def test_an_attempt_that_has_run_out_of_time_ends_before_it_is_played(connect: Connect, alice: Player) -> None:
    yesterday = timezone.now() - timedelta(days=2)
    await sync_to_async(prepared_dailies)(yesterday, 1)
    game = await sync_to_async(start_ranked)(alice, "standard", yesterday)
    async with connect(game, alice) as client:
        assert (await client.receive())["result"] == "expired"
        assert (await client.receive())["type"] == "finished"
        assert (await client.play("D"))["code"] == "game_over"


async def test_a_player_who_only_pings_hears_that_the_time_has_run_out(connect: Connect, alice: Player) -> None:
    now = timezone.now()
    await sync_to_async(prepared_dailies)(now, 1)
    game = await sync_to_async(start_ranked)(alice, "standard", now)
    async with connect(game, alice) as client:
        await client.receive()
        live_games()._games[game.id].session.deadline = now
        both = {message["type"]: message for message in (await client.ask("ping"), await client.receive())}
        assert both.keys() == {"pong", "finished"}
        assert both["finished"]["result"] == "expired"
