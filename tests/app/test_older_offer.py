"""The older BigMind's memory is offered on the first start, when it is where it always was."""

from pathlib import Path

import httpx

from bigmind.portable.older.location import OLD_PLACE
from tests.app.terminal import serving
from tests.memory.living import living
from tests.portable.older_files import older_file


def profile_page(link: str) -> str:
    with httpx.Client(trust_env=False, follow_redirects=True) as browser:
        return browser.get(link).text


def test_it_is_offered_in_the_terminal_and_on_the_page_until_something_is_stored(home: Path, tmp_path: Path) -> None:
    old = older_file(tmp_path / "ada" / OLD_PLACE, 3)
    with serving(home, HOME=str(tmp_path / "ada")) as terminal:
        assert f"memory import {old}" in terminal.said
        assert str(old) in profile_page(terminal.link)
    open_a_session(home)
    with serving(home, HOME=str(tmp_path / "ada")) as terminal:
        assert "memory import" not in terminal.said
        assert str(old) not in profile_page(terminal.link)


def test_nothing_is_offered_where_there_is_nothing(home: Path, tmp_path: Path) -> None:
    with serving(home, HOME=str(tmp_path)) as terminal:
        assert "memory import" not in terminal.said
        assert "older BigMind" not in profile_page(terminal.link)


def open_a_session(home: Path) -> None:
    """Something to remember, so that the memory is no longer new."""
    with living(home) as memory:
        memory("memory_start_session")
