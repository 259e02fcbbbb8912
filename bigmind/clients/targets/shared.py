"""What the clients have in common: the two forms of a server entry, and a hook's command line."""

import re
import shlex
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from bigmind.clients.files.locations import Places, System
from bigmind.clients.parts import Entry, Format, Item, Steps
from bigmind.clients.target import ConnectionSpec, bridge
from bigmind.hooks.client_events import EDIT_HOOKS, HOOKS, HookEvent
from bigmind.local.command_line import by_folder, is_plain, plainer_path, typed_program

SERVER = "bigmind"
"""Our name among a client's servers."""

NAME_PROJECT = (
    "This client does not tell the memory where it works: pass `project` to memory_start_session, the git remote or "
    "the workspace folder's name."
)

SHARING: dict[str, tuple[str, ...]] = dict.fromkeys(("vscode", "copilot-cli"), ("vscode", "copilot-cli"))
"""Clients that read the same instruction file of the person's home."""

_ENDS_A_TEXT = re.compile("(['‘’‚‛])")
"""What PowerShell takes for the apostrophe behind a text, where it does not stand twice."""
_PERCENT = re.compile("(%)")


class Shell(StrEnum):
    """Which shell a client gives a hook's command line to."""

    POSIX = "posix"
    GIT_BASH = "git bash"
    """On Windows, where it is installed; else PowerShell: who writes the line cannot know."""
    POWERSHELL = "powershell"
    CMD = "cmd"
    SESSION = "powershell or cmd"
    """That of the session that it is run in, which is PowerShell where there is one."""


def http_value(
    wanted: ConnectionSpec, *, address: str = "url", headers: str = "headers", **more: Any
) -> dict[str, Any]:
    """A server entry that speaks HTTP with the client's own token.

    Args:
        wanted: address and token.
        address: the client's key for the address.
        headers: its key for what is sent along.
        more: what the client wants besides; it stands first.
    """
    return {**more, address: wanted.url, headers: {"Authorization": f"Bearer {wanted.token}"}}


def stdio_value(wanted: ConnectionSpec, client: str, **more: Any) -> dict[str, Any]:
    """A server entry that starts the bridge; no token stands in it. What the client wants besides stands first."""
    command, arguments = bridge(wanted, client)
    return {**more, "command": command, "args": arguments}


def rules_naming_project(wanted: ConnectionSpec) -> str:
    """The rules for a client that does not say over HTTP in which folder it works: its model says it."""
    is_started = "memory_start_session" in wanted.instructions
    return f"{wanted.instructions}{NAME_PROJECT}\n" if is_started else wanted.instructions


def server_entry(file: Path, value: dict[str, Any], secret: str = "", *, under: Steps = ("mcpServers",)) -> Entry:
    """Our entry among the servers of a JSON file.

    Args:
        file: the whole path.
        value: one of the two forms.
        secret: the token within it.
        under: where the client keeps its servers.
    """
    return Entry(file, Format.JSON, (*under, SERVER), value, secret)


def shell(places: Places, on_windows: Shell) -> Shell:
    """The shell of a client that takes the system's own."""
    return on_windows if places.system is System.WINDOWS else Shell.POSIX


def hook_mark(event: str, client: str) -> str:
    """By what our hook is found again: it stands in its command line and in nobody else's."""
    return f" hook {event} --client {client}"


def hook_command(command: str, event: str, client: str, of: Shell, named: Callable[[str], str] = plainer_path) -> str:
    """The command line of a hook, `<command> hook <event> --client <client>`, quoted for its shell.

    A program has its short path where Windows knows one: that is right for every shell, and which one a client takes
    there is not always documented. A batch file tells the data folder by its own name, which is to be the usual.

    Args:
        command: a program's path.
        event: ours.
        client: whose hook.
        of: the client's shell.
        named: says a program's short path, where it has one that is plainer.
    """
    is_batch = command.lower().endswith(".cmd")
    return quoted(command if is_batch else named(command), of) + hook_mark(event, client)


def quoted(command: str, of: Shell) -> str:
    r"""A program's path as the first word of a command line: the shell finds it, and obeys nothing of its name.

    On Windows a plain path stays without quotes, for then every shell there starts it. A line that begins with a quoted
    word is a mere text to PowerShell, and `\` means something else to Git Bash: where either may read the line, each
    folder is quoted by itself. Cmd hands the line on as it stands, and what pip puts before a Python program takes its
    first blank for the end of a path that begins without a quote.
    """
    if of is Shell.POSIX:
        return shlex.quote(command)
    match of:
        case Shell.POWERSHELL:
            return command if is_plain(command) else "& '" + _ENDS_A_TEXT.sub(r"\1\1", command) + "'"
        case Shell.CMD:
            return _for_cmd(command)
        case Shell.SESSION:
            return typed_program(command, "nt")
        case Shell.GIT_BASH:
            return typed_program(command, "nt").replace("\\", "/")


def _for_cmd(command: str) -> str:
    """Cmd takes what stands between two `%` for a variable's name, in quotes too; none is called so with its quotes."""
    if "%" in command:
        return by_folder(command, _PERCENT, lambda percent: f"^{percent}")
    return command if is_plain(command) else f'"{command}"'


def command_hooks(
    places: Places, wanted: ConnectionSpec, client: str, file: Path, on_windows: Shell = Shell.POWERSHELL
) -> list[Item]:
    """The hooks of a client that writes them as Claude Code does: under `hooks`, each in a group of its own.

    Args:
        places: for the shell.
        wanted: the command.
        client: whose hooks.
        file: the JSON file.
        on_windows: the shell that the client gives them to there.
    """
    of = shell(places, on_windows)
    hooks = [*HOOKS[client], *([EDIT_HOOKS[client]] if wanted.holds_edits else [])]
    return [command_hook(file, hook, client, hook_command(wanted.command, hook.event, client, of)) for hook in hooks]


def command_hook(file: Path, hook: HookEvent, client: str, line: str) -> Item:
    """One of them."""
    matched = {"matcher": hook.matcher} if hook.matcher else {}
    value = {**matched, "hooks": [{"type": "command", "command": line, "timeout": hook.timeout}]}
    return Item(file, Format.JSON, ("hooks", hook.name), value, hook_mark(hook.event, client))
