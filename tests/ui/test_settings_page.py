"""Settings: each is shown with where it comes from, and what is changed on the page holds in the file and at once."""

import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from bigmind.core.operation import Caller, Role
from bigmind.people.service import NOBODY, ensure_user, mint_token
from bigmind.people.token_format import TokenKind
from bigmind.settings.file import settings_file
from bigmind.settings.live import LiveSettings
from bigmind.settings.rows import FILE_ROWS
from tests.ui.data import EVIL
from tests.ui.serving import Running

HTMX = {"HX-Request": "true"}


def act(client: httpx.Client, name: str, /, **fields: object) -> httpx.Response:
    token = re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get("/settings").text)[1]
    return client.post(f"/actions/{name}", data={"form_token": token, **fields}, headers=HTMX)


def file_of(server: Running) -> str:
    return settings_file(server.mind.store.home).read_text()


def test_it_says_what_is_set_and_where_from(client: httpx.Client, server: Running) -> None:
    home = server.mind.store.home
    store = server.mind.store
    store.host = replace(store.host, settings=LiveSettings(home, {"BIGMIND_PORT": "8123"}))
    settings_file(home).write_text('mode = "team"\nodd = 1\n')
    page = client.get("/settings").text
    assert "<code>BIGMIND_PORT</code>" in page
    assert re.search(r'name="port" value="8123"[^>]* disabled', page)
    assert re.search(r'name="mode" value="team" checked', page)
    assert "takes effect when BigMind is started again" in page
    assert "after a restart: team" in page
    assert "left alone: odd" in page
    for told in (str(home / "bigmind.db"), "3.5", f"http://127.0.0.1:{server.port}/mcp", str(settings_file(home))):
        assert told in page
    refused = act(client, "settings_change", port="8124")
    assert refused.status_code == 409
    assert "BIGMIND_PORT" in refused.text


def test_what_is_wrong_is_said_and_nothing_is_written(client: httpx.Client, server: Running) -> None:
    for field, value, right in (("port", "70000", "65535"), ("theme", EVIL, "light"), ("backup_hours", "-1", "8,760")):
        refused = act(client, "settings_change", **{field: value})
        assert refused.status_code == 422
        assert right in refused.text
        assert EVIL not in refused.text
    assert not settings_file(server.mind.store.home).exists()
    assert act(client, "settings_change").status_code == 422


def test_a_backup_folder_is_made_at_once_and_one_that_cannot_be_is_refused(
    client: httpx.Client, server: Running, tmp_path: Path
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("here already")
    refused = act(client, "settings_change", backup_folder=str(in_the_way / "backups"))
    assert refused.status_code == 422
    assert (
        "<b>Backup folder</b>: a folder that BigMind may make and write into (there is a file in its place)"
        in refused.text
    )
    assert not settings_file(server.mind.store.home).exists()
    assert act(client, "settings_change", backup_folder=str(tmp_path / "new" / "backups")).status_code == 200
    assert list((tmp_path / "new" / "backups").iterdir()) == []


def test_a_file_that_was_broken_meanwhile_is_told(client: httpx.Client, server: Running) -> None:
    client.get("/settings")
    settings_file(server.mind.store.home).write_text('theme = "dark"\nmode = "tem"\n')
    page = client.get("/settings").text
    assert 'role="alert"' in page
    assert "line 2" in page


def test_every_setting_that_has_a_form_stands_on_the_page_once(client: httpx.Client) -> None:
    named = re.findall(r'<(?:input|button|fieldset)[^>]* name="(\w+)"', client.get("/settings").text)
    for row in FILE_ROWS:
        expected = 0 if row.form is None else max(1, len(row.form.choices))
        assert named.count(row.name) == expected, row.name


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_comes_in_the_theme_that_was_chosen(client: httpx.Client, server: Running, theme: str) -> None:
    assert act(client, "settings_change", theme=theme).status_code == 200
    for path in ("/settings", "/profile", "/health"):
        assert f'<html lang="en" data-theme="{theme}">' in client.get(path).text
    with httpx.Client(base_url=server.url) as stranger:
        asked = [stranger.get(path, headers={"Accept": "text/html"}).text for path in ("/sign-in", "/profile")]
    assert all(f'data-theme="{theme}"' in page for page in asked)
    act(client, "settings_change", theme="system")
    assert '<html lang="en">' in client.get("/settings").text


def test_a_token_is_shown_once_with_the_line_for_a_client(client: httpx.Client, server: Running) -> None:
    made = act(client, "token_create", client=f"ci {EVIL}", days="30")
    secret = re.search(r"bm_[\w-]+", made.text)[0]
    assert f"Bearer {secret}" in made.text
    assert f"http://127.0.0.1:{server.port}/mcp" in made.text
    assert EVIL not in made.text
    page = client.get("/settings").text
    assert secret not in page
    assert "assistant or program" in page
    assert EVIL not in page
    assert page.count("this browser") == 1
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}) as program:
        assert program.post("/api/v1/memory_get_stats", json={}).status_code == 200
        assert "Connected clients" in client.get("/settings").text


