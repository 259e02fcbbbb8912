"""The folders that a person opened: found by where a client works, or by the project; opened and closed."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, invalid, not_found, shown
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.core.operation import Mode
from bigmind.disk.windows_paths import leads_to_another_machine, names_another_machine
from bigmind.local.project import LONGEST_PATH, project_of
from bigmind.paths import expanded
from bigmind.store.work import Work
from bigmind.workspace.system_folders import what_holds_more
from bigmind.workspace.tables import Workspace
from bigmind.workspace.windows_names import without_prefix


def real_folder(path: str) -> Path:
    """A folder by its real path.

    Raises:
        BigMindError: `invalid_input`, for a path that is not absolute, too long, or no folder; for the home of nobody.
    """
    given = expanded("workspace", path)
    if len(path) > LONGEST_PATH or not given.is_absolute():
        raise invalid("workspace", path, f"the absolute path of a folder, at most {LONGEST_PATH} characters")
    try:
        folder = Path(without_prefix(str(given.resolve(strict=True))))
    except (OSError, ValueError, RuntimeError):
        raise invalid("workspace", path, "a folder that is there") from None
    if not folder.is_dir():
        raise invalid("workspace", path, "a folder; this is none")
    return folder


def workspace_at(work: Work, path: str, system: str = sys.platform) -> Workspace:
    """The opened workspace that a folder lies in, the nearest above it.

    Raises:
        BigMindError: `invalid_input`; `workspace_not_opened`, saying what to click.
    """
    if not path:
        raise BigMindError(
            Code.WORKSPACE_NOT_OPENED,
            "It is not known in which folder you work.",
            "Pass workspace, the absolute path of the folder that a person opened.",
        )
    folder = _folder_named(work, path, system)
    above = [str(each) for each in (folder, *folder.parents)]
    rows = work.session.exec(select(Workspace).where(_mine(work), col(Workspace.path).in_(above))).all()
    opened = [each for each in rows if each.closed_at is None]
    if not opened:
        raise not_opened(str(folder) if work.mode is Mode.PERSONAL else path)
    return max(opened, key=lambda each: len(each.path))


def _folder_named(work: Work, path: str, system: str) -> Path:
    """The folder that an agent named. Of a team's server nobody is told what is there, and where links lead."""
    if _is_away(work, path, system):
        raise not_opened(path)
    try:
        return real_folder(path)
    except BigMindError:
        if work.mode is Mode.PERSONAL:
            raise
        raise not_opened(path) from None


def _is_away(work: Work, path: str, system: str) -> bool:
    """Whether it is on another machine than every opened folder; nothing of one is looked at for it."""
    if system != "win32":
        return False
    near, folder = _open_paths(work), expanded("workspace", path)
    is_whole = folder.is_absolute() and len(path) <= LONGEST_PATH
    return names_another_machine(path, near, system) or (is_whole and leads_to_another_machine(folder, near, system))


def _open_paths(work: Work) -> Sequence[str]:
    return work.session.exec(select(Workspace.path).where(_mine(work), col(Workspace.closed_at).is_(None))).all()


def not_opened(path: str) -> BigMindError:
    """What is said of a folder that no person opened."""
    return BigMindError(
        Code.WORKSPACE_NOT_OPENED,
        f"BigMind does not look into {shown(path, 200)}: no person opened this workspace.",
        "Ask the person to open it: in BigMind's window, page Protocol, Open a workspace.",
    )


def workspace_of_project(work: Work, project: str | None) -> Workspace | None:
    """The opened workspace of a project, the one that was opened last where there are several."""
    if not project:
        return None
    found = select(Workspace).where(_mine(work), Workspace.project == project, col(Workspace.closed_at).is_(None))
    return work.session.exec(found.order_by(col(Workspace.opened_at).desc()).limit(1)).first()


def workspaces(work: Work) -> list[Workspace]:
    """The caller's workspaces, those that are open first, each by its path."""
    rows = work.session.exec(select(Workspace).where(_mine(work)).order_by(col(Workspace.path))).all()
    return sorted(rows, key=lambda each: each.closed_at is not None)


def workspace_with_id(work: Work, uid: str) -> Workspace:
    """A workspace of the caller's.

    Raises:
        BigMindError: `not_found`.
    """
    row = work.session.exec(select(Workspace).where(_mine(work), Workspace.uid == uid)).first()
    if row is None:
        raise not_found("workspace", uid, "The page Protocol lists them.")
    return row


def open_workspace(work: Work, path: str) -> Workspace:
    """Open a folder, or one that was closed again.

    Raises:
        BigMindError: `invalid_input`, for what is no folder, and for one that holds more than a workspace: a folder
            of the system, the root of a drive, a home, BigMind's own data.
    """
    folder = real_folder(path)
    if too_much := _holds_too_much(folder, work.host.settings.home):
        raise invalid("workspace", path, f"the folder of one project; this is {too_much}")
    row = work.session.exec(select(Workspace).where(Workspace.path == str(folder))).first()
    if row is not None and row.user_id != work.caller.user_id:
        raise BigMindError(Code.CONFLICT, "Another user opened this folder.", "Use a folder of your own.")
    row = row or Workspace(uid=new_id(), user_id=work.caller.user_id, path=str(folder), opened_at=work.now)
    row.project, row.opened_at, row.closed_at = project_of(folder) or folder.name, work.now, None
    work.session.add(row)
    work.session.flush()
    _tell(work, row)
    return row


def close_workspace(work: Work, row: Workspace) -> None:
    """Look into a folder no more; what a person took and approved there is kept."""
    row.closed_at = work.now
    work.session.add(row)
    _tell(work, row)


def _holds_too_much(folder: Path, home: Path) -> str:
    if told := what_holds_more(folder):
        return told
    own = Path(os.path.realpath(home))
    return "BigMind's own data, or what holds it" if own == folder or folder in own.parents else ""


def _mine(work: Work) -> bool:
    return Workspace.user_id == work.caller.user_id


def _tell(work: Work, row: Workspace) -> None:
    work.changed(Kind.SETTINGS, f"workspace {row.uid}"[:40], Action.UPDATED)
