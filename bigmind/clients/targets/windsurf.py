r"""Windsurf, which became Devin Desktop in June 2026: both places, for an update moves people from one to the other.

From docs.devin.ai/desktop/cascade/{mcp,hooks,memories}, docs.devin.ai/cli/extensibility/{mcp,rules,hooks}, and other
people's installers (whit3rabbit/agent-config, codegraph). Cascade reads `~/.codeium/windsurf`; Devin Local, which
shares its settings with the Devin CLI, reads `~/.config/devin` (`%APPDATA%\devin` on Windows) and takes no key that
its schema does not know, so no `type`. Cascade's hooks can refuse a prompt but add nothing to it: what is learnt from
them is when a conversation ends. Devin's are of the form of Claude Code's, in `config.json`. Hooks of a workspace would
run besides the person's own: there are none.
"""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places, System
from bigmind.clients.parts import Block, Format, Item, OwnFile, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets.shared import (
    Shell,
    command_hook,
    hook_command,
    hook_mark,
    http_value,
    server_entry,
    shell,
    stdio_value,
)
from bigmind.hooks.client_events import HOOKS

NAME = "windsurf"
ALWAYS = "---\ntrigger: always_on\n---\n\n"
"""Without it, a rule is one that a person has to name."""


def _cascade(places: Places) -> Path:
    return places.home / ".codeium" / "windsurf"


def _devin(places: Places) -> Path:
    if places.system is System.WINDOWS:
        return places.application_data / "devin"
    return places.home / ".config" / "devin"


def _signs(places: Places) -> Sequence[Path]:
    applications = places.application_data
    return (_cascade(places), _devin(places), applications / "Windsurf", applications / "Devin")


def _parts(places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    if wanted.workspace is not None:
        return _of_workspace(wanted, wanted.workspace)
    cascade, devin = _cascade(places), _devin(places)
    return (
        server_entry(devin / "mcp_config.json", http_value(wanted), wanted.token),
        Block(devin / "AGENTS.md", wanted.instructions),
        *_devin_hooks(places, wanted, devin / "config.json"),
        server_entry(cascade / "mcp_config.json", http_value(wanted, address="serverUrl"), wanted.token),
        Block(cascade / "memories" / "global_rules.md", wanted.instructions),
        *_cascade_hooks(places, wanted, cascade / "hooks.json"),
    )


def _of_workspace(wanted: ConnectionSpec, workspace: Path) -> Sequence[Part]:
    devin, cascade = workspace / ".devin", workspace / ".windsurf"
    return (
        server_entry(devin / "mcp_config.json", stdio_value(wanted, NAME)),
        server_entry(cascade / "mcp_config.json", stdio_value(wanted, NAME)),
        OwnFile(cascade / "rules" / "bigmind.md", ALWAYS + wanted.instructions),
    )


def _devin_hooks(places: Places, wanted: ConnectionSpec, file: Path) -> Sequence[Part]:
    of = shell(places, Shell.GIT_BASH)
    return [
        command_hook(file, hook, NAME, hook_command(wanted.command, hook.event, NAME, of))
        for hook in HOOKS[NAME]
        if hook.timeout is not None
    ]


def _cascade_hooks(places: Places, wanted: ConnectionSpec, file: Path) -> Sequence[Part]:
    of = shell(places, Shell.POWERSHELL)
    return [
        Item(
            file,
            Format.JSON,
            ("hooks", hook.name),
            {"command": hook_command(wanted.command, hook.event, NAME, of), "show_output": False},
            hook_mark(hook.event, NAME),
        )
        for hook in HOOKS[NAME]
        if hook.timeout is None
    ]


WINDSURF = Target(
    name=NAME,
    title="Windsurf / Devin Desktop",
    signs=_signs,
    parts=_parts,
    commands=("devin", "windsurf"),
    layers=frozenset({Layer.TOOLS, Layer.FILES, Layer.ON_DEMAND, Layer.HOOKS}),
    after="Start a new conversation. In Cascade, press refresh in the list of MCP servers.",
)
