"""What the operations on clients answer."""

import operator
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.operation import Offer
from bigmind.local.command_line import typed_argument
from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import bullets, plain


class State(StrEnum):
    """How a client stands to BigMind."""

    CONNECTED = "connected"
    DRIFTED = "drifted"
    """It was connected, and what stands in its files is no longer what would be written now."""
    AVAILABLE = "available"
    """It is installed here and not connected."""
    MISSING = "missing"
    BROKEN = "broken"
    """A file of it cannot be read or changed."""
    GONE = "gone"
    """It is connected in a folder that was moved or deleted."""


class WorkspaceFault(Answer):
    """A folder in which a client is connected, and not as it should be."""

    folder: str
    state: State = Field(description="`drifted`, `broken` or `gone`.")
    detail: str = Field(description="What is wrong, or what drifted.")


class ClientRow(Answer):
    """A client, and how it stands to BigMind."""

    client: str = Field(description="Its name, as `clients install` takes it.")
    title: str
    state: State
    detail: str = Field(description="What is wrong, or what drifted; empty when nothing is.")
    connected: bool = Field(description="Whether it is connected for the user, whatever is wrong.")
    for_user: bool
    for_workspace: bool
    workspaces: list[str] = Field(description="The folders that it is connected in.")
    faults: list[WorkspaceFault] = Field(description="Those of the folders in which something is wrong.")
    can_hold_edits: bool = Field(description="Whether its edits there can be held to claimed work.")
    holding: list[str] = Field(description="Those of the folders in which they are.")
    last_at: datetime | None = Field(description="When it called last.")
    calls: int
    tokens: int = Field(description="What it was served, an upper estimate.")
    toolsets: str = Field(description="Which toolsets it is offered; empty for the default.")
    layers: list[str] = Field(description="Which of the six ways to make it remember reach it.")
    guide: str = Field(description="What a person does where no file can be written.")
    paste: str = Field(description="What they paste there, as JSON; empty for nothing.")

    def fault_in(self, folder: str) -> WorkspaceFault | None:
        """What is wrong in a folder that it is connected in; None for nothing."""
        return next((each for each in self.faults if each.folder == folder), None)

    def as_text(self) -> str:
        seen = f", last seen {local(self.last_at)}" if self.last_at else ""
        wrong = {each.folder: f" ({WORDS[each.state]})" for each in self.faults}
        folders = plain(", ".join(each + wrong.get(each, "") for each in self.workspaces))
        where = f", in {folders}" if folders else ""
        detail = f": {plain(self.detail)}" if self.detail else ""
        # A list shows each client in one line, which nobody can paste JSON from.
        pasted = f"; `bigmind clients show {self.client}` prints what to paste there"
        guide = f". By hand: {self.guide}{pasted}" if self.paste else ""
        still = "connected, " if self.connected and self.state is State.BROKEN else ""
        state = f"{still}{WORDS[self.state]}{where}"
        if folders and self.state in {State.AVAILABLE, State.MISSING}:
            state = f"connected in {folders}"
        return f"**{self.client}** ({self.title}): {state}{seen}{detail}{guide}"


WORDS = {
    State.CONNECTED: "connected",
    State.DRIFTED: "needs a repair",
    State.AVAILABLE: "not connected",
    State.MISSING: "not found here",
    State.BROKEN: "cannot be changed",
    State.GONE: "folder is gone",
}


def removal(client: str, folder: str) -> str:
    """The command that disconnects a client in one workspace."""
    return f"bigmind clients remove {client} --workspace {typed_argument(folder)}"


class ClientList(Answer):
    """Every client that BigMind knows."""

    clients: list[ClientRow]

    def as_text(self) -> str:
        return bullets([each.as_text() for each in self.clients])

    def hints(self, offer: Offer) -> Sequence[str]:
        """How one is connected, repaired, or taken out of a folder that is gone: the first of each, as an example."""
        del offer
        found = [each.client for each in self.clients if each.state is State.AVAILABLE and each.for_user]
        drifted = any(State.DRIFTED in {each.state, *(fault.state for fault in each.faults)} for each in self.clients)
        connects = [f"`bigmind clients install {each}` shows what it would change, and asks." for each in found[:1]]
        removes = [
            f"`{removal(each.client, fault.folder)}` disconnects it where the folder is gone for good."
            for each in self.clients
            for fault in each.faults
            if fault.state is State.GONE
        ]
        return [*connects, *(["`bigmind clients repair` repairs what needs it."] if drifted else []), *removes[:1]]


class ChangeShown(Answer):
    """What becomes of one file. Tokens in the difference are covered."""

    path: str
    action: str = Field(description="create, change or remove")
    difference: str = Field(description="A unified diff.")

    def as_text(self) -> str:
        return f"{self.action} {self.path}\n\n```diff\n{self.difference}```"


