"""The toolsets: which of the tools an assistant is offered, because it pays for each definition in every conversation.

They decide what is listed. A tool that is not listed works when it is called by name; `tools_off` forbids. The bridge
reads this before it reads anything: it imports the standard library and the core alone.
"""

from collections.abc import Collection, Iterable
from enum import StrEnum

from bigmind.core.errors import BigMindError, Code, shown
from bigmind.core.operation import Operation


class Toolset(StrEnum):
    """The toolsets by name; one that has no tools yet offers none."""

    DEFAULT = "default"
    MEMORY = "memory"
    BRAIN = "brain"
    WORK = "work"
    MINDSPACE = "mindspace"
    PROTOCOL = "protocol"
    ALL = "all"


Toolsets = tuple[Toolset, ...]
"""Those that somebody chose, each once; empty where nobody chose any."""

DEFAULT_TOOLS = (
    "memory_start_session",
    "memory_end_session",
    "memory_flag_important",
    "memory_get_context",
    "memory_get_session_detail",
    "memory_semantic_search",
    "memory_store_fact",
    "memory_deprecate_fact",
    "memory_update_profile",
    "memory_add_hypothesis",
    "memory_resolve_hypothesis",
    "memory_promote_to_global",
    "memory_get_instructions",
)
"""What texts send every assistant to: at most 13, whose definitions take less than 3,000 tokens together (o200k)."""

UNLESS_CHOSEN: Toolsets = (Toolset.DEFAULT,)


def toolsets_in(called: str, text: str) -> Toolsets:
    """The toolsets that a text names, with commas between them.

    Args:
        called: how the text is called where it was given.
        text: may be empty, which says nothing.

    Raises:
        BigMindError: `invalid_input`, when one of them is unknown; the known ones are named.
    """
    names = [name for each in text.split(",") if (name := each.strip().lower())]
    unknown = next((name for name in names if name not in list(Toolset)), None)
    if unknown is not None:
        raise BigMindError(
            Code.INVALID_INPUT,
            f"{called} names {shown(unknown)}, which is no toolset.",
            f"The toolsets are {', '.join(Toolset)}; several have commas between them.",
        )
    return tuple(dict.fromkeys(Toolset(name) for name in names))


def structured_in(called: str, text: str) -> bool:
    """Whether a text asks for structured content beside an answer's words: `1`; `0` and nothing do not.

    Raises:
        BigMindError: `invalid_input` for anything else; `called` is how the text is called where it was given.
    """
    if text not in {"", "0", "1"}:
        right = "With 1, answers over MCP carry structured content beside their text."
        raise BigMindError(Code.INVALID_INPUT, f"{called} is {shown(text)}, which is neither 1 nor 0.", right)
    return text == "1"


def as_text(toolsets: Iterable[Toolset]) -> str:
    """As `toolsets_in` reads them."""
    return ",".join(toolsets)


def offers(toolsets: Collection[Toolset], operation: Operation) -> bool:
    """Whether an operation that is a tool belongs to one of the toolsets."""
    if Toolset.ALL in toolsets or operation.toolset in toolsets:
        return True
    return Toolset.DEFAULT in toolsets and operation.name in DEFAULT_TOOLS
