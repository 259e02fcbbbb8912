"""Team: what an admin sees and does of users, and what nobody else does."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from sqlmodel import select

from bigmind.core.operation import Caller, Mode, Presence, Role, TokenScope
from bigmind.core.toolsets import Toolset
from bigmind.people.service import NOBODY, ensure_user, mint_token
from bigmind.people.tables import User
from bigmind.people.token_format import TokenKind
from bigmind.wiring import Mind, open_mind
from tests.ui.acting import HTMX, act
from tests.ui.data import EVIL
from tests.ui.serving import Running

OPERATIONS = ("user_add", "user_disable", "user_enable", "user_role", "user_sign_out", "user_token")


@pytest.fixture
def mode() -> Mode:
    return Mode.TEAM


@pytest.fixture
def role() -> Role:
    return Role.ADMIN


@pytest.fixture
def memory(tmp_path: Path, mode: Mode, role: Role) -> Iterator[tuple[Mind, Caller]]:
    """A store whose first user, the admin, is Ada; who reads the pages is she, or Cleo with another role."""
    with closing(open_mind(tmp_path / "home", "ada", mode=mode)) as mind:
        name = "ada" if role is Role.ADMIN else "cleo"
        with mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, name)
            user.role = role
            work.session.add(user)
        yield mind, Caller(user.id or 0, name, role, "cursor", 0, is_person=True, presence=Presence.WINDOW)


@pytest.fixture
def bob(server: Running) -> str:
    """A token of Bob's, who is a member."""
    with server.mind.store.write(NOBODY, "test") as work:
        user = ensure_user(work, "bob").id or 0
    with server.mind.store.write(server.caller, "test") as work:
        return mint_token(work, user, "bobs-laptop", TokenKind.CLIENT).secret


def stored(server: Running, name: str) -> User | None:
    with server.mind.store.read(NOBODY, "test") as work:
        return work.session.exec(select(User).where(User.username == name)).first()


def row(page: str, name: str) -> str:
    return re.sub(r"<[^>]+>|\s+", " ", re.search(rf"<tr><th scope=\"row\">{name}.*?</tr>", page, re.DOTALL)[0])


def test_it_lists_everybody_with_what_they_may_do(client: httpx.Client, bob: str) -> None:
    page = client.get("/team").text
    assert "Admin" in row(page, "ada")
    assert " you " in row(page, "ada")
    assert "Disable" not in row(page, "ada")
    bobs = row(page, "bob")
    assert re.search(r"Member\s+not yet\s+1\s+Change role\s+Sign out\s+Disable", bobs)
    assert 'id="nav-team"' in page
    assert bob not in page


def test_whoever_is_added_gets_a_token_that_is_shown_once_and_works(client: httpx.Client, server: Running) -> None:
    said = act(client, "user_add", username="Eve", role="curator", client="eves-laptop", days="")
    assert said.status_code == 200
    token = re.search(r'<code id="new-user-token">(bm_[^<]+)</code>', said.text)[1]
    principal = server.mind.authenticator.principal(token)
    assert principal is not None
    assert (principal.caller.username, principal.caller.role) == ("Eve", Role.CURATOR)
    assert f"http://127.0.0.1:{server.port}/mcp" in said.text
    assert token not in client.get("/team").text
    assert act(client, "user_add", username="EVE", role="member").status_code == 409


@pytest.mark.usefixtures("bob")
def test_a_token_is_limited_where_it_is_made(client: httpx.Client, server: Running) -> None:
    assert client.get("/team").text.count('name="toolsets" value="memory"') == 2
    limits: dict[str, Any] = {"toolsets": ["memory", "brain"], "read_only": "true", "work_roles": ["qa"]}
    for name, given in (("user_add", {"username": "Eve", "role": "member"}), ("user_token", {"username": "bob"})):
        said = act(client, name, **given, **limits)
        assert "Limited: memory, brain; only reading; as qa at work." in said.text
        token = re.search(r"(bm_[^<]+)</code>", said.text)[1]
        scope = TokenScope((Toolset.MEMORY, Toolset.BRAIN), read_only=True, work_roles=("qa",))
        assert server.mind.authenticator.principal(token).caller.scope == scope
    assert "1 other token, still valid" in said.text


@pytest.mark.usefixtures("bob")
def test_a_role_is_changed_and_the_last_admins_is_not(client: httpx.Client, server: Running) -> None:
    assert act(client, "user_role", username="bob", role="curator").status_code == 200
    assert "Curator" in row(client.get("/team").text, "bob")
    refused = act(client, "user_role", username="ada", role="member")
    assert (refused.status_code, "the only admin" in refused.text) == (409, True)
    assert act(client, "user_role", username="bob", role=EVIL).status_code == 422
    assert stored(server, "bob").role == "curator"


