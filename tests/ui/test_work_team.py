"""Work in a team: on a page in a browser an item is edited in person, and nothing is offered that is always refused."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.people.service import NOBODY, ensure_user
from bigmind.wiring import Mind, open_mind
from tests.ui.acting import act, send
from tests.ui.serving import Running, serving
from tests.ui.work_items import runner
from tests.work.test_process_shelf import FIRST, LOOSER

PHRASE = "four words are enough for it"


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[tuple[Mind, Caller]]:
    """A team's store, and its owner."""
    with closing(open_mind(tmp_path / "home", "ada", mode=Mode.TEAM)) as mind:
        with mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, "ada")
        yield mind, Caller(user.id or 0, "ada", NOBODY.role, "cursor", 0, is_person=True, presence=Presence.WINDOW)


def test_an_item_is_edited_in_a_browser_with_the_passphrase(
    server: Running, client: httpx.Client, window: httpx.Client
) -> None:
    slug = runner(server.mind, server.caller)("work_create_task", title="Round refunds", type="task").slug
    page = client.get(f"/work/{slug}").text
    edit = page.partition('id="edit"')[2].partition("</details>")[0]
    assert "Editing it is done in person" in edit
    assert ">Save<" not in edit
    assert "Pass role" not in act(client, "work_edit_task", slug=slug, revision=1, title="Round all refunds").text
    assert act(window, "passphrase_set", passphrase=PHRASE, again=PHRASE).status_code == 200
    edit = client.get(f"/work/{slug}").text.partition('id="edit"')[2].partition("</details>")[0]
    assert 'name="your_passphrase"' in edit
    given = {"slug": slug, "revision": 1, "title": "Round all refunds", "your_passphrase": PHRASE}
    assert act(client, "work_edit_task", **given).status_code == 200
    assert "Round all refunds" in client.get(f"/work/{slug}").text
    assert ">Save<" in window.get(f"/work/{slug}").text.partition('id="edit"')[2].partition("</details>")[0]


@pytest.mark.parametrize("mode", Mode)
def test_who_is_not_the_first_user_is_offered_processes_but_in_a_team(tmp_path: Path, mode: Mode) -> None:
    with closing(open_mind(tmp_path / "home", "ada", mode=mode)) as mind:
        with mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, "bob")
        assert user.role == Role.MEMBER
        bob = Caller(user.id or 0, "bob", Role.MEMBER, "window", 0, is_person=True, presence=Presence.WINDOW)
        ada = Caller(1, "ada", Role.ADMIN, "window", 0, is_person=True, presence=Presence.WINDOW)
        runner(mind, ada)("work_take_process", text=FIRST, replaces=0)
        with serving(mind, bob) as server, httpx.Client(base_url=server.url) as window:
            window.get(server.window_link())
            offer = send(window, "/actions/work/check", text=LOOSER).text
            page = window.get("/work/processes/content").text
    is_personal = mode is Mode.PERSONAL
    assert ("Take it" in offer, "a curator or an admin takes it" in offer) == (is_personal, not is_personal)
    assert ("Let assistants make items" in page, "A curator or an admin changes that" in page) == (
        is_personal,
        not is_personal,
    )
