"""What the address of a request asks for, and which toolsets it is offered.

Those that its address names, else those that a person chose for its client.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Change, Kind
from bigmind.core.operation import Caller
from bigmind.core.toolsets import Toolsets, structured_in, toolsets_in, unless_chosen
from bigmind.http.asgi import Scope
from bigmind.operations.dispatch import Dispatcher
from bigmind.usage.counts import chosen_toolsets

NAME, STRUCTURED = "toolsets", "structured"
MOST_FIELDS = 20
MOST_KEPT = 1_000

_CHANGES_CHOICES = frozenset({Kind.SETTINGS, Kind.STORE})


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """What the address of a request asks for.

    Attributes:
        toolsets: those that it names (`?toolsets=memory,work`); empty where it names none.
        is_structured: whether answers carry structured content beside their text (`?structured=1`).
    """

    toolsets: Toolsets = ()
    is_structured: bool = False


def wishes_in(scope: Scope) -> ToolRequest:
    """What the address of a request asks for.

    Raises:
        BigMindError: `bad_request`, when a toolset is unknown, `structured` is neither 1 nor 0, or it is no query.
    """
    try:
        fields = parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=MOST_FIELDS)
        toolsets = toolsets_in(f"?{NAME}=", ",".join(value for name, value in fields if name == NAME))
        structured = [structured_in(f"?{STRUCTURED}=", value) for name, value in fields if name == STRUCTURED]
        return ToolRequest(toolsets, any(structured))
    except ValueError as error:
        raise BigMindError(Code.BAD_REQUEST, "The query of the address cannot be read.", str(error)) from None
    except BigMindError as error:
        raise BigMindError(Code.BAD_REQUEST, error.message, error.hint) from None


class ToolsetChoices:
    """What persons chose for their clients: read once, and again when it changed. May be used from any thread."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._lock = threading.Lock()
        self._kept: dict[tuple[int, str], Toolsets] = {}
        self._changes = 0

    @contextmanager
    def following(self) -> Generator[None]:
        """For the length of a block, hear of changes; to be entered before whoever tells clients of them."""
        unsubscribe = self._dispatcher.store.events.subscribe(self._hear)
        try:
            yield
        finally:
            unsubscribe()

    async def of(self, caller: Caller) -> Toolsets:
        """The toolsets of the caller's client; where nobody chose any, those of its token, or the default ones."""
        who = (caller.user_id, caller.agent)
        if (kept := self._kept.get(who)) is not None:
            return kept or unless_chosen(caller.scope)
        before = self._changes
        # It tells nothing of the memory: no scope says of it what may be read.
        anyone = replace(caller, scope=None)
        chosen = await self._dispatcher.read(anyone, NAME, lambda work: chosen_toolsets(work, caller.agent))
        with self._lock:
            if before == self._changes:  # else it may be what it was before
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                self._kept[who] = chosen
        return chosen or unless_chosen(caller.scope)

    def _hear(self, change: Change) -> None:
        if change.kind in _CHANGES_CHOICES:
            with self._lock:
                self._changes += 1
                self._kept.clear()
