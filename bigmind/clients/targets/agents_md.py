"""Every other assistant: `AGENTS.md` in a workspace, the file that most of them read (agents.md)."""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.files.locations import Places
from bigmind.clients.parts import Block, Part
from bigmind.clients.target import ConnectionSpec, Layer, Target

NAME = "agents-md"


def _signs(_places: Places) -> Sequence[Path]:
    return ()


def _parts(_places: Places, wanted: ConnectionSpec) -> Sequence[Part]:
    return () if wanted.workspace is None else (Block(wanted.workspace / "AGENTS.md", wanted.instructions),)


AGENTS_MD = Target(
    name=NAME,
    title="Others, by AGENTS.md",
    signs=_signs,
    parts=_parts,
    for_user=False,
    layers=frozenset({Layer.FILES}),
    after="Add BigMind to the assistant's MCP servers: the command `bigmind mcp`, without a token.",
)
