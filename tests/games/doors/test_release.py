"""Pages and the server tell which files they have."""

from __future__ import annotations

from pathlib import Path

from django.test import Client

from games.doors.release import hash_of_files, release


def test_a_page_and_the_server_name_the_same_release(client: Client, db: None) -> None:
    answer = client.get("/release/")
    assert answer.json() == {"release": release()}
    assert "no-store" in answer["Cache-Control"]
    assert f'data-release="{release()}"' in client.get("/privacy/").content.decode()


def test_any_change_of_a_file_is_another_release(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    script = tmp_path / "pages" / "play.js"
    script.write_text("let a;")
    first = hash_of_files(tmp_path)
    assert hash_of_files(tmp_path) == first
    script.write_text("let b;")
    second = hash_of_files(tmp_path)
    script.rename(tmp_path / "play.js")
    assert len({first, second, hash_of_files(tmp_path)}) == 3
