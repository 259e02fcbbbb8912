"""The toolsets: which of the tools an assistant is offered, because it pays for each definition in every conversation.

They decide what is listed. A tool that is not listed works when it is called by name; `tools_off` forbids. The bridge
reads this before it reads anything: it imports the standard library and the core alone.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from bigmind.core.errors import BigMindError, Code, shown

if TYPE_CHECKING:  # the bridge names toolsets, and nothing of an operation
    from bigmind.core.operation import Operation, TokenScope


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

GATE_TOOLS = ("query_brain", "contribute_to_brain")
"""What the gates on tasks and nodes ask for: no task can be claimed, and none handed over, without them."""

_BY_NAME: Mapping[Toolset, Collection[str]] = {
    Toolset.DEFAULT: DEFAULT_TOOLS,
    Toolset.WORK: GATE_TOOLS,
    Toolset.MINDSPACE: GATE_TOOLS,
}
"""What a toolset holds beside the tools that are declared to be its own."""

UNLESS_CHOSEN: Toolsets = (Toolset.DEFAULT,)


def unless_chosen(scope: "TokenScope | None") -> Toolsets:
    """What a client is offered of which nobody chose any: those that its token is limited to, else the default ones."""
    return tuple(map(Toolset, scope.toolsets)) if scope is not None and scope.toolsets else UNLESS_CHOSEN


TOOLS = "tools"
"""Stands for the served tools in the events: whoever listed them lists them again."""


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


def offers(toolsets: Collection[Toolset], operation: "Operation") -> bool:
    """Whether an operation that is a tool belongs to one of the toolsets."""
    if Toolset.ALL in toolsets or operation.toolset in toolsets:
        return True
    return any(operation.name in _BY_NAME.get(each, ()) for each in toolsets)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: the operation, and the tokens its definition takes in every conversation (an upper estimate)."""

    operation: "Operation"
    tokens: int


class ToolTable:
    """The tools that assistants can be offered, by name. May be used from any thread.

    Args:
        tools: the operations that are tools.
        tokens: counts those of a definition; asked when somebody wants to know.
        elsewhere: the names of the tools of every mode: one that is switched off stays so where it is none.
    """

    def __init__(
        self,
        tools: "Iterable[Operation]" = (),
        tokens: "Callable[[Operation], int]" = lambda _: 0,
        elsewhere: Iterable[str] = (),
    ) -> None:
        self.operations: Mapping[str, Operation] = {each.name: each for each in tools}
        self.known = frozenset((*self.operations, *elsewhere))
        self._tokens = lru_cache(maxsize=None)(partial(_counted, self.operations, tokens))
        self.names = lru_cache(maxsize=100)(self._names)

    def every(self) -> dict[str, Tool]:
        """Every tool by its name, whether it is served or not."""
        return {name: Tool(each, self._tokens(name)) for name, each in self.operations.items()}

    def offered(self, toolsets: Collection[Toolset], off: Collection[str] = ()) -> dict[str, Tool]:
        """The tools that a client with these toolsets is offered, without those that are switched `off`."""
        return {
            name: each for name, each in self.every().items() if name not in off and offers(toolsets, each.operation)
        }

    def _names(self, toolsets: Toolsets, off: frozenset[str]) -> frozenset[str]:
        """The names of the tools of these toolsets, without those that are switched `off`."""
        return frozenset(name for name, each in self.operations.items() if name not in off and offers(toolsets, each))


def _counted(operations: "Mapping[str, Operation]", tokens: "Callable[[Operation], int]", name: str) -> int:
    return tokens(operations[name])
