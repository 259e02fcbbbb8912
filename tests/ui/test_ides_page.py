"""The page Assistants, by the mouse and by the keyboard alone, over a real server and the real files of a home."""

import json
import re
import zipfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from bigmind.core.toolsets import Toolset
from tests.clients.machine import Machine, machine_in, tree_of
from tests.thorough import turn
from tests.ui.serving import Noise
from tests.ui.walk import DARK, LIGHT, NARROW, WALK, Walker

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("ides")]

CLAUDE = '{\n  "numStartups": 7,\n  // mine\n  "mcpServers": {}\n}\n'
BROKEN = "a: [\n"
TABS = 60


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine on which Claude Code is installed, and Goose with a file that does not parse."""
    with machine_in(tmp_path_factory.mktemp("ides")) as started:
        yield started


@pytest.fixture
def machine(fresh: Machine) -> Iterator[Machine]:
    """The machine as it was at first: what a test connected is taken back."""
    for name in (".claude.json", ".config/goose/config.yaml"):
        fresh.file(name, BROKEN if name.endswith("yaml") else CLAUDE)
    yield fresh
    fresh.file(".config/goose/config.yaml", "{}\n")
    fresh.file(".claude.json", (fresh.home / ".claude.json").read_text())
    for each in fresh.server.call("clients_list")["clients"]:
        if each["state"] in {"connected", "drifted"}:
            fresh.remove(each["client"])
        for folder in each["workspaces"]:
            fresh.remove(each["client"], workspace=folder)


@pytest.fixture
def context(chromium: Browser, machine: Machine) -> Iterator[BrowserContext]:
    opened = chromium.new_context(
        base_url=machine.server.address,
        viewport={"width": 1360, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, machine: Machine) -> Iterator[Page]:
    """A page that is signed in, which logs nothing and asks nobody else."""
    opened, noise = context.new_page(), Noise(machine.server.address)
    noise.watch(opened)
    opened.goto(machine.server.call("server_sign_in_link")["url"])
    yield opened
    assert noise.console == []
    assert noise.requests == []


def row(page: Page, client: str) -> Locator:
    return page.locator(f"#ide-{client}")


def told(page: Page) -> Locator:
    return page.locator("#ides-told")


def connect(page: Page, client: str = "claude-code") -> None:
    page.locator(f"#on-{client}").click()
    page.locator("#plan").get_by_role("button", name="Connect", exact=True).click()
    expect(told(page).get_by_role("heading", name="is connected")).to_be_focused()


def token(machine: Machine) -> str:
    text = (machine.home / ".claude.json").read_text().replace("// mine", "")
    return json.loads(text)["mcpServers"]["bigmind"]["headers"]["Authorization"]


def calls(machine: Machine, method: str, **params: object) -> dict:
    """As Claude Code does, with what was written for it."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"Authorization": token(machine), "Accept": "application/json"}
    return httpx.post(f"{machine.server.address}/mcp", json=message, headers=headers, trust_env=False).json()["result"]


def press_until(page: Page, is_there: Locator, key: str = "Tab") -> None:
    for _ in range(TABS):
        page.keyboard.press(key)
        if is_there.evaluate("each => each === document.activeElement"):
            return
    raise AssertionError(f"{key} does not lead there")


def test_a_fresh_machine_is_connected_repaired_and_taken_back_by_the_mouse_alone(page: Page, machine: Machine) -> None:
    before = machine.tree()
    page.goto("/profile")
    page.get_by_role("link", name="Connect an assistant").click()
    expect(row(page, "claude-code")).to_contain_text("not connected")

    page.locator("#on-claude-code").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 files are changed as shown; a copy of each is kept. It gets a token of its own.")
    expect(dialog).to_contain_text('"mcpServers": {')
    dialog.get_by_role("button", name="Leave it").click()
    assert machine.tree() == before
    connect(page)

    expect(told(page)).to_contain_text("Connected: 13 tools are offered.")
    expect(told(page)).to_contain_text("Start a new conversation")
    expect(page.locator("#connected #ide-claude-code .chip")).to_have_text("connected")
    assert sorted(tree_of(machine.home / ".claude")) == ["rules", "rules/bigmind.md", "settings.json"]
    assert len(calls(machine, "tools/list")["tools"]) == 13

    path = machine.home / ".claude.json"
    path.write_text(path.read_text().replace(machine.server.address, "http://127.0.0.1:1"))
    page.reload()
    expect(row(page, "claude-code")).to_contain_text("needs a repair")
    expect(row(page, "claude-code")).to_contain_text(".claude.json would be written anew.")
    page.locator("#try-all").click()
    expect(told(page)).to_contain_text("1 connection of 1 needs a look")
    page.locator("#on-claude-code").click()
    page.locator("#plan").get_by_role("button", name="Connect", exact=True).click()
    expect(page.locator("#ide-claude-code .chip")).to_have_text("connected")
    assert machine.server.address in path.read_text()

    expect(told(page)).to_contain_text("Claude Code is connected")
    told(page).get_by_role("button", name="Disconnect").click()
    expect(page.get_by_role("dialog")).to_contain_text("its token never works again")
    page.locator("#plan").get_by_role("button", name="Disconnect").click()
    expect(told(page)).to_contain_text("Claude Code is no longer connected")
    assert machine.tree() == before
    told(page).get_by_role("button", name="Connect again").click()
    expect(page.get_by_role("dialog")).to_contain_text("Connect Claude Code")


