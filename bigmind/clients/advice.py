"""What a person should know of a plan before they say yes to it."""

import json
from pathlib import Path

from bigmind.clients.connecting import Plan
from bigmind.clients.editing.file_text import BOM
from bigmind.clients.files.writer import Root
from bigmind.clients.install_site import Site
from bigmind.clients.parts import Item
from bigmind.clients.targets.shared import hook_mark
from bigmind.disk.existence import is_known_file, is_known_folder
from bigmind.hooks.client_events import EDIT


def warnings(site: Site, plan: Plan, command: str) -> list[str]:
    """In sentences; none for a plan without a catch. `command` is what clients start."""
    return [*unread(site, plan), *_permissions(plan), *_own_path(site, plan, command), *_in_repository(site, plan)]


def held_edits(site: Site, plan: Plan, offer: frozenset[str]) -> list[str]:
    """What holding edits to claimed work means, where the plan does; `offer`: the tools that the client is offered."""
    mark = hook_mark(EDIT, site.target.name)
    if not any(isinstance(each, Item) and each.mark == mark for each in plan.parts):
        return []
    told = (
        f"While it holds no claimed item, {site.target.title} changes no file in {site.workspace}. Shell commands are "
        "not looked at, and while BigMind is down or paused, edits pass, and it says so. To lift it: “Let edits pass” "
        "on the page Assistants, or "
        f"`bigmind clients install {site.target.name} --workspace {site.workspace} --no-edits`."
    )
    lacking = f"It is not offered the tools of work: `bigmind clients toolsets {site.target.name} default,work`."
    return [told, *([lacking] if not {"work_transition", "mindspace_book_transition"} & offer else [])]


def unread(site: Site, plan: Plan) -> list[str]:
    """Files that the client would drop, because it reads plain JSON only."""
    after = {each.path: each.after for each in plan.changes}
    paths = dict.fromkeys(each.file for each in plan.parts if each.file.name in site.target.strict)
    found = [(path, _fault(after[path] if path in after else site.read(path))) for path in paths]
    return [
        f"{site.target.title} ignores the whole of {path} because of line {line}: it reads neither comments nor a "
        "comma before a closing bracket. Until that is taken out, no hook of BigMind runs."
        for path, line in found
        if line
    ]


def _fault(data: bytes | None) -> int:
    """The line at which plain JSON ends; 0 for a file that is whole, or not there."""
    try:
        json.loads((data or b"{}").decode("utf-8", "replace").removeprefix(BOM))
    except json.JSONDecodeError as error:
        return error.lineno
    return 0


def _permissions(plan: Plan) -> list[str]:
    allowed = any(isinstance(each, Item) and each.steps[-2:] == ("permissions", "allow") for each in plan.parts)
    return ["It is allowed to use BigMind's tools without asking each time."] if allowed and plan.changes else []


def _own_path(site: Site, plan: Plan, command: str) -> list[str]:
    if site.workspace is None or not Path(command).is_absolute():
        return []
    named = [each.path.name for each in plan.changes if each.after and _names(each.after, command)]
    return [f"{', '.join(named)}: a path of this machine stands there; do not give it to others."] if named else []


def _in_repository(site: Site, plan: Plan) -> list[str]:
    """Files that hold the token and lie in a Git repository, as many keep their settings."""
    files = [each.path for each in plan.changes if each.is_private and each.after is not None]
    found = {path: folder for path in files if (folder := _repository(site.root, path)) is not None}
    return [
        f"{path} holds the token of {site.target.title} then, and {folder} is a Git repository: keep that file out of "
        "what you commit."
        for path, folder in found.items()
    ]


def _repository(root: Root, path: Path) -> Path | None:
    folders = [each for each in root.real(path).parents if each.is_relative_to(root.folder.resolve())]
    return next((each for each in folders if is_known_folder(each / ".git") or is_known_file(each / ".git")), None)


def _names(data: bytes, command: str) -> bool:
    return json.dumps(command)[1:-1].encode() in data
