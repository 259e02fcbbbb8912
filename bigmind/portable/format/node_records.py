"""What an export holds of a mindspace node beside its item: its place, its definitions, and what came of them."""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

from bigmind.portable.format.records import OF_DIGEST_OR_NONE, Long, Name, Short, Time, Uid

Word = Annotated[Short, Field(max_length=40)]
Agent = Annotated[Short, Field(max_length=250)]
MOST_PARTS = 1_000


class _Part(BaseModel):
    """The base of what a node is made of: a field that is not known is an error."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    texts: ClassVar[tuple[str, ...]] = ("description", "path")


class NodeInputRecord(_Part):
    """What a node needs: `source` is the item of the node that it comes from."""

    source: Uid | None
    type: Word
    description: Long
    path: Long
    satisfied: bool


class NodeOutputRecord(_Part):
    """What a node has to produce, and what was produced."""

    texts = ("description", "path", "produced_by", "note")

    type: Word
    description: Long
    path: Long
    produced_at: Time | None
    produced_by: Agent
    note: Long
    digest: Annotated[str, Field(pattern=OF_DIGEST_OR_NONE)]


class NodeGateRecord(_Part):
    """A quality gate of a node, and how it was judged."""

    texts = ("name", "evidence", "by")

    name: Annotated[Name, Field(max_length=200)]
    verifier: Word
    is_independent: bool
    status: Literal["pending", "pass", "fail"]
    evidence: Long
    by: Agent
    in_person: bool
    at: Time | None
    self_checked: bool


class NodeRecord(_Part):
    """What only a node has: `parent` and `interrupts` are items of other nodes."""

    texts = ("type", "plan_url", "plan_path", "context", "action", "acceptance", "inputs", "outputs", "gates")

    parent: Uid | None
    interrupts: Uid | None
    position: Annotated[int, Field(ge=0, le=2**31 - 1)]
    was_claimed: bool
    type: Word
    phase: Annotated[Short, Field(max_length=10)]
    plan_url: Long
    plan_path: Long
    context: Long
    action: Long
    acceptance: Long
    inputs: Annotated[list[NodeInputRecord], Field(max_length=MOST_PARTS)]
    outputs: Annotated[list[NodeOutputRecord], Field(max_length=MOST_PARTS)]
    gates: Annotated[list[NodeGateRecord], Field(max_length=MOST_PARTS)]


def misfit(node: NodeRecord, state: str) -> str:
    """Why what came of a node does not fit the state that it is said to stand in; empty where it does."""
    if state in {"review", "complete"} and any(each.produced_at is None for each in node.outputs):
        return "an output was not produced"
    statuses = {each.status for each in node.gates}
    if state == "complete" and (not node.outputs or statuses != {"pass"}):
        return "a quality gate did not pass"
    return "a quality gate failed" if state == "review" and "fail" in statuses else ""