def test_without_scripts_a_token_is_shown_on_a_page_of_its_own(client: httpx.Client) -> None:
    token = re.search(r'name="form_token" value="([0-9a-f]{64})"', client.get("/settings").text)[1]
    made = client.post("/actions/token_create", data={"form_token": token, "client": "ci"})
    assert made.status_code == 200
    assert re.search(r"bm_[\w-]+", made.text)
    assert "Back to the pages" in made.text


def test_another_users_tokens_and_clients_are_not_shown(client: httpx.Client, server: Running) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        bob = ensure_user(work, "bob")
    of_bob = Caller(bob.id or 0, "bob", Role.MEMBER, "bobs-editor", 0)
    with server.mind.store.write(of_bob, "test") as work:
        mint_token(work, of_bob.user_id, "bobs-laptop", TokenKind.CLIENT)
    server.mind.dispatcher.run(server.mind.dispatcher.catalogue.get("memory_start_session"), of_bob, {})
    page = client.get("/settings").text
    assert "bobs-laptop" not in page
    assert "bobs-editor" not in page


def test_a_name_that_would_not_fit_into_the_header_is_refused(client: httpx.Client) -> None:
    assert act(client, "user_rename", display_name="A" * 60).status_code == 200
    refused = act(client, "user_rename", display_name="A" * 61)
    assert refused.status_code == 422
    assert "60" in refused.text


def test_clients_that_called_are_listed(client: httpx.Client, server: Running) -> None:
    cursor = Caller(server.caller.user_id, "ada", Role.ADMIN, "cursor <b>", 0)
    for _ in range(3):
        server.mind.dispatcher.run(server.mind.dispatcher.catalogue.get("memory_start_session"), cursor, {})
    page = client.get("/settings").text
    row = re.search(r"<tr><th[^>]*>cursor &lt;b&gt;</th>.*?</tr>", page, re.DOTALL)[0]
    assert "just now" in row
    assert ">3<" in row


def test_who_is_no_admin_may_look_and_change_their_own(server: Running) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        bob = ensure_user(work, "bob")
    code = server.sign_in.new_code(Caller(bob.id or 0, "bob", Role.MEMBER, "browser", 0, is_person=True))
    with httpx.Client(base_url=server.url) as of_bob:
        of_bob.get(f"/sign-in?code={code}")
        page = of_bob.get("/settings").text
        assert re.search(r'id="tool-memory_vacuum"[^>]* disabled', page)
        assert "Save port" not in page
        assert act(of_bob, "settings_change", theme="dark").status_code == 403
        assert act(of_bob, "tools_serve", tool="memory_vacuum", served="false").status_code == 403
        server.mind.store.host.activity.pause(paused=True)
        page = of_bob.get("/profile").text
        assert "nothing new is remembered" in page
        assert "Resume" not in page
        assert act(of_bob, "server_pause", paused="false").status_code == 403
        assert act(of_bob, "user_rename", display_name="Bob B.").status_code == 200
        assert "Bob B." in of_bob.get("/settings").text


