"""The JavaScript client against the real server, as its README shows it, installed with npm."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from pyramid_server.client_types import documents
from tests.clients import generated
from tests.games.site.test_scripts import NODE, NPM, SHORT_RUN, needs_node, npm_package
from tests.journeys.conftest import Server
from tests.processes import PROJECT

PACKAGE = PROJECT / "clients" / "javascript"
# TypeScript's own declarations of browsers, whose check takes a third of the time, are not for this project to check.
STRICT = (
    *("--strict", "--noUnusedLocals", "--skipDefaultLibCheck"),
    *("--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom"),
)
# Without it, the generator takes fields of requests that have a default for required.
NO_DEFAULTS = "--default-non-nullable=false"


EXAMPLES = re.findall(r"```js\n(.*?)```", (PACKAGE / "README.md").read_text(), re.DOTALL)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the package into a project of its own, packed as npm would publish it."""
    folder = tmp_path_factory.mktemp("installed")
    npm = [str(NPM), "install", "--silent", "--offline", "--no-audit", "--no-fund", "--install-links", str(PACKAGE)]
    subprocess.run(npm, cwd=folder, check=True, timeout=120)
    for name in ("ws", "tsc"):
        (folder / "node_modules" / name).symlink_to(npm_package(name))
    return folder


@needs_node
def test_the_bot_of_the_readme_plays_today_and_is_on_the_table_of_bots(server: Server, installed: Path) -> None:
    code, *_ = EXAMPLES
    assert len(code.strip().splitlines()) <= 41
    (installed / "bot.mjs").write_text(code)
    command = [str(NODE), "--experimental-websocket", "--no-warnings", "bot.mjs", server.url, "The README's Node bot"]
    played = subprocess.run(command, cwd=installed, capture_output=True, text=True, timeout=180, check=False)
    assert played.returncode == 0, played.stderr
    day = server.get("/api/daily/")["server_now"][:10]
    rows = server.get(f"/api/boards/daily.{day}.standard.open-bots.fewest-moves/")["rows"]
    assert "The README's Node bot" in [row["player"]["display_name"] for row in rows]
    assert "open-bots.fewest-moves" in played.stdout


@needs_node
def test_a_bot_that_begins_with_a_hint_plays_to_the_end_with_the_sockets_of_a_package(
    server: Server, installed: Path
) -> None:
    (installed / "hints.mjs").write_text(EXAMPLES[1])
    assert re.fullmatch(r"(won|resigned|stuck) after \d+ moves\n", node_in(installed, "hints.mjs", server.url))


@needs_node
def test_a_node_without_web_sockets_is_told_what_to_pass(installed: Path) -> None:
    asked = 'new (await import("pyramid-client")).Pyramid("http://127.0.0.1:1").play("x")'
    (installed / "bare.mjs").write_text(
        f"delete globalThis.WebSocket; try {{ {asked} }} catch (e) {{ console.log(e.message) }}"
    )
    assert "new Pyramid(server, { WebSocket })" in node_in(installed, "bare.mjs")


@needs_node
def test_alice_hears_which_of_her_fields_is_wrong_and_why(server: Server, installed: Path) -> None:
    asked = f'new Pyramid("{server.url}").send("/guests/", {{ display_name: "x".repeat(41) }})'
    (installed / "wrong.mjs").write_text(
        f'import {{ Pyramid }} from "pyramid-client"; {asked}.catch((error) => console.log(error.message));'
    )
    assert "display_name: At most 40 characters." in node_in(installed, "wrong.mjs")


@needs_node
def test_alice_hears_that_another_site_answers_at_the_address_that_she_has_typed(installed: Path) -> None:
    asked = 'new Pyramid("http://127.0.0.1:1").read("/daily/").catch((error) => console.log(`${error}`))'
    site = 'globalThis.fetch = async () => new Response("<!doctype html>")'
    (installed / "site.mjs").write_text(f'import {{ Pyramid }} from "pyramid-client"; {site}; {asked};')
    assert node_in(installed, "site.mjs") == "Refused: no_answer: HTTP 200\n"


@needs_node
def test_a_score_table_is_followed_without_a_token_as_in_the_readme(server: Server, installed: Path) -> None:
    (installed / "table.mjs").write_text(EXAMPLES[2])
    day = server.get("/api/daily/")["server_now"][:10]
    slug = f"daily.{day}.standard.open-bots.fewest-moves"
    command = [str(NODE), "table.mjs", server.url, slug]
    with subprocess.Popen(command, cwd=installed, stdout=subprocess.PIPE, text=True) as following:
        assert following.stdout is not None
        assert re.fullmatch(r"\d+ players\n", following.stdout.readline())
        following.terminate()