def test_an_ide_is_connected_by_the_keyboard_alone(page: Page, machine: Machine) -> None:
    for key in "gi":
        page.keyboard.press(key)
    page.wait_for_url("**/ides")
    press_until(page, page.locator("#on-claude-code"))
    page.keyboard.press("Enter")
    leave = page.get_by_role("button", name="Leave it")
    expect(leave).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#on-claude-code")).to_be_focused()
    page.keyboard.press("Enter")
    expect(leave).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(told(page).get_by_role("heading", name="Claude Code is connected")).to_be_focused()
    assert machine.state("claude-code")["state"] == "connected"
    with page.expect_response(re.compile("/seen$")):
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    expect(told(page)).to_be_empty()
    page.reload()
    expect(told(page)).to_be_empty()
    expect(page.locator("#connected #ide-claude-code")).to_be_visible()


def test_an_answer_stands_there_when_the_page_is_opened_again_until_it_was_seen(page: Page) -> None:
    page.goto("/ides")
    connect(page)
    page.reload()
    told(page).get_by_role("button", name="Done").click()
    expect(told(page)).to_be_empty()


def test_one_workspace_is_connected_by_the_form(page: Page, machine: Machine, tmp_path: Path) -> None:
    folder = tmp_path / ("a folder with a rather long name and blanks in it " * 3).strip()
    folder.mkdir()
    page.goto("/ides")
    page.locator("#more-claude-code > summary").click()
    page.locator("#folder-claude-code").fill("nowhere")
    page.get_by_role("button", name="Connect there… Claude Code").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("This cannot be done")
    expect(dialog).to_contain_text("the whole path of a folder that exists")
    dialog.get_by_role("button", name="Close").click()

    page.locator("#folder-claude-code").fill(str(folder))
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("Connect Claude Code in one workspace")
    dialog.get_by_role("button", name="Connect", exact=True).click()
    expect(told(page).get_by_role("heading", name="Claude Code is connected")).to_be_focused()
    assert (folder / ".mcp.json").exists()
    assert machine.state("claude-code")["workspaces"] == [str(folder)]
    assert not (machine.home / ".claude").exists()
    told(page).get_by_role("button", name="Disconnect").click()
    page.locator("#plan").get_by_role("button", name="Disconnect").click()
    expect(told(page)).to_contain_text("no longer connected")
    assert tree_of(folder) == {}


def test_edits_in_a_workspace_are_held_to_claimed_work_and_let_pass_again(
    page: Page, machine: Machine, tmp_path: Path
) -> None:
    folder = tmp_path / "refunds"
    folder.mkdir()
    machine.install("claude-code", workspace=str(folder))
    machine.install("cursor", workspace=str(folder))
    connected, written = tree_of(folder), folder / ".claude" / "settings.local.json"
    page.goto("/ides")
    for client in ("claude-code", "cursor"):
        page.locator(f"#more-{client} > summary").click()
    expect(row(page, "cursor").get_by_role("button", name="Hold edits…")).to_have_count(0)
    page.get_by_role("button", name="Hold edits… Claude Code").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Hold edits of Claude Code in one workspace")
    expect(dialog).to_contain_text("While it holds no claimed item, Claude Code changes no file in")
    expect(dialog).to_contain_text("hook edit --client claude-code")
    assert tree_of(folder) == connected
    dialog.get_by_role("button", name="Hold edits", exact=True).click()
    expect(row(page, "claude-code")).to_contain_text("edits held to work")
    assert "hook edit --client claude-code" in written.read_text()

    page.get_by_role("button", name="Check… Claude Code").click()
    expect(dialog).to_contain_text("Claude Code needs nothing")
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Let edits pass… Claude Code").click()
    dialog.get_by_role("button", name="Let edits pass", exact=True).click()
    expect(page.get_by_role("button", name="Hold edits… Claude Code")).to_be_visible()
    assert tree_of(folder) == connected


