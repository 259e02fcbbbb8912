"""What a person or a colleague had at our places is theirs, comes back, and is kept nowhere; what was ours is ours."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bigmind.clients.files.ledger import Ledger, copies_folder
from bigmind.clients.files.locations import Places, System
from bigmind.clients.install_site import Site
from bigmind.clients.parts import OwnFile
from bigmind.clients.target import Target
from bigmind.clients.targets import TARGETS
from bigmind.core.errors import BigMindError
from bigmind.core.toolsets import DEFAULT_TOOLS
from bigmind.memory.context.instructions import HEADING, file_text
from bigmind.people.service import person
from bigmind.store.access import Access
from bigmind.wiring import Mind, open_mind
from tests.clients.machine import tree_of
from tests.clients.test_killed_install import connect, disconnect

MINE = "My own notes about the loom.\r\n"
TARGET = {each.name: each for each in TARGETS}
HEAD, TAIL = "<!-- BEGIN BIGMIND v1 -->\n", "\n<!-- END BIGMIND -->\n"
COLLEAGUES = {
    "other words": f"# Deck\n\n{HEAD}What their BigMind wrote.{TAIL}",
    "the same words": f"# Deck\n\n{HEAD}{file_text(None).strip()}{TAIL}\nMore of theirs.\n",
}

QUOTED = {
    "in a fence": f"# Mine\n\n```\n{HEAD}my text{TAIL}```\n",
    "ours in a fence": f"# Mine\n\n~~~ md\n{HEAD}{file_text(None).strip()}{TAIL}~~~\n",
    "in the open": f"# Mine\n\n{HEAD}my text{TAIL}",
}


@dataclass
class Here:
    """A home, a workspace in it, and a memory that can lose its ledger."""

    folder: Path
    mind: Mind
    losses: int = 0

    @property
    def home(self) -> Path:
        return self.folder / "ada"

    @property
    def workspace(self) -> Path:
        return self.home / "deck"

    @property
    def data(self) -> Path:
        return self.folder / f"data{self.losses}"

    @property
    def access(self) -> Access:
        return Access(self.mind.store, person(self.mind.store, "ada"), "test")

    def site(self, target: str | Target, workspace: Path | None = None) -> Site:
        record = TARGET[target] if isinstance(target, str) else target
        return Site(record, Places(System.LINUX, self.home, {}), workspace)

    def install(self, target: str | Target, workspace: Path | None = None) -> None:
        connect(self.access, self.site(target, workspace))

    def remove(self, target: str | Target, workspace: Path | None = None) -> None:
        disconnect(self.access, self.site(target, workspace))

    def lose_the_ledger(self) -> None:
        """Begin anew with an empty data folder, as after an older backup."""
        self.mind.close()
        self.losses += 1
        self.reopen()

    def reopen(self) -> None:
        """Open the memory, which is closed."""
        self.mind = open_mind(self.data, "ada")

    def forget(self, target: str) -> None:
        """Have the ledger know nothing of an install in the workspace, as if it had been made after the backup."""
        with self.access.write() as work:
            Ledger(work, self.data).disown(self.site(target, self.workspace).owner)

    def file(self, name: str, text: str) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def files(self) -> dict[str, bytes]:
        return {name: data for name, data in tree_of(self.home).items() if data is not None}

    def copies(self) -> list[Path]:
        folder = copies_folder(self.data)
        return sorted(folder.iterdir()) if folder.is_dir() else []


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Here]:
    made = Here(tmp_path, open_mind(tmp_path / "data0", "ada"))
    made.workspace.mkdir(parents=True)
    yield made
    made.mind.close()


def adds(path: Path, text: str = "\nand another line\n") -> None:
    path.write_bytes(path.read_bytes() + text.encode())


@pytest.mark.parametrize("edited", [False, True], ids=["untouched since", "edited since"])
@pytest.mark.parametrize("of_workspace", [False, True], ids=["home", "workspace"])
def test_a_persons_own_file_at_the_place_of_ours_comes_back(here: Here, *, of_workspace: bool, edited: bool) -> None:
    workspace = here.workspace if of_workspace else None
    path = here.file("deck/.claude/rules/bigmind.md" if of_workspace else ".claude/rules/bigmind.md", MINE)
    path.chmod(0o640)
    before = here.files()

    here.install("claude-code", workspace)
    assert path.read_text() == file_text(frozenset(DEFAULT_TOOLS))
    if edited:
        adds(path)
        here.install("claude-code", workspace)
        adds(path)
    here.remove("claude-code", workspace)

    assert here.files() == before
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert here.copies() == []


def test_a_persons_own_file_comes_back_when_an_update_writes_ours_elsewhere(here: Here) -> None:
    path = here.file(".tool/one.md", MINE)
    here.install(writing(here.home / ".tool" / "one.md"))
    moved = writing(here.home / ".tool" / "two.md")

    here.install(moved)

    assert path.read_bytes() == MINE.encode()
    here.remove(moved)
    assert here.files() == {".tool/one.md": MINE.encode()}


def writing(*paths: Path, name: str = "tool") -> Target:
    """A client that reads some files that are wholly ours."""
    parts = tuple(OwnFile(path, file_text(None)) for path in paths)
    return Target(name, name, lambda _: (), lambda _, __: parts)


def test_what_any_install_left_goes_although_the_ledger_was_lost(here: Here) -> None:
    clients = [each for each in TARGETS if each.for_user]
    for each in clients:
        here.install(each)
    here.lose_the_ledger()

    for each in clients:
        here.install(each)
    assert not [each for each in here.copies() if b"bm_" in each.read_bytes()]
    for each in clients:
        here.remove(each)

    assert {name: json.loads(data) for name, data in here.files().items()} == {
        ".cursor/hooks.json": {"version": 1}  # the number of the form may have been the person's
    }


@pytest.mark.parametrize("target", ["gemini-cli", "claude-code"])
def test_what_is_the_persons_stays_beside_what_an_install_left(here: Here, target: str) -> None:
    theirs = '{\n  "a": 1,\n  "hooks": {\n    "Stop": [ { "hooks": [ { "command": "say" } ] } ]\n  }\n}\n'
    here.file(".gemini/settings.json", theirs)
    here.file(".claude/settings.json", theirs)
    here.file(".claude.json", '{\n  "mcpServers": { "other": { "command": "x" } }\n}\n')
    before = here.files()
    here.install(target)
    here.lose_the_ledger()

    here.install(target)
    here.remove(target)

    assert here.files() == before


def test_what_an_install_left_in_a_workspace_goes_although_the_ledger_was_lost(here: Here) -> None:
    """As after an older backup: the data folder, and so the command, are the same."""
    here.install("claude-code", here.workspace)
    here.forget("claude-code")

    here.install("claude-code", here.workspace)
    here.remove("claude-code", here.workspace)

    assert here.files() == {}


@pytest.mark.parametrize("edited", [False, True], ids=["untouched since", "edited since"])
def test_somebody_elses_entry_at_our_place_comes_back(here: Here, *, edited: bool) -> None:
    theirs = '{ "mcpServers": {\n  "bigmind": { "command": "/own/build",  "args": [] } // mine\n} }\n'
    path = here.file(".claude.json", theirs)
    here.install("claude-code")
    assert "/own/build" not in path.read_text()
    if edited:
        path.write_text(path.read_text().replace("// mine", "// still mine"))
    here.remove("claude-code")

    if edited:
        assert json.loads(path.read_text().replace("// still mine", ""))["mcpServers"] == {
            "bigmind": {"command": "/own/build", "args": []}
        }
    else:
        assert path.read_bytes() == theirs.encode()


@pytest.mark.parametrize("edited", [False, True], ids=["untouched since", "edited since"])
@pytest.mark.parametrize("words", COLLEAGUES)
def test_a_block_that_a_colleague_brought_stays(here: Here, words: str, *, edited: bool) -> None:
    path = here.file("deck/AGENTS.md", COLLEAGUES[words])

    here.install("agents-md", here.workspace)
    if edited:
        adds(path, "One more.\n")
    here.remove("agents-md", here.workspace)

    assert path.read_text() == COLLEAGUES[words] + ("One more.\n" if edited else "")


@pytest.mark.parametrize("edited", [False, True], ids=["untouched since", "edited since"])
@pytest.mark.parametrize("words", QUOTED)
def test_a_block_that_the_person_wrote_stays(here: Here, words: str, *, edited: bool) -> None:
    path = here.file(".codex/AGENTS.md", QUOTED[words])

    here.install("codex")
    if edited:
        adds(path, "One more.\n")
    here.remove("codex")

    assert path.read_text() == QUOTED[words] + ("One more.\n" if edited else "")


@pytest.mark.parametrize("words", ["in a fence", "ours in a fence"])
def test_a_block_that_the_person_quotes_is_not_written_into(here: Here, words: str) -> None:
    path = here.file(".codex/AGENTS.md", QUOTED[words])
    here.install("codex")
    assert path.read_text().startswith(f"{QUOTED[words]}\n{HEAD}{HEADING}")
    here.lose_the_ledger()
    here.install("codex")
    here.remove("codex")
    assert path.read_text() == QUOTED[words]


def test_a_block_of_ours_below_a_code_fence_goes_although_the_ledger_was_lost(here: Here) -> None:
    theirs = "````sh\n```\nls\n````\n~~~\n```\n~~~\n"
    path = here.file(".codex/AGENTS.md", theirs)
    here.install("codex")
    here.lose_the_ledger()
    here.install("codex")
    here.remove("codex")
    assert path.read_text() == theirs


@pytest.mark.parametrize("edited", [False, True], ids=["untouched since", "edited since"])
def test_hooks_and_servers_that_a_colleague_brought_stay(here: Here, *, edited: bool) -> None:
    line = "/home/charles/bin/bigmind hook stop --client claude-code"
    hooks = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}
    servers = {"mcpServers": {"bigmind": {"command": "/home/charles/bin/bigmind", "args": ["mcp", "--client", "x"]}}}
    settings = here.file("deck/.claude/settings.local.json", json.dumps(hooks))
    server = here.file("deck/.mcp.json", json.dumps(servers))
    before = here.files()

    here.install("claude-code", here.workspace)
    assert "charles" not in settings.read_text() + server.read_text()
    if edited:
        for each in (settings, server):
            adds(each)
            each.write_text(each.read_text().replace("\nand another line", ""))
    here.remove("claude-code", here.workspace)

    if edited:
        assert json.loads(settings.read_text()) == hooks
        assert json.loads(server.read_text()) == servers
    else:
        assert here.files() == before


def test_the_first_permissions_come_back_after_a_repair(here: Here) -> None:
    path = here.file(".cursor/mcp.json", '{"mcpServers":{}}\n')
    path.chmod(0o644)
    here.install("cursor")
    told = json.loads(path.read_text())
    told["z"] = told["mcpServers"].pop("bigmind") and 1
    path.write_text(json.dumps(told))

    here.install("cursor")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    here.remove("cursor")

    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert json.loads(path.read_text()) == {"mcpServers": {}, "z": 1}


@pytest.mark.parametrize("goes", [0, 1], ids=["its maker first", "its maker last"])
def test_a_folder_that_two_clients_share_goes_with_the_last_of_them(here: Here, goes: int) -> None:
    before = tree_of(here.home)
    shared = here.home / ".tools" / "shared"
    clients = [writing(shared / "one.md", name="one"), writing(shared / "deep" / "two.md", name="two")]
    for each in clients:
        here.install(each)

    here.remove(clients.pop(goes))
    assert shared.is_dir()
    here.remove(clients.pop())

    assert tree_of(here.home) == before


def test_a_shared_folder_that_was_there_before_stays(here: Here) -> None:
    shared = here.home / ".tools"
    shared.mkdir()
    clients = [writing(shared / "deep" / "one.md", name="one"), writing(shared / "deep" / "two.md", name="two")]
    for each in clients:
        here.install(each)
    for each in clients:
        here.remove(each)

    assert list(shared.iterdir()) == []


def test_nothing_of_a_persons_files_is_kept_once_the_connection_is_taken_back(here: Here) -> None:
    path = here.file(".claude.json", '{"mcpServers":{"x":{"env":{"OPENAI_API_KEY":"sk-of-the-person"}}}}')
    here.install("claude-code")
    path.write_text(path.read_text().replace("sk-of-the-person", "sk-another").replace("/mcp", "/elsewhere"))
    [first] = here.copies()
    here.install("claude-code")
    [second] = here.copies()
    assert first != second
    assert b"sk-another" in second.read_bytes()

    here.remove("claude-code")

    assert here.copies() == []


def test_a_failed_install_keeps_the_copy_that_it_would_have_replaced(here: Here) -> None:
    path = here.file(".claude.json", '{"mcpServers":{}}')
    settings = here.file(".claude/settings.json", "{}")
    before = here.files()
    here.install("claude-code")
    copies = here.copies()
    connected = here.files()
    for each in (path, settings):
        each.write_bytes(each.read_bytes().replace(b"bigmind", b"bigmine"))
    settings.chmod(0o444)

    with pytest.raises(BigMindError, match="read-only"):
        here.install("claude-code")

    assert here.copies() == copies
    settings.chmod(0o644)
    for each in (path, settings):
        each.write_bytes(connected[str(each.relative_to(here.home))])
    here.remove("claude-code")
    assert here.files() == before
    assert here.copies() == []


def test_copies_that_nothing_names_go_after_a_day(here: Here) -> None:
    folder = copies_folder(here.data)
    folder.mkdir()
    old, young = folder / "old.json", folder / "young.json"
    for each in (old, young):
        each.write_text("sk-of-the-person")
    os.utime(old, (0, 0))

    here.install("agents-md", here.workspace)

    assert here.copies() == [young]
