"""The Python client against the real server: over connections that are cut, as its README shows it, and with pip."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from pyramid_client import AsyncClient, Client, Closed, Game, Refused, Superseded, api, clubs
from pyramid_client.messages import Standing
from pyramid_client.race_messages import Race
from pyramid_client.run_messages import Run

from games.puzzles.clearing import removals
from games.rules import RULE_SETS, Position, Record
from pyramid_server.client_types import documents
from tests.clients import generated
from tests.clients.cutting import MOMENTS, cut_again_and_again
from tests.journeys.conftest import Server
from tests.journeys.guides import block
from tests.processes import MANAGE, PROJECT, free_port, run
from tests.visitor import allow

ACTIONS = 40
PACKAGE = PROJECT / "clients" / "python"
EXAMPLES = re.findall(r"```python\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)


def choose(legal: list[str]) -> str:
    return max(legal, key=len)


def kept(server: Server, game: str, token: str) -> tuple[list[str], str | None]:
    """Return the actions that the server has in its log, and the result."""
    record = Record.from_text(server.get(f"/api/games/{game}/record/", token)["record"])
    return [action.text for action, _ in record.actions], record.result


def test_a_program_that_waits_loses_nothing_and_does_nothing_twice_though_its_line_is_cut(server: Server) -> None:
    client, taken = Client(server.url), list[str]()
    client.enter(api.guest("Cut off", is_bot=True))
    started = client.ask(api.start_practice("relaxed"))
    with cut_again_and_again(server.port) as cutter:
        client.server = cutter.address
        with client.play(started.id) as game:
            while len(taken) < ACTIONS and game.legal:
                is_undone = len(taken) % 7 == 6
                answer = game.undo() if is_undone else game.play(choose(game.legal))
                taken.append(answer.move)
                assert (answer.version, game.version) == (len(taken), len(taken))
            end = game.finished or game.resign()  # such a game is won now and then
    assert set(cutter.cuts) == set(MOMENTS)
    assert (end.result, game.is_over) == (game.result, True)
    assert kept(server, started.id, client.token) == (taken, end.result)


async def test_a_program_with_asyncio_loses_nothing_either(server: Server) -> None:
    client, taken = AsyncClient(server.url), list[str]()
    await client.enter(api.guest("Cut off", is_bot=True))
    started = await client.ask(api.start_practice("relaxed"))
    with cut_again_and_again(server.port) as cutter:
        client.server = cutter.address
        async with client.play(started.id) as game:
            while len(taken) < ACTIONS and game.legal:
                taken.append((await game.play(choose(game.legal))).move)
            end = game.finished or await game.resign()
    assert set(cutter.cuts) == set(MOMENTS)
    assert kept(server, started.id, client.token) == (taken, end.result)


def test_what_the_client_knows_of_a_game_is_what_the_server_knows(server: Server) -> None:
    client = Client(server.url)
    client.enter(api.guest(is_bot=True))
    with client.play(client.ask(api.start_practice("relaxed")).id) as game:
        for _ in range(6):
            game.play(game.hint().move or game.legal[0])
            tableau, version, legal = game.tableau, game.version, game.legal
            state = game.state()
            assert (state.position.split(" ")[0], state.version, state.legal) == (tableau, version, legal)
        with pytest.raises(Refused) as refused:
            game.play("AcAd")
        assert refused.value.code == "illegal_move"
        other = game.restart()
    assert client.ask(api.game(other)).status == "playing"
    assert client.ask(api.game(game.id)).status == "resigned"


def test_a_second_device_takes_over_and_the_first_one_does_not_fight_for_the_game(server: Server) -> None:
    client = Client(server.url)
    client.enter(api.guest(is_bot=True))
    with client.play(client.ask(api.start_practice("relaxed")).id) as phone, client.play(phone.id) as laptop:
        with pytest.raises(Superseded):
            phone.play("D")
        assert laptop.play("D").version == 1


def test_the_bot_of_an_owner_plays_until_its_token_is_ended(server: Server) -> None:
    owner = Client(server.url)
    owner.enter(api.register("ottilie", "correct horse battery"))
    bot = Client(server.url, owner.ask(api.create_bot("ottilies-bot")).token)
    with bot.play_today("standard") as game:
        game.play(choose(game.legal))
        game.resign()
    listed = {each["player"]["handle"]: each["owner"] for each in server.get("/api/bots/")["bots"]}
    assert listed["ottilies-bot"]["handle"] == "ottilie"
    [key] = owner.ask(api.bot_keys("ottilies-bot")).keys
    with bot.play(bot.ask(api.start_practice("relaxed")).id) as game:
        game.play(choose(game.legal))
        assert owner.ask(api.end_bot_key("ottilies-bot", key.id)).keys == []
        with pytest.raises(Closed) as closed:
            game.play(choose(game.legal))
    assert closed.value.code == 4401
    again = owner.ask(api.new_bot_key("ottilies-bot", "another machine"))
    assert Client(server.url, again.token).ask(api.me()).handle == "ottilies-bot"
    assert [each.tokens for each in owner.ask(api.own_bots()).bots] == [1]
    limited = Client(server.url, owner.ask(api.new_bot_key("ottilies-bot", "a widget", ["read"])).token)
    with pytest.raises(Refused, match="missing_scope"):
        limited.ask(api.start_practice("relaxed"))


def test_a_game_that_is_not_there_and_a_key_that_ended_are_reported_and_not_tried_again(server: Server) -> None:
    client = Client(server.url)
    client.enter(api.guest())
    with pytest.raises(Closed) as closed:
        client.play("26b7f3kq2m8p1xz").state()
    assert closed.value.code == 4404
    client.ask(api.sign_out())
    with pytest.raises(Closed) as closed:
        client.play_today().state()
    assert closed.value.code == 4401
    with pytest.raises(Refused) as refused:
        client.ask(api.me())
    assert refused.value.code == "bad_credentials"


async def test_a_board_is_followed_while_others_play(server: Server) -> None:
    client = AsyncClient(server.url)
    await client.enter(api.guest("Fast bot", is_bot=True))
    async with client.play_today() as game:
        while "--" not in game.tableau:  # a game without a card less has no rank
            await game.play(choose(game.legal))
        day = (await client.ask(api.today())).day
        board = client.board(f"daily.{day}.standard.open-bots.fewest-moves")
        changes = board.listen()
        await anext(changes)
        await game.resign()
        placed = await game.placements()
        while not board.own:
            await anext(changes)
    await board.close()
    assert Standing(board=board.slug, rank=board.own.rank, of=board.count) in placed
    assert board.own.game == game.id


def club_of_yesterday(server: Server, *handles: str) -> tuple[str, list[Client]]:
    """Return a club in which players are since yesterday, so that today counts, and their clients."""
    players = [Client(server.url) for _ in handles]
    for client, handle in zip(players, handles, strict=True):
        client.enter(api.register(handle, "correct horse battery"))
    club = players[0].ask(clubs.found(f"The club of {handles[0]}"))
    assert club.letters
    for client in players[1:]:
        assert client.ask(clubs.join(club.letters)).you == "member"
    earlier = "from leaderboards.clubs.models import Membership; from datetime import timedelta; from django.db.models "
    earlier += "import F; Membership.objects.update(joined_at=F('joined_at') - timedelta(days=1))"
    run([*MANAGE, "shell", "-c", earlier], server.environment).check_returncode()
    return club.id, players


def play_for_a_rank(client: Client) -> str:
    """Play today's deal until a card is gone, and return the board of its day."""
    with client.play_today() as game:
        while "--" not in game.tableau:
            game.play(choose(game.legal))
        game.resign()
        return next(place.board for place in game.placements() if place.board.startswith("daily."))


