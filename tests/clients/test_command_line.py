"""`bigmind clients`: shows what it would change, asks on the terminal, and does no more than was agreed."""

import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.app.terminal import typed
from tests.clients.machine import Machine, machine_in, tree_of
from tests.nursery import Done
from tests.support import completed

CLAUDE = '{\n  "numStartups": 7\n}\n'


@dataclass
class Command:
    """The command of a person at a machine."""

    machine: Machine
    folder: Path

    def run(self, *arguments: str) -> Done:
        """Without a terminal, as a script runs it."""
        return completed(self.machine.server.home, "clients", *arguments)

    def here(self, *arguments: str) -> Done:
        """The same, from within the folder."""
        return completed(self.machine.server.home, "clients", *arguments, folder=self.folder)

    def typed(self, words: str, *arguments: str) -> tuple[int, str]:
        """On a terminal, where somebody types; returns its exit code and what it said."""
        return typed(self.machine.server.home, words, "clients", *arguments, folder=self.folder)


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Command]:
    folder = tmp_path / "apollo"
    folder.mkdir()
    with machine_in(tmp_path) as machine:
        machine.file(".claude.json", CLAUDE)
        yield Command(machine, folder)


def test_a_client_is_connected_shown_tried_and_taken_back(command: Command) -> None:
    before = command.machine.tree()
    listed = command.run("list").stdout
    assert "**claude-code** (Claude Code): not connected" in listed
    assert listed.endswith("\n\n`bigmind clients install claude-code` shows what it would change, and asks.\n")

    done = command.run("install", "claude-code", "--yes")
    assert done.returncode == 0, done.stderr
    assert f"change {command.machine.home / '.claude.json'}" in done.stdout
    assert '+    "bigmind": {' in done.stdout
    assert "Connected: 13 tools are offered." in done.stdout
    assert "Bearer bm_…" in done.stdout
    listed = command.run("list").stdout
    assert "**claude-code** (Claude Code): connected" in listed
    assert "clients install claude-code" not in listed
    again = command.run("install", "claude-code")
    assert (again.returncode, again.stdout) == (
        0,
        "Claude Code is connected already, and nothing has to be changed.\n",
    )
    tried = command.run("doctor")
    assert tried.returncode == 0
    assert "✔ Claude Code: Connected" in tried.stdout

    gone = command.run("remove", "claude-code", "-y")
    assert gone.returncode == 0, gone.stderr
    assert "Claude Code is no longer connected." in gone.stdout
    assert command.machine.tree() == before
    assert command.run("remove", "claude-code").stdout == "Claude Code is not connected.\n"


def test_the_last_word_of_a_long_line_is_shown_on_a_terminal_too(command: Command) -> None:
    code, said = command.typed("n\n", "install", "claude-code")
    assert code == 1
    assert "something: search first, then answer." in " ".join(said.split())
    assert said.count("↳ goes on with the line above it") == 1


def test_show_writes_nothing(command: Command) -> None:
    before = command.machine.tree()
    shown = command.run("show", "claude-code")
    assert shown.returncode == 0
    assert '+    "bigmind": {' in shown.stdout
    assert command.machine.tree() == before


def test_it_asks_and_a_no_changes_nothing(command: Command) -> None:
    before = command.machine.tree()
    code, said = command.typed("n\n", "install", "claude-code")
    assert code == 1
    assert "Change 3 files, and make a token for it? [y/N]" in said
    assert said.endswith("Nothing was changed.\n")
    assert command.machine.tree() == before


def test_a_yes_on_the_terminal_does_it(command: Command) -> None:
    code, said = command.typed("y\n", "install", "claude-code")
    assert code == 0, said
    assert command.machine.state("claude-code")["state"] == "connected"
    assert command.typed("n\n", "remove", "claude-code")[0] == 1
    assert command.machine.state("claude-code")["state"] == "connected"


@pytest.mark.parametrize("verb", ["install", "remove"])
def test_without_a_terminal_and_without_yes_nothing_is_done(command: Command, verb: str) -> None:
    if verb == "remove":
        command.machine.install("claude-code")
    before = command.machine.tree()
    done = command.run(verb, "claude-code")
    assert done.returncode == 1
    assert "--yes says yes" in done.stderr
    assert "Nothing was changed." in done.stdout
    assert command.machine.tree() == before


