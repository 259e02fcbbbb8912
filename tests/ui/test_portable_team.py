"""Export and import in a team: a member sends files, and names none of the server's disk."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.people.service import NOBODY, ensure_user
from bigmind.wiring import Mind, open_mind
from tests.ui.acting import act_to_the_end


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[tuple[Mind, Caller]]:
    """A team's store, in which Cleo works; Ada, its owner, is user 1."""
    with closing(open_mind(tmp_path / "home", "ada", mode=Mode.TEAM)) as mind:
        with mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, "cleo")
        yield mind, Caller(user.id or 0, "cleo", Role.MEMBER, "cursor", 0, is_person=True, presence=Presence.WINDOW)


def test_a_member_is_asked_for_a_file_and_for_no_path(client: httpx.Client) -> None:
    for page in ("/portable", "/learn"):
        told = client.get(page).text
        assert 'id="file"' in told
        assert 'name="path"' not in told


def test_a_path_that_a_member_names_all_the_same_is_refused(client: httpx.Client, tmp_path: Path) -> None:
    (tmp_path / "there.json").write_text("{}")
    for name in ("there.json", "none.json"):
        for action in ("portable/import", "learn/read"):
            assert "may not be named" in act_to_the_end(client, action, path=str(tmp_path / name))


def test_a_member_is_asked_for_no_folder_of_the_server(client: httpx.Client) -> None:
    told = client.get("/protocol").text
    assert "only an admin opens folders" in told
    assert 'name="path"' not in told
