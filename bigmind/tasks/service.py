"""Use cases of tasks: make, change, list, read, move them, and find the next one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import col, delete

from bigmind.brain.evidence import newest_entry
from bigmind.caution.detect import pending
from bigmind.core.errors import BigMindError, Code, FieldProblem, invalid
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.flow.decision import Refusal
from bigmind.flow.workflow import ActorKind, Process
from bigmind.kinds import save, texts_of
from bigmind.memory.sessions.choice import current_project
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.tasks import item_listing
from bigmind.tasks.answers import (
    LedgerAnswer,
    NextAnswer,
    ProcessAnswer,
    ProcessRow,
    TaskAnswer,
    TransitionAnswer,
    WholeTask,
)
from bigmind.tasks.edit_permit import reason_against
from bigmind.tasks.ledger_listing import ledger_of, sent_back
from bigmind.text.phrasing import why_flagged
from bigmind.usage.offer import offer_to
from bigmind.work.holding.lease import renew
from bigmind.work.items import (
    checked_fields,
    depends_on,
    fields_of,
    free_slug,
    item_named,
    of_same_title,
    refuse_untelling,
    tell,
    write_fields,
)
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.memory_gates import Relevance
from bigmind.work.moving import (
    MoveOrder,
    look_for_move,
    move,
    refuse_unless_agreed,
    see_evidence,
    seen_for_moves,
)
from bigmind.work.processes import OF_TASKS_ONLY, SESSION, how_made, may_agents_create, process_of, refuse_unknown
from bigmind.work.roles import actor_of, refuse_unless_editor, role_fault
from bigmind.work.rules import MEMORY_FIELDS, MOST_DEPENDENCIES, slug_of
from bigmind.work.tables import WorkDependency, WorkItem
from bigmind.work.work_queue import QueueQuery, next_item
from bigmind.work.workflow_context import as_refused, context_of, gate_line, gate_lines, refuse_unless_next

list_tasks = item_listing.list_tasks

NO_SLUG = "Its slug is {}: of the title nothing can stand in one. Pass slug to choose it."


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """A task as it is asked for; what is None stays as it is."""

    title: str | None = None
    process: str = "task"
    slug: str = ""
    description: str | None = None
    topic: str | None = None
    project: str | None = None
    dna: Mapping[str, Any] | None = None
    depends_on: Sequence[str] | None = None
    state: str = ""


def create_task(work: Work, draft: TaskDraft) -> TaskAnswer:
    """Make a task.

    Raises:
        BigMindError: `invalid_input`; `conflict` for a slug that is taken; `forbidden` where only persons may.
    """
    process = process_of(work, draft.process)
    in_person = work.caller.presence.is_in_person
    if process.name in {OF_TASKS_ONLY, SESSION} or not (in_person or may_agents_create(work, process)):
        raise BigMindError(Code.FORBIDDEN, f"Agents make no items of {process.name}.", how_made(process))
    state = draft.state or process.begins_in[0]
    if state not in process.begins_in:
        raise invalid("state", state, f"one of {', '.join(process.begins_in)}")
    title = draft.title or ""
    refuse_untelling(title)
    row = WorkItem(
        uid=new_id(),
        slug=free_slug(work, draft.slug, title),
        user_id=work.caller.user_id,
        created_at=work.now,
        updated_at=work.now,
        project=draft.project or work.caller.project,
        client=work.caller.client,
        process=process.name,
        version=process.version,
        state=state,
        role=process.first_role,
        entered_at=work.now,
        title=title,
        topic=draft.topic or "",
        description=draft.description or "",
    )
    row.entered_after = row.written_after = newest_entry(work)
    save(work, row, Action.CREATED)
    if draft.dna:
        write_fields(work, row, checked_fields({}, draft.dna))
    _depend(work, row, draft.depends_on or ())
    append(work, Entry("created", row.uid, {}, _words(row)), row)
    work.session.add(row)
    no_slug = "" if draft.slug or row.caution or slug_of(title) else NO_SLUG.format(row.slug)
    return answer_of(work, row, note=" ".join(filter(None, (no_slug, of_same_title(work, row)))))


def edit_task(work: Work, slug: str, draft: TaskDraft, role: str, revision: int | None) -> TaskAnswer:
    """Change title, topic, description or dependencies, while nobody holds it; in the ledger.

    Raises:
        BigMindError: `not_found`; `conflict` while it is held, or was changed; `forbidden` in other roles.
    """
    row = item_named(work, slug)
    if row.process == OF_TASKS_ONLY:
        raise invalid("slug", slug, "a task; a node is changed with mindspace_update_node")
    refuse_unless_agreed(work, row)
    _refuse_stale(row, revision)
    refuse_unless_editor(actor_of(work, process_of(work, row.process, row.version), role))
    if row.holder:
        raise BigMindError(
            Code.CONFLICT, f"{shown_agent(row.holder)} holds {row.slug}.", "It is edited once it is let go."
        )
    if draft.title not in {None, row.title}:
        refuse_untelling(draft.title or "")
    before = texts_of(work, row)
    changed = _rewrite(work, row, draft)
    row.revision += 1
    row.updated_at, row.written_after = work.now, newest_entry(work)
    save(work, row, Action.UPDATED, before)
    append(work, Entry("edited", row.uid, {"revision": row.revision, **changed}, _words(row)), row)
    work.session.add(row)
    return answer_of(work, row)


def _rewrite(work: Work, row: WorkItem, draft: TaskDraft) -> dict[str, Any]:
    """Write what a draft gives; the names of what it changed, and what the item waits for then, for the ledger."""
    given = {name: getattr(draft, name) for name in ("title", "topic", "description", "project")}
    changed = [name for name, value in given.items() if value is not None and value != getattr(row, name)]
    for name in changed:
        setattr(row, name, given[name])
    if draft.depends_on is None:
        return {"changed": changed}
    before = [each.uid for each in depends_on(work, row)]
    _depend(work, row, draft.depends_on)
    after = [each.uid for each in depends_on(work, row)]
    return {"changed": [*changed, "depends_on"], "depends_on": after} if after != before else {"changed": changed}


def update_dna(work: Work, slug: str, fields: Mapping[str, Any], role: str, revision: int | None) -> TaskAnswer:
    """Write fields of an item's DNA: its holder; where there is none, whoever may make the next move.

    Raises:
        BigMindError: `not_found`, `conflict`, `forbidden`, `invalid_input`.
    """
    row = item_named(work, slug)
    refuse_unless_agreed(work, row)
    _refuse_stale(row, revision)
    process = process_of(work, row.process, row.version)
    actor = actor_of(work, process, role)
    if actor.kind is ActorKind.AGENT:
        if row.holder and row.holder != actor.agent:
            raise BigMindError(Code.CONFLICT, f"{shown_agent(row.holder)} holds {row.slug}, and writes its DNA.")
        if not row.holder:
            refuse_unless_next(work, row, process, role)
    changed = write_fields(work, row, checked_fields(fields_of(row), fields))
    if set(changed) - {*MEMORY_FIELDS}:
        row.revision += 1  # what a person confirmed was without them
    renew(work, row)
    tell(work, row)
    return answer_of(work, row, note=f"Written: {', '.join(changed)}." if changed else "Nothing changed.")


def get_task(work: Work, slug: str) -> TaskAnswer:
    """An item, whole, with its workflow context.

    Raises:
        BigMindError: `not_found`, `ambiguous`.
    """
    row = item_named(work, slug)
    return answer_of(work, row, known=seen_for_moves(work, row), kind=WholeTask)


def look_at(work: Work, slug: str, to: str, fields: Mapping[str, Any] | None) -> Relevance:
    """Find out what a move of an item may rest on; nothing where there is no such item, or it cannot be judged."""
    try:
        return look_for_move(work, item_named(work, slug), to, fields or {})
    except BigMindError:  # the move itself says what is wrong
        return Relevance()


def see(known: Relevance) -> Relevance:
    """Look at what the evidence gates of a move ask for; see `see_evidence`."""
    return see_evidence(known)


def transition(work: Work, slug: str, order: MoveOrder, known: Relevance) -> TransitionAnswer:
    """Move an item, or say all that is missing.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `conflict` where it does not agree with the ledger; `invalid_input`.
    """
    row = item_named(work, slug)
    if row.process == OF_TASKS_ONLY:
        raise invalid("slug", slug, "a task; a node is moved with mindspace_book_transition")
    outcome = move(work, row, order, known)
    decision = outcome.decision
    if isinstance(decision, Refusal):
        item = answer_of(work, row, known=known, role=order.role)
        context = as_refused(item.context, order.target, decision, has_fields=bool(order.fields))
        return TransitionAnswer(
            moved=False,
            state=row.state,
            fault=decision.fault.value,
            message=decision.message,
            blocked_by=gate_lines(decision.blocked_by),
            warnings=[],
            violations=[],
            readied=[],
            item=item.model_copy(update={"context": context}),
        )
    return TransitionAnswer(
        moved=True,
        state=row.state,
        blocked_by=[],
        warnings=[gate_line(each) for each in decision.warnings],
        violations=[f"{each.gate} ({each.severity})" for each in decision.violations],
        readied=list(outcome.readied),
        item=answer_of(work, row, role=order.role),
    )


def next_task(work: Work, role: str, project: str | None) -> NextAnswer:
    """The best item that the caller can move now, of its own project first unless it names one.

    Raises:
        BigMindError: `invalid_input`, for a role that no process has.
    """
    refuse_unknown(work, role=role)
    row = next_item(work, QueueQuery(role, project), current_project(work))
    if row is None:
        return NextAnswer(item=None, note=role_fault(work, role))
    return NextAnswer(item=answer_of(work, row, known=seen_for_moves(work, row), role=role, kind=WholeTask))


def reason_against_edit(work: Work, file: str) -> str:
    """Why the caller may not change a file where edits are held to the work that is known of; empty where it may.

    One kind of work that lets it is enough.
    """
    offer = offer_to(work)
    asked = [each.against_edit(work, offer, file) for each in work.kinds if each.against_edit is not None]
    reasons = [each for each in asked if each is not None]
    if any(not each for each in reasons):
        return ""
    of_items = reason_against(work, offer)
    return of_items if not of_items or not reasons else reasons[0]


def get_process(work: Work, name: str) -> ProcessAnswer:
    """A process, as answers tell it.

    Raises:
        BigMindError: `not_found`.
    """
    return process_answer(process_of(work, name))


def process_answer(process: Process) -> ProcessAnswer:
    """The same of one that is known."""
    return ProcessAnswer(
        name=process.name,
        version=process.version,
        title=process.title,
        roles=list(process.roles),
        states=list(process.states),
        transitions=[
            ProcessRow(
                source=each.source,
                target=each.target,
                label=each.label,
                by=sorted(each.actors),
                role=each.role or "",
                gates=[gate.name for gate in each.gates],
                effects=[f"{effect.kind} {effect.value}" for effect in each.effects],
            )
            for each in process.transitions
        ],
    )


def get_ledger(work: Work, slug: str) -> LedgerAnswer:
    """The ledger of one item.

    Raises:
        BigMindError: `not_found`, `ambiguous`.
    """
    row = item_named(work, slug)
    return LedgerAnswer(slug=row.slug, rows=ledger_of(work, row))


def answer_of(
    work: Work,
    row: WorkItem,
    *,
    known: Relevance | None = None,
    role: str = "",
    note: str = "",
    kind: type[TaskAnswer] = TaskAnswer,
) -> TaskAnswer:
    """An item as answers tell it, with its workflow context for the caller."""
    process = process_of(work, row.process, row.version)
    caution = pending(row)
    return kind(
        uid=row.uid,
        slug=row.slug,
        title="" if caution else row.title,
        topic="" if caution else row.topic,
        description="" if caution else row.description,
        process=row.process,
        version=row.version,
        revision=row.revision,
        project=None if caution else row.project,
        elsewhere="" if caution or row.project in {None, current_project(work)} else row.project or "",
        created_at=row.created_at,
        updated_at=row.updated_at,
        depends_on=[item_listing.line_of(work, each) for each in depends_on(work, row)],
        dna={} if caution else fields_of(row),
        self_reviewed=row.self_reviewed,
        is_imported=row.is_imported,
        caution=why_flagged(caution) if caution else "",
        note=note,
        sent_back="" if caution else sent_back(work, row, process),
        context=context_of(work, row, process, known or Relevance(), role),
    )


def _words(row: WorkItem) -> dict[str, str]:
    return {"slug": row.slug, "title": row.title, "topic": row.topic, "description": row.description}


def _refuse_stale(row: WorkItem, revision: int | None) -> None:
    if revision is not None and revision != row.revision:
        raise BigMindError(
            Code.CONFLICT, f"{row.slug} is at revision {row.revision}, not {revision}.", "Read it again: work_get_task."
        )


def _depend(work: Work, row: WorkItem, slugs: Sequence[str]) -> None:
    """Make an item depend on these and no others; a circle is refused, and shown."""
    if len(slugs) > MOST_DEPENDENCIES:
        raise invalid("depends_on", f"{len(slugs)} items", f"at most {MOST_DEPENDENCIES}")
    others = [item_named(work, each) for each in dict.fromkeys(slugs)]
    for other in others:
        if circle := _path(work, other, row):
            shown = " → ".join([row.slug, *circle])
            problem = FieldProblem("depends_on", other.slug, f"no circle: {shown}")
            raise BigMindError(Code.INVALID_INPUT, "That would be a circle.", problems=(problem,))
    work.session.exec(delete(WorkDependency).where(col(WorkDependency.item_id) == row.id))
    work.session.add_all(WorkDependency(item_id=row.id or 0, other_id=each.id or 0) for each in others)
    work.session.flush()


def _path(work: Work, start: WorkItem, end: WorkItem) -> list[str]:
    """The slugs on a way from one item to another along what they depend on; empty where there is none."""
    ways: list[tuple[WorkItem, list[str]]] = [(start, [start.slug])]
    seen: set[int] = set()
    while ways:
        row, way = ways.pop()
        if row.id == end.id:
            return way
        if (row.id or 0) not in seen:
            seen.add(row.id or 0)
            ways.extend((each, [*way, each.slug]) for each in depends_on(work, row))
    return []
