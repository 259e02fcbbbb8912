"""Items in a list, and their slugs."""

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.tasks.answers import TaskLine, TaskList
from bigmind.work.items import depends_on
from bigmind.work.processes import OF_TASKS_ONLY, refuse_unknown
from bigmind.work.tables import WorkItem


def line_of(work: Work, row: WorkItem) -> TaskLine:
    """An item in a list."""
    waits = [each.slug for each in depends_on(work, row) if each.state != "complete"] if row.state == "pending" else []
    return TaskLine(
        slug=row.slug,
        title="" if pending(row) else row.title,
        process=row.process,
        state=row.state,
        role=row.role,
        project=None if pending(row) else row.project,
        holder=shown_agent(row.holder),
        updated_at=row.updated_at,
        waits_for=waits,
    )


def list_tasks(work: Work, role: str, state: str, project: str | None, limit: int) -> TaskList:
    """Items, the latest changed first.

    Raises:
        BigMindError: `invalid_input`, for a role or a state that no process has.
    """
    refuse_unknown(work, role=role, state=state)
    found = select(WorkItem).where(WorkItem.process != OF_TASKS_ONLY)
    if role:
        found = found.where(WorkItem.role == role)
    if state:
        found = found.where(WorkItem.state == state)
    if project:
        found = found.where(WorkItem.project == project)
    newest = found.order_by(col(WorkItem.updated_at).desc(), col(WorkItem.id).desc()).limit(limit + 1)
    rows = work.session.exec(newest).all()
    return TaskList(tasks=[line_of(work, each) for each in rows[:limit]], more=len(rows) > limit)


def task_slugs(work: Work, beginning: str, limit: int) -> list[str]:
    """The slugs of items that begin so, the latest changed first."""
    found = select(WorkItem.slug).where(WorkItem.process != OF_TASKS_ONLY)
    named = found.where(col(WorkItem.slug).startswith(beginning, autoescape=True))
    return list(work.session.exec(named.order_by(col(WorkItem.updated_at).desc()).limit(limit)).all())
