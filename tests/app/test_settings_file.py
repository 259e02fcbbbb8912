"""The settings file: what it says holds below the environment, comments stay, and a broken one is never ignored."""

import os
import threading
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode
from bigmind.settings.file import LARGEST, settings_file
from bigmind.settings.live import LiveSettings
from bigmind.settings.parsers import Theme
from bigmind.settings.precedence import read_settings
from bigmind.settings.setting import Origin

WRITTEN = """\
# mine
mode = "team"  # since March
theme = "dark"
tools_off = ["memory_vacuum", "memory_export"]

[clients.cursor]
path = "~/.cursor" # for later
"""


def written(home: Path, text: str) -> Path:
    home.mkdir(exist_ok=True)
    file = settings_file(home)
    file.write_text(text, encoding="utf-8")
    return file


def in_use(home: Path, **environment: str) -> LiveSettings:
    return LiveSettings(home, environment, lambda: {"memory_vacuum", "memory_export"})


def test_what_the_file_says_holds(tmp_path: Path) -> None:
    written(tmp_path, WRITTEN + "")
    settings = read_settings({"BIGMIND_HOME": str(tmp_path)})
    assert (settings.mode, settings.theme) == (Mode.TEAM, Theme.DARK)
    assert settings.tools_off == {"memory_vacuum", "memory_export"}


@pytest.mark.parametrize(
    ("line", "field", "value"),
    [
        ("port = 8123", "port", (8123, True)),
        ('port = "8123"', "port", (8123, True)),
        ("meaning = false", "meaning", False),
        ('meaning = "off"', "meaning", False),
        ("backup_hours = 0", "backup_hours", 0),
        ('user = " Ada "', "user", "Ada"),
        ('user = ""', "user", None),
    ],
)
def test_a_value_may_be_written_as_toml_or_as_in_the_environment(
    tmp_path: Path, line: str, field: str, value: object
) -> None:
    written(tmp_path, line)
    found = getattr(read_settings({"BIGMIND_HOME": str(tmp_path)}), field)
    assert found == value if value is not None else found


def test_the_environment_wins_and_is_named(tmp_path: Path) -> None:
    file = written(tmp_path, 'mode = "team"\nport = 8000\n')
    settings = in_use(tmp_path, BIGMIND_PORT="9000")
    assert (settings.now().port.number, settings.now().mode) == (9000, Mode.TEAM)
    assert {each.row.name: each.origin for each in settings.stated()} | {} == {
        **dict.fromkeys((each.row.name for each in settings.stated()), Origin.DEFAULT),
        "port": Origin.ENVIRONMENT,
        "mode": Origin.FILE,
    }
    with pytest.raises(BigMindError, match="BIGMIND_PORT") as refusal:
        settings.change({"port": "8001"})
    assert refusal.value.code is Code.CONFLICT
    assert file.read_text() == 'mode = "team"\nport = 8000\n'


def test_a_change_keeps_comments_order_and_what_is_not_known(tmp_path: Path) -> None:
    file = written(tmp_path, WRITTEN)
    settings = in_use(tmp_path)
    settings.change({"theme": "light", "port": "8123", "mode": "", "tools_off": ["memory_vacuum"]})
    assert file.read_text() == WRITTEN.replace('mode = "team"  # since March\n', "").replace(
        'theme = "dark"\ntools_off = ["memory_vacuum", "memory_export"]\n',
        'theme = "light"\ntools_off = ["memory_vacuum"]\nport = 8123\n',
    )
    assert settings.unknown == ["clients"]
    assert (settings.now().theme, settings.now().port.number, settings.now().mode) == (Theme.LIGHT, 8123, Mode.PERSONAL)
    assert [each.row.name for each in settings.stated() if each.waits] == ["port", "mode"]


def test_the_first_change_makes_a_file_that_only_its_user_reads(tmp_path: Path) -> None:
    settings = in_use(tmp_path / "home")
    settings.change({"theme": "dark"})
    file = settings_file(tmp_path / "home")
    if os.name == "posix":  # Windows has no modes: there the folder says whose it is
        assert file.stat().st_mode & 0o077 == 0
    assert 'theme = "dark"' in file.read_text()
    assert [each.name for each in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("text", "where", "right"),
    [
        ('# fine\nmode = team"\n', "line 2", "name = value"),
        ("port = 7700\nport = 7701\n", "line 2", "name = value"),
        ('theme = "dark"\n\nmode = "tem"\n', "line 3", "personal or team"),
        ("port = 70000\n", "line 1", "0 to 65535"),
        ("port = 7.5\n", "line 1", "text or a number"),
        ("tools_off = [1]\n", "line 1", "text or a number"),
        ("meaning = [", "its end", "name = value"),
        (f"\nport = {'1' * 5_000}\n", "line 2", "65535"),
        (f"port = 0x{'f' * 5_000}\n", "line 1", "text or a number"),
        (f"user = [0x{'f' * 5_000}]\n", "line 1", "text or a number"),
        ('backup_folder = "~nosuchuser/x"\n', "line 1", "~ stands for your home"),
        ('backup_folder = "memory/backups"\n', "line 1", "whole path"),
        ('backup_folder = "C:\\Users\\you"\n', "line 1", r"apostrophes: `backup_folder = 'D:\Backups'`"),
        ('backup_folder = "C:\\backups"\n', "line 1", "apostrophes"),
    ],
)
def test_a_broken_file_is_refused_with_its_line_and_what_is_right(
    tmp_path: Path, text: str, where: str, right: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(BigMindError) as refusal:
        read_settings({"BIGMIND_HOME": str(tmp_path)})
    assert refusal.value.code is Code.INVALID_INPUT
    assert str(file) in refusal.value.message
    assert where in refusal.value.message
    assert right in refusal.value.hint
    with pytest.raises(BigMindError):
        LiveSettings(tmp_path, {}).change({"theme": "no colour"})
    assert file.read_text() == text


@pytest.mark.parametrize("content", [b"mode = '\xff'", b"\x00", b"#" * (LARGEST + 1)])
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes) -> None:
    settings_file(tmp_path).write_bytes(content)
    with pytest.raises(BigMindError, match="settings file"):
        read_settings({"BIGMIND_HOME": str(tmp_path)})


