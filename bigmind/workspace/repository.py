"""The git repository of a workspace: where it stands, what came since a commit, what is not committed."""

import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from bigmind.disk.windows_paths import leads_away
from bigmind.workspace.folder import Folder, WorkspaceFault, text_of
from bigmind.workspace.git_command import GitPlace, git, git_program, plain
from bigmind.workspace.git_place import place_of, rules_of, stamp
from bigmind.workspace.ignore_rules import CONVERSIONS, EXCLUDE, converting, newly_hidden, rules_told
from bigmind.workspace.untracked import Untracked, untracked_of
from bigmind.workspace.windows_names import bytes_of, path_of
from bigmind.workspace.working_files import (
    HAS_MODES,
    LINK,
    MODULE,
    OTHER_REPOSITORY,
    PROGRAM,
    WorkingFile,
    WorkingFiles,
)

_HEX = re.compile(r"[0-9a-f]{7,64}")
_TREE_DIGITS = 32
MOST_SHOWN = 20
MOST_RULES = 10_000
"""Ignore and attribute files together."""
OWN_NOTES = ".degraded.json"
"""Ends the names of the notes that BigMind's check leaves in a log folder; they make nothing unclean."""
MOST_RULE_CHARACTERS = 4_000_000
"""Of all ignore and attribute files together."""
_KINDS = {"100755": PROGRAM, "120000": LINK, "160000": MODULE}
_LATEST = 253_402_300_799
"""The last second of the year 9999."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a repository stands: its branch, empty where the head is detached, and its commit, empty where none is."""

    branch: str
    commit: str


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit: its id, its time in seconds since 1970, and whether its tree is another than its first parent's."""

    id: str
    at: int
    subject: str
    changes: bool


@dataclass(frozen=True, slots=True)
class Cleanliness:
    """What is not committed.

    Attributes:
        dirty: paths that differ from the newest commit, or that it does not have; the first 20.
        count: of all of them.
        hidden: paths that rules hide which came since the run began; the first 20.
        not_judged: paths under a filter, and modules, of which the inside is not looked at; the first 20.
    """

    is_clean: bool
    dirty: tuple[str, ...] = ()
    count: int = 0
    hidden: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeDigest:
    """By which files are known together.

    Attributes:
        digest: hexadecimal.
        files: how many they are.
        not_judged: paths left out, because they are under a filter, and modules, known by the commit that is staged.
    """

    digest: str
    files: int
    not_judged: tuple[str, ...] = ()