async def test_a_member_follows_the_table_of_a_club_while_another_one_plays(server: Server) -> None:
    club, (alma, bert) = await asyncio.to_thread(club_of_yesterday, server, "alma", "bert")
    stranger = Client(server.url)
    await asyncio.to_thread(stranger.enter, api.guest("A stranger"))
    slug = await asyncio.to_thread(play_for_a_rank, stranger)
    watcher = AsyncClient(server.url, bert.token)
    board = watcher.board(slug, club=club)
    changes = board.listen()
    await anext(changes)
    assert (board.rows, board.count, board.own) == ([], 0, None)
    assert await asyncio.to_thread(play_for_a_rank, alma) == slug
    await anext(changes)
    await board.close()
    assert [(row.rank, row.player.handle) for row in board.rows] == [(1, "alma")]
    page = await watcher.ask(clubs.table(club, slug, around="alma"))
    assert ([row.game for row in page.rows], page.count) == ([row.game for row in board.rows], 1)
    assert (await watcher.ask(clubs.standing(club, slug, "alma"))).row == page.rows[0]
    assert [one.id for one in (await watcher.ask(clubs.own())).clubs] == [club]
    assert [one.player.handle for one in (await watcher.ask(clubs.club(club))).members] == ["alma", "bert"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package with pip into a folder, and return it. Its two requirements are those of the tests."""
    target = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(PACKAGE)], check=True, timeout=120)
    return target


def test_the_bot_of_the_readme_plays_today_and_is_on_the_table_of_bots(
    server: Server, installed: Path, tmp_path: Path
) -> None:
    code, *_ = EXAMPLES
    assert len(code.strip().splitlines()) <= 40
    bot = tmp_path / "bot.py"
    bot.write_text(code)
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, str(bot), server.url, "The README's bot"]
    played = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=180, cwd=tmp_path, check=False
    )
    assert played.returncode == 0, played.stderr
    day = server.get("/api/daily/")["server_now"][:10]
    rows = server.get(f"/api/boards/daily.{day}.standard.open-bots.fewest-moves/")["rows"]
    assert "The README's bot" in [row["player"]["display_name"] for row in rows]
    assert "open-bots.fewest-moves" in played.stdout


def test_two_bots_race_as_in_the_readme(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    bot, invitation, racing = EXAMPLES
    host, guest = Client(server.url), Client(server.url)
    handles = {client.enter(api.guest("Racer", is_bot=True)).handle for client in (host, guest)}
    names: dict[str, Any] = {"host": host, "guest": guest}
    without_main = bot.partition("server, name =")[0]
    invitation = invitation.replace("admits_bots=True", "admits_bots=True, countdown_s=0")
    exec(without_main + invitation + racing, names)  # noqa: S102  our own README
    with ThreadPoolExecutor(2) as both:
        for raced in [both.submit(names["race"], client, names["opened"].id) for client in (host, guest)]:
            raced.result()
    shown = capsys.readouterr().out.splitlines()
    assert len(shown) == 4
    assert {re.fullmatch(r"[12] (\S+) \d+ cards left", line)[1] for line in shown} == handles  # type: ignore[index]


@pytest.mark.parametrize(
    ("example", "arguments", "last"),
    [
        ("daily_bot.py", ["Day by day", "--once"], r"\d{4}-\d\d-\d\d standard: \w+ after \d+ moves; .*open-bots"),
        ("hints.py", ["--rules", "three-piles"], r"\w{15}: (won|stuck|resigned) after \d+ moves"),
    ],
)
def test_an_example_plays_and_says_how_it_went(
    server: Server, tmp_path: Path, example: str, arguments: list[str], last: str
) -> None:
    for _ in range(2):  # the second time as the same player, whose day is over
        played = run_example(example, tmp_path, server.url, *arguments)
        assert played.returncode == 0, played.stderr
        assert re.match(last, played.stdout.splitlines()[-1]), played.stdout


@pytest.mark.parametrize(("example", "arguments"), [("daily_bot.py", ["--once"]), ("hints.py", [])])
def test_an_example_says_in_a_sentence_that_the_server_is_down(
    tmp_path: Path, example: str, arguments: list[str]
) -> None:
    nobody = f"http://127.0.0.1:{free_port()}"
    ended = run_example(example, tmp_path, nobody, *arguments)
    assert ended.returncode == 1
    assert re.fullmatch(rf"{re.escape(nobody)} does not answer: .*\n", ended.stderr)


def registered(server: Server, handle: str) -> str:
    """Make a person, and return the client_id of an app."""
    server.post("/api/register/", {"handle": handle, "password": "correct horse battery"})
    return run([*MANAGE, "register_app", handle, "A terminal"], server.environment).stdout.strip()


def test_a_program_in_a_terminal_signs_in_by_a_code_and_plays_as_the_guide_says(server: Server, tmp_path: Path) -> None:
    script = block("app-terminal.md", "python", server.url).replace("YOUR-CLIENT-ID", registered(server, "erin"))
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, env=environment, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        shown = re.fullmatch(r"Open (\S+/device/) and type ([A-Z]{4}-[A-Z]{4})\n", program.stdout.readline())
        assert shown is not None
        allow(server.url, "erin", "correct horse battery", shown[2])
        assert program.stdout.readline() == "Signed in as erin.\n"
        program.stdout.read()
    assert program.returncode == 0


async def test_both_clients_sign_in_by_a_code_refresh_and_hear_that_they_are_denied(server: Server) -> None:
    app = registered(server, "frank")

    def answer(choice: str) -> Callable[[str, str], None]:
        return lambda address, code: allow(server.url, "frank", "correct horse battery", code, choice)

    blocking, patient = Client(server.url), AsyncClient(server.url)
    assert (await asyncio.to_thread(blocking.sign_in, app, ["read"], answer("allow"))).handle == "frank"
    assert (await patient.sign_in(app, ["read"], answer("allow"))).handle == "frank"
    first = blocking.token
    await asyncio.to_thread(blocking.refresh)
    await patient.refresh()
    assert blocking.token != first
    with pytest.raises(Refused) as refused:
        blocking.ask(api.start_practice("relaxed"))
    assert refused.value.code == "missing_scope"
    with pytest.raises(Refused) as refused:
        await asyncio.to_thread(blocking.sign_in, app, ["read"], answer("deny"))
    assert refused.value.code == "access_denied"


def run_example(example: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run an example of the package in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    command = [sys.executable, str(PACKAGE / "examples" / example), *arguments]
    return subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, text=True, timeout=180, check=False
    )


async def race_and_give_up(server: str, race_id: str, invite: str, joined: Event) -> tuple[str, Race]:
    """Give up at the start; return the rematch that is asked for after the race, and how the race ended."""
    client = AsyncClient(server)
    await client.enter(api.guest("Guest", is_bot=True))
    await client.ask(api.join_race(race_id, invite))
    joined.set()
    async with client.race(race_id) as race:
        game = await race.begun()
        await race.leave()
        ended = await race.ended()
        assert game in {racer.game for racer in ended.racers}
        return await race.rematch(), ended


def play_on(game: Game) -> None:
    """Play for a while, and give up unless that won it."""
    for _ in range(ACTIONS):
        if game.legal:
            game.play(choose(game.legal))
    if not game.is_over:
        game.resign()


def test_two_programs_race_each_other_though_the_line_of_one_is_cut(server: Server) -> None:
    host, joined = Client(server.url), Event()
    host.enter(api.guest("Host", is_bot=True))
    opened = host.ask(api.open_race("standard", countdown_s=0, admits_bots=True))
    with ThreadPoolExecutor(1) as guest, cut_again_and_again(server.port) as cutter:
        other = guest.submit(asyncio.run, race_and_give_up(server.url, opened.id, opened.invite or "", joined))
        assert joined.wait(30)
        host.server = cutter.address
        with host.race(opened.id) as race:
            race.start()
            with host.play_race(opened.id) as game:
                play_on(game)
            ended, following = race.ended(), race.rematch()
    assert [(racer.display_name, racer.place) for racer in ended.racers] == [("Host", 1), ("Guest", 2)]
    assert (ended.racers[0].result, ended.racers[0].moves) == (game.result, game.moves)
    assert (following, ended.racers) == (other.result()[0], other.result()[1].racers)
    host.server = server.url
    assert {racer.display_name for racer in host.ask(api.race(following)).racers} == {"Host", "Guest"}
    with pytest.raises(Closed, match="4404"):
        host.race("000000000000").start()


def guess(run: Run) -> list[str]:
    """Return the right removals so far in the puzzle that a run shows, and another one, right or wrong."""
    assert run.shown is not None
    position = Position.from_text(run.shown.position, RULE_SETS["standard"])
    return [*run.shown.removed, removals(position)[0].text]


def test_a_storm_is_played_over_its_socket_though_its_line_is_cut(server: Server) -> None:
    client = Client(server.url)
    client.enter(api.guest("Storm", is_bot=True))
    begun = client.ask(api.start_run("storm"))
    with cut_again_and_again(server.port) as cutter:
        client.server = cutter.address
        with client.puzzle_run(begun.id) as run:
            for _ in range(ACTIONS):
                with suppress(Refused):  # one that was stored before its answer was lost
                    run.remove(guess(run.look()))
            ended = run.end()
            with pytest.raises(Refused, match="run_over"):
                run.remove(["AcAd"])
    assert ended == run.run
    assert (ended.state, ended.solved + ended.mistakes > 5) == ("over", True)
    client.server = server.url
    assert client.ask(api.run(begun.id)).solved == ended.solved
    with pytest.raises(Closed, match="4404"):
        client.puzzle_run("000000000000").look()


def test_a_client_that_a_generator_makes_from_the_document_plays_a_game(server: Server, tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(json.dumps(documents()[1]))
    # The generator knows no other files than these, which are downloads.
    files = dict.fromkeys(("application/zip", "application/x-ndjson"), "application/octet-stream")
    (tmp_path / "config.json").write_text(json.dumps({"content_type_overrides": files, "post_hooks": []}))
    generator = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning", "--meta=none"]
    options = ["--path=openapi.json", "--output-path=generated", "--config=config.json"]
    made = subprocess.run(
        [*generator, *options], cwd=tmp_path, capture_output=True, text=True, timeout=180, check=False
    )
    assert made.returncode == 0, made.stdout
    bot = [sys.executable, "-c", generated.PYTHON, server.url]
    played = subprocess.run(bot, cwd=tmp_path, capture_output=True, text=True, timeout=180, check=False)
    assert (played.stdout, played.stderr) == ("True practice resigned 6 None\n", "")