def test_a_workspace_may_be_named_from_where_one_stands(command: Command) -> None:
    person = command.machine.tree()
    done = command.here("install", "claude-code", "--workspace", ".", "--yes")
    assert done.returncode == 0, done.stderr
    assert sorted(name for name, data in tree_of(command.folder).items() if data) == [
        ".claude/rules/bigmind.md",
        ".claude/settings.local.json",
        ".mcp.json",
    ]
    assert command.machine.state("claude-code")["workspaces"] == [str(command.folder)]
    assert command.machine.tree() == person
    assert command.here("remove", "claude-code", "--workspace", "../apollo", "-y").returncode == 0
    assert tree_of(command.folder) == {}


def test_what_cannot_be_done_is_said_and_the_exit_code_tells(command: Command) -> None:
    by_hand = command.run("install", "jetbrains-ai").stderr
    assert "By hand: Settings > Tools > AI Assistant" in by_hand
    assert '"mcp",\n        "--client",\n        "jetbrains-ai"' in by_hand
    [line] = [each for each in command.run("list").stdout.splitlines() if "jetbrains-ai" in each]
    assert line.endswith("Add > STDIO; `bigmind clients show jetbrains-ai` prints what to paste there")
    assert command.run("install", "jetbrains-ai", "-y").stderr == by_hand
    unknown = command.run("install", "emacs", "-y")
    assert unknown.returncode != 0
    assert "There are: claude-code," in unknown.stderr
    command.machine.file(".claude.json", '{"a": ')
    broken = command.run("install", "claude-code", "-y")
    assert broken.returncode != 0
    assert ".claude.json does not parse: line 1" in broken.stderr


def test_a_repair_of_all_is_shown_asked_for_and_never_another_one(command: Command) -> None:
    machine = command.machine
    everything = "Every connected client is as it should be: nothing was changed.\n"
    machine.install("claude-code")
    for each in ("vscode", "copilot-cli"):  # they share their instructions
        machine.install(each)
    assert command.run("repair").stdout == everything
    whole = machine.tree()
    rules = machine.file(".copilot/instructions/bigmind.instructions.md", "# BigMind\n\nof an older version\n")
    settings = machine.home / ".claude.json"
    settings.write_text(settings.read_text().replace(machine.server.address, "http://127.0.0.1:1"))
    before = machine.tree()

    silent = command.run("repair")
    assert (silent.returncode, machine.tree()) == (1, before)
    assert "--yes says yes" in silent.stderr
    code, said = command.typed("n\n", "repair")
    assert (code, machine.tree()) == (1, before)
    assert "-of an older version" in said
    assert "Change 2 files of 3 clients, and make new tokens? [y/N]" in said
    assert machine.post("clients_repair").status_code == 422

    plan = machine.server.call("clients_show_repair")["plan"]
    rules.write_text("# BigMind\n\nchanged meanwhile\n")
    refused = machine.post("clients_repair", plan=plan)
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert settings.read_bytes() == before[".claude.json"], "nothing is written, also of those that did not change"

    code, said = command.typed("y\n", "repair")
    assert code == 0, said
    assert machine.tree().keys() == whole.keys()
    assert rules.read_bytes() == whole[".copilot/instructions/bigmind.instructions.md"]
    assert command.run("repair", "--yes").stdout == everything
    assert all(each["ok"] for each in machine.server.call("clients_doctor")["checks"])


def test_a_repair_says_which_of_two_places_of_a_client_it_mended(command: Command, tmp_path: Path) -> None:
    machine, folder = command.machine, tmp_path / "apollo"
    machine.install("claude-code")
    machine.install("claude-code", workspace=str(folder))
    for rules in (machine.home / ".claude/rules/bigmind.md", folder / ".claude/rules/bigmind.md"):
        rules.write_text("of an older version\n")
    said = command.run("repair", "--yes").stdout
    assert f"- Repaired Claude Code in {folder}. " in said
    assert "- Repaired Claude Code. " in said
    machine.remove("claude-code", workspace=str(folder))


def test_the_list_tells_of_a_workspace_that_needs_a_repair_and_of_one_that_is_gone(
    command: Command, tmp_path: Path
) -> None:
    machine, folder, left = command.machine, tmp_path / "apollo", tmp_path / "gone"
    left.mkdir()
    machine.install("cursor", workspace=str(folder))
    assert f"- **cursor** (Cursor): connected in {folder}\n" in command.run("list").stdout
    machine.install("junie", workspace=str(left))
    left.rename(tmp_path / "moved")
    command.run("toolsets", "cursor", "default,brain")

    told = command.run("list").stdout
    assert f"- **cursor** (Cursor): connected in {folder} (needs a repair)\n" in told
    assert f"- **junie** (Junie): connected in {left} (folder is gone)\n" in told
    assert "`bigmind clients repair` repairs what needs it." in told
    assert (
        f"`bigmind clients remove junie --workspace {left}` disconnects it where the folder is gone for good." in told
    )

    command.run("repair", "--yes")
    machine.remove("junie", workspace=str(left))
    told = command.run("list").stdout
    assert "repair" not in told
    assert "gone" not in told


