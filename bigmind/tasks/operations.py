"""What tasks offer. The docstrings are read by models on every call: when to call comes first."""

import json
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import Line, Project, Text, split
from bigmind.store.work import Work
from bigmind.tasks.answers import LedgerAnswer, NextAnswer, ProcessAnswer, TaskAnswer, TaskList, TransitionAnswer
from bigmind.work.rules import LONGEST_DESCRIPTION, LONGEST_REASON, LONGEST_TITLE, MOST_DEPENDENCIES, MOST_FIELDS

if TYPE_CHECKING:
    from bigmind.tasks import service
else:
    service = LazyModule("bigmind.tasks.service")

TOOLSET = "work"


def _object(value: object) -> object:
    """Fields as JSON in a text, as some models send them."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise ValueError('JSON like {"pdsa_ref": "docs/design.md"}') from None


Slug = Annotated[Line, Field(min_length=1, max_length=80, description="The item's slug, or its id.")]
NewSlug = Annotated[Line, Field(min_length=1, max_length=80, description="As pay-12; made of the title if left out.")]
Title = Annotated[Line, Field(min_length=3, max_length=LONGEST_TITLE, description="Says what it is about.")]
Description = Annotated[Text, Field(max_length=LONGEST_DESCRIPTION, description="What is to be done, and why.")]
Topic = Annotated[Line, Field(max_length=200, description="As pay/refunds.")]
Fields = Annotated[
    dict[str, Any],
    Field(max_length=MOST_FIELDS, description="DNA: names and JSON values."),
    BeforeValidator(_object),
]
WorkRole = Annotated[Line, Field(max_length=40, description="As which you act: pdsa, dev, qa, liaison, orchestrator.")]
ItemRole = Annotated[Line, Field(max_length=40, description="Whose turn it is.")]
State = Annotated[Line, Field(max_length=40, description="As pending, ready, active, review.")]
Target = Annotated[Line, Field(min_length=1, max_length=40, description="A state, or restore.")]
Slugs = Annotated[
    list[Annotated[Line, Field(max_length=80)]],
    Field(max_length=MOST_DEPENDENCIES, description="Slugs of what has to be complete first."),
    BeforeValidator(split),
]
Reason = Annotated[Text, Field(max_length=LONGEST_REASON, description="Why; stands in the ledger.")]
Revision = Annotated[int, Field(ge=0, le=2**31 - 1, description="Refused where the item has another by now.")]
ProcessName = Annotated[Line, Field(max_length=40, description="task, bug, solo, or a team's own.")]
Limit = Annotated[int, Field(ge=1, le=100, description="How many at most.")]


@operation("Make a task", Effect.WRITE, toolset=TOOLSET)
def work_create_task(
    work: Work,
    title: Title,
    type: ProcessName = "task",  # noqa: A002 - as the tool has it
    slug: NewSlug | None = None,
    description: Description | None = None,
    topic: Topic | None = None,
    project: Project | None = None,
    dna: Fields | None = None,
    depends_on: Slugs | None = None,
    state: State | None = None,
) -> TaskAnswer:
    """Call this to plan work as a task, bug or solo item; it begins in pending, or in backlog."""
    draft = service.TaskDraft(title, type, slug or "", description, topic, project, dna, depends_on, state or "")
    return service.create_task(work, draft)


@operation("Edit a task", Effect.WRITE, toolset=TOOLSET, idempotent=True)
def work_edit_task(
    work: Work,
    slug: Slug,
    title: Title | None = None,
    description: Description | None = None,
    topic: Topic | None = None,
    project: Project | None = None,
    depends_on: Slugs | None = None,
    role: WorkRole | None = None,
    revision: Revision | None = None,
) -> TaskAnswer:
    """Call this as liaison or pdsa to change what a task is about or depends on, while nobody holds it."""
    draft = service.TaskDraft(title, description=description, topic=topic, project=project, depends_on=depends_on)
    return service.edit_task(work, slug, draft, role or "", revision)


@operation("List tasks", Effect.READ, toolset=TOOLSET)
def work_list_tasks(
    work: Work,
    role: ItemRole | None = None,
    state: State | None = None,
    project: Project | None = None,
    limit: Limit = 20,
) -> TaskList:
    """Call this to see what work there is, by role, state or project."""
    return service.list_tasks(work, role or "", state or "", project, limit)


@operation("Task", Effect.READ, toolset=TOOLSET)
def work_get_task(work: Work, slug: Slug) -> TaskAnswer:
    """Call this for one task whole: text, DNA, what leads on from here, and what each move still needs."""
    return service.get_task(work, slug)


@operation("Write a task's DNA", Effect.WRITE, toolset=TOOLSET, idempotent=True)
def work_update_dna(
    work: Work, slug: Slug, fields: Fields, role: WorkRole | None = None, revision: Revision | None = None
) -> TaskAnswer:
    """Call this to write down what you find while you hold a task; a null takes a field out."""
    return service.update_dna(work, slug, fields, role or "", revision)


def _look(
    work: Work,
    slug: str,
    to: str,
    role: str | None = None,
    fields: dict[str, Any] | None = None,
    reason: str | None = None,
    revision: int | None = None,
) -> Any:
    del role, reason, revision
    return service.look_at(work, slug, to, fields)


@operation(
    "Move a task",
    Effect.WRITE,
    toolset=TOOLSET,
    looks=_look,
    gathers=lambda found: service.see(found),  # noqa: PLW0108 - loaded when called
    rests_on_brain=True,
)
def work_transition(
    work: Work,
    slug: Slug,
    to: Target,
    role: WorkRole | None = None,
    fields: Fields | None = None,
    reason: Reason | None = None,
    revision: Revision | None = None,
    found: Any = None,
) -> TransitionAnswer:
    """Call this to claim, hand over or finish a task. A refusal names all that is missing, and what mends it.

    Ask the brain about the task before you claim it; contribute what you learned before you hand it over.
    """
    order = service.MoveOrder(to, role or "", fields or {}, reason or "", revision)
    return service.transition(work, slug, order, found)


@operation("Next task", Effect.READ, toolset=TOOLSET)
def work_next(work: Work, role: WorkRole | None = None, project: Project | None = None) -> NextAnswer:
    """Call this when you are free: it names the best task that your role can move now, and what it needs."""
    return service.next_task(work, role or "", project)


@operation("Process", Effect.READ, toolset=TOOLSET)
def work_get_process(work: Work, name: ProcessName) -> ProcessAnswer:
    """Call this to see all states and moves of a process: who makes them, and what each needs."""
    return service.get_process(work, name)


@operation("Ledger of a task", Effect.READ, toolset=TOOLSET)
def work_get_ledger(work: Work, slug: Slug) -> LedgerAnswer:
    """Call this to see who moved a task when, what was refused, and on what each move rested."""
    return service.get_ledger(work, slug)


OPERATIONS = (
    work_next,
    work_transition,
    work_get_task,
    work_update_dna,
    work_list_tasks,
    work_create_task,
    work_edit_task,
    work_get_process,
    work_get_ledger,
)
