"""What a person may set for one client: which toolsets it is offered. The operation is in `clients/operations.py`."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from bigmind.core.events import Action, Kind
from bigmind.core.toolsets import TOOLS, UNLESS_CHOSEN, Toolset, Toolsets, as_text
from bigmind.operations.catalogue import Answer
from bigmind.operations.inputs import Line
from bigmind.operations.toolset_names import each_once, in_small_letters
from bigmind.people.service import active_tokens
from bigmind.store.work import Work
from bigmind.text.phrasing import counted, noted, plain
from bigmind.usage.counts import client_use, kept_toolsets
from bigmind.usage.tables import ClientState

MOST_NAMED = 10

Client = Annotated[Line, Field(min_length=1, max_length=80, description="Its name, as `bigmind clients list` has it.")]
ToolsetNames = Annotated[
    list[Toolset],
    Field(max_length=20),
    BeforeValidator(in_small_letters),
    AfterValidator(each_once),
    Field(description=f"Of {', '.join(Toolset)}, with commas between them; empty goes back to the default."),
]


class ClientToolsets(Answer):
    """Which tools a client is offered from now on."""

    client: str
    toolsets: list[Toolset] = Field(description="Those that were chosen; empty for the default.")
    tools: list[str]
    tokens: int = Field(description="What their definitions take in every conversation, at most.")
    seen: list[str] = Field(description="Where no client of that name is known: the names of those that called.")
    repair: str = Field(default="", description="What to do where files of the client say something else by now.")

    def as_text(self) -> str:
        chosen = ", ".join(self.toolsets) or f"{as_text(UNLESS_CHOSEN)}, as nothing is chosen"
        tools = counted(len(self.tools), "tool")
        told = f"{plain(self.client)} is offered {tools} ({chosen}), about {self.tokens:,} tokens."
        if self.seen:
            told += f" No client of that name is connected or called; those that did: {plain(', '.join(self.seen))}."
        return noted(told, self.repair)


def choose_toolsets(work: Work, client: str, toolsets: Sequence[Toolset]) -> ClientToolsets:
    """Choose which toolsets a client is offered; what it asks for itself comes first."""
    names = sorted(name for name, use in client_use(work).items() if use.last_at is not None)
    if _choose(work, client, tuple(toolsets)):
        work.changed(Kind.SETTINGS, TOOLS, Action.UPDATED)
    tools = work.tools.offered(toolsets or UNLESS_CHOSEN, work.host.settings.now().tools_off)
    return ClientToolsets(
        client=client,
        toolsets=[*toolsets],
        tools=list(tools),
        tokens=sum(each.tokens for each in tools.values()),
        seen=[] if client in names or _is_connected(work, client) else names[:MOST_NAMED],
    )


def _is_connected(work: Work, client: str) -> bool:
    """Whether a client has a token of its own, and so is one, before its first call."""
    return any(each.client == client for each in active_tokens(work, work.caller.user_id))


def _choose(work: Work, client: str, toolsets: Toolsets) -> bool:
    """Keep the choice; whether it is another one than before."""
    row = work.session.get(ClientState, (work.caller.user_id, client))
    if (kept_toolsets(row) if row is not None else ()) == toolsets:
        return False
    row = row or ClientState(user_id=work.caller.user_id, client=client)
    row.toolsets = as_text(toolsets)
    work.session.add(row)
    return True