class Repository:
    """A repository at the top of a workspace. It is looked at anew by each object; make one per look."""

    def __init__(self, folder: Folder, place: GitPlace) -> None:
        """`of` finds the place."""
        self._folder = folder
        self._place = replace(place, program=git_program(place.root))
        self._stamp = stamp(place)
        self._trees: dict[str, dict[str, WorkingFile]] = {}

    @classmethod
    def of(cls, folder: Folder) -> "Repository | None":
        """The repository at the top of a workspace; None where there is none.

        Raises:
            WorkspaceFault: when its `.git` leads somewhere that is not of this workspace, or git cannot read it.
        """
        place = place_of(folder)
        if place is None:
            return None
        repository = cls(folder, place)
        repository._ask("rev-parse", "--git-dir")
        return repository

    @property
    def identity(self) -> str:
        """Which repository it is: another one in its place has another."""
        return f"{self._place.common}:{self._stamp}"

    def head(self) -> Head:
        """Where it stands, as it was at the first look."""
        return self._head

    @cached_property
    def _head(self) -> Head:
        name = self._ask("symbolic-ref", "-q", "HEAD", allowed=(0, 1)).strip()
        commit = self._ask("rev-parse", "--verify", "-q", "HEAD^{commit}", allowed=(0, 1)).strip()
        return Head(plain(name.removeprefix("refs/heads/")), commit)

    def full(self, commit: str) -> str:
        """The full id of a commit that is there, of at least 7 of its digits; empty for anything else."""
        if not _HEX.fullmatch(commit):
            return ""
        found = self._ask("rev-parse", "--verify", "-q", f"{commit}^{{commit}}", allowed=(0, 1, 128)).strip()
        return found if found.startswith(commit) else ""  # a branch may have such a name, and leads elsewhere

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether one commit leads to another, or is it."""
        older, newer = self.full(old), self.full(new)
        return bool(older and newer) and not self._ask("rev-list", "--max-count=1", older, f"^{newer}").strip()

    def commits_since(self, start: str, most: int) -> list[Commit]:
        """The commits that the head has and `start` has not, the newest first."""
        return self._commits(f"--max-count={int(most)}", f"^{self._checked(start)}")

    def commits_after(self, moment: int, most: int) -> list[Commit]:
        """The commits of the head of which the time is not before a moment in seconds since 1970, the newest first."""
        return self._commits(f"--max-count={int(most)}", f"--max-age={int(moment)}")

    def _commits(self, *asked: str) -> list[Commit]:
        if not self._head.commit:
            return []
        told = self._ask("rev-list", "--format=%H%x00%T%x00%P%x00%ct%x00%s", *asked, self._head.commit)
        rows = [line.split("\0") for line in told.split("\n") if line.count("\0") == 4]  # noqa: PLR2004 - as above
        trees = {row[0]: row[1] for row in rows}
        parents = {row[2].split(" ")[0] for row in rows if row[2]} - trees.keys()
        trees |= {each: self._tree_of(each) for each in parents}
        return [
            Commit(name, _moment(at), plain(subject), not parent or trees.get(parent.split(" ")[0]) != tree)
            for name, tree, parent, at, subject in rows
        ]

    def _tree_of(self, commit: str) -> str:
        return self._ask("rev-parse", "--verify", "-q", f"{commit}^{{tree}}", allowed=(0, 1, 128)).strip()

    def changed_since(self, start: str, most: int) -> list[str]:
        """The paths that differ between a commit and the working files, in their order; at most so many.

        Of what is under a filter, those that differ between that commit and the newest.
        """
        before, head = self._committed(self._checked(start)), self._committed(self._head.commit)
        now = self._working | {each: head[each] for each in self._filtered if each in head}
        changed = [each for each in before.keys() | now.keys() if not _is_same(before.get(each), now.get(each))]
        return [_text(each) for each in sorted(changed)[:most]]

    def text_at(self, commit: str, path: str, most: int) -> str | None:
        """The text of a file at a commit; None where it is not there, or larger than so many bytes."""
        entry = self._committed(self._checked(commit)).get(path)
        if entry is None or entry.kind == MODULE or int(self._ask("cat-file", "-s", entry.id)) > most:
            return None
        return text_of(self._git("cat-file", "blob", entry.id))

    def tree(self, without: Sequence[str] = ()) -> TreeDigest:
        """The working files as one digest, without those paths and what is below them.

        It is the same on every system, and the same before files are committed and after.
        """
        return self._digest({path: file.plain for path, file in self._working.items()}, without)

    def committed_tree(self, without: Sequence[str] = ()) -> TreeDigest:
        """The same of the newest commit: equal where everything is committed."""
        working, committed = self._working, self._committed(self._head.commit)
        ids = {path: _plain_id(entry, working.get(path)) for path, entry in committed.items()}
        return self._digest(ids, without)

    def _digest(self, ids: Mapping[str, str], without: Sequence[str]) -> TreeDigest:
        aside = tuple(f"{each.rstrip('/')}/" for each in without)
        hashed, count = hashlib.sha256(), 0
        for path in sorted(ids):
            is_aside = path in without or path.startswith(aside) or path.endswith(OWN_NOTES)
            if is_aside or path in self._filtered:
                continue
            hashed.update(bytes_of(path) + b"\0" + ids[path].encode() + b"\n")
            count += 1
        return TreeDigest(hashed.hexdigest()[:_TREE_DIGITS], count, self._not_judged)

    def hiding(self) -> str:
        """All that hides files from its status: the lines of its ignore files and of its filters, as JSON in ASCII.

        Raises:
            WorkspaceFault: also when there are more of them than are looked through.
        """
        return json.dumps(self._rules, sort_keys=True)

    def cleanliness(self, hiding: str = "") -> Cleanliness:
        """What is not committed, and what is hidden by rules that came after `hiding` was recorded."""
        committed, working = self._committed(self._head.commit), self._working
        paths = (each for each in committed.keys() | working.keys() if each not in self._filtered)
        dirty = sorted(each for each in paths if self._is_dirty(each, committed.get(each), working.get(each)))
        hidden = self._hidden(hiding)
        return Cleanliness(not dirty and not hidden, _shown(dirty), len(dirty), _shown(hidden), self._not_judged)

    def _is_dirty(self, path: str, committed: WorkingFile | None, working: WorkingFile | None) -> bool:
        is_own = committed is None and path.endswith(OWN_NOTES)
        return not is_own and not _is_same(committed, working)

    def _hidden(self, hiding: str) -> list[str]:
        known = rules_told(hiding)
        if not hiding or known == self._rules:
            return []
        found = sorted(self._filtered) if known.get("filter", []) != self._rules["filter"] else []
        before = {name: lines for name, lines in known.items() if name != "filter"}
        if before != {name: lines for name, lines in self._rules.items() if name != "filter"}:
            found += newly_hidden(self._place, self._untracked.ignored, before)
        return sorted(set(found))

    def hooks(self, system: str = sys.platform) -> Path:
        """The folder of the hooks that git runs; `system` as `sys.platform` says it.

        Raises:
            WorkspaceFault: when it lies outside of the repository and of the workspace.
        """
        told = self._ask("config", "--local", "--no-includes", "--get", "core.hooksPath", allowed=(0, 1)).strip()
        named = self._place.root / told if told else self._place.common / "hooks"
        is_away = leads_away(self._place.root, told or str(named), (self._place.root,), system)
        folder = named if is_away else Path(os.path.realpath(named))
        if is_away or not {self._place.root, self._place.common}.intersection(folder.parents):
            raise WorkspaceFault(f"Hooks lie outside of the workspace: {plain(str(named))}", "outside")
        return folder

    @cached_property
    def _rules(self) -> dict[str, list[str]]:
        """The lines that hide files, by the file that they stand in; those of filters under `filter`."""
        every = sorted({*self._committed(self._head.commit), *self._paths, *self._untracked.ignored})
        attributes = [each for each in every if each.rpartition("/")[2] == ".gitattributes"]
        ignores = [each for each in every if each.rpartition("/")[2] == ".gitignore"]
        if len(attributes) + len(ignores) > MOST_RULES:
            raise WorkspaceFault(f"The workspace has more than {MOST_RULES:,} ignore files.", "too_large")
        rules = {each: self._lines(each) for each in ignores}
        rules[EXCLUDE] = rules_of(self._place.common / EXCLUDE)
        lines = [(each, line) for each in attributes for line in self._lines(each)]
        lines += [("info/attributes", line) for line in rules_of(self._place.common / "info" / "attributes")]
        if sum(len(line) for found in rules.values() for line in found) + sum(map(len, lines)) > MOST_RULE_CHARACTERS:
            raise WorkspaceFault("The ignore files of the workspace are too large.", "too_large")
        return {name: found for name, found in rules.items() if found} | {"filter": converting(lines)}

    def _lines(self, path: str) -> list[str]:
        return rules_of(self._place.root / path) if self._files.are_in_folders([path]) else []

    @cached_property
    def _filtered(self) -> frozenset[str]:
        """The paths before which a filter stands: what lies there is not what is committed, and only it knows."""
        if not self._rules["filter"]:
            return frozenset()
        every = sorted({*self._committed(self._head.commit), *self._paths})
        asked = self._files.are_in_folders(every)  # git would look for rules behind a link
        given = b"".join(bytes_of(each) + b"\0" for each in asked)
        parts = _split(self._git("check-attr", "-z", "--stdin", *CONVERSIONS, given=given))
        told = zip(parts[::3], parts[2::3], strict=False)
        return frozenset(path for path, value in told if value not in {"unspecified", "unset"})

    @cached_property
    def _not_judged(self) -> tuple[str, ...]:
        modules = {path for path, file in self._working.items() if file.kind == MODULE}
        return _shown(sorted(self._filtered | modules))

    @cached_property
    def _algorithm(self) -> str:
        return self._ask("rev-parse", "--show-object-format").strip() or "sha1"

    @cached_property
    def _has_programs(self) -> bool:
        asked = ("config", "--local", "--no-includes", "--type=bool", "--get", "core.fileMode")
        return HAS_MODES and self._ask(*asked, allowed=(0, 1)).strip() != "false"

    @cached_property
    def _index(self) -> list[tuple[str, str, str]]:
        """What is staged: mode, id and path."""
        rows = (each.partition("\t") for each in _split(self._git("ls-files", "-z", "-s")))
        parts = ((told.split(" "), path) for told, _, path in rows)
        return [(told[0], told[1], path) for told, path in parts]

    @cached_property
    def _untracked(self) -> Untracked:
        modules = [path for mode, _, path in self._index if _KINDS.get(mode) == MODULE]
        return untracked_of(self._place, [path for *_, path in self._index], modules)

    @cached_property
    def _paths(self) -> dict[str, WorkingFile | None]:
        """The paths that may lie in the working files: committed, staged, or neither; modules by their staged ids."""
        found: dict[str, WorkingFile | None] = dict.fromkeys(self._committed(self._head.commit))
        for mode, name, path in self._index:
            found[path] = WorkingFile(name, name, MODULE) if _KINDS.get(mode) == MODULE else None
        for path in self._untracked.shown:
            other = WorkingFile("repository", "repository", OTHER_REPOSITORY) if path.endswith("/") else None
            found.setdefault(path, other)  # another repository is not entered, and is nothing that was committed
        return found

    @cached_property
    def _files(self) -> WorkingFiles:
        return WorkingFiles(self._place.root, self._algorithm, has_programs=self._has_programs)

    @cached_property
    def _working(self) -> dict[str, WorkingFile]:
        """What lies in the working files."""
        found = self._files.found(path for path, module in self._paths.items() if module is None)
        return found | {path: module for path, module in self._paths.items() if module is not None}

    def _committed(self, commit: str) -> Mapping[str, WorkingFile]:
        """What a commit holds, by its full id; nothing for none."""
        if not commit:
            return {}
        if commit not in self._trees:
            entries = _split(self._git("ls-tree", "-r", "-z", "--full-tree", commit))
            rows = (entry.partition("\t") for entry in entries)
            self._trees[commit] = {path: self._entry(*told.split(" ")) for told, _, path in rows}
        return self._trees[commit]

    def _entry(self, mode: str, _: str, name: str) -> WorkingFile:
        kind = _KINDS.get(mode, "")
        counts = kind == MODULE or (HAS_MODES and (kind != PROGRAM or self._has_programs))
        return WorkingFile(name, name, kind if counts else "")

    def _checked(self, commit: str) -> str:
        if found := self.full(commit):
            return found
        raise WorkspaceFault("That is no id of a commit that is there.", "missing")

    def _ask(self, *arguments: str, allowed: Sequence[int] = (0,)) -> str:
        return self._git(*arguments, allowed=allowed).decode("utf-8", "surrogateescape")

    def _git(self, *arguments: str, given: bytes = b"", allowed: Sequence[int] = (0,)) -> bytes:
        told = git(self._place, *arguments, given=given, allowed=allowed)
        if stamp(self._place) != self._stamp:
            raise WorkspaceFault("The repository was replaced while it was looked at.", "link")
        return told


def _split(told: bytes) -> list[str]:
    return [path_of(each) for each in told.split(b"\0") if each]


def _is_same(committed: WorkingFile | None, working: WorkingFile | None) -> bool:
    if committed is None or working is None:
        return committed is working
    return committed.kind == working.kind and committed.id in {working.id, working.plain}


def _plain_id(committed: WorkingFile, working: WorkingFile | None) -> str:
    """The id of what is committed, with line ends as git keeps them where that is known."""
    return working.plain if working is not None and committed.id in {working.id, working.plain} else committed.id


def _moment(told: str) -> int:
    return min(int(told), _LATEST) if told.isdecimal() else 0


def _text(path: str) -> str:
    """A path without bytes that are no text."""
    return bytes_of(path).decode("utf-8", "replace")


def _shown(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(plain(each, 1_000) for each in paths[:MOST_SHOWN])
