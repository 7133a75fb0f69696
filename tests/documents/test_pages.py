"""The documents as pages under `/docs/`: nothing is missing, no link is broken, and no HTML passes through."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from pyramid_server import documents
from pyramid_server.document_markup import parser, rendered
from tests.documents.test_links import DOCUMENTS, PROJECT

TARGET = re.compile(r' (?:href|src)="([^"]*)"')
pytestmark = pytest.mark.django_db


def article(address: str) -> str:
    """Return the text of a page, without the site around it."""
    html = body_at(address) or ""
    return html[html.index("<article") : html.index("</article>")]


def addresses() -> list[str]:
    return [address for source in documents.sources().values() if (address := documents.address_of(source))]


@cache
def body_at(address: str) -> str | None:
    """Return what is sent at an address, None if nothing is there."""
    answer = Client().get(address)
    if answer.status_code != 200:
        return None
    return answer.content.decode("utf-8", "replace")


def test_every_link_and_picture_of_every_page_leads_somewhere() -> None:
    targets = {(page, target) for page in addresses() for target in TARGET.findall(article(page))}
    broken = []
    for page, target in targets:
        path, _, anchor = target.partition("#")
        if ":" in path:
            continue
        body = body_at(path or page)
        if body is None or (anchor and f'id="{anchor}"' not in body):
            broken.append(f"{page}: {target}")
    assert not broken
    assert len(targets) > 150


def test_the_contents_lead_to_every_document_in_the_order_of_reading() -> None:
    listed = [page.address for chapter in documents.chapters() for page in chapter.pages]
    assert sorted(listed) == sorted(set(addresses()) - {"/docs/"})
    for_code_hosts = {PROJECT / "README.md", PROJECT / "SECURITY.md", PROJECT / "clients/solver/README.md"}
    assert set(DOCUMENTS) - for_code_hosts <= set(documents.sources().values())
    assert [chapter.title for chapter in documents.chapters()] == [
        *("Tutorial", "Guides", "Guides for operators", "Guides for reviewers and contributors"),
        *("Reference: the game", "Reference: interfaces", "Reference: operation", "Explanation"),
    ]
    after_rules = documents.document("rules").following
    assert after_rules is not None
    assert after_rules.address == "/docs/family/"


def test_no_heading_has_the_name_of_something_else_in_its_page() -> None:
    heading = re.compile(r'<(?:h[1-6]|summary) id="([^"]+)"')
    page = Client().get("/docs/", headers={"Accept-Language": "de"}).content.decode()
    of_site = set(re.findall(r' id="([^"]+)"', heading.sub("", page)))
    assert len(of_site) > 2
    for address in addresses():
        names = heading.findall(article(address))
        assert len(names) == len(set(names)), address
        assert not of_site & set(names), address


def test_a_link_that_is_the_name_of_a_file_becomes_the_title_of_the_page() -> None:
    html = documents.document("live-protocol").html
    assert '<a href="/docs/notation/">Notation</a>' in html
    assert ".md<" not in html


def test_an_address_of_the_api_opens_has_a_link_and_is_found(client: Client) -> None:
    html = documents.document("rest-api").html
    entry = html[html.index('<summary id="get-api-daily-day">') :].partition("</details>")[0]
    assert entry.startswith('<summary id="get-api-daily-day"><code>GET /api/daily/{day}/</code><span>everyone</span>')
    assert 'href="#get-api-daily-day"' in entry
    found = client.get("/docs/sections.json").json()["sections"]
    assert {"GET /api/daily/{day}/", "POST /api/races/"} <= {section["title"] for section in found}


def test_a_message_of_a_socket_opens_has_a_link_and_is_found(client: Client) -> None:
    html = documents.document("asyncapi").html
    entry = html[html.index('<summary id="play-from-the-client">') :].partition("</details>")[0]
    assert entry.startswith(
        '<summary id="play-from-the-client"><code>play</code><span> from the client</span></summary>'
    )
    assert 'href="#play-from-the-client"' in entry
    assert "<table>" in entry
    assert html.count("<details") == html.count("</details>") == html.count("<summary")
    assert "<h3" not in html
    found = client.get("/docs/sections.json").json()["sections"]
    assert {"play from the client", "Close codes"} <= {section["title"] for section in found}


def test_html_and_scripts_do_not_pass_through() -> None:
    html = rendered(parser().parse("# A <b>\n\n<script>x()</script> <i>y</i> [a](javascript:x) ![](data:text/html,x)"))
    assert not re.search(r"<(script|i|b)\b", html)
    assert "&lt;script&gt;" in html
    assert not re.search(r"(href|src)=.(javascript|data):", html)


def test_examples_have_the_address_of_this_server_except_where_one_learns_to_run_another(
    client: Client, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["pyramid.example", "testserver"]
    tutorial = client.get("/docs/tutorial/", SERVER_NAME="pyramid.example", secure=True).content.decode()
    assert "https://pyramid.example" in tutorial
    for chapter in documents.chapters():
        for page in chapter.pages:
            has_ours = "http://127.0.0.1:8000" in article(page.address)
            assert not has_ours or chapter.title in documents.OF_OPERATORS, page.address
    assert "http://127.0.0.1:8000" in article("/docs/contributing/")


def test_every_section_can_be_found_and_its_address_leads_to_it(client: Client) -> None:
    answer = client.get("/docs/sections.json", headers={"Accept-Encoding": "gzip"})
    assert len(answer.content) < 235_000
    found = client.get("/docs/sections.json").json()["sections"]
    left_out = {"/docs/", "/docs/changelog/"}
    assert {section["address"].partition("#")[0] for section in found} == set(addresses()) - left_out
    for section in found:
        path, _, anchor = section["address"].partition("#")
        assert not anchor or f'href="#{anchor}"' in (body_at(path) or ""), section["address"]
    assert "stale_version" in " ".join(section["text"] for section in found)


def test_commands_of_the_documents_run_where_python_is_python3_and_takes_no_packages() -> None:
    """As on Debian, Ubuntu and macOS: outside of an environment `python` is missing and `pip` refuses."""
    for document in DOCUMENTS:
        text = document.read_text().replace("\\\n", " ")
        if "bin/activate" not in text:
            assert not re.findall(r"^ *(?:pip|python) .+|`python .+", text, re.MULTILINE), document.name


def test_code_is_coloured_and_stays_text(client: Client) -> None:
    html = rendered(parser().parse("```python\nprint('<b>')\n```\n\n```nonsense\n<b>\n```"))
    assert '<span class="nb">print</span>' in html
    assert "<b>" not in html
    table = rendered(parser().parse("`var/a.txt`\n\n| a |\n| --- |\n| `var/a.txt` |"))
    assert "<code>var/a.txt</code>" in table
    assert "<td><code>var/<wbr>a.<wbr>txt</code></td>" in table  # a narrow cell breaks it there


@pytest.mark.parametrize(
    "path", ["nowhere/", "nowhere.svg", "../manage.py", "%2e%2e/manage.py", "/etc/passwd", "rules.md"]
)
def test_nothing_else_is_sent(client: Client, path: str) -> None:
    assert client.get(f"/docs/{path}").status_code == 404


def test_a_picture_keeps_its_styles_and_runs_nothing(client: Client) -> None:
    answer = client.get("/docs/pictures/life-of-a-move.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert answer["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("picture", sorted(documents.FOLDER.glob("pictures/*.svg")), ids=lambda path: path.name)
def test_a_drawing_is_legible_by_night_and_read_out(picture: Path) -> None:
    text = picture.read_text()
    assert "prefers-color-scheme: dark" in text
    assert re.search(r'<rect class="b" width="\d+" height="\d+"/>', text), "it may stand on either ground"
    names = re.search(r'aria-labelledby="(\w+) (\w+)"', text)
    assert names
    assert f'<title id="{names[1]}">' in text
    assert f'<desc id="{names[2]}">' in text


def test_the_picture_of_the_house_is_the_contract_of_the_build() -> None:
    contracts = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    picture = (documents.FOLDER / "pictures" / "layers.svg").read_text()
    boxes = [(name, int(y)) for y, name in re.findall(r'<text class="n" x="[\d.]+" y="(\d+)"[^>]*>(\w+)<', picture)]
    halfway = next(int(y) for y in re.findall(r'y="(\d+)">games: ', picture))
    for app, height_of in (
        ("leaderboards", {name: y for name, y in boxes if y < halfway}),
        ("games", {name: y for name, y in boxes if y > halfway}),
    ):
        layers = next(contract["layers"] for contract in contracts if contract.get("containers") == [app])
        subjects = [[name for name in re.findall(r"\w+", layer) if (PROJECT / app / name).is_dir()] for layer in layers]
        drawn = [[height_of.pop(name) for name in layer] for layer in subjects if layer and layer != ["management"]]
        assert all(max(above) <= min(below) for above, below in pairwise(drawn))
        assert height_of == {}


def test_no_line_of_a_paragraph_is_taken_for_an_entry_of_a_list() -> None:
    begins = re.compile(r"^[+-] ", re.MULTILINE)  # lists have asterisks
    assert [name for name, source in documents.sources().items() if begins.search(source.read_text())] == []


def test_every_picture_has_words_for_those_who_do_not_see_it() -> None:
    pictures = {picture for page in addresses() for picture in re.findall(r"<img [^>]*>", article(page))}
    assert len(pictures) >= 5
    assert all(re.search(r'alt="[^"]{40,}"', picture) for picture in pictures)


def test_every_page_leads_to_the_documents_and_so_does_the_admin(client: Client, admin_client: Client) -> None:
    assert 'href="/docs/"' in client.get("/").content.decode()
    assert 'href="/docs/tutorial/"' in client.get("/programs/").content.decode()
    assert 'href="/docs/moderation/"' in admin_client.get("/admin/").content.decode()


def test_the_container_has_the_documents() -> None:
    ignored = (PROJECT / ".dockerignore").read_text().split()
    assert not {"docs", "*.md", "CONTRIBUTING.md", "CHANGELOG.md"} & set(ignored)
