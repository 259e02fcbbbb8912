"""What the mindspace offers. The docstrings are read by models on every call: when to call comes first."""

import json
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Surface
from bigmind.core.shapes import is_list
from bigmind.mindspace.answers import (
    BookingAnswer,
    DeletionAnswer,
    DocumentAnswer,
    ImportAnswer,
    NodeAnswer,
    ReadyNodes,
    ScopeAnswer,
    SubmissionAnswer,
    TreeAnswer,
    VerdictAnswer,
)
from bigmind.mindspace.definitions import DoneForm, OutputForm, PlanForm, ReadyForm, Station
from bigmind.mindspace.rules import (
    DEEPEST,
    LONGEST_DOCUMENT,
    LONGEST_EVIDENCE,
    LONGEST_GATE,
    MOST_PARTS,
    Phase,
    Verdict,
)
from bigmind.operations.catalogue import for_people, operation
from bigmind.operations.inputs import Line, ShapeInWords, Text, cleaned
from bigmind.store.work import Work
from bigmind.work.rules import LONGEST_TITLE

if TYPE_CHECKING:
    from bigmind.mindspace import service
else:
    service = LazyModule("bigmind.mindspace.service")

TOOLSET = "mindspace"


def _json(value: object, like: str) -> object:
    """What has parts as JSON in a text, as commands give it and some models do; `like` is an example of it."""
    if not isinstance(value, str) or not value.strip():
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise ValueError(f"JSON like {like}") from None


def _json_like(example: str) -> BeforeValidator:
    return BeforeValidator(partial(_json, like=example))


def _list(value: object) -> object:
    found = _json(value, '[{"type": "file", "path": "docs/design.md"}]')
    return found if is_list(found) or isinstance(found, str) else [found]


NodeId = Annotated[Line, Field(min_length=1, max_length=80, description="The node's id.")]
StationName = Annotated[Station, Field(description="Yours: pdsa, dev, qa, liaison or orchestrator.")]
Status = Annotated[
    Literal["ready", "active", "rework", "paused", "review"], Field(description="review: where you verify.")
]
Depth = Annotated[int, Field(ge=0, le=DEEPEST, description="Levels below.")]
ParentId = Annotated[Line, Field(max_length=80, description="Of the node above; empty for a root.")]
Title = Annotated[Line, Field(min_length=3, max_length=LONGEST_TITLE, description="Says what it is about.")]
Owner = Annotated[Station, Field(description="Its station: pdsa, dev, qa, liaison or orchestrator.")]
NodeType = Annotated[Line, Field(max_length=40, description="A word of yours.")]
PhaseName = Annotated[Phase, Field(description="Of the cycle.")]
READY_LIKE = '{"context": "What it rests on.", "inputs": [{"type": "file", "path": "docs/design.md"}]}'
DONE_LIKE = '{"action": "Write it", "outputs": [{"type": "file", "path": "src/pool.py"}]}'
Ready = Annotated[ReadyForm, _json_like(READY_LIKE), Field(description="What it needs.")]
Done = Annotated[DoneForm, _json_like(DONE_LIKE), Field(description="What it gives, and who judges that.")]
READY_PARTS = (
    "{context, inputs: [{from, type, description, path, satisfied}]}, type being file, state or analysis; what is left "
    "out stays."
)
DONE_PARTS = (
    "{action, acceptance, outputs: [{type, description, path}], quality_gates: [{name, verifier, independent}]}; what "
    "is left out stays."
)
ReadyChange = Annotated[Ready, ShapeInWords(READY_PARTS, 2)]
DoneChange = Annotated[Done, ShapeInWords(DONE_PARTS, 4)]
Plan = Annotated[PlanForm, _json_like('{"path": "docs/plan.md"}'), Field(description="Where its plan is.")]
Outputs = Annotated[
    list[OutputForm], Field(min_length=1, max_length=MOST_PARTS, description="As declared."), BeforeValidator(_list)
]
MemoryFields = Annotated[
    dict[str, Any],
    Field(max_length=2, description="memory_query_session or memory_contribution_id, where BigMind cannot find it."),
    _json_like('{"memory_contribution_id": "…"}'),
]
Document = Annotated[
    str,
    BeforeValidator(cleaned),
    Field(
        min_length=1,
        max_length=LONGEST_DOCUMENT,
        description="The tree as YAML.",
        json_schema_extra={"contentMediaType": "application/yaml"},
    ),
]
Revision = Annotated[int, Field(ge=0, le=1_000_000_000, description="Refused where the node has another by now.")]


