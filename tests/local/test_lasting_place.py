"""What was downloaded and not moved runs from a copy on macOS, which is gone when it ends: nothing is written of it."""

import sys
from pathlib import Path

import pytest

from app.desktop.start_at_login import own_entry
from bigmind.clients.connecting import plan_install
from bigmind.clients.files.locations import Places, System
from bigmind.clients.install_site import Site
from bigmind.clients.targets.claude_code import CLAUDE_CODE
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller
from bigmind.local.program import require_lasting_place
from bigmind.wiring import Mind

COPY = "/private/var/folders/x1/T/AppTranslocation/5D3B/d/BigMind.app/Contents/MacOS/bigmind"


def test_a_copy_that_goes_is_refused_and_an_app_is_none() -> None:
    with pytest.raises(BigMindError, match="Applications folder"):
        require_lasting_place(COPY)
    require_lasting_place("/Applications/BigMind.app/Contents/MacOS/bigmind")
    require_lasting_place(sys.executable)


def test_such_a_copy_is_not_started_at_login(monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_entry().command
    monkeypatch.setattr(sys, "executable", COPY)
    with pytest.raises(BigMindError, match="Applications folder"):
        own_entry()


def test_no_client_is_told_to_start_it(
    tmp_path: Path, mind: Mind, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = Site(CLAUDE_CODE, Places(System.MACOS, tmp_path))
    with mind.store.read(caller, "test") as work:
        assert plan_install(work, site).changes
        monkeypatch.setattr(sys, "executable", COPY)
        with pytest.raises(BigMindError, match="Applications folder"):
            plan_install(work, site)