def test_the_tools_that_are_chosen_are_those_it_is_offered(page: Page, machine: Machine) -> None:
    machine.install("claude-code")
    page.goto("/ides")
    page.locator("#more-claude-code > summary").click()
    page.locator("#tools-claude-code").select_option("all")
    page.get_by_role("button", name="Save tools of Claude Code").click()
    expect(page.get_by_text("The client is told at once.")).to_be_visible()
    assert len(calls(machine, "tools/list")["tools"]) > 20
    machine.server.call("clients_toolsets", client="claude-code", toolsets="")


def test_each_toolset_is_offered_beside_the_everyday_tools(page: Page, machine: Machine) -> None:
    machine.install("claude-code")
    page.goto("/ides")
    values = page.locator("#tools-claude-code option").evaluate_all("all => all.map(each => each.value)")
    more = {each for each in Toolset if each not in {Toolset.DEFAULT, Toolset.MEMORY, Toolset.ALL}}
    assert {f"default,{each}" for each in more} | {"", "memory", "all"} == set(values)


def test_the_brain_is_switched_on_for_one_client_and_its_instructions_are_written_anew(
    page: Page, machine: Machine
) -> None:
    machine.install("claude-code")
    rules = machine.home / ".claude/rules/bigmind.md"
    assert "query_brain" not in rules.read_text()
    page.goto("/ides")
    page.locator("#more-claude-code > summary").click()
    page.locator("#tools-claude-code").select_option("default,brain")
    expect(page.locator("#tools-claude-code option:checked")).to_contain_text("Everyday tools and the brain: ")
    page.get_by_role("button", name="Save tools of Claude Code").click()
    expect(row(page, "claude-code")).to_contain_text("needs a repair")
    assert {"query_brain", "contribute_to_brain"} <= {each["name"] for each in calls(machine, "tools/list")["tools"]}

    page.get_by_role("button", name="Repair… Claude Code").click()
    expect(page.get_by_role("dialog")).to_contain_text("query_brain")
    page.locator("#plan").get_by_role("button", name="Connect", exact=True).click()
    expect(page.locator("#ide-claude-code .chip")).to_have_text("connected")
    assert "call query_brain" in rules.read_text()
    machine.server.call("clients_toolsets", client="claude-code", toolsets="")


def test_a_call_of_the_ide_shows_on_the_page_that_is_open(page: Page, machine: Machine) -> None:
    machine.install("claude-code")
    page.goto("/ides")
    page.locator("#connection[data-state=live]").wait_for()
    served = row(page, "claude-code").locator(".seen")
    before = served.text_content()
    calls(machine, "tools/call", name="memory_store_fact", arguments={"category": "decision", "fact": "It calls"})
    expect(served).not_to_have_text(before or "")
    expect(served).to_contain_text(re.compile(r"last seen .* calls? · about [\d,]+ tokens served"))


def test_what_cannot_be_done_is_said_in_words_where_it_was_asked(page: Page, machine: Machine) -> None:
    page.goto("/ides")
    expect(row(page, "goose")).to_contain_text("cannot be changed")
    expect(row(page, "goose")).to_contain_text("config.yaml does not parse: line")
    expect(row(page, "goose").get_by_role("button", name="Connect… Goose")).to_have_count(0)

    machine.file(".claude.json", '{"mcpServers": ')
    page.locator("#on-claude-code").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_contain_text(".claude.json does not parse: line 1")
    page.keyboard.press("Escape")
    expect(page.locator("#on-claude-code")).to_be_focused()


