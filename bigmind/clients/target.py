"""The record of one client: how it is recognised, and what connects it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Part


class Layer(StrEnum):
    """The six ways in which a client is made to remember, each catching what the one before missed."""

    INSTRUCTIONS = "server instructions"
    PROMPTS = "prompts"
    TOOLS = "tool descriptions"
    FILES = "instruction files"
    ON_DEMAND = "memory_get_instructions"
    HOOKS = "hooks"


@dataclass(frozen=True, slots=True)
class ConnectionSpec:
    """What an install is made for.

    Attributes:
        url: the endpoint, `http://127.0.0.1:<port>/mcp`.
        token: the client's own, for a user's install of a client that speaks HTTP; a stand-in while a plan is shown.
        command: the `bigmind` command as an IDE can start it from any folder.
        instructions: what the assistant is told, in Markdown.
        workspace: the folder, for an install into one; None for the user.
        holds_edits: whether edits of files in it are held to claimed work, by the client's own hook.
    """

    url: str
    token: str
    command: str
    instructions: str
    workspace: Path | None = None
    holds_edits: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """An IDE or agent.

    Attributes:
        name: stable, of lower-case letters and dashes: the name of its token, of `--client`, and in the command line.
        title: as people call it.
        signs: tells which of these files and folders exist where it is installed; one is enough.
        commands: programs whose presence on the search path says the same.
        parts: what connects it: for the user, or for `wanted.workspace`.
        for_user: whether it can be connected for the user.
        for_workspace: whether it can be connected for one workspace.
        can_hold_edits: whether edits of files in a workspace can be held to claimed work: its hooks can refuse them.
        layers: which of the six reach it, when it is connected for the user.
        strict: files of these names it reads as plain JSON only, and drops whole for a comment or a trailing comma.
        after: what the person still has to do in the client, in a sentence; empty for nothing.
        lists: the client's own command that lists its servers, to which the verification listens; empty for none.
            A file of the first one is a program of `commands`.
        lists_with: variables of that command's environment, beside our own.
        connected: what that command prints on the line of a server that answers; empty when it does not tell.
        guide: where a person looks things up, in a few words, when there is no file that can be written.
        paste: what they paste there, as JSON.
    """

    name: str
    title: str
    signs: Callable[[Places], Sequence[Path]]
    parts: Callable[[Places, ConnectionSpec], Sequence[Part]]
    commands: tuple[str, ...] = ()
    for_user: bool = True
    for_workspace: bool = True
    can_hold_edits: bool = False
    layers: frozenset[Layer] = field(default=frozenset({Layer.INSTRUCTIONS, Layer.TOOLS, Layer.ON_DEMAND, Layer.FILES}))
    strict: frozenset[str] = frozenset()
    after: str = ""
    lists: tuple[str, ...] = ()
    lists_with: Mapping[str, str] = field(default_factory=dict[str, str])
    connected: str = ""
    guide: str = ""
    paste: Callable[[ConnectionSpec], Mapping[str, Any]] | None = None


def bridge(wanted: ConnectionSpec, client: str) -> tuple[str, list[str]]:
    """The command of the stdio form for a client, and its arguments."""
    return wanted.command, ["mcp", "--client", client]
