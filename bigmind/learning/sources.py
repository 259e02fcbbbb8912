"""Which files there are to learn from. The search is bounded, and follows no link that leads elsewhere."""

import json
import os
import re
import stat
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Literal

from bigmind.clients.files.locations import Places, System
from bigmind.core.clock import moment_of
from bigmind.disk.existence import beginning_of, is_known_folder
from bigmind.disk.windows_paths import is_link, leads_to_another_machine
from bigmind.local.project import project_of

MOST_FILES = 200
MOST_BYTES = 256 * 1024
"""Bytes of a file; more is no instruction that somebody wrote."""
MOST_ENTRIES = 20_000
"""Names that are looked at in all."""
MOST_DEPTH = 4
MOST_WORKSPACES = 20
_BEGINNING = 64 * 1024
"""Bytes of a transcript in which the folder it was held in is looked for."""

_PASSED_OVER = frozenset({"node_modules", "vendor", "venv", "target", "dist", "build", "__pycache__", "site-packages"})
_WORKED_IN = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.)*")')

Scope = Literal["user", "workspace"]


@dataclass(frozen=True, slots=True)
class Source:
    """A file that could be learnt from.

    Attributes:
        path: where it really lies, without links.
        shown: as a person knows it: from their home, or from the workspace.
        client: whose file it is, as people call that client.
        scope: whether it is for all of the person's work, or for one workspace.
        project: which it is about; None for all.
        is_memory: an assistant wrote it for itself.
        size: bytes.
        modified_at: when it was changed last.
        left: why it is not read; empty when it is.
    """

    path: Path
    shown: str
    client: str
    scope: Scope
    project: str | None
    is_memory: bool
    size: int
    modified_at: datetime
    left: str = ""


@dataclass(frozen=True, slots=True)
class _Rule:
    """Where a client keeps what it is told: a file, or with `endings` every such file of a folder."""

    client: str
    place: Path
    endings: tuple[str, ...] = ()
    depth: int = 0


@dataclass(slots=True)
class _Search:
    """One search: what it may still look at, and what it has found, each file once however many links lead to it."""

    scope: Scope
    root: Path
    base: Path
    project: str | None
    system: str = sys.platform
    left: int = MOST_ENTRIES
    found: dict[Path, Source] = field(default_factory=dict[Path, Source])

    def take(self, rule: _Rule) -> None:
        """Find the files of a rule."""
        if not rule.endings:
            self.add(rule.client, rule.place)
            return
        for file in self.walk(rule.place, rule.depth):
            if file.name.lower().endswith(rule.endings):
                self.add(rule.client, file)

    def walk(self, folder: Path, depth: int) -> Iterator[Path]:
        """The files below a folder, in order; folders that are links are not entered."""
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda each: each.name)
        except OSError:
            return
        for each in listed:
            self.left -= 1
            if self.left < 0:
                return
            if not each.is_dir(follow_symlinks=False):
                yield folder / each.name
            elif depth and each.name not in _PASSED_OVER and not is_link(folder / each.name):  # Windows has two kinds
                yield from self.walk(folder / each.name, depth - 1)

    def add(self, client: str, file: Path, project: str | None = None, *, is_memory: bool = False) -> None:
        """Note a file, if there is one; nothing is looked at on another machine because a link leads there."""
        if len(self.found) >= MOST_FILES or leads_to_another_machine(file, (file,), self.system):
            return
        try:
            real = file.resolve(strict=True)
            about = real.stat()
        except (OSError, RuntimeError):  # none there, or links in a circle
            return
        if not stat.S_ISREG(about.st_mode) or real in self.found:
            return
        self.found[real] = Source(
            path=real,
            shown=self.shown(file),
            client=client,
            scope=self.scope,
            project=project or self.project,
            is_memory=is_memory,
            size=about.st_size,
            modified_at=moment_of(about.st_mtime),
            left=self.why_left(real, file, about.st_size),
        )

    def why_left(self, real: Path, file: Path, size: int) -> str:
        """Why a file is not read; empty for nothing."""
        if not real.is_relative_to(self.root) and real != file:
            return "it is a link that leads elsewhere"
        if size > MOST_BYTES:
            return f"it has more than {MOST_BYTES // 1024} KB"
        return ""

    def shown(self, file: Path) -> str:
        """A file's name as a person knows it."""
        try:
            below = file.relative_to(self.base).as_posix()
        except ValueError:
            return str(file)
        return f"~/{below}" if self.scope == "user" else below


def sources_of(places: Places, workspace: Path | None = None) -> list[Source]:
    """The files to learn from: the person's own, then those of a workspace; at most `MOST_FILES` of each."""
    system = "win32" if places.system is System.WINDOWS else sys.platform
    own = _Search("user", places.home.resolve(), places.home, None, system)
    for rule in _own_rules(places):
        own.take(rule)
    _add_memories(own, _claude(places) / "projects")
    if workspace is None:
        return list(own.found.values())
    there = _Search("workspace", workspace.resolve(), workspace, project_of(workspace), system)
    for rule in _workspace_rules(workspace):
        there.take(rule)
    _add_nested(there, workspace)
    found = {**{source.path: source for source in there.found.values()}, **own.found}
    return sorted(found.values(), key=lambda source: source.scope)