@operation("Nodes of a station", Effect.READ, toolset=TOOLSET)
def mindspace_get_ready_nodes(
    work: Work,
    station: StationName,
    status: Status = "ready",
    parent_id: ParentId | None = None,
) -> ReadyNodes:
    """Call this when you are free: the nodes of your station, what each needs and gives, and what you may do next."""
    return service.get_ready_nodes(work, station, status, parent_id or "")


@operation("Tree of nodes", Effect.READ, toolset=TOOLSET)
def mindspace_get_tree(
    work: Work,
    root_id: NodeId | None = None,
    depth: Depth = DEEPEST,
) -> TreeAnswer:
    """Call this to see the whole tree, or what is below one node: titles, stations, states."""
    return service.get_tree(work, root_id or "", depth)


@operation("Scope stack", Effect.READ, toolset=TOOLSET)
def mindspace_get_scope_stack(work: Work) -> ScopeAnswer:
    """Call this to see where your user's attention is: the nodes from the root to the focus."""
    return service.get_scope_stack(work)


def _look_at_files(work: Work, node_id: str, outputs: Any) -> Any:
    return service.look_at_files(work, node_id, outputs)


@operation(
    "Submit outputs",
    Effect.WRITE,
    toolset=TOOLSET,
    looks=_look_at_files,
    gathers=lambda found: service.see_files(found),  # noqa: PLW0108 - loaded when called
)
def mindspace_submit_output(work: Work, node_id: NodeId, outputs: Outputs, found: Any = None) -> SubmissionAnswer:
    """Call this when you produced what a node you hold declares, before you book its review."""
    return service.submit_output(work, node_id, outputs, found)


def _look(work: Work, node_id: str, target_state: str, fields: dict[str, Any] | None = None) -> Any:
    del target_state
    return service.look_at(work, node_id, fields)


@operation(
    "Move a node",
    Effect.WRITE,
    toolset=TOOLSET,
    looks=_look,
    gathers=lambda found: service.see_evidence(found),  # noqa: PLW0108 - loaded when called
    rests_on_brain=True,
)
def mindspace_book_transition(
    work: Work,
    node_id: NodeId,
    target_state: Annotated[Line, Field(min_length=1, max_length=40, description="active, review or paused.")],
    fields: MemoryFields | None = None,
    found: Any = None,
) -> BookingAnswer:
    """Call this to claim a node (active), hand it over (review) or pause it. A refusal names all that is missing.

    Ask the brain about the node before you claim it; contribute what you learned before you hand it over.
    """
    return service.book_transition(work, node_id, target_state, fields or {}, found)


@operation("Judge a quality gate", Effect.WRITE, toolset=TOOLSET)
def mindspace_record_gate(
    work: Work,
    node_id: NodeId,
    gate: Annotated[Line, Field(min_length=1, max_length=LONGEST_GATE, description="Its name.")],
    status: Annotated[Verdict, Field(description="Whether it holds.")],
    evidence: Annotated[Text, Field(min_length=1, max_length=LONGEST_EVIDENCE, description="What you saw.")],
    revision: Revision | None = None,
) -> VerdictAnswer:
    """Call this as the verifier of a node in review, never for what you produced yourself: pass or fail, and why."""
    return service.record_gate(work, node_id, gate, status, evidence, revision)