def test_who_is_disabled_is_named_so_and_gets_no_token_until_enabled(
    client: httpx.Client, server: Running, bob: str
) -> None:
    assert act(client, "user_disable", username="bob").status_code == 200
    page = client.get("/team").text
    assert "disabled" in row(page, "bob")
    assert "Sign out" not in row(page, "bob")
    assert "Enable" in row(page, "bob")
    assert '<option value="bob">' not in page
    refused = act(client, "user_token", username="bob")
    assert (refused.status_code, "bob is disabled since" in refused.text) == (403, True)
    assert server.mind.authenticator.principal(bob) is None
    assert act(client, "user_enable", username="bob").status_code == 200
    assert "disabled" not in row(client.get("/team").text, "bob")
    made = act(client, "user_token", username="bob", client="desk", days="5")
    token = re.search(r'<code id="new-token">(bm_[^<]+)</code>', made.text)[1]
    assert server.mind.authenticator.principal(token).caller.username == "bob"


def test_who_is_signed_out_has_no_token_left(client: httpx.Client, server: Running, bob: str) -> None:
    assert act(client, "user_sign_out", username="bob").status_code == 200
    assert server.mind.authenticator.principal(bob) is None


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_form_of_another_site_does_nothing(client: httpx.Client, server: Running, bob: str, name: str) -> None:
    fields = {"username": "mallory" if name == "user_add" else "bob", "role": "admin"}
    fields = fields if name in {"user_add", "user_role"} else {"username": "bob"}
    before = stored(server, "bob")
    for token, headers in (("", {}), ("0" * 64, {}), ("", {"Origin": "http://evil.example"})):
        sent = client.post(f"/actions/{name}", data={**fields, "form_token": token}, headers=HTMX | headers)
        assert sent.status_code == 403
    assert stored(server, "mallory") is None
    assert stored(server, "bob") == before
    assert server.mind.authenticator.principal(bob) is not None


@pytest.mark.parametrize("role", [Role.MEMBER, Role.CURATOR])
@pytest.mark.usefixtures("bob")
def test_nobody_but_an_admin_sees_or_does_anything_of_it(client: httpx.Client, server: Running) -> None:
    page = client.get("/team")
    assert page.status_code == 403
    assert "Only admins manage the team." in page.text
    assert "bob" not in page.text
    assert 'id="nav-team"' not in page.text
    for name in OPERATIONS:
        fields = {"username": "bob"} | ({"role": "admin"} if name == "user_role" else {})
        refused = act(client, name, **fields)
        assert refused.status_code == 403, name
    assert (stored(server, "bob").role, stored(server, "bob").disabled_at) == ("member", None)


@pytest.mark.parametrize("mode", [Mode.PERSONAL])
def test_alone_it_teaches_what_a_team_is_and_stands_in_no_navigation(client: httpx.Client, server: Running) -> None:
    page = client.get("/team").text
    assert "One BigMind for several people" in page
    assert 'href="/settings#store"' in page
    assert 'id="nav-team"' not in page
    with server.mind.store.write(NOBODY, "test") as work:
        ensure_user(work, "bob")
    page = client.get("/team").text
    assert "One BigMind for several people" not in page
    assert "<b>Personal mode</b>" in page
    assert 'id="nav-team"' in page


def test_a_name_is_never_more_than_text(client: httpx.Client, server: Running) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        user = ensure_user(work, EVIL[:100])
        user.display_name = EVIL
        work.session.add(user)
    assert EVIL[:100] not in client.get("/team").text


@pytest.mark.browser
def test_a_person_adds_somebody_gives_a_role_and_disables_them_by_keyboard(page: Page, server: Running) -> None:
    page.goto("/team")
    page.locator("#connection[data-state=live]").wait_for()
    page.locator("#new-user").fill("Eve")
    page.keyboard.press("Enter")
    expect(page.locator("#add-user .once")).to_contain_text("Eve is a member now")
    expect(page.locator("#people")).to_contain_text("Eve")
    expect(page.locator("#token-user option")).to_have_text("Eve")
    page.get_by_role("button", name="Change the role of Eve").focus()
    page.keyboard.press("Enter")
    page.locator("dialog[open]").get_by_role("radio", name="Curator").focus()
    page.keyboard.press("Space")
    page.locator("dialog[open] button.danger").press("Enter")
    expect(page.locator("#people tbody")).to_contain_text("Curator")
    page.get_by_role("button", name="Disable Eve").press("Enter")
    expect(page.locator("dialog[open]")).to_contain_text("What they kept stays.")
    page.locator("dialog[open] button.danger").press("Enter")
    expect(page.locator("#people tbody")).to_contain_text("disabled")
    page.get_by_role("button", name="Enable Eve").press("Enter")
    expect(page.get_by_role("button", name="Disable Eve")).to_be_visible()
    assert stored(server, "Eve").role == "curator"


@pytest.mark.browser
@pytest.mark.usefixtures("bob")
def test_an_admin_who_gives_the_role_away_is_led_to_a_page_that_is_theirs(page: Page, client: httpx.Client) -> None:
    act(client, "user_role", username="bob", role="admin")
    page.goto("/team")
    page.get_by_role("button", name="Change the role of ada").click()
    page.locator("dialog[open]").get_by_role("radio", name="Member").check()
    page.locator("dialog[open] button.danger").click()
    page.wait_for_url("**/profile")
    expect(page.locator("#toasts")).to_contain_text("The role of ada is changed.")
    expect(page.locator("#nav-team")).to_have_count(0)
