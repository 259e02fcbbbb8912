"""A setting is one row: help, file, environment, operation and form follow from it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bigmind.settings.precedence import read_settings
from bigmind.settings.rows import FILE_ROWS, ROWS, Settings
from bigmind.settings.setting import Setting
from bigmind.wiring import catalogue
from tests.support import ROOT, environment

pytestmark = pytest.mark.xdist_group("setting-row")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What BigMind says of a setting that a row was written for, and nothing else."""
    folder = tmp_path_factory.mktemp("one-more")
    done = subprocess.run(
        [sys.executable, "-m", "tests.server.one_more_setting", str(folder)],
        cwd=ROOT,
        env=environment(folder / "home"),
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_one_row_makes_a_command_line_option(told: dict[str, Any]) -> None:
    assert "--volume" in told["help"]


def test_one_row_makes_a_field_of_the_form(told: dict[str, Any]) -> None:
    field = re.search(r'<label for="set-volume">Volume</label><input type="number" [^>]*>', told["form"])
    assert field is not None
    for attribute in ('name="volume"', 'value=""', 'placeholder="5"', 'min="0" max="11"'):
        assert attribute in field[0]
    assert 'id="volume-hint">Not above 11.<' in told["form"]


def test_one_row_makes_an_input_of_the_operation(told: dict[str, Any]) -> None:
    assert told["saved"] == 303
    assert told["refused"][0] == 422
    assert "volume is &#39;loud&#39;" in told["refused"][1]
    assert told["shown"] == "**volume**: `11`; takes effect after a restart. How loud it speaks."
    assert 'name="volume" value="11"' in told["form_after"]


def test_one_row_is_read_from_file_and_environment(told: dict[str, Any]) -> None:
    assert "\nvolume = 11\n" in told["file"]
    assert told["read"] == [11, 7]


def test_what_a_form_asks_for_is_what_the_operation_takes() -> None:
    change = catalogue().get("settings_change")
    assert change is not None
    assert list(change.input_model.model_fields) == [row.name for row in FILE_ROWS if row.form is not None]


def test_a_row_is_read_as_an_attribute_and_cannot_be_set(tmp_path: Path) -> None:
    settings = read_settings({"BIGMIND_HOME": str(tmp_path)})
    assert isinstance(Settings.theme, Setting)
    assert settings.theme is settings.given("theme").value
    with pytest.raises(AttributeError):
        settings.theme = settings.theme  # type: ignore[misc]
    assert [row.name for row in ROWS if row.name] == [row.name for row in FILE_ROWS]
