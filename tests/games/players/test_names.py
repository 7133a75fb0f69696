"""Names that deceive: the server's, another player's, none at all."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from threading import Barrier

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from games.accounts.accounts import Wanted, _require_good_handle, create_account, rename
from games.accounts.guests import create_guest, create_guests, unsaved_guest
from games.accounts.refusals import HandleReserved
from games.personal_data.erasure import erase_player
from games.players import made_up_names
from games.players.lookalikes import (
    LONGEST_SKELETON,
    looks_like_handle,
    mistake_in,
    name_key,
    normal,
    skeleton,
    speaks_for_server,
)
from games.players.made_up_names import ADJECTIVES, BIRDS
from games.players.models import Player
from games.players.refusals import NameLikeHandle, NameReserved

STAFFS = [
    *("Admin", "ADMIN", "\u0410dmin", "adm1n", "adm\u0131n", "\xe1dmin", "A d m i n", "the admin", "admin 1"),
    *("ADMlN", "\U0001d56c\U0001d589\U0001d592\U0001d58e\U0001d593", "\uff41\uff44\uff4d\uff49\uff4e"),
    *("\u24b6\u24d3\u24dc\u24d8\u24dd", "Pyramid staff", "\u0455taff", "m0derator", "rnoderator", "Officia1"),
    *("Pyramid", "\u03a1yramid", "Closed account", "Moderation", "Support Team", "Reviewer", "System message", "5taff"),
    *("\u1d00\u1d05\u1d0d\u026a\u0274", "\U0001f170dmin", "\U0001f1f8taff", "\U0001f162taff"),
    *("Gelöschter Spieler", "Geloeschter Spieler", "The Reviewers", "M0d3r4t10n", "4dmin", "$taff", "@dmin 7"),
    *(
        "administrators",
        "Moderatorinnen",
        "mods",
        "M0ds",
        "Mod Team",
        "Schiedsrichter 1",
        "Turnierleitung",
        "The Referee",
    ),
    *("Prüfer", "Pruefer", "PR\xdcFER", "GM", "G M", "GM1", "Team", "T3am", "Das Team", "Devs", "The Devs"),
    *(
        "Dev Team",
        "Steward",
        "The Stewards",
        "Steward 2",
        "Team Pyramid",
        "Kampfrichter Kurt",
        "\uff27\uff2d",
        "Warnung",
    ),
    *("Owner", "Operator", "Betreiber", "Jury", "Judge", "Security Team", "Help Desk", "Anti-Cheat", "Webmaster"),
]
JOINED = [
    *("Pyramid Solitaire", "PyramidSolitaire", "Pyramid Solitaire Support", "Solitaire Support", "GameAdmin"),
    *("ServerAdmin", "PyramidAdmin", "AdminTeam", "@dm!n", "Adm\xa1n", "Staffs", "System Bot", "ModBot", "TheMods"),
    *("FairPlayTeam", "GameAdmin2", "G4me4dmin", "Game-Admin", "The Server Team", "SupportTeam", "\u0410dminTeam"),
]
PEOPLES = [
    *(
        "Support Act",
        "Pyramid Fan",
        "Solitaire",
        "Solitaire King",
        "Pyramid Solitaire Fan",
        "Bot 7",
        "Game Bot",
        "GameBot",
    ),
    *("Modder", "Devdas", "Devon", "Theo", "Theodora", "Dieter", "Derrick", "Ofelia", "Modesto", "Teamwork", "Thebes"),
    *("Sitemap", "Botond", "Systematic", "Rooty", "Cheffe", "Developed", "Stop!", "Wow!!!", "Officially", "The Game"),
    *(
        "Alice",
        "Adminton",
        "Staffan",
        "Pyramid King",
        "System of a Down",
        "Guest",
        "Bot",
        "1234",
        "Supporter",
        "Solar System",
        "Review 5",
        "Ada 7",
        "Smooth Operator",
        "Cat Owner",
        "Judge Dredd",
        "Modesty",
        "Richter",
        "Heinz Prüfer",
        "GM Hikaru",
        "Dream Team",
        "Rod Steward",
        "Dev Patel",
        "The Queen of Spades",
        "7 of 9",
    ),
    "\u0410\u043b\u0438\u0441\u0430",
]
HANDLES = [
    *("serveradmin", "gameadmin", "modteam", "adminteam", "pyramidadmin", "staffteam", "pyramidsolitaire"),
    *("solitaire-support", "the-game-admin", "admin-team1"),
    *("admin1", "the-admin", "adm1n", "ad-min", "m0derator", "1admin", "0fficial", "sysadmin"),
]
VISIBLE = [
    *("Vi\u1ec7t", "\u0e19\u0e35\u0e48", "\u0939\u093f\u0928\u094d\u0926\u0940", "\u0623\u062d\u0645\u062f"),
    *("\U0001f3b2", "!!!", "\u2764\ufe0f", "\u9f98" * 20, "W" * 40),
]
INVISIBLE = [
    *("", " ", "\xa0", "\u3164", "\u2800", "\u115f\u1160", "\u0301", "\u034f", "\ufe0f"),
    *("a\u200bb", "\u202eabc", "a\0"),
]


@pytest.mark.parametrize("name", STAFFS + JOINED, ids=ascii)
def test_nobody_is_called_like_the_server_or_its_staff(name: str) -> None:
    assert speaks_for_server(name)


@pytest.mark.parametrize("name", PEOPLES, ids=ascii)
def test_other_names_are_free(name: str) -> None:
    assert not speaks_for_server(name)


LIKE_HANDLES = [
    *("Zoe (alice1)", "Zoe (alice)!", "Zoe ( alice )", "Zoe [alice]", "Zoe {alice}", "Zoe <alice>", "Zoe (@alice)"),
    *("Zoe \uff08alice\uff09", "Zoe \u3010alice\u3011", "Zoe (\u0430lice)", "Zoe (ALICE)", "Zoe (the-al1ce)"),
    *(
        "@alice",
        "@ alice",
        "\uff20alice",
        "(you)",
        "[deleted]",
        "deleted-k2m8p1xz7f3q",
        "closed-12",
        "Deleted-x",
    ),
]
UNLIKE_HANDLES = [
    *("Zoe", "[ABC] Zoe", "Zoe :)", "Zoe (:", "Zoe (UK)", "Zoe (a b)", "Zoe (\u6771\u4eac)", "Zoe @ home", "The Guest"),
    *("Zoe () Queen", "Zoe (alice) Queen", "@ the bar", "(((Zoe)))s", "<3", "Zoe-alice", "Undeleted-1"),
]


@pytest.mark.django_db
@pytest.mark.parametrize("name", LIKE_HANDLES, ids=ascii)
def test_a_name_that_imitates_the_handle_beside_another_is_refused(alice: Player, name: str) -> None:
    with pytest.raises(NameLikeHandle):
        rename(alice, name)
    with pytest.raises(NameLikeHandle):
        create_guest(name)
    assert Player.objects.get().display_name == "Alice"


@pytest.mark.parametrize("name", UNLIKE_HANDLES, ids=ascii)
def test_brackets_and_signs_that_are_no_handle_are_free(name: str) -> None:
    assert not looks_like_handle(name)


@pytest.mark.parametrize("handle", ["closed-12", "deleted-alice", "guest-house"])
def test_a_handle_that_lists_give_to_accounts_that_are_gone_is_reserved(handle: str) -> None:
    with pytest.raises(HandleReserved):
        _require_good_handle(handle)


@pytest.mark.parametrize("handle", HANDLES)
def test_a_handle_that_looks_like_the_staffs_is_reserved(handle: str) -> None:
    with pytest.raises(HandleReserved):
        _require_good_handle(handle)


@pytest.mark.parametrize("name", VISIBLE, ids=ascii)
def test_a_name_in_any_script_is_one(name: str) -> None:
    assert mistake_in(name) is None


@pytest.mark.parametrize("name", INVISIBLE, ids=ascii)
def test_a_name_that_nobody_sees_is_none(name: str) -> None:
    assert mistake_in(name)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "a" + "\u0301\u0330\u0316\u0320",
            "\ufdfa" * 5,
            "\U0001242b" * 40,
            "\u2e3b" * 40,
            "\ua9c5" * 40,
            "\u9f98" * 40,
        ),
        *("\ufdfd" * 3, "\u27ff" * 21, "\u1676" * 21, "\u2031" * 21),
    ],
    ids=ascii,
)
def test_a_name_that_spills_over_is_none(name: str) -> None:
    assert mistake_in(name)


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Alice", "\u0410lice"),
        ("Alice", "A1ICE"),
        ("Alice", "alice"),
        ("Alice", "A l i c e"),
        ("modern", "modem"),
        ("O\u2019Neil", "0'Neil"),
        ("\uff21lice", "Alice"),
    ],
    ids=ascii,
)
def test_names_that_look_alike_have_one_key(name: str, other: str) -> None:
    assert name_key(name) == name_key(other)


@given(st.text(max_size=60))
def test_every_text_has_a_key_that_fits_and_one_normal_form(text: str) -> None:
    assert len(name_key(text)) <= LONGEST_SKELETON
    assert normal(normal(text)) == normal(text)
    assert skeleton(text.upper().lower()) == skeleton(text.upper().lower())
    if mistake_in(text) is None:
        assert 0 < len(normal(text)) <= 40


def listed(player: Player) -> str:
    return Player.objects.get(pk=player.pk).listed_name


@pytest.mark.django_db
def test_all_who_share_a_name_are_listed_with_their_handles_as_long_as_they_do(bob: Player) -> None:
    alice, mallory = create_guest("\u0391lice").player, create_guest("Mallory").player
    rename(mallory, "\u0410lice")
    assert listed(mallory) == f"\u0410lice ({mallory.username})"
    assert listed(alice) == f"\u0391lice ({alice.username})"
    rename(mallory, "Mallory")
    assert [listed(player) for player in (alice, mallory, bob)] == ["\u0391lice", "Mallory", "Bob"]


@pytest.mark.django_db(transaction=True)
def test_of_those_who_take_a_name_at_the_same_moment_all_are_listed_with_their_handles() -> None:
    crowd = [create_guest(f"Nobody in particular {number}").player for number in range(8)]
    together = Barrier(len(crowd))

    def take(player: Player) -> None:
        together.wait()
        rename(player, "Zo\xeb")
        connection.close()

    with ThreadPoolExecutor(len(crowd)) as threads:
        list(threads.map(take, crowd))
    assert [listed(player) for player in crowd] == [f"Zo\xeb ({player.username})" for player in crowd]


@pytest.mark.django_db
def test_guests_who_arrive_together_with_one_name_are_listed_with_their_handles() -> None:
    arrived = create_guests([unsaved_guest("Alice"), unsaved_guest("A1ice"), unsaved_guest("Bob")])
    assert [listed(guest.player) == guest.player.display_name for guest in arrived] == [False, False, True]


@pytest.mark.django_db
def test_guests_with_names_take_as_many_queries_together_as_one_alone(
    bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rename(bob, "Carol")
    create_guests([unsaved_guest("The first")])  # which loads what is asked once
    with CaptureQueriesContext(connection) as alone:
        create_guests([unsaved_guest("Zo\xeb")])
    # One whose name is taken, one whose name is a handle, and the others, of whom nobody is to be marked.
    crowd = [unsaved_guest(name) for name in ("Zo\xeb", bob.username, *(f"Arrival{number}" for number in range(30)))]
    with django_assert_num_queries(len(alone) + 1):  # which marks those two, and the first of that name
        arrived = [guest.player for guest in create_guests(crowd)]
    assert [listed(guest) for guest in arrived[:2]] == [
        f"{guest.display_name} ({guest.username})" for guest in arrived[:2]
    ]
    assert [listed(guest) for guest in arrived[2:]] == [guest.display_name for guest in arrived[2:]]
    assert listed(Player.objects.get(display_name="Zo\xeb", pk__lt=arrived[0].pk)).startswith("Zo\xeb (guest-")


def test_every_name_that_is_made_up_is_free_of_mistakes_and_unlike_the_others() -> None:
    names = [f"{adjective} {bird}" for adjective in ADJECTIVES for bird in BIRDS]
    assert len({name_key(name) for name in names}) == len(names) > 15_000
    assert [name for name in names if mistake_in(name) or speaks_for_server(name) or len(name) > 24] == []


@pytest.mark.django_db
def test_a_guest_without_a_name_is_never_called_like_another_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_up_names, "ADJECTIVES", ("Quiet",))
    monkeypatch.setattr(made_up_names, "BIRDS", ("Heron",))
    alice = create_guest("QUIET \u041deron").player
    crowd = [guest.player for guest in create_guests([unsaved_guest() for _ in range(3)])]
    assert listed(alice) == "QUIET \u041deron"
    assert len({listed(player) for player in crowd}) == 3
    assert all(re.fullmatch(r"Quiet Heron \d+", listed(player)) for player in crowd)


@pytest.mark.django_db
def test_whoever_takes_a_name_that_was_made_up_is_listed_with_the_handle() -> None:
    guest, mallory = create_guest().player, create_guest("Mallory").player
    rename(mallory, guest.display_name)
    assert [listed(player) for player in (guest, mallory)] == [
        f"{guest.display_name} ({player.username})" for player in (guest, mallory)
    ]


@pytest.mark.django_db
def test_two_processes_that_make_up_one_name_list_both_with_their_handles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_up_names, "TRIES", (0,))
    monkeypatch.setattr(made_up_names, "ADJECTIVES", ("Quiet",))
    monkeypatch.setattr(made_up_names, "BIRDS", ("Heron",))
    alice, bob = create_guest().player, create_guest().player
    assert [listed(player) for player in (alice, bob)] == [
        f"Quiet Heron ({player.username})" for player in (alice, bob)
    ]


@pytest.mark.parametrize(
    ("name", "called"), [(" Zo\xeb ", "Zo\xeb"), ("", None), ("Admin", None), ("\u3164", None)], ids=ascii
)
@pytest.mark.django_db
def test_a_visitor_is_asked_once_what_to_be_called(name: str, called: str | None) -> None:
    browser = Client()
    assert 'name="display_name"' in browser.get("/rules/relaxed/").content.decode()
    browser.post("/practice/", {"rules": "relaxed", "winnable": "any", "display_name": name})
    player = Player.objects.first()
    if called or not name:
        assert player is not None
        assert player.display_name == called or len(player.display_name.split()) == 2
        assert 'name="display_name"' not in browser.get("/rules/relaxed/").content.decode()
    else:
        assert player is None


@pytest.mark.django_db
def test_a_name_that_is_anothers_handle_is_listed_with_the_own_one(bob: Player) -> None:
    rename(bob, "Carol")
    assert listed(bob) == "Carol"
    create_account(Wanted("carol", "The Great", "correct horse battery"), RequestFactory().post("/"), datetime.now(UTC))
    assert listed(bob) == f"Carol ({bob.username})"


@pytest.mark.django_db
def test_a_name_of_the_staff_is_the_staffs(alice: Player, staff: Player) -> None:
    with pytest.raises(NameReserved):
        rename(alice, "Admin")
    with pytest.raises(NameReserved):
        create_guest("Pyramid staff")
    rename(staff, "Pyramid staff")
    assert Player.objects.get(pk=staff.pk).listed_name == "Pyramid staff"
    assert Player.objects.get(pk=alice.pk).display_name == "Alice"


@pytest.mark.django_db
def test_a_name_that_the_server_gave_may_be_kept(alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(display_name="Admin")
    rename(Player.objects.get(pk=alice.pk), "Admin")
    assert Player.objects.get(pk=alice.pk).display_name == "Admin"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["\u3164", "a" + "\u0301" * 9, "\u202eecilA"], ids=ascii)
def test_no_door_takes_a_name_that_nobody_can_read(name: str) -> None:
    browser = Client()
    refused = browser.post("/api/guests/", {"display_name": name}, content_type="application/json")
    assert (refused.status_code, list(refused.json()["fields"])) == (400, ["display_name"])
    browser.force_login(create_guest("Mallory").player)
    browser.post("/account/", {"display_name": name})
    assert Player.objects.get().display_name == "Mallory"


@pytest.mark.django_db
def test_the_page_says_why_a_name_is_refused() -> None:
    browser = Client()
    browser.force_login(create_guest("Mallory").player)
    assert "mistaken for the server" in browser.post("/account/", {"display_name": "Admin"}).content.decode()


@pytest.mark.django_db
def test_a_superuser_made_at_the_command_line_has_a_name() -> None:
    call_command("createsuperuser", "--no-input", "--username=operator", verbosity=0)
    assert Player.objects.get().display_name == "operator"


@pytest.mark.django_db
def test_a_name_that_was_deleted_is_free_again(alice: Player) -> None:
    erase_player(alice, "asked for", None, datetime.now(UTC))
    assert create_guest("Alice").player.listed_name == "Alice"
