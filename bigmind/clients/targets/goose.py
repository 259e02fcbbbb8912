"""Goose: the app and the command line share one folder.

From its documentation (guides/config-files, context-engineering/{using-goosehints,hooks}), its sources
(`ExtensionConfig`, crates/goose/src/hooks), and neondatabase/add-mcp. On macOS the settings stand in `~/.config` too.
There are no servers of a workspace. Hooks are those of a plugin in `~/.agents/plugins`; only a stop is listened to.
"""

import json
from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Block, Entry, Format, OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import SERVER, Shell, hook_command, http_value, shell
from bigmind.hooks.client_events import HOOKS

NAME = "goose"
SECONDS = 300
"""For a call: Goose's own number."""


def _signs(places: Places) -> Sequence[Path]:
    return (places.goose, places.application_data / "Goose")


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        return (Block(wanted.workspace / "AGENTS.md", wanted.instructions),)
    folder = places.goose
    value = {
        "enabled": True,
        "type": "streamable_http",
        "name": SERVER,
        "description": "Long-term memory",
        **http_value(wanted, address="uri"),
        "timeout": SECONDS,
    }
    return (
        Entry(folder / "config.yaml", Format.YAML, ("extensions", SERVER), value, wanted.token),
        Block(folder / ".goosehints", wanted.instructions),
        *_plugin(places, wanted, places.home / ".agents" / "plugins" / SERVER),
    )


def _plugin(places: Places, wanted: ConnectionSpec, folder: Path) -> Sequence[Part]:
    about = {"name": SERVER, "version": "1.0.0", "description": "Long-term memory"}
    of = shell(places, Shell.GIT_BASH)
    hooks = {
        hook.name: [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": hook_command(wanted.command, hook.event, NAME, of),
                        "timeout": hook.timeout,
                    }
                ]
            }
        ]
        for hook in HOOKS[NAME]
    }
    return (
        OwnFile(folder / "plugin.json", json.dumps(about, indent=2) + "\n"),
        OwnFile(folder / "hooks" / "hooks.json", json.dumps({"hooks": hooks}, indent=2) + "\n"),
    )


GOOSE = Target(
    name=NAME,
    title="Goose",
    signs=_signs,
    parts=_parts,
    commands=("goose",),
    layers=frozenset(Layer),
    after="Start a new session. Goose reads its hints where its extension Developer is on, as it is at first.",
)
