"""Opening the pages in the person's browser, on behalf of an assistant."""

import os
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from app.surroundings import ServerSurroundings
from bigmind.core.desktop import NoDesktop, Shown
from bigmind.core.operation import Caller, Role
from bigmind.people.sign_in import SignIn
from bigmind.wiring import open_mind
from tests.support import running_server

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
        around = ServerSurroundings(mind.store, SignIn(mind.store), "http://127.0.0.1:1", desktop=desktop)
        person = replace(ADA, client="cli", is_person=True)
        bobs = replace(ADA, user_id=2, username="bob", client="bobs-cursor")
        for caller in (ADA, ADA, person, person, ADA, bobs, bobs):
            assert around.open_profile(caller) is Shown.WINDOW
    assert desktop.shown == ["cursor", "cli", "cli", "bobs-cursor"]


def test_an_assistant_opens_one_page_that_is_signed_in_and_never_sees_the_code(home: Path, tmp_path: Path) -> None:
    opened, browser = tmp_path / "opened", tmp_path / "browser"
    os.mkfifo(opened)
    browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n')
    browser.chmod(0o700)
    with running_server(home, DISPLAY=":0", BROWSER=f"{browser} %s") as server, server.http("bridge") as http:
        answers = [http.post("/api/v1/memory_open_profile", json={}) for _ in range(3)]
        link = opened.read_text().strip()
        assert [answer.json()["opened"] for answer in answers] == [True] * 3
        assert link.startswith(f"{server.address}/sign-in?code=")
        assert all("code=" not in answer.text for answer in answers)
        with httpx.Client(trust_env=False, follow_redirects=True) as person:
            assert person.get(link).status_code == 200


def test_without_a_display_it_says_what_to_do(home: Path) -> None:
    with running_server(home) as server:
        answer = server.call("memory_open_profile")
        assert answer["opened"] is False
        assert "bigmind open" in answer["note"]