@pytest.mark.browser
def test_by_mouse_the_look_changes_at_once_and_stays(page: Page, server: Running) -> None:
    page.goto("/settings")
    page.get_by_role("button", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert 'theme = "dark"' in file_of(server)
    expect(page.locator("[data-toast]")).to_have_count(0)
    page.goto("/profile")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/settings")
    page.get_by_role("button", name="System").click()
    expect(page.locator("html[data-theme]")).to_have_count(0)


@pytest.mark.browser
def test_by_keyboard_a_name_is_changed_a_tool_switched_and_a_token_revoked(page: Page, server: Running) -> None:
    server.call("token_create", client="old-laptop")
    page.goto("/settings")
    page.get_by_label("Name shown").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("Ada Lovelace")
    page.keyboard.press("Enter")
    expect(page.locator(".whose")).to_have_text("ada")  # of this load
    expect(page.get_by_text("Saved.")).to_be_visible()

    switch = page.get_by_role("switch", name="Prune old moments")
    switch.focus()
    page.keyboard.press("Space")
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(switch).to_be_focused()
    assert "memory_vacuum" in file_of(server)
    page.keyboard.press("Enter")
    expect(switch).to_have_attribute("aria-checked", "true")

    revoke = page.get_by_role("button", name="Revoke the token of old-laptop")
    revoke.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Revoke the token of old-laptop?")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(revoke).to_have_count(0)
    assert [each.client for each in server.call("token_list").tokens].count("old-laptop") == 0


@pytest.mark.browser
def test_a_token_made_on_the_page_can_be_copied_and_the_list_shows_it(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/settings")
    page.get_by_label("New token for").fill("phone")
    page.get_by_role("button", name="Create token").click()
    secret = page.locator("#new-token").inner_text()
    expect(page.get_by_role("button", name="Copy the token")).to_be_focused()
    expect(page.get_by_role("button", name="Copy the token")).to_be_in_viewport()
    page.get_by_role("button", name="Copy the token").click()
    expect(page.get_by_role("button", name="Copy the token")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == secret
    expect(page.get_by_role("button", name="Revoke the token of phone")).to_be_visible()
    page.reload()
    assert secret not in page.content()


def test_only_what_a_code_signs_in_again_offers_to_sign_out(client: httpx.Client, server: Running) -> None:
    assert "Sign out" in client.get("/settings").text
    code = server.sign_in.new_window_code(server.caller)
    with httpx.Client(base_url=server.url, follow_redirects=True) as window:
        shown = window.get(f"/sign-in?code={code}").text
    assert 'id="nav-settings"' in shown
    assert "Sign out" not in shown


@pytest.mark.browser
def test_of_what_was_told_the_newest_three_stay_and_none_twice(page: Page) -> None:
    page.goto("/settings")
    toasts = page.locator("[data-toast]")
    for tool in ("memory_vacuum", "memory_export", "memory_import"):
        page.locator(f"#tool-{tool}").click()
        expect(toasts.last).to_contain_text(tool)
    for shown in ("the same", "once more"):
        with page.expect_response("**/actions/user_rename"):
            page.get_by_role("button", name="Save name").click()
        expect(toasts.last, shown).to_contain_text("Saved.")
    expect(toasts).to_contain_text(["memory_export", "memory_import", "Saved."])


@pytest.mark.browser
def test_the_page_fits_a_narrow_window_and_pausing_is_seen(page: Page, server: Running) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto("/settings#clients")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_role("switch", name="Pause the memory").click()
    expect(page.get_by_role("switch", name="Pause the memory")).to_have_attribute("aria-checked", "true")
    assert server.mind.store.host.activity.is_paused


def test_a_token_is_limited_when_it_is_made_and_the_list_says_to_what(client: httpx.Client, server: Running) -> None:
    limit = {"toolsets": ["memory", "brain"], "read_only": "true", "work_roles": ["dev", "qa"]}
    made = act(client, "token_create", client="reader", **limit)
    secret = re.search(r"bm_[\w-]+", made.text)[0]
    assert "memory, brain; only reading; as dev or qa at work" in made.text
    page = client.get("/settings").text
    assert "Limited: memory, brain; only reading; as dev or qa at work" in page
    with httpx.Client(base_url=server.url, headers={"Authorization": f"Bearer {secret}"}) as program:
        assert program.post("/api/v1/memory_get_stats", json={}).status_code == 200
        assert program.post("/api/v1/work_list_tasks", json={}).status_code == 403
    act(client, "token_create", client="whole")
    assert client.get("/settings").text.count("Limited:") == 1
    refused = act(client, "token_create", client="wrong", work_roles="wizard")
    assert refused.status_code == 422
    assert "one of" in refused.text