def workspaces_of(places: Places) -> list[Path]:
    """Folders that Claude Code worked in and that are still there, by their names."""
    found: dict[Path, None] = {}
    for project in _folders(_claude(places) / "projects"):
        folder = _worked_in(project)
        if folder is not None and is_known_folder(folder) and folder != places.home:
            found[folder] = None
        if len(found) >= MOST_WORKSPACES:
            break
    return sorted(found, key=lambda folder: folder.name.lower())


def _claude(places: Places) -> Path:
    return places.named("CLAUDE_CONFIG_DIR", places.home / ".claude")


def _own_rules(places: Places) -> list[_Rule]:
    home, settings = places.home, places.configuration
    claude = _claude(places)
    codex = places.named("CODEX_HOME", home / ".codex")
    copilot = places.named("COPILOT_HOME", home / ".copilot")
    return [
        _Rule("Claude Code", claude / "CLAUDE.md"),
        _Rule("Claude Code", claude / "rules", (".md",), MOST_DEPTH),
        _Rule("Codex", codex / "AGENTS.md"),
        _Rule("Gemini CLI", home / ".gemini" / "GEMINI.md"),
        _Rule("Copilot", copilot / "copilot-instructions.md"),
        _Rule("Copilot", copilot / "instructions", (".instructions.md",), 1),
        _Rule("opencode", settings / "opencode" / "AGENTS.md"),
        _Rule("Windsurf", home / ".codeium" / "windsurf" / "memories" / "global_rules.md"),
        _Rule("Cline", places.documents / "Cline" / "Rules", (".md",)),
        _Rule("Zed", places.zed / "AGENTS.md"),
        _Rule("Goose", places.goose / ".goosehints"),
        _Rule("Junie", home / ".junie" / "guidelines.md"),
        _Rule("Roo Code", home / ".roo" / "rules", (".md",), 1),
    ]


def _workspace_rules(folder: Path) -> list[_Rule]:
    return [
        *(_Rule("Claude Code", folder / name) for name in ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")),
        _Rule("Claude Code", folder / ".claude" / "rules", (".md",), MOST_DEPTH),
        _Rule("AGENTS.md", folder / "AGENTS.md"),
        _Rule("Cursor", folder / ".cursorrules"),
        _Rule("Cursor", folder / ".cursor" / "rules", (".mdc", ".md"), MOST_DEPTH),
        _Rule("Copilot", folder / ".github" / "copilot-instructions.md"),
        _Rule("Copilot", folder / ".github" / "instructions", (".md",), MOST_DEPTH),
        _Rule("Windsurf", folder / ".windsurfrules"),
        _Rule("Windsurf", folder / ".windsurf" / "rules", (".md",), MOST_DEPTH),
        _Rule("Cline", folder / ".clinerules"),
        _Rule("Cline", folder / ".clinerules", (".md",), 1),
        _Rule("Junie", folder / ".junie" / "guidelines.md"),
        _Rule("Junie", folder / ".junie" / "AGENTS.md"),
        _Rule("Gemini CLI", folder / "GEMINI.md"),
        _Rule("Zed", folder / ".rules"),
        _Rule("Roo Code", folder / ".roo" / "rules", (".md",), 1),
        _Rule("Kilo Code", folder / ".kilocode" / "rules", (".md",), 1),
        _Rule("Goose", folder / ".goosehints"),
    ]


_NESTED = {"AGENTS.md": "AGENTS.md", "CLAUDE.md": "Claude Code", "GEMINI.md": "Gemini CLI"}


def _add_nested(search: _Search, workspace: Path) -> None:
    """The instruction files of parts of a workspace."""
    for file in search.walk(workspace, MOST_DEPTH):
        below = file.relative_to(workspace).parts[:-1]
        if file.name in _NESTED and not any(part.startswith(".") for part in below):
            search.add(_NESTED[file.name], file)


def _add_memories(search: _Search, projects: Path) -> None:
    """What Claude Code noted for itself, project by project."""
    for folder in _folders(projects):
        project: str | None = None
        for file in search.walk(folder / "memory", 0):
            if file.name.lower().endswith(".md"):
                project = project or _project_of(folder)
                search.add("Claude Code", file, project, is_memory=True)


def _project_of(folder: Path) -> str:
    """The project whose notes lie in a folder that is named after the place it is worked in."""
    worked_in = _worked_in(folder)
    return (project_of(worked_in) if worked_in is not None else None) or folder.name.strip("-")[-200:]


def _worked_in(folder: Path) -> Path | None:
    """The place, as the transcripts beside the notes have it: the folder's own name cannot be read back."""
    for file in sorted(_files(folder, ".jsonl"), reverse=True)[:3]:
        try:
            said = _WORKED_IN.search(beginning_of(file, _BEGINNING))
            if said is not None and (named := Path(json.loads(said[1]))).is_absolute():
                return named
        except (OSError, ValueError):
            continue
    return None


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return sorted(folder / each.name for each in entries if each.is_dir(follow_symlinks=False))[:MOST_FILES]
    except OSError:
        return []


def _files(folder: Path, ending: str) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [
                folder / each.name
                for each in entries
                if each.is_file(follow_symlinks=False) and each.name.endswith(ending)
            ]
    except OSError:
        return []
