"""The git repository of a workspace: where it stands, what came since a commit, what is not committed."""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bigmind.core.shapes import as_object, is_list
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.git_command import GitPlace, git
from bigmind.workspace.working_files import WorkingFiles

_HEX = re.compile(r"[0-9a-f]{7,64}")
_TREE_DIGITS = 32
MOST_SHOWN = 20
MOST_RULES = 2_000
OWN_NOTES = ".degraded.json"
"""Ends the names of the notes that BigMind's check leaves in a log folder; they make nothing unclean."""
_RULE_FILES = (".gitignore",)
_LINK, _MODULE = "120000", "160000"


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
        not_judged: paths under a filter; the first 20.
    """

    is_clean: bool
    dirty: tuple[str, ...] = ()
    count: int = 0
    hidden: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeDigest:
    """By which files are known together: hexadecimal; how many they are, and which are left out, under a filter."""

    digest: str
    files: int
    not_judged: tuple[str, ...] = ()


class Repository:
    """A repository at the top of a workspace. It is looked at anew by each object; make one per look."""

    def __init__(self, place: GitPlace) -> None:
        """`of` finds the place."""
        self._place = place

    @classmethod
    def of(cls, folder: Folder) -> "Repository | None":
        """The repository at the top of a workspace; None where there is none.

        Raises:
            WorkspaceFault: when its `.git` leads somewhere that is not of this workspace, or git cannot read it.
        """
        found = _git_folder(folder)
        if found is None:
            return None
        repository = cls(GitPlace(found, _common(found), folder.root))
        repository._ask("rev-parse", "--git-dir")
        return repository

    @cached_property
    def identity(self) -> str:
        """Which repository it is: another one in its place has another."""
        state = self._place.common.stat()
        return f"{self._place.common}:{state.st_dev}:{state.st_ino}"

    def head(self) -> Head:
        """Where it stands."""
        name = self._ask("symbolic-ref", "-q", "HEAD", allowed=(0, 1)).strip()
        commit = self._ask("rev-parse", "--verify", "-q", "HEAD^{commit}", allowed=(0, 1)).strip()
        return Head(name.removeprefix("refs/heads/"), commit)

    def full(self, commit: str) -> str:
        """The full id of a commit that is there, of at least 7 of its digits; empty for anything else."""
        if not _HEX.fullmatch(commit):
            return ""
        asked = ("rev-parse", "--verify", "-q", "--end-of-options", f"{commit}^{{commit}}")
        found = self._ask(*asked, allowed=(0, 1, 128)).strip()
        return found if found.startswith(commit) else ""

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether one commit leads to another, or is it."""
        if not (_HEX.fullmatch(old) and _HEX.fullmatch(new)):
            return False
        place, asked = self._place, ("merge-base", "--is-ancestor", old, new)
        try:
            git(place, *asked)
        except WorkspaceFault:
            return False
        return True

    def commits_since(self, start: str, most: int) -> list[Commit]:
        """The commits that the head has and `start` has not, the newest first."""
        return self._commits(f"--max-count={int(most)}", f"{self._checked(start)}..HEAD")

    def commits_after(self, moment: int, most: int) -> list[Commit]:
        """The commits of the head of which the time is not before a moment in seconds since 1970, the newest first."""
        return self._commits(f"--max-count={int(most)}", f"--since={int(moment)}", "HEAD") if self.head().commit else []

    def _commits(self, *asked: str) -> list[Commit]:
        told = self._ask("rev-list", "--format=%H%x00%T%x00%P%x00%ct%x00%s", *asked)
        rows = [line.split("\0") for line in told.split("\n") if line.count("\0") == 4]  # noqa: PLR2004 - as above
        trees = {row[0]: row[1] for row in rows}
        parents = {row[2].split(" ")[0] for row in rows if row[2]} - trees.keys()
        trees |= {each: self._tree_of(each) for each in parents}
        return [
            Commit(name, int(at), subject, not parent or trees.get(parent.split(" ")[0]) != tree)
            for name, tree, parent, at, subject in rows
        ]

    def _tree_of(self, commit: str) -> str:
        return self._ask("rev-parse", "--verify", "-q", f"{commit}^{{tree}}", allowed=(0, 1, 128)).strip()

    def changed_since(self, start: str, most: int) -> list[str]:
        """The paths that differ between a commit and the working files, in their order; at most so many."""
        before, now = self._committed(self._checked(start)), self._working
        return sorted(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))[:most]

    def text_at(self, commit: str, path: str, most: int) -> str | None:
        """The text of a file at a commit; None where it is not there, or larger than so many bytes."""
        blob = self._committed(self._checked(commit)).get(path)
        if blob is None or int(self._ask("cat-file", "-s", blob)) > most:
            return None
        return git(self._place, "cat-file", "blob", blob).decode("utf-8", "replace")

    def tree(self, without: Sequence[str] = ()) -> TreeDigest:
        """The working files as one digest, without those paths and what is below them."""
        return _digest(self._working, self._filtered, without)

    def committed_tree(self, without: Sequence[str] = ()) -> TreeDigest:
        """The same of the newest commit: equal where everything is committed."""
        return _digest(self._committed("HEAD"), self._filtered, without)

    def hiding(self) -> str:
        """All that hides files from its status: the lines of its ignore files and filter rules, as JSON."""
        return json.dumps(self._rules, ensure_ascii=False, sort_keys=True)

    def cleanliness(self, hiding: str = "") -> Cleanliness:
        """What is not committed, and what is hidden by rules that came after `hiding` was recorded."""
        committed, working = self._committed("HEAD"), self._working
        paths = [each for each in committed.keys() | working.keys() if committed.get(each) != working.get(each)]
        dirty = sorted(each for each in paths if each not in self._filtered and not _is_own(each, committed))
        hidden = self._hidden(hiding)
        filtered = tuple(sorted(self._filtered)[:MOST_SHOWN])
        is_clean = not dirty and not hidden
        return Cleanliness(is_clean, tuple(dirty[:MOST_SHOWN]), len(dirty), tuple(hidden[:MOST_SHOWN]), filtered)

    def _hidden(self, hiding: str) -> list[str]:
        known = _rules_in(hiding)
        if not hiding or known == self._rules:
            return []
        new_filters = set(self._rules["filter"]) - set(known.get("filter", ()))
        found = sorted(self._filtered) if new_filters else []
        told = git(self._place, "ls-files", "-z", "-o", "-i", "--exclude-standard", "--directory")
        if told:
            asked = ("check-ignore", "-v", "-z", "--stdin", "--no-index")
            parts = _split(git(self._place, *asked, given=told, allowed=(0, 1)))
            for source, _, pattern, path in zip(parts[::4], parts[1::4], parts[2::4], parts[3::4], strict=False):
                if pattern not in known.get(self._source(source), ()):
                    found.append(path)
        return found

    def _source(self, named: str) -> str:
        return "info/exclude" if Path(named).name == "exclude" else named

    def hooks(self) -> Path:
        """The folder of the hooks that git runs.

        Raises:
            WorkspaceFault: when a setting names a folder outside of the workspace.
        """
        told = self._ask("config", "--local", "--no-includes", "--get", "core.hooksPath", allowed=(0, 1)).strip()
        if not told:
            return self._place.common / "hooks"
        folder = Path(os.path.realpath(self._place.root / told))
        if self._place.root not in folder.parents:
            raise WorkspaceFault(f"core.hooksPath names a folder outside of the workspace: {told[:200]}", "outside")
        return folder

    @cached_property
    def _rules(self) -> dict[str, list[str]]:
        """The lines that hide files, by the file that they stand in; those of filters under `filter`."""
        paths = [each for each in (*self._committed("HEAD"), *self._working) if each.endswith(_RULE_FILES)]
        rules = {each: _lines(self._place.root / each) for each in sorted({*paths, ".gitignore"})[:MOST_RULES]}
        rules["info/exclude"] = _lines(self._place.common / "info" / "exclude")
        attributes = [self._place.root / each for each in self._attribute_files]
        lines = [line for file in (*attributes, self._info_attributes) for line in _lines(file)]
        rules["filter"] = sorted({each for each in lines if "filter" in each or "[attr]" in each})
        return {name: found for name, found in rules.items() if found or name == "filter"}

    @property
    def _info_attributes(self) -> Path:
        return self._place.common / "info" / "attributes"

    @cached_property
    def _attribute_files(self) -> list[str]:
        every = {*self._committed("HEAD"), *self._paths}
        return sorted(each for each in every if each.rpartition("/")[2] == ".gitattributes")[:MOST_RULES]

    @cached_property
    def _filtered(self) -> frozenset[str]:
        """The paths before which a filter stands: what lies there is not what is committed, and only it knows."""
        if not self._attribute_files and not self._info_attributes.exists():
            return frozenset()
        given = b"\0".join(map(os.fsencode, sorted({*self._committed("HEAD"), *self._paths})))
        parts = _split(git(self._place, "check-attr", "-z", "--stdin", "filter", given=given + b"\0"))
        told = zip(parts[::3], parts[2::3], strict=False)
        return frozenset(path for path, value in told if value not in {"unspecified", "unset"})

    @cached_property
    def _algorithm(self) -> str:
        return self._ask("rev-parse", "--show-object-format").strip() or "sha1"

    @cached_property
    def _paths(self) -> dict[str, str]:
        """The paths that may lie in the working files: committed, staged, or neither; the ids of modules with them."""
        found = dict.fromkeys(self._committed("HEAD"), "")
        for entry in _split(git(self._place, "ls-files", "-z", "-s")):
            mode, _, rest = entry.partition(" ")
            name, _, path = rest.partition("\t")
            found[path] = name.partition(" ")[0] if mode == _MODULE else ""
        for path in _split(git(self._place, "ls-files", "-z", "-o", "--exclude-standard")):
            if not path.endswith("/"):  # another repository, which is not entered
                found.setdefault(path, "")
        return found

    @cached_property
    def _working(self) -> dict[str, str]:
        """What lies in the working files, by the ids of their bytes; as committed where only line ends differ."""
        committed = self._committed("HEAD")
        modules = {path: name for path, name in self._paths.items() if name}
        ids = WorkingFiles(self._place.root, self._algorithm).ids(each for each in self._paths if each not in modules)
        found = {path: plain if committed.get(path) == plain else name for path, (name, plain) in ids.items()}
        return found | modules

    def _committed(self, commit: str) -> Mapping[str, str]:
        """What a commit holds: paths, and the ids of their bytes."""
        known: dict[str, dict[str, str]] = self.__dict__.setdefault("_trees", {})
        if commit not in known:
            if commit == "HEAD" and not self.head().commit:
                return known.setdefault(commit, {})
            entries = _split(git(self._place, "ls-tree", "-r", "-z", "--full-tree", commit))
            rows = (entry.partition("\t") for entry in entries)
            known[commit] = {path: told.split(" ")[2] for told, _, path in rows}
        return known[commit]

    def _checked(self, commit: str) -> str:
        if not _HEX.fullmatch(commit):
            raise WorkspaceFault("That is no id of a commit.")
        return commit

    def _ask(self, *arguments: str, allowed: Sequence[int] = (0,)) -> str:
        return git(self._place, *arguments, allowed=allowed).decode("utf-8", "surrogateescape")


