"""Opening the pages in the person's browser, on behalf of an assistant."""

import io
import os
import stat
import sys
import webbrowser
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from app.desktop import browser
from app.server_host import SignInLinks, server_host
from bigmind.core.desktop import NoDesktop, Shown
from bigmind.core.operation import Caller, Role
from bigmind.people.sign_in_codes import SignIn
from bigmind.wiring import open_mind
from tests.support import completed, running_server

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a named pipe stands for the browser")

ADA = Caller(1, "ada", Role.ADMIN, "cursor", 1)


class Counting(NoDesktop):
    """A desktop whose window counts how often it came forward."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def show(self, caller: Caller) -> bool:
        self.shown.append(caller.client)
        return True


def test_the_window_comes_forward_once_for_an_assistant_in_a_loop_and_each_time_for_a_person(home: Path) -> None:
    desktop = Counting()
    with closing(open_mind(home, "ada")) as mind:
        around = server_host(mind.store, SignInLinks(SignIn(mind.store), "http://127.0.0.1:1"), desktop=desktop)
        person = replace(ADA, client="cli", is_person=True)
        bobs = replace(ADA, user_id=2, username="bob", client="bobs-cursor")
        for caller in (ADA, ADA, person, person, ADA, bobs, bobs):
            assert around.open_profile(caller) is Shown.WINDOW
    assert desktop.shown == ["cursor", "cli", "cli", "bobs-cursor"]


def test_nobody_elses_assistant_opens_a_page_on_the_screen_of_whom_the_server_runs_for(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sits there would be signed in to the other one's memory."""
    monkeypatch.setenv("DISPLAY", ":0")
    with closing(open_mind(home, "ada")) as mind:
        links = SignInLinks(SignIn(mind.store), "http://127.0.0.1:1")
        mind.store.host = server_host(mind.store, links, owner_id=ADA.user_id)
        operation = mind.dispatcher.catalogue.get("memory_open_profile")
        assert operation is not None
        bobs = replace(ADA, user_id=2, username="bob", role=Role.MEMBER)
        answer = mind.dispatcher.run(operation, bobs, {})
    assert "opened=False" in repr(answer)
    assert "another user's" in answer.as_text()
    assert list(home.glob("sign-in/*")) == []


def test_an_assistant_opens_one_page_that_is_signed_in_and_never_sees_the_code(home: Path, tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n')
    browser.chmod(0o700)
    with running_server(home, DISPLAY=":0", BROWSER=f"{browser} %s") as server, server.http("bridge") as http:
        answers = [http.post("/api/v1/memory_open_profile", json={}) for _ in range(3)]
        address = opened.read_text().strip()
        assert [answer.json()["opened"] for answer in answers] == [True] * 3
        page = Path(address.removeprefix("file://")).read_text()
        code = page.partition('name="code" value="')[2].partition('"')[0]
        assert len(code) > 30
        assert code not in address
        assert all(code not in answer.text for answer in answers)
        with httpx.Client(trust_env=False, follow_redirects=True) as person:
            assert person.get(f"{server.address}/sign-in?code={code}").status_code == 200


def test_without_a_display_it_says_what_to_do(home: Path) -> None:
    with running_server(home) as server:
        answer = server.call("memory_open_profile")
        assert answer["opened"] is False
        assert "bigmind open" in answer["note"]


LINE = "Your browser opens."


@pytest.mark.parametrize("command", [("open",), ("serve", "--open")])
def test_no_command_line_ever_shows_a_code_that_signs_in(home: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    """What a browser is started with is what `ps` shows to everybody."""
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)
    browser.write_text(f'#!/bin/sh\necho "$0 $*" > "{opened}"\n')
    browser.chmod(0o700)
    with running_server(home) as server:
        done = completed(home, *command, DISPLAY=":0", BROWSER=f"{browser} %s")
        assert (done.returncode, LINE in done.stderr) == (0, True), done.stderr
        line = opened.read_text()
        [file] = (home / "sign-in").iterdir()
        assert file.as_uri() in line
        code = done.stdout.partition("code=")[2].split()[0]
        assert code not in line
        assert code in file.read_text()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    with running_server(home):
        assert list((home / "sign-in").iterdir()) == [], "no code outlives the server that made it"
    assert server.process.poll() is not None


@pytest.mark.parametrize("is_snap", [True, False])
def test_a_browser_that_reads_no_hidden_folder_gets_the_page_that_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_snap: bool
) -> None:
    asked: list[str] = []
    tool = tmp_path / "xdg-settings"
    tool.write_text("#!/bin/sh\necho firefox_firefox.desktop\n")
    tool.chmod(0o700)
    if is_snap:
        (tmp_path / "firefox_firefox.desktop").touch()
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.delenv("BROWSER", raising=False)
    monkeypatch.setattr(browser, "SNAPS", tmp_path)
    monkeypatch.setattr(webbrowser, "open", lambda url: asked.append(url) or True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("file:///home/ada/.local/x.html\nhttp://127.0.0.1:7702/sign-in"))
    assert browser.browse() == 0
    assert asked == ["http://127.0.0.1:7702/sign-in" if is_snap else "file:///home/ada/.local/x.html"]