class ClientPlan(Answer):
    """What would be changed, and by which word one says yes to it."""

    client: str
    title: str
    workspace: str
    plan: str = Field(description="Names exactly this plan; an install or a removal takes it.")
    changes: list[ChangeShown]
    legend: str = Field(description="What a sign in the differences means; empty where none needs to be told.")
    connected: bool = Field(description="Whether BigMind connected it there before.")
    warnings: list[str] = Field(description="What keeps it from working, or should be known before a yes.")
    makes_token: bool = Field(description="Whether a token of its own is made for the client.")
    stores_token: bool = Field(description="Whether its token is put where its bridge and its hooks find it.")
    ends_token: bool = Field(description="Whether its token ends: nothing else of the client needs it.")
    after: str = Field(description="What the person does in the client afterwards; empty for nothing.")
    guide: str = Field(default="", exclude_if=operator.not_, description="Where no file can be written: what they do.")
    paste: str = Field(default="", exclude_if=operator.not_, description="What they paste there, as JSON.")

    @property
    def place(self) -> str:
        """Which client it is, and where."""
        return f"{self.title} in {self.workspace}" if self.workspace else self.title

    def as_text(self) -> str:
        if self.paste:
            return f"{self.title} is connected by hand: {self.guide}, and paste\n\n```json\n{self.paste}\n```"
        if not self.changes:
            token = "no file changes; it gets a token of its own." if self.stores_token else "nothing to change."
            return f"{self.title}: {token}"
        told = [self.legend] if self.legend else []
        told += [f"⚠ {plain(each)}" for each in self.warnings]
        return "\n\n".join([*(each.as_text() for each in self.changes), *told])


class Check(Answer):
    """How a try of one server entry went."""

    client: str
    title: str
    workspace: str
    ok: bool
    tools: int
    said: list[str] = Field(description="In sentences.")

    def as_text(self) -> str:
        mark = "✔" if self.ok else "⚠" if self.tools else "✘"
        return f"{mark} {self.place}: {plain(' '.join(self.said))}"

    @property
    def place(self) -> str:
        """The client, and the workspace where it is connected there."""
        return f"{self.title} in {self.workspace}" if self.workspace else self.title


class Checks(Answer):
    """How the connected clients are."""

    checks: list[Check]

    def as_text(self) -> str:
        if not self.checks:
            return "No client is connected yet: `bigmind clients install <client>` connects one."
        return bullets([each.as_text() for each in self.checks])


class ClientChanged(Answer):
    """A client was connected, or is no more."""

    client: str
    title: str
    connected: bool
    files: list[str]
    check: Check | None = Field(description="How the connection was tried; none after a removal.")
    after: str

    def as_text(self) -> str:
        head = f"{self.title} is {'connected' if self.connected else 'no longer connected'}."
        files = bullets([plain(each) for each in self.files]) if self.files else "No file had to be changed."
        tried = f"\n\n{self.check.as_text()}" if self.check else ""
        return f"{head}\n\n{files}{tried}{f'{chr(10)}{chr(10)}{self.after}' if self.after else ''}"


NOTHING_TO_REPAIR = "Every connected client is as it should be: nothing was changed."


class FailedRepair(Answer):
    """A connected client whose files could not be written anew, and why."""

    client: str
    title: str
    said: str

    def as_text(self) -> str:
        return f"✘ {self.title} cannot be repaired: {plain(self.said)}"


class RepairPlan(Answer):
    """What a repair of all connected clients would change, and by which word one says yes to it."""

    plan: str = Field(description="Names exactly this plan; a repair takes it.")
    connected: int
    plans: list[ClientPlan] = Field(description="One of each client that needs a repair.")
    failed: list[FailedRepair] = Field(description="Those whose files cannot be written.")

    def as_text(self) -> str:
        plans = [f"{each.place}:\n\n{each.as_text()}" for each in self.plans]
        return "\n\n".join([*plans, *(each.as_text() for each in self.failed)]) or NOTHING_TO_REPAIR


class Repaired(Answer):
    """Which of the connected clients were written anew; the others needed nothing."""

    connected: int
    repaired: list[ClientChanged]
    failed: list[FailedRepair]

    def as_text(self) -> str:
        if not self.connected:
            return "No client is connected yet: `bigmind clients install <client>` connects one."
        lines = [
            f"Repaired {each.check.place if each.check else each.title}. {each.after}".strip() for each in self.repaired
        ]
        lines += [each.check.as_text() for each in self.repaired if each.check is not None and not each.check.ok]
        lines += [each.as_text() for each in self.failed]
        return bullets(lines) if lines else NOTHING_TO_REPAIR


class Bundled(Answer):
    """A bundle for Claude Desktop was written."""

    path: str
    bytes: int

    def as_text(self) -> str:
        return f"Written: {plain(self.path)}. Open it, and Claude Desktop asks whether to install BigMind."
