"""Rules that hide or convert files, and which files they hide that rules as they were before did not."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from bigmind.core.shapes import as_object, is_list
from bigmind.workspace.folder import WorkspaceFault
from bigmind.workspace.git_command import GitPlace, GitProgram, git
from bigmind.workspace.windows_names import bytes_of, path_of
from bigmind.workspace.working_files import is_inside

EXCLUDE = "info/exclude"
CACHES = frozenset(
    {
        *(".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", "__pycache__"),
        *(".venv", ".tox", ".nox", "node_modules"),
    }
)
"""Folders that tools make, many of which hide themselves: they are no work that somebody would commit."""
CONVERSIONS = ("filter", "working-tree-encoding", "ident")
"""Attributes by which what lies in the working files is not what is committed."""
_MOST_FOLDERS = 10_000


def converting(lines: Sequence[tuple[str, str]]) -> list[str]:
    """The lines of attribute files by which files are converted, with their files: by name, or by a macro."""
    macros = {line.split()[0].removeprefix("[attr]") for _, line in lines if line.startswith("[attr]")}
    words = (*CONVERSIONS, *macros, "[attr]")
    return [f"{file}: {line}" for file, line in lines if any(word in line for word in words)]


def rules_told(hiding: str) -> dict[str, list[str]]:
    """The lines by their files, as `Repository.hiding` told them; none where they cannot be read."""
    try:
        told = as_object(json.loads(hiding or "{}"))
    except ValueError:
        return {}
    return {name: [str(each) for each in lines] for name, lines in told.items() if is_list(lines)}


def newly_hidden(place: GitPlace, listed: Sequence[str], before: Mapping[str, Sequence[str]]) -> list[str]:
    """The paths that are hidden now, and would not be by the rules of before.

    Args:
        place: the repository.
        listed: the paths that it does not show, folders with a slash at their end.
        before: the lines of the ignore files, by their paths; of the repository's own by `EXCLUDE`.

    Raises:
        WorkspaceFault: when git cannot be asked.
    """
    asked = [each for each in listed if not CACHES.intersection(each.split("/"))]
    hidden = hidden_of(place, asked)
    if not hidden:
        return []
    try:
        with tempfile.TemporaryDirectory(prefix="bigmind-rules-", ignore_cleanup_errors=True) as base:
            known = set(hidden_of(_place_with(Path(base).resolve(), hidden, before, place.program), hidden))
    except OSError as error:
        raise WorkspaceFault(f"The rules of before cannot be tried: {error.strerror}.") from None
    return [each for each in hidden if each not in known]


def hidden_of(place: GitPlace, paths: Sequence[str]) -> list[str]:
    """Those of some paths that are hidden themselves, or lie in a folder that is.

    Raises:
        WorkspaceFault: when git cannot be asked.
    """
    given = b"".join(bytes_of(each) + b"\0" for each in paths)
    if not given:
        return []
    told = git(place, "check-ignore", "-z", "--stdin", "--no-index", given=given, allowed=(0, 1))
    return [path_of(each) for each in told.split(b"\0") if each]


def _place_with(
    root: Path, paths: Sequence[str], rules: Mapping[str, Sequence[str]], program: GitProgram | None
) -> GitPlace:
    """An empty repository with those ignore files, and the folders among the paths: rules may be of folders alone."""
    own = root / ".git"
    for each in ("objects", "refs", "info"):
        (own / each).mkdir(parents=True)
    (own / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    for each in paths[:_MOST_FOLDERS]:
        if each.endswith("/") and is_inside(each.rstrip("/")):
            (root / each).mkdir(parents=True, exist_ok=True)
    for name, lines in rules.items():
        file = own / EXCLUDE if name == EXCLUDE else root / name
        if name == EXCLUDE or (is_inside(name) and name.rpartition("/")[2] == ".gitignore"):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(bytes_of("".join(f"{each}\n" for each in lines)))
    return GitPlace(own, own, root, program)