def test_a_connection_that_is_broken_is_told_by_the_exit_code_of_an_install_too(command: Command) -> None:
    command.machine.install("claude-code")
    path = command.machine.home / ".claude.json"
    path.write_text(path.read_text().replace(command.machine.server.address, "http://127.0.0.1:1"))
    told = command.run("doctor", "--client", "claude-code")
    assert "✘ Claude Code" in told.stdout
    assert command.run("install", "claude-code", "-y").returncode == 0
    assert "✔ Claude Code" in command.run("doctor", "--client", "claude-code").stdout


def test_a_doctor_of_a_client_that_there_is_not_names_those_that_there_are(command: Command) -> None:
    unknown = command.run("doctor", "--client", "nosuch")
    assert (unknown.returncode, unknown.stdout) == (command.run("show", "nosuch").returncode, "")
    assert unknown.returncode == 1
    assert "There is no client 'nosuch'.\nThere are: claude-code," in unknown.stderr
    command.machine.install("claude-code")
    other = command.run("doctor", "--client", "codex")
    assert other.stderr == "Codex is not connected yet.\n`bigmind clients install codex` connects it.\n"
    assert other.returncode == 1


def test_what_answers_and_needs_a_repair_is_told_as_that(command: Command) -> None:
    command.machine.install("codex")
    rules = command.machine.home / ".codex" / "AGENTS.md"
    rules.write_text(rules.read_text().replace("memory_start_session", "memory_begin"))
    doctor = command.run("doctor")
    assert doctor.returncode == 1
    assert "⚠ Codex: Connected, but it needs a look: 13 tools are offered." in doctor.stdout
    assert f"{rules} is not as BigMind would write it now: a repair mends that." in doctor.stdout
    assert "onnect it again" not in doctor.stdout


def test_toolsets_are_chosen_and_told(command: Command) -> None:
    chosen = command.run("toolsets", "claude-code", "all")
    assert chosen.returncode == 0, chosen.stderr
    command.machine.install("claude-code")
    [check] = command.machine.server.call("clients_doctor")["checks"]
    assert check["tools"] > 20
    for each in ("claude-code", "cursor"):
        command.machine.install(each)  # it has not called yet, and is known all the same
        assert "No client of that name" not in command.run("toolsets", each, "brain").stdout
    refused = command.run("toolsets", "cursor", "default,foo").stderr
    told = command.run("toolsets", "codex", "brain").stdout
    assert "repair" not in told, "it is not connected"
    told = command.run("toolsets", "claude-code", "default,brain").stdout
    assert "needs a repair: run `bigmind clients repair`, or click “Repair all” on the page Assistants." in told
    assert command.run("repair", "--yes").returncode == 0
    assert "repair" not in command.run("toolsets", "claude-code", "default,brain").stdout
    assert "toolsets: got 'default,foo'; expected names of toolsets, and 'foo' is none (Of default, " in refused
    assert refused.count("mindspace") == 1


def test_a_bundle_for_claude_desktop_is_written_and_never_over_another_file(command: Command) -> None:
    file = command.folder / "bigmind.mcpb"
    made = command.run("bundle", "--output-path", str(file))
    assert made.returncode == 0, made.stderr
    assert str(file) in made.stdout
    with zipfile.ZipFile(file) as opened:
        assert "manifest.json" in opened.namelist()
    assert command.run("bundle", "--output-path", str(file)).returncode != 0
    assert command.run("bundle", "--output-path", str(command.folder / "x.json")).returncode != 0


def test_what_a_person_pastes_by_hand_is_the_real_command(command: Command) -> None:
    done = command.run("show", "jetbrains-ai")
    assert (done.returncode, done.stderr) == (0, "")
    shown = done.stdout
    assert "by hand: Settings > Tools > AI Assistant" in shown
    assert "mcpServers" in json.loads(shown.partition("```json\n")[2].removesuffix("\n```\n"))
    assert f'"command": "{command.machine.server.home / "bin" / "bigmind"}"' in shown
    assert (command.machine.server.home / "bin" / "bigmind").exists()