def _split(told: bytes) -> list[str]:
    return [os.fsdecode(each) for each in told.split(b"\0") if each]


def _digest(files: Mapping[str, str], filtered: Iterable[str], without: Sequence[str]) -> TreeDigest:
    left_out = set(filtered)
    aside = tuple(f"{each.rstrip('/')}/" for each in without)
    hashed, count = hashlib.sha256(), 0
    for path in sorted(files):
        if path in left_out or path in without or path.startswith(aside) or path.endswith(OWN_NOTES):
            continue
        hashed.update(os.fsencode(path) + b"\0" + files[path].encode() + b"\n")
        count += 1
    return TreeDigest(hashed.hexdigest()[:_TREE_DIGITS], count, tuple(sorted(left_out)[:MOST_SHOWN]))


def _is_own(path: str, committed: Mapping[str, str]) -> bool:
    return path.endswith(OWN_NOTES) and path not in committed


def _lines(file: Path) -> list[str]:
    """The rules of an ignore file, without comments; none where it cannot be read."""
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > 1_000_000:  # noqa: PLR2004 - bytes
            return []
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _rules_in(hiding: str) -> dict[str, list[str]]:
    try:
        told = as_object(json.loads(hiding or "{}"))
    except ValueError:
        return {}
    return {name: [str(each) for each in lines] for name, lines in told.items() if is_list(lines)}


