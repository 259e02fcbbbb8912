"""Cursor.

From cursor.com/docs/{mcp,hooks,rules}. A server with an address has no `type`. `version` has to stand in `hooks.json`;
the hooks of the person and of a workspace are both run. On Windows a hook's line goes to cmd
(obra/superpowers#1250). Rules of the person stand in its settings only, in no file: a workspace's `.mdc` is read
always where it says `alwaysApply`.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Entry, Format, Item, OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import (
    Shell,
    hook_command,
    hook_mark,
    http_value,
    server_entry,
    shell,
    stdio_value,
)
from bigmind.hooks.client_events import HOOKS, HookEvent

NAME = "cursor"
FRONT = "---\ndescription: Long-term memory with BigMind\nalwaysApply: true\n---\n"


def _signs(places: Places) -> Sequence[Path]:
    return (places.home / ".cursor", places.application_data / "Cursor" / "User")


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        own = wanted.workspace / ".cursor"
        return (
            server_entry(own / "mcp.json", stdio_value(wanted, NAME)),
            OwnFile(own / "rules" / "bigmind.mdc", FRONT + wanted.instructions),
        )
    own = places.home / ".cursor"
    return (
        server_entry(own / "mcp.json", http_value(wanted), wanted.token),
        Entry(own / "hooks.json", Format.JSON, ("version",), 1),
        *(_item(places, wanted, own / "hooks.json", hook) for hook in HOOKS[NAME]),
    )


def _item(places: Places, wanted: ConnectionSpec, file: Path, hook: HookEvent) -> Item:
    line = hook_command(wanted.command, hook.event, NAME, shell(places, Shell.CMD))
    value: dict[str, Any] = {"command": line, "timeout": hook.timeout}
    return Item(file, Format.JSON, ("hooks", hook.name), value, hook_mark(hook.event, NAME))


CURSOR = Target(
    name=NAME,
    title="Cursor",
    signs=_signs,
    parts=_parts,
    commands=("cursor", "cursor-agent"),
    layers=frozenset({Layer.INSTRUCTIONS, Layer.PROMPTS, Layer.TOOLS, Layer.ON_DEMAND, Layer.HOOKS}),
    after="Restart Cursor, and switch the server on in Settings > MCP if it is off.",
)
