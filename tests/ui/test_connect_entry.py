"""An entry that a page offers for a client's file starts BigMind wherever it lies."""

import json
import sys
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest

from ui import render


def test_the_entry_names_the_program_as_no_shell_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "Ada's tools"
    folder.mkdir()
    program = folder / ("bigmind.exe" if sys.platform == "win32" else "bigmind")
    program.touch()
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    names = {"frame": SimpleNamespace(host="127.0.0.1:7700"), "tells_machine": True, "own_command": "bigmind"}
    page = render.environment.__wrapped__().get_template("_connect.html").render(names)
    entry = page.partition('id="json-stdio"')[2].partition("<code>")[2].partition("</code>")[0]
    assert json.loads(unescape(entry))["mcpServers"]["bigmind"]["command"] == str(program)