def test_a_folder_in_its_place_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    settings_file(tmp_path).mkdir()
    for attempt in (
        lambda: read_settings({"BIGMIND_HOME": str(tmp_path)}),
        lambda: in_use(tmp_path).change({"theme": "dark"}),
    ):
        with pytest.raises(BigMindError, match="cannot be used"):
            attempt()
    assert [each.name for each in tmp_path.iterdir()] == ["settings.toml"]


def test_an_editor_that_marks_its_bytes_is_understood(tmp_path: Path) -> None:
    settings_file(tmp_path).write_bytes(b'\xef\xbb\xbfmode = "team"\r\n')
    assert read_settings({"BIGMIND_HOME": str(tmp_path)}).mode is Mode.TEAM


def test_an_edit_by_hand_is_taken_up_while_it_runs(tmp_path: Path) -> None:
    settings = in_use(tmp_path)
    assert settings.now().theme is Theme.SYSTEM
    file = written(tmp_path, 'theme = "light"\n')
    assert settings.now().theme is Theme.LIGHT
    file.write_text('theme = "darkest"\n', encoding="utf-8")
    assert settings.now().theme is Theme.LIGHT
    assert "line 1" in settings.fault.message
    file.write_text('theme = "dark"\n', encoding="utf-8")
    assert (settings.now().theme, settings.fault) == (Theme.DARK, None)


def test_changes_at_the_same_time_are_all_kept(tmp_path: Path) -> None:
    settings = in_use(tmp_path)
    wanted = {"theme": "dark", "port": "8123", "backup_hours": "7", "meaning": "off", "autoopen": "on", "user": "ada"}
    together = threading.Barrier(len(wanted))

    def change(name: str, value: str) -> None:
        together.wait()
        settings.change({name: value})

    threads = [threading.Thread(target=change, args=each) for each in wanted.items()]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert {name: settings.text(name) for name in wanted} == wanted


def test_a_link_is_read_and_never_changed(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles.toml"
    kept.write_text('theme = "dark"\n', encoding="utf-8")
    settings_file(tmp_path).symlink_to(kept)
    settings = in_use(tmp_path)
    assert settings.now().theme is Theme.DARK
    with pytest.raises(BigMindError, match="is a link"):
        settings.change({"theme": "light"})
    assert settings_file(tmp_path).is_symlink()
    assert kept.read_text() == 'theme = "dark"\n'


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path, 'theme = "dark"\n')
    settings = in_use(tmp_path)
    # A folder that takes no new file, also from root: the name of the scratch file is taken by a folder.
    monkeypatch.setattr("os.getpid", lambda: 4_242)
    (tmp_path / f".{file.name}.4242").mkdir()
    with pytest.raises(BigMindError) as refusal:
        settings.change({"theme": "light"})
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "cannot be written" in refusal.value.message
    assert (file.read_text(), settings.now().theme) == ('theme = "dark"\n', Theme.DARK)


def test_a_tool_that_is_switched_off_under_a_wrong_name_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    written(tmp_path, 'odd = 1\ntools_off = ["memory_vacum", "memory_export"]\n')
    settings = in_use(tmp_path)
    assert settings.unknown == ["odd", "memory_vacum in tools_off"]
    assert "memory_vacum in tools_off" in caplog.text
    with pytest.raises(BigMindError, match="switched off"):
        settings.permit("memory_export")


def test_a_number_without_end_that_is_no_setting_is_left_alone(tmp_path: Path) -> None:
    text = f"odd = 0x{'f' * 5_000}\n"
    file = written(tmp_path, text)
    settings = in_use(tmp_path)
    assert (settings.fault, settings.unknown) == (None, ["odd"])
    settings.change({"theme": "dark"})
    assert file.read_text() == f'{text}theme = "dark"\n'