def _git_folder(folder: Folder) -> Path | None:
    entry = folder.root / ".git"
    if entry.is_symlink():
        raise WorkspaceFault("The .git of this workspace is a link; BigMind follows none.", "link")
    if entry.is_dir():
        return entry
    if not entry.is_file():
        return None
    told = folder.read(".git", 4_096).text.strip()
    target = Path(os.path.realpath(folder.root / told.removeprefix("gitdir:").strip()))
    if not told.startswith("gitdir:") or not target.is_dir() or not _leads_back(target, folder.root):
        raise WorkspaceFault("The .git of this workspace leads to a repository that does not know it.", "outside")
    return target


def _leads_back(git_folder: Path, root: Path) -> bool:
    """Whether the repository that a `.git` file names says that this is its workspace: a worktree, or a module."""
    back = git_folder / "gitdir"
    if back.is_file():
        return Path(os.path.realpath(back.read_text(encoding="utf-8", errors="replace").strip())) == root / ".git"
    lines = _lines(git_folder / "config")
    named = [line.partition("=")[2].strip() for line in lines if line.strip().startswith("worktree")]
    return any(Path(os.path.realpath(git_folder / each.strip('"'))) == root for each in named)


def _common(git_folder: Path) -> Path:
    """The folder that the worktrees of a repository share."""
    told = _lines(git_folder / "commondir")
    return Path(os.path.realpath(git_folder / told[0])) if told else git_folder
