"""The page of the directory: in the navigation of a team alone; cards, a question, and one's own choice."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.tables import User
from bigmind.wiring import Mind, open_mind
from tests.ui.acting import act
from tests.ui.serving import Running


@pytest.fixture(params=[Mode.TEAM])
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Mind, Caller]]:
    with closing(open_mind(tmp_path / "home", "ada", mode=request.param)) as mind:
        yield mind, Caller(1, "ada", Role.ADMIN, "cursor", 0, is_person=True, presence=Presence.WINDOW)


def worked(server: Running, headline: str, topic: str) -> None:
    session = server.call("memory_start_session", project="github.com/acme/<shop>").session_id
    server.call("memory_end_session", session_id=session, one_liner=headline, topics=[topic], outcome="Done")


def test_it_shows_who_works_on_what_and_takes_the_choice(server: Running, client: httpx.Client) -> None:
    assert 'href="/directory"' in client.get("/sessions").text
    assert "No topics in the last 30 days." in client.get("/directory").text
    worked(server, "Refunds of <b>walruses</b>", "payments")
    page = client.get("/directory").text
    assert "payments" in page
    assert "&lt;shop&gt;" in page
    assert "walruses" not in page
    asked = client.get("/directory?query=Who worked on payments%3F").text
    assert "Worked on “Who worked on payments?”" in asked
    assert "Nobody found, among those who share what they work on." in client.get("/directory?query=penguins").text
    with server.mind.store.read(NOBODY, "test") as work:
        uid = work.session.get_one(User, 1).uid
    assert "walruses" not in client.get(f"/directory/{uid}").text
    assert act(client, "directory_choose", choice="headlines").status_code == 200
    assert "Refunds of &lt;b&gt;walruses&lt;/b&gt;" in client.get(f"/directory/{uid}").text
    assert act(client, "directory_choose", choice="off").status_code == 200
    assert client.get(f"/directory/{uid}").status_code == 404
    assert "Nobody shares anything." in client.get("/directory").text
    with server.mind.store.write(NOBODY, "test") as work:
        ensure_user(work, "corp/zoe")
    assert "corp/zoe" in client.get("/directory").text


@pytest.mark.parametrize("memory", [Mode.PERSONAL], indirect=True)
def test_one_person_alone_is_told_what_it_is_for(client: httpx.Client) -> None:
    assert 'href="/directory"' not in client.get("/sessions").text
    assert "The directory is for a team" in client.get("/directory").text
