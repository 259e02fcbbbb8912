"""Which files are learnt from: those of every client, inside bounds, and nothing that a link leads to elsewhere."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bigmind.clients.files.locations import Places, System
from bigmind.learning import sources as searching
from bigmind.learning.discovery import read_files
from bigmind.learning.proposals import proposals_of
from bigmind.learning.source_text import Document, document_of
from bigmind.learning.sources import MOST_BYTES, MOST_FILES, Source, sources_of, workspaces_of
from bigmind.memory.context.instructions import file_text
from tests.clients.learnt import NOTE, write

OWN_FILES = {
    ".claude/CLAUDE.md": "Claude Code",
    ".claude/rules/python/style.md": "Claude Code",
    ".codex/AGENTS.md": "Codex",
    ".gemini/GEMINI.md": "Gemini CLI",
    ".copilot/copilot-instructions.md": "Copilot",
    ".copilot/instructions/sql.instructions.md": "Copilot",
    ".config/opencode/AGENTS.md": "opencode",
    ".codeium/windsurf/memories/global_rules.md": "Windsurf",
    "Documents/Cline/Rules/mine.md": "Cline",
    ".config/zed/AGENTS.md": "Zed",
    ".config/goose/.goosehints": "Goose",
}
OF_WORKSPACE = {
    "CLAUDE.md": "Claude Code",
    "CLAUDE.local.md": "Claude Code",
    ".claude/rules/api.md": "Claude Code",
    "AGENTS.md": "AGENTS.md",
    "services/billing/AGENTS.md": "AGENTS.md",
    ".cursorrules": "Cursor",
    ".cursor/rules/tests.mdc": "Cursor",
    ".github/copilot-instructions.md": "Copilot",
    ".github/instructions/ts.instructions.md": "Copilot",
    ".windsurf/rules/a.md": "Windsurf",
    ".clinerules/a.md": "Cline",
    ".junie/guidelines.md": "Junie",
    "GEMINI.md": "Gemini CLI",
}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "me").mkdir()
    return Places(System.LINUX, tmp_path / "me")


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "apollo"
    folder.mkdir()
    return folder


def found(places: Places, workspace: Path | None = None) -> dict[str, Source]:
    return {each.shown: each for each in sources_of(places, workspace)}


def test_every_clients_own_files_are_found(places: Places) -> None:
    write(places.home, dict.fromkeys(OWN_FILES, "Use uv for everything"))
    assert {name: each.client for name, each in found(places).items()} == {
        f"~/{name}": client for name, client in OWN_FILES.items()
    }


def test_the_files_of_a_workspace_are_of_its_project_and_others_are_passed_over(
    places: Places, workspace: Path
) -> None:
    others = ("node_modules/x/AGENTS.md", ".git/AGENTS.md", "a/b/c/d/e/f/AGENTS.md", "README.md", ".cursor/mcp.json")
    write(workspace, dict.fromkeys((*OF_WORKSPACE, *others), "Use uv for everything"))
    listed = found(places, workspace)
    assert {name: each.client for name, each in listed.items()} == OF_WORKSPACE
    assert {each.project for each in listed.values()} == {"apollo"}


@pytest.mark.parametrize(
    ("system", "environment", "file"),
    [
        (System.LINUX, {"XDG_CONFIG_HOME": "{home}/conf"}, "conf/opencode/AGENTS.md"),
        (System.MACOS, {}, ".config/opencode/AGENTS.md"),
        (System.WINDOWS, {"CODEX_HOME": "{home}/x"}, "x/AGENTS.md"),
        (System.WINDOWS, {"CLAUDE_CONFIG_DIR": "{home}/c"}, "c/CLAUDE.md"),
        (System.WINDOWS, {"APPDATA": "{home}/Roaming"}, "Roaming/Zed/AGENTS.md"),
        (System.WINDOWS, {}, "AppData/Roaming/Block/goose/config/.goosehints"),
        (System.LINUX, {"COPILOT_HOME": "{home}/p"}, "p/copilot-instructions.md"),
    ],
)
def test_folders_that_a_variable_moves_are_followed(
    tmp_path: Path, system: System, environment: dict[str, str], file: str
) -> None:
    write(tmp_path, {file: "Use uv for everything"})
    moved = {name: value.format(home=tmp_path) for name, value in environment.items()}
    assert list(found(Places(system, tmp_path, moved))) == [f"~/{file}"]


def test_documents_are_where_the_system_has_them(tmp_path: Path) -> None:
    write(tmp_path, {"OneDrive/Dokumente/Cline/Rules/mine.md": "Use uv", "Documents/Cline/Rules/old.md": "Use pip"})
    moved = Places(System.WINDOWS, tmp_path, moved_documents=tmp_path / "OneDrive" / "Dokumente")
    assert list(found(moved)) == ["~/OneDrive/Dokumente/Cline/Rules/mine.md"]


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_on_windows_no_link_leads_to_another_machine(places: Places, workspace: Path, tmp_path: Path) -> None:
    """There a look at one would sign the person in; elsewhere two slashes are those of this machine."""
    write(tmp_path, {"kept/CLAUDE.md": "Use uv for everything", "kept/AGENTS.md": "Use ruff for everything"})
    away = f"//{str(tmp_path / 'kept').lstrip('/')}"
    (workspace / "GEMINI.md").symlink_to(f"{away}/CLAUDE.md")
    (workspace / "part").symlink_to(away, target_is_directory=True)
    (workspace / "AGENTS.md").symlink_to("part/AGENTS.md")
    assert not found(replace(places, system=System.WINDOWS), workspace)
    assert set(found(places, workspace)) == {"GEMINI.md", "AGENTS.md"}


def test_a_link_within_is_one_file_and_one_that_leads_out_is_not_read(
    places: Places, workspace: Path, tmp_path: Path
) -> None:
    write(tmp_path, {"secret.md": "The neighbour's own words are here", "apollo/CLAUDE.md": "Use uv for everything"})
    (workspace / "AGENTS.md").symlink_to("CLAUDE.md")
    (workspace / "GEMINI.md").symlink_to(tmp_path / "secret.md")
    (workspace / ".windsurf").symlink_to(tmp_path)
    (workspace / ".cursorrules").symlink_to(".cursorrules")
    listed = found(places, workspace)
    assert set(listed) == {"CLAUDE.md", "GEMINI.md"}
    told, proposals = read_files(list(listed.values()))
    assert [each.left for each in told] == ["", "it is a link that leads elsewhere"]
    assert [each.text for each in proposals] == ["Use uv for everything"]


def test_what_is_too_large_no_text_or_no_file_is_left_with_the_reason(places: Places, workspace: Path) -> None:
    write(workspace, {"CLAUDE.md": "x" * (MOST_BYTES + 1)})
    (workspace / "AGENTS.md").write_bytes(b"\xff\x00\x9c")
    (workspace / "GEMINI.md").mkdir()
    (workspace / ".cursorrules").write_bytes("Grüße immer freundlich".encode("utf-16"))
    told, proposals = read_files(sources_of(places, workspace))
    assert {each.shown: each.left for each in told} == {
        "CLAUDE.md": "it has more than 256 KB",
        "AGENTS.md": "it is no text",
        ".cursorrules": "",
    }
    assert [each.text for each in proposals] == ["Grüße immer freundlich"]


def test_the_search_is_bounded(places: Places, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(workspace, {f".cursor/rules/{number:03}.mdc": "Use uv for everything" for number in range(MOST_FILES + 20)})
    assert len(found(places, workspace)) == MOST_FILES
    monkeypatch.setattr(searching, "MOST_ENTRIES", 10)
    search = searching._Search("workspace", workspace, workspace, None, left=10)
    assert len(list(search.walk(workspace / ".cursor" / "rules", 0))) == 10


def test_what_bigmind_wrote_is_never_learnt(places: Places) -> None:
    block = f"<!-- BEGIN BIGMIND v1 -->\n{file_text(None)}<!-- END BIGMIND -->"
    write(
        places.home,
        {
            ".claude/CLAUDE.md": f"Use uv for everything\n\n{block}\n\nNever use pip for anything\n",
            ".claude/rules/bigmind.md": file_text(None),
            ".gemini/GEMINI.md": "Sums in euros, please\n\n<!-- BEGIN BIGMIND v1 -->\nnever learn this line",
        },
    )
    _, proposals = read_files(sources_of(places))
    assert [(each.text, each.places[0].line) for each in proposals] == [
        ("Use uv for everything", 1),
        ("Never use pip for anything", 3 + block.count("\n") + 2),
        ("Sums in euros, please", 1),
    ]


@pytest.mark.parametrize(
    ("kind", "kept"), [("feedback", ("preference", None)), ("project", ("codebase", "apollo"))], ids=str
)
def test_an_assistants_own_notes_are_of_the_project_it_worked_in_unless_they_are_of_the_person(
    kind: str, kept: tuple[str, str | None], places: Places, workspace: Path
) -> None:
    write(
        places.home / ".claude" / "projects" / "-w-apollo",
        {
            "memory/MEMORY.md": "- [integration tests](feedback_tests.md) and how they are run here\n",
            "memory/feedback_tests.md": NOTE.replace("type: feedback", f"type: {kind}"),
            "1.jsonl": json.dumps({"type": "user", "cwd": str(workspace)}) + "\n",
        },
    )
    _, (note,) = read_files(sources_of(places))
    assert (note.category, note.project) == kept
    assert note.text == "Integration tests must hit a real database, never mocks."
    assert workspaces_of(places) == [workspace]


def test_front_matter_says_what_a_rule_is_for(places: Places, workspace: Path) -> None:
    write(workspace, {".cursor/rules/ts.mdc": "---\nglobs: '**/*.ts'\nalwaysApply: false\n---\n- Use named exports\n"})
    (source,) = sources_of(places, workspace)
    document = document_of(source)
    assert isinstance(document, Document)
    assert document.holds_for == "**/*.ts"
    _, (rule,) = read_files([source])
    assert rule.text == "Use named exports (for **/*.ts)"
    assert rule.places[0].line == 5


class Counted(str):
    """A text that counts how often it is cut into lines."""

    __slots__ = ("cut",)

    def split(self, *given: Any, **named: Any) -> list[str]:
        self.cut = getattr(self, "cut", 0) + 1
        return super().split(*given, **named)


@pytest.mark.parametrize("is_memory", [False, True])
def test_a_file_of_many_headings_is_cut_into_its_lines_a_few_times_at_most(
    places: Places, workspace: Path, is_memory: bool
) -> None:
    write(workspace, {"CLAUDE.md": "- [a note](other.md) of which nothing is said here\n"})
    source = replace(sources_of(places, workspace)[0], is_memory=is_memory)
    text = Counted("# one two three\nfour five six\n" * 200 + "\n- [a note](other.md) of which nothing is said here\n")
    proposed = proposals_of(Document(source, text))
    assert len(proposed) == (200 if is_memory else 201)
    assert text.cut <= 3
