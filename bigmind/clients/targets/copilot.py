"""What Copilot's two homes share: VS Code and the Copilot CLI read the same folders of the person and of a workspace.

From docs.github.com/en/copilot/reference/hooks-reference and microsoft/vscode-docs
docs/agent-customization/{hooks,custom-instructions}.md (October 2026): both run every `*.json` of `~/.copilot/hooks`,
so the file stands there once, under one name, in the form that both know: `version`, events with a small first letter.
Both read every `*.instructions.md` of `~/.copilot/instructions` and of a workspace's `.github/instructions`; `applyTo`
makes VS Code read it always.
"""

import json
from pathlib import Path
from typing import Any

from bigmind.clients.parts import OwnFile
from bigmind.clients.target import ConnectionSpec
from bigmind.clients.targets.shared import Shell, hook_command
from bigmind.hooks.client_events import HOOKS, HookEvent

CLIENT = "copilot-cli"
"""Under which hooks are run; which of the two it was, they are told on their input."""
FRONT = '---\nname: BigMind\napplyTo: "**"\n---\n'


def instructions(folder: Path, wanted: ConnectionSpec) -> OwnFile:
    """The instructions in a folder that is read whole: `~/.copilot`, or a workspace's `.github`."""
    return OwnFile(folder / "instructions" / "bigmind.instructions.md", FRONT + wanted.instructions)


def hooks(folder: Path, wanted: ConnectionSpec) -> OwnFile:
    """The hooks in `~/.copilot`."""
    told = {"version": 1, "hooks": {hook.name: [_command(wanted, hook)] for hook in HOOKS[CLIENT]}}
    return OwnFile(folder / "hooks" / "bigmind.json", json.dumps(told, indent=2) + "\n")


def _command(wanted: ConnectionSpec, hook: HookEvent) -> dict[str, Any]:
    return {
        "type": "command",
        "bash": hook_command(wanted.command, hook.event, CLIENT, Shell.POSIX),
        "powershell": hook_command(wanted.command, hook.event, CLIENT, Shell.POWERSHELL),
        "timeoutSec": hook.timeout,
    }