@operation("Make a node", Effect.WRITE, toolset=TOOLSET)
def mindspace_create_node(
    work: Work,
    title: Title,
    owner: Owner,
    definition_of_done: Done,
    parent_id: ParentId | None = None,
    type: NodeType | None = None,  # noqa: A002 - as the tool has it
    definition_of_ready: Ready | None = None,
    phase: PhaseName | None = None,
    plan: Plan | None = None,
) -> NodeAnswer:
    """Call this as orchestrator or pdsa to plan a node; below one that you hold, it pauses that one until it is done.

    It needs at least one output; without a quality gate a person accepts it.
    """
    ready = definition_of_ready if definition_of_ready is not None else ReadyForm()
    draft = service.NodeDraft(title, owner, type, phase, plan, ready, definition_of_done)
    return service.create_node(work, parent_id or "", draft)


@operation("Change a node", Effect.WRITE, toolset=TOOLSET, idempotent=True)
def mindspace_update_node(
    work: Work,
    node_id: NodeId,
    title: Title | None = None,
    owner: Owner | None = None,
    type: NodeType | None = None,  # noqa: A002 - as the tool has it
    phase: PhaseName | None = None,
    plan: Plan | None = None,
    definition_of_ready: ReadyChange | None = None,
    definition_of_done: DoneChange | None = None,
    revision: Revision | None = None,
) -> NodeAnswer:
    """Call this as orchestrator or pdsa to change a node; what is done stays, and what was claimed is a person's."""
    ready = definition_of_ready if definition_of_ready is not None else ReadyForm()
    done = definition_of_done if definition_of_done is not None else DoneForm()
    draft = service.NodeDraft(title, owner, type, phase, plan, ready, done)
    return service.update_node(work, node_id, draft, revision)


@operation("Place a node", Effect.WRITE, toolset=TOOLSET, idempotent=True)
def mindspace_move_node(
    work: Work,
    node_id: NodeId,
    parent_id: ParentId,
    position: Annotated[int, Field(ge=0, le=100_000, description="Among its siblings, from 0.")] = 100_000,
) -> NodeAnswer:
    """Call this as orchestrator or pdsa to place a node elsewhere in the tree."""
    return service.move_node(work, node_id, parent_id, position)


@operation("Set the focus", Effect.WRITE, toolset=TOOLSET, idempotent=True)
def mindspace_set_focus(work: Work, node_id: NodeId) -> ScopeAnswer:
    """Call this as orchestrator or pdsa when your user turns to a node; answers the scope stack."""
    return service.set_focus(work, node_id)


@operation("Delete a node", Effect.DESTRUCTIVE, toolset=TOOLSET, in_person=True, surfaces=frozenset({Surface.API}))
def mindspace_delete_node(work: Work, node_id: NodeId, revision: Revision | None = None) -> DeletionAnswer:
    """Call this to delete a node and all below it; the ledger keeps that they were there, without their words."""
    return service.delete_node(work, node_id, revision)


@for_people("Export the tree", Effect.READ, toolset=TOOLSET)
def mindspace_export(work: Work, root_id: NodeId | None = None) -> DocumentAnswer:
    """Call this for the tree, or what is below one node, as YAML, with states and results."""
    return service.export_tree(work, root_id or "")


def _read(work: Work, text: str) -> Any:
    del work
    return service.read_tree(text)


@for_people("Import a tree", Effect.WRITE, toolset=TOOLSET, idempotent=True, looks=_read)
def mindspace_import(work: Work, text: Document, found: Any = None) -> ImportAnswer:
    """Call this to make or change nodes as a YAML file says; its states and results are believed in person alone."""
    del text
    return service.import_tree(work, found)


OPERATIONS = (
    mindspace_get_ready_nodes,
    mindspace_get_tree,
    mindspace_get_scope_stack,
    mindspace_submit_output,
    mindspace_book_transition,
    mindspace_record_gate,
    mindspace_create_node,
    mindspace_update_node,
    mindspace_move_node,
    mindspace_set_focus,
    mindspace_delete_node,
    mindspace_export,
    mindspace_import,
)