def test_a_connected_client_whose_file_was_broken_is_still_shown_as_connected(page: Page, machine: Machine) -> None:
    machine.install("claude-code")
    file = machine.file(".claude/settings.json", '{"hooks": ')
    page.goto("/ides")
    expect(page.locator("#connected #ide-claude-code")).to_contain_text("connected")
    page.locator("#off-claude-code").click()
    told = page.get_by_role("dialog").get_by_role("alert")
    expect(told).to_contain_text("Claude Code is still connected, and its token still works.")
    file.unlink()


def test_a_file_that_was_changed_since_it_was_shown_is_left_alone(context: BrowserContext, machine: Machine) -> None:
    page = context.new_page()  # nobody listens to what it logs: the browser tells of the refusal, as it should
    page.goto(machine.server.call("server_sign_in_link")["url"])
    page.goto("/ides")
    page.locator("#on-claude-code").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    machine.file(".claude.json", CLAUDE.replace("7", "9"))
    page.locator("#plan").get_by_role("button", name="Connect", exact=True).click()
    expect(told(page).get_by_role("alert")).to_contain_text("Claude Code was left as it was.")
    expect(told(page).get_by_role("alert")).to_contain_text("a file was changed since")
    assert machine.state("claude-code")["state"] == "available"
    assert (machine.home / ".claude.json").read_text() == CLAUDE.replace("7", "9")
    page.reload()
    expect(row(page, "claude-code")).to_contain_text("not connected")
    expect(told(page)).to_be_empty()


def test_claude_desktop_has_a_bundle_and_a_client_without_files_has_what_is_pasted(
    page: Page, machine: Machine, tmp_path: Path
) -> None:
    page.goto("/ides")
    page.locator("#absent > summary").click()
    with page.expect_download() as begun:
        row(page, "claude-desktop").get_by_role("link", name="download a bundle").click()
    assert begun.value.suggested_filename == "bigmind.mcpb"
    begun.value.save_as(tmp_path / "made.mcpb")
    with zipfile.ZipFile(tmp_path / "made.mcpb") as opened:
        command = json.loads(opened.read("manifest.json"))["server"]["mcp_config"]["command"]
    row(page, "jetbrains-ai").get_by_role("button", name="Copy the entry").click()
    expect(row(page, "jetbrains-ai").locator("button", has_text="Copied")).to_be_visible()
    pasted = json.loads(page.evaluate("navigator.clipboard.readText()"))
    arguments = ["mcp", "--client", "jetbrains-ai"]
    assert pasted == {"mcpServers": {"bigmind": {"command": command, "args": arguments}}}
    assert "jetbrains-ai" not in {each["client"] for each in machine.server.call("token_list")["tokens"]}


@pytest.mark.node
def test_the_page_fits_every_window_and_can_be_read_by_all(context: BrowserContext, machine: Machine) -> None:
    WALK.mkdir(parents=True, exist_ok=True)
    machine.install("claude-code")
    path = machine.home / ".claude.json"
    machine.file(".cursor/mcp.json", "{}\n")
    page = context.new_page()
    page.goto(machine.server.call("server_sign_in_link")["url"])
    walker = Walker(page)
    page.goto("/ides")

    number = count()

    def looked(name: str) -> None:
        for view, rule in turn(((LIGHT, ""), (DARK, "color-contrast"), (NARROW, "target-size")), next(number)):
            walker.look(f"ides-{name}", view)
            walker.judge(f"ides-{name}", view, rule)

    looked("connected")
    page.locator("#absent > summary").click()
    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
    looked("unfolded")
    page.locator("#off-claude-code").click()
    page.get_by_role("dialog").wait_for()
    looked("plan-of-removal")
    page.keyboard.press("Escape")
    page.locator("#on-cursor").click()
    page.get_by_role("dialog").wait_for()
    looked("plan")
    page.locator("#plan").get_by_role("button", name="Connect", exact=True).click()
    told(page).get_by_role("heading").wait_for()
    looked("answer")
    path.write_text(path.read_text().replace(machine.server.address, "http://127.0.0.1:1"))
    page.locator("#try-all").click()
    told(page).get_by_role("heading", name="needs a look").wait_for()
    looked("doctor")
    machine.file(".cursor/mcp.json", "{\n")
    page.locator("#off-cursor").click()
    page.get_by_role("dialog").get_by_role("alert").wait_for()
    looked("fault")
    page.keyboard.press("Escape")
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    walker.look("ides-forced", LIGHT)
    machine.file(".cursor/mcp.json", "{}\n")
    assert not (found := walker.found()), found