STORM = """
import { Pyramid } from "pyramid-client";
import WebSocket from "ws";

const pyramid = new Pyramid(process.argv[2], { WebSocket });
await pyramid.enter("/guests/", { display_name: "Storm", is_bot: true });
const { id } = await pyramid.send("/puzzles/runs/", { kind: "storm" });
const run = pyramid.run(id);
run.on("shown", ({ id: answered, run: { state } }) => {
  console.log(state);
  if (answered === null) run.send({ type: "remove", number: 1, moves: ["AcAd"] });
  else run.disconnect();
});
run.on("refused", ({ code }) => {
  console.log(code);
  run.send({ type: "end" });
});
run.connect();
"""


@needs_node
def test_a_storm_is_played_over_its_socket(server: Server, installed: Path) -> None:
    (installed / "storm.mjs").write_text(STORM)
    assert node_in(installed, "storm.mjs", server.url).split() == ["running", "not_a_removal", "over"]


CLUB = """
import { Pyramid } from "pyramid-client";
import WebSocket from "ws";

const [server, token, letters, slug] = process.argv.slice(2);
const pyramid = new Pyramid(server, { token, WebSocket });
const joined = await pyramid.joinClub(letters);
const [{ id, you }] = await pyramid.clubs();
console.log(joined.id === id, you, (await pyramid.club(id)).members.length);
const { count, rows } = await pyramid.table(slug, { club: id, limit: 5 });
console.log(count, rows.length);
const board = pyramid.board(slug, { club: id });
board.on("board", ({ count }) => {
  console.log(count);
  board.disconnect();
});
board.connect();
"""


@needs_node
def test_a_club_is_joined_by_letters_and_its_table_read_and_followed(server: Server, installed: Path) -> None:
    def named(handle: str) -> str:
        token: str = server.post("/api/register/", {"handle": handle, "password": "correct horse battery"})["token"]
        return token

    letters = server.post("/api/clubs/", {"name": "Node Club"}, named("nora"))["letters"]
    slug = f"daily.{server.get('/api/daily/')['server_now'][:10]}.standard.open.fewest-moves"
    (installed / "club.mjs").write_text(CLUB)
    told = node_in(installed, "club.mjs", server.url, named("otto"), letters, slug)
    assert told.split() == ["true", "member", "2", "0", "0", "0"]


@needs_node
def test_the_types_of_the_client_are_current_and_fit_a_program(installed: Path, tmp_path: Path) -> None:
    tsc = npm_package("tsc") / "bin" / "tsc"
    node_in(PROJECT, tsc, "-p", "tests/tools/tsconfig.client.json", "--outDir", str(tmp_path))
    for path in tmp_path.iterdir():
        assert (PACKAGE / "types" / path.name).read_text() == path.read_text(), "run: make client-types"
    (installed / "program.ts").write_text(PROGRAM)
    node_in(installed, tsc, "program.ts", "--noEmit", *STRICT)


PROGRAM = """
import { Pyramid, Refused } from "pyramid-client";
import type { State } from "pyramid-client/messages";

const pyramid = new Pyramid("https://pyramid.example", { token: "secret" });
const game = pyramid.playToday("standard");
game.on("state", ({ legal, open }: State & { open: unknown }) => open || game.send({ type: "play", move: legal[0] }));
game.on("line", ({ line }) => line === "stopped" && console.log(game.elapsed));
pyramid.race("2x9k4m7vq1ht").on("room", ({ race }) => console.log(race.racers.length));
pyramid.playRace("2x9k4m7vq1ht").on("state", ({ legal }) => console.log(legal.length));
pyramid.board("daily").on("board", ({ rows }) => console.log(rows[0]?.player.handle));
pyramid.cup("2x9k4m7vq1ht").on("bracket", ({ cup }) => console.log(cup.rounds.length));
pyramid.news().on("news", ({ unread }) => console.log(unread));
pyramid.read("/daily/").catch((error: Refused) => console.log(error.code));
// @ts-expect-error there is no such event
game.on("nothing", () => {});
// @ts-expect-error there is no such command
game.send({ type: "cheat" });
// @ts-expect-error a race is started, left or repeated
pyramid.race("2x9k4m7vq1ht").send({ type: "play" });
"""


@needs_node
def test_types_that_a_generator_makes_from_the_document_fit_a_program_that_plays_a_game(
    server: Server, tmp_path: Path
) -> None:
    packages = npm_package("openapi-typescript").parent
    (tmp_path / "node_modules").symlink_to(packages)
    (tmp_path / "openapi.json").write_text(json.dumps(documents()[1]))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "bot.ts").write_text(generated.TYPESCRIPT)
    generator, tsc = packages / "openapi-typescript/bin/cli.js", packages / "tsc/bin/tsc"
    # In a file of code, types are checked although those of the packages, which this project did not make, are not.
    node_in(tmp_path, SHORT_RUN, generator, "openapi.json", "--output=api.ts", NO_DEFAULTS)
    node_in(tmp_path, tsc, "bot.ts", "--skipLibCheck", *STRICT)
    assert node_in(tmp_path, "bot.js", server.url) == "true practice resigned 6 null false\n"


def node_in(folder: Path, *arguments: Path | str) -> str:
    """Run a script in a folder, and return what it prints."""
    ended = subprocess.run(
        [str(NODE), *arguments], cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout
