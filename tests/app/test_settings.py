"""Every setting is read as documented, and documented as read."""

import re
import socket
from pathlib import Path

import pytest

from app.listening_port import bind
from bigmind.core.errors import BigMindError, Code
from bigmind.paths import data_folder
from bigmind.settings.file import settings_file
from bigmind.settings.parsers import DEFAULT_PORT
from bigmind.settings.precedence import read_settings
from bigmind.settings.rows import ROWS
from tests.support import HOMES

ROOT = Path(__file__).parents[2]
VARIABLES = {row.variable for row in ROWS if row.variable}
PAGE = ROOT / "docs" / "settings.md"
TABLE_ROW = re.compile(r"^\| (`\w+`)? ?\| (`BIGMIND_\w+`)? ?\| (.+?) \| (.+?) \| (.+?) \|$", re.MULTILINE)


def test_the_page_says_what_the_rows_say() -> None:
    documented = TABLE_ROW.findall(PAGE.read_text(encoding="utf-8"))
    expected = [(row.name, row.variable, row.default, row.meaning, str(row.applies)) for row in ROWS]
    assert [(name.strip("`"), variable.strip("`"), *more) for name, variable, *more in documented] == expected


def test_every_variable_that_the_code_names_is_a_row() -> None:
    sources = [
        file.read_text(encoding="utf-8") for part in ("app", "ui", "bigmind") for file in (ROOT / part).rglob("*.py")
    ]
    named = {name for source in sources for name in re.findall(r"\bBIGMIND_[A-Z_]+\b", source)}
    assert named == VARIABLES


def test_every_variable_that_the_pages_name_is_a_row() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    named = {name for page in pages for name in re.findall(r"\bBIGMIND_[A-Z_]+\b", page.read_text(encoding="utf-8"))}
    assert named == VARIABLES


def test_nothing_set_gives_the_defaults(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    settings = read_settings({"HOME": str(tmp_path)})
    assert settings.home.name == "BigMind"
    assert settings.port == (DEFAULT_PORT, False)
    assert settings.user


def test_what_is_set_is_taken(tmp_path: Path) -> None:
    settings = read_settings({"BIGMIND_HOME": str(tmp_path), "BIGMIND_PORT": "8123", "BIGMIND_USER": " ada "})
    assert (settings.home, settings.port, settings.user) == (tmp_path, (8123, True), "ada")


def test_port_0_is_any_port(tmp_path: Path) -> None:
    settings = read_settings({"BIGMIND_HOME": str(tmp_path), "BIGMIND_PORT": "0"})
    assert settings.port == (0, False)


def test_a_home_may_be_relative_or_begin_with_a_tilde(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for each in HOMES:
        monkeypatch.setenv(each, str(tmp_path))
    assert data_folder({"BIGMIND_HOME": "memory"}) == tmp_path / "memory"
    assert data_folder({"BIGMIND_HOME": "~/memory"}) == tmp_path / "memory"


@pytest.mark.parametrize("port", ["x", "-1", "65536", "7700.0", " 7700", "0x10", "²", "9" * 5_000])
def test_a_port_that_is_none_is_refused_with_what_would_be_right(port: str, tmp_path: Path) -> None:
    with pytest.raises(BigMindError) as refusal:
        read_settings({"BIGMIND_HOME": str(tmp_path), "BIGMIND_PORT": port})
    assert refusal.value.code is Code.INVALID_INPUT
    assert "BIGMIND_PORT is '" in refusal.value.message
    assert "0 to 65535" in refusal.value.hint
    assert len(refusal.value.message) < 80


SAID = [
    *((said, True) for said in (None, "", "on", "1", "true", "YES", " On ")),
    *((said, False) for said in ("off", "0", "False", "no")),
]


@pytest.mark.parametrize(("said", "meaning"), SAID)
def test_search_by_meaning_is_on_unless_it_is_switched_off(said: str | None, meaning: bool, tmp_path: Path) -> None:
    home = {"BIGMIND_HOME": str(tmp_path)}
    assert read_settings(home if said is None else {**home, "BIGMIND_MEANING": said}).meaning is meaning


@pytest.mark.parametrize("said", ["maybe", "2", "x" * 5_000])
def test_neither_on_nor_off_is_refused_with_what_would_be_right(said: str, tmp_path: Path) -> None:
    with pytest.raises(BigMindError) as refusal:
        read_settings({"BIGMIND_HOME": str(tmp_path), "BIGMIND_MEANING": said})
    assert refusal.value.code is Code.INVALID_INPUT
    assert "BIGMIND_MEANING is '" in refusal.value.message
    assert "off" in refusal.value.hint
    assert len(refusal.value.message) < 80


@pytest.mark.parametrize("folder", ["backups", "./backups", "~nosuchuser/x", "a\0b"])
def test_a_backup_folder_that_is_no_whole_path_is_refused_in_words(folder: str, tmp_path: Path) -> None:
    with pytest.raises(BigMindError) as refusal:
        read_settings({"BIGMIND_HOME": str(tmp_path), "BIGMIND_BACKUP_FOLDER": folder})
    assert refusal.value.code is Code.INVALID_INPUT
    assert "BIGMIND_BACKUP_FOLDER is " in refusal.value.message
    assert "path" in refusal.value.hint


def test_a_backup_folder_may_begin_with_a_tilde(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for each in HOMES:
        monkeypatch.setenv(each, str(tmp_path))
    environment = {"BIGMIND_HOME": str(tmp_path), "BIGMIND_BACKUP_FOLDER": "~/kept"}
    assert read_settings(environment).backup_folder == tmp_path / "kept"


def test_a_home_that_nobody_has_is_refused_in_words() -> None:
    with pytest.raises(BigMindError, match="BIGMIND_HOME is '~nosuchuser/x'") as refusal:
        data_folder({"BIGMIND_HOME": "~nosuchuser/x"})
    assert refusal.value.code is Code.INVALID_INPUT


@pytest.mark.parametrize("below", ["", "memory", "memory/of/ada"])
def test_a_file_in_the_place_of_the_home_is_told(below: str, tmp_path: Path) -> None:
    file = tmp_path / "kept"
    file.write_text("A note of mine.")
    home = file / below
    with pytest.raises(BigMindError) as refusal:
        read_settings({"BIGMIND_HOME": str(home)})
    assert refusal.value.code is Code.STORE_UNUSABLE
    told = "that" if not below else str(file)
    assert refusal.value.message == f"BigMind's data folder cannot be {home}: {told} is a file."
    assert "Set BIGMIND_HOME to a folder" in refusal.value.hint


def test_a_port_that_is_taken_is_told_with_the_place_that_sets_it(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = str(other.getsockname()[1])
        by_variable = read_settings({"BIGMIND_HOME": str(tmp_path), "BIGMIND_PORT": taken})
        file = settings_file(tmp_path)
        file.write_text(f"port = {taken}\n", encoding="utf-8")
        by_file = read_settings({"BIGMIND_HOME": str(tmp_path)})
        for settings, place in ((by_variable, "BIGMIND_PORT"), (by_file, f"port in {file}")):
            with pytest.raises(BigMindError, match=f"Port {taken} is taken") as refusal:
                bind(settings)
            assert f"Change {place}," in refusal.value.hint
