"""Company knowledge in a team: who sees what waits, why it waits, and who may judge it."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bigmind.core.clock import system_clock
from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.people.service import NOBODY, ensure_user
from bigmind.wiring import Mind, open_mind
from tests.memory.rows import entry
from tests.ui.acting import act, send
from tests.ui.serving import Running
from tests.ui.test_knowledge_page import part, promoted, titles


@pytest.fixture
def role() -> Role:
    return Role.MEMBER


@pytest.fixture
def memory(tmp_path: Path, role: Role) -> Iterator[tuple[Mind, Caller]]:
    """A team's store, in which Cleo works; Ada, its owner, is user 1."""
    with closing(open_mind(tmp_path / "home", "ada", mode=Mode.TEAM)) as mind:
        with mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, "cleo")
            user.role = role
            work.session.add(user)
            work.session.flush()
            caller = Caller(user.id or 0, "cleo", role, "cursor", 0, is_person=True, presence=Presence.WINDOW)
        yield mind, caller


@pytest.fixture
def adas(server: Running) -> str:
    """A pending entry of Ada's."""
    row = entry(system_clock(), "Of Ada", status="pending", approved_by_id=None)
    with server.mind.store.write(NOBODY, "test") as work:
        work.session.add(row)
    return row.uid


def test_a_member_sees_their_own_that_wait_and_why(server: Running, client: httpx.Client, adas: str) -> None:
    uid = promoted(server)
    page = client.get("/knowledge").text
    assert 'Yours, waiting for a curator <span class="chip warn">1</span>' in page
    assert titles(page) == ["Metals"]
    assert "Only curators and admins review company knowledge." in page
    assert "memory_approve_global" not in page
    assert "Handed in." in page
    assert titles(client.get("/knowledge?status=pending").text) == ["Metals"]
    page = client.get(f"/knowledge/{uid}").text
    assert "Only curators and admins review company knowledge." in page
    assert "memory_edit_global" in page
    assert client.get(f"/knowledge/{adas}").status_code == 404
    assert send(client, f"/knowledge/{adas}/changes", title="x").status_code == 404
    assert act(client, "memory_approve_global", entry_id=uid, action="approve").status_code == 403


@pytest.mark.parametrize("role", [Role.CURATOR])
def test_a_curator_judges_what_others_wrote_and_not_their_own(server: Running, client: httpx.Client, adas: str) -> None:
    own = promoted(server)
    page = client.get("/knowledge").text
    assert 'Waiting for a curator <span class="chip warn">2</span>' in page
    assert f'id="approve-{adas}"' in page
    assert f'id="approve-{own}"' not in page
    assert page.count("Nobody approves their own words in a team.") == 1
    assert act(client, "memory_approve_global", entry_id=own, action="approve").status_code == 403
    assert act(client, "memory_approve_global", entry_id=adas, action="approve", notes="").status_code == 200
    page = client.get("/knowledge").text
    assert titles(page) == ["Metals", "Of Ada"]
    assert "Approved by" in client.get(f"/knowledge/{adas}").text


@pytest.mark.parametrize("role", [Role.CURATOR])
def test_what_a_curator_edited_waits_for_another(client: httpx.Client, adas: str) -> None:
    assert act(client, "memory_edit_global", entry_id=adas, title="Of Ada and Cleo").status_code == 200
    page = client.get(f"/knowledge/{adas}").text
    assert "Nobody approves their own words in a team." in part(page, "entry")
    assert f'id="approve-{adas}"' not in page
    assert re.search(r"cleo updated", page)
