"""A node's definitions of ready and done as they are given: by the tools, and in YAML, where they say more."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bigmind.mindspace.rules import (
    LONGEST_EVIDENCE,
    LONGEST_GATE,
    LONGEST_NOTE,
    LONGEST_PATH,
    LONGEST_TEXT,
    MOST_PARTS,
    PartType,
    Phase,
    path_fault,
)
from bigmind.operations.inputs import Line, Text
from bigmind.work.rules import LONGEST_TITLE, SLUG_WORDS, is_slug


def _inside(value: str) -> str:
    if fault := path_fault(value):
        raise ValueError(fault)
    return value


def _address(value: str) -> str:
    if value and not value.startswith(("https://", "http://")):
        raise ValueError("an address that begins with https:// or http://")
    return value


def _slug(value: str) -> str:
    if not is_slug(value):
        raise ValueError(SLUG_WORDS)
    return value


Slug = Annotated[str, AfterValidator(_slug)]
InnerPath = Annotated[Line, Field(max_length=LONGEST_PATH), AfterValidator(_inside)]
Address = Annotated[Line, Field(max_length=2_000), AfterValidator(_address)]
Note = Annotated[Text, Field(max_length=LONGEST_NOTE)]
Words = Annotated[Text, Field(max_length=LONGEST_TEXT)]
Station = Annotated[Line, Field(min_length=1, max_length=40)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", defer_build=True, populate_by_name=True)


class InputForm(_Form):
    """What a node needs before it is ready."""

    source: Line = Field(default="", alias="from", max_length=80, description="Id of a node.")
    type: PartType
    description: Note = ""
    path: InnerPath = ""
    satisfied: bool = Field(default=False, description="Only of what comes from outside the tree.")


class OutputForm(_Form):
    """What a node produces."""

    type: PartType
    description: Note = ""
    path: InnerPath = ""


class GateForm(_Form):
    """A quality gate."""

    name: Line = Field(min_length=1, max_length=LONGEST_GATE)
    verifier: Station = Field(description="A station, or human.")
    independent: bool = Field(default=False, description="Not by the producer under another name.")


class ReadyForm(_Form):
    """Definition of ready; what is left out stays as it is."""

    context: Words | None = None
    inputs: list[InputForm] | None = Field(default=None, max_length=MOST_PARTS)


class DoneForm(_Form):
    """Definition of done; what is left out stays as it is."""

    action: Words | None = None
    acceptance: Words | None = None
    outputs: list[OutputForm] | None = Field(default=None, max_length=MOST_PARTS)
    quality_gates: list[GateForm] | None = Field(default=None, max_length=MOST_PARTS)


class PlanForm(_Form):
    """Where the plan is."""

    url: Address = ""
    path: InnerPath = ""


class OutputRecord(OutputForm):
    """An output in YAML, with what was produced."""

    produced: datetime | None = None
    by: Line = Field(default="", max_length=250)
    note: Note = ""
    digest: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")


class GateRecord(GateForm):
    """A quality gate in YAML, with how it was judged."""

    status: Literal["pending", "pass", "fail"] = "pending"
    evidence: Text = Field(default="", max_length=LONGEST_EVIDENCE)
    by: Line = Field(default="", max_length=250)
    at: datetime | None = None
    in_person: bool = False
    self_checked: bool = False


class ReadyRecord(_Form):
    """Definition of ready in YAML."""

    context: Words = ""
    inputs: list[InputForm] = Field(default_factory=list[InputForm], max_length=MOST_PARTS)


class DoneRecord(_Form):
    """Definition of done in YAML."""

    action: Words = ""
    acceptance: Words = ""
    outputs: list[OutputRecord] = Field(min_length=1, max_length=MOST_PARTS)
    gates: list[GateRecord] = Field(default_factory=list[GateRecord], max_length=MOST_PARTS)


class NodeRecord(_Form):
    """A node in YAML, without its children."""

    id: Slug = Field(description="Small letters, digits, - . and _.")
    title: Line = Field(min_length=3, max_length=LONGEST_TITLE)
    owner: Station
    type: Line = Field(default="", max_length=40)
    phase: Phase | None = None
    state: Line = Field(default="", max_length=40)
    plan: PlanForm = Field(default_factory=PlanForm)
    ready: ReadyRecord = Field(default_factory=ReadyRecord)
    done: DoneRecord
