"""A visitor's browser loads files under hashed names, compressed, and not too many bytes of them."""

from __future__ import annotations

import gzip
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from pytest_django import Settings

from games.calendar.models import DailyDeal
from games.doors import scripts
from games.doors.scripts import bundle_of, condensed, imports_of
from games.players.models import Player
from tests.games.site.test_scripts import NODE, needs_node
from tests.processes import PROJECT

LARGEST_FIRST_PAGE, LARGEST_OF_PLAYERS, LARGEST_TABLE = 20_000, 26_000, 62_450  # bytes
MOST_REQUESTS = 10
LINKS = re.compile(r'(?:src|href)="(/static/[^"]+)"')


@pytest.fixture(scope="module")
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files as the container has them: with hashes in their names, and compressed copies beside them."""
    folder = tmp_path_factory.mktemp("static")
    with override_settings(**where_files_are(folder)):
        call_command("collectstatic", interactive=False, verbosity=0)
    return folder


@pytest.fixture
def collected(static_root: Path) -> Iterator[Path]:
    with override_settings(**where_files_are(static_root)):
        yield static_root


def where_files_are(folder: Path) -> dict[str, object]:
    return {
        "STATIC_ROOT": str(folder),
        "STATICFILES_FINDERS": ["django.contrib.staticfiles.finders.FileSystemFinder"],
    }


@pytest.mark.django_db
@pytest.mark.usefixtures("daily")
@pytest.mark.parametrize("address", ["/", "/practice/"])
def test_the_first_page_is_small(client: Client, daily: DailyDeal, collected: Path, address: str) -> None:
    weight, requests = weight_of(client.get(address, headers={"accept-encoding": "gzip"}), collected)
    assert weight <= LARGEST_FIRST_PAGE
    assert requests <= MOST_REQUESTS


@pytest.mark.django_db
@pytest.mark.usefixtures("daily")
def test_what_players_get_on_every_page_is_small(client: Client, alice: Player, collected: Path) -> None:
    client.force_login(alice)
    weight, requests = weight_of(client.get("/", headers={"accept-encoding": "gzip"}), collected)
    assert weight <= LARGEST_OF_PLAYERS
    assert requests <= MOST_REQUESTS


@pytest.mark.django_db
def test_the_page_of_a_game_is_small_too(client: Client, collected: Path) -> None:
    address = client.post("/practice/", {"rules": "standard"})["Location"]
    weight, requests = weight_of(client.get(address, headers={"accept-encoding": "gzip"}), collected)
    assert weight <= LARGEST_TABLE
    assert requests <= MOST_REQUESTS


def weight_of(response: object, files: Path) -> tuple[int, int]:
    """Return the compressed bytes of a page with everything it names, and how many requests that takes."""
    body: bytes = response.content  # type: ignore[attr-defined]
    assert response.headers["Content-Encoding"] == "gzip"  # type: ignore[attr-defined]
    named = {link for link in LINKS.findall(gzip.decompress(body).decode()) if not link.endswith(".png")}
    assert all(re.search(r"\.[0-9a-f]{12}\.", link) for link in named)
    sizes = [compressed(files / link.removeprefix("/static/")) for link in named]
    return len(body) + sum(sizes), 1 + len(named)


def compressed(path: Path) -> int:
    smaller = path.with_name(f"{path.name}.gz")
    return (smaller if smaller.exists() else path).stat().st_size


def test_a_page_has_one_file_of_scripts_beside_the_one_that_all_pages_share(collected: Path) -> None:
    page = next(collected.glob("games/pages/play.*.js"))
    [imported] = re.findall(r'^import .*from ?"([^"]+)";$', page.read_text(encoding="utf-8"), re.MULTILINE)
    assert re.fullmatch(r"\./site\.[0-9a-f]{12}\.js", imported)
    assert (page.parent / imported).exists()


PARSE = """for (const name of process.argv.slice(1)) {
    new (await import("node:vm")).SourceTextModule((await import("node:fs")).readFileSync(name, "utf-8"));
}"""


@needs_node
def test_scripts_without_their_comments_are_scripts_still(collected: Path) -> None:
    scripts = [path for path in collected.glob("games/**/*.js") if re.search(r"\.[0-9a-f]{12}\.js$", path.name)]
    command = [str(NODE), "--experimental-vm-modules", "--no-warnings", "--input-type=module", "-e", PARSE]
    assert len(scripts) > 30
    assert all(path.stat().st_size > 200 for path in scripts)
    subprocess.run([*command, *map(str, scripts)], check=True, timeout=180)
    text = "\n".join(path.read_text(encoding="utf-8") for path in scripts)
    assert re.findall(r"^\s*(?://.*|/\*\*(?:(?!\*/).)*\*/)\s*$", text, re.MULTILINE) == []


@pytest.mark.parametrize(
    ("script", "left"),
    [
        ("// one\nlet a = 1; // two\n", "let a = 1; // two\n"),
        ("/** @type {A} */\nlet a;\n", "let a;\n"),
        ("/** @type {A} */ (a).b = 1;\nlet c;\n/** d\n * e */\nf();\n", "(a).b = 1;\nlet c;\nf();\n"),
        ('let a = "http://b";\n', 'let a = "http://b";\n'),
        ("f(() => {\n    a();\n\tb();\n});\n", "f(() => {\na();\nb();\n});\n"),
    ],
)
def test_only_indentation_and_comments_with_lines_of_their_own_go(script: str, left: str) -> None:
    assert condensed(script) == left


def test_no_script_has_a_text_of_several_lines_which_would_lose_its_indentation() -> None:
    scripts = [path for app in ("games", "leaderboards") for path in (PROJECT / app).rglob("*.js")]
    assert len(scripts) > 30
    texts = [text for path in scripts for text in re.findall(r"`[^`]*`", condensed(path.read_text(encoding="utf-8")))]
    assert [text for text in texts if "\n" in text] == []


def test_everything_that_a_page_imports_is_loaded_beside_it() -> None:
    imported = imports_of("games/pages/play.js")
    assert {"games/client/game-client.js", "games/play/rules.js", "games/texts.js"} <= set(imported)
    assert len(imported) == len(set(imported))


def test_what_is_shared_has_one_state_for_all_scripts_of_a_page() -> None:
    shared = {"dialogs", "dom", "http", "offline_register", "options", "release", "texts"}
    assert set(re.findall(r"^export const \$(\w+) = ", bundle_of("games/pages/site.js"), re.MULTILINE)) == shared
    for page in ("play", "news-line", "own-race"):
        made = set(re.findall(r"^const \$(\w+) = ", bundle_of(f"games/pages/{page}.js"), re.MULTILINE))
        assert made
        assert not made & shared


@pytest.mark.parametrize("line", ["export default 1;", 'import * as a from "./b.js";', "export { a };"])
def test_a_script_that_cannot_be_bundled_is_refused(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    monkeypatch.setattr(scripts, "source_of", lambda name: f"const a = 1;\n{line}\n")
    with pytest.raises(ValueError, match="can be bundled"):
        bundle_of("games/pages/other.js")


def test_developers_get_the_sources(client: Client, collected: Path, settings: Settings) -> None:
    settings.DEBUG = True
    page = client.get("/settings/").content.decode()
    assert 'src="/static/games/pages/settings.js"' in page
    assert 'rel="modulepreload" href="/static/games/dom.js"' in page
