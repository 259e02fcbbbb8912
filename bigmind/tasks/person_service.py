"""Use cases of a person who confirms, moves, and sets how work is done: all of it in person."""

import json
from collections.abc import Sequence
from typing import Any

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.flow.workflow import HUMAN, Process
from bigmind.store.work import Work
from bigmind.tasks.answers import TaskAnswer, TransitionAnswer
from bigmind.tasks.person_answers import ConfirmationAnswer, MigrationAnswer, ProcessShelfAnswer, RolesAnswer
from bigmind.tasks.service import transition, update_dna
from bigmind.work.in_person import confirmations, item_migration, process_shelf, role_setting
from bigmind.work.items import fields_of, item_named
from bigmind.work.memory_gates import Relevance
from bigmind.work.moving import MoveOrder
from bigmind.work.processes import process_of
from bigmind.work.rules import MEMORY_FIELDS
from bigmind.work.tables import WorkItem


def confirm(work: Work, slug: str, revision: int, note: str) -> ConfirmationAnswer:
    """Say yes to an item as it was shown.

    Raises:
        BigMindError: `not_found`; `conflict`, when it changed since, or nothing of it waits.
    """
    row = item_named(work, slug)
    confirmations.confirm(work, row, process_of(work, row.process, row.version), revision, note)
    return ConfirmationAnswer(slug=row.slug, revision=revision, is_given=True)


def withdraw(work: Work, slug: str) -> ConfirmationAnswer:
    """Take the yes back that holds.

    Raises:
        BigMindError: `not_found`; `conflict`, when none holds.
    """
    row = item_named(work, slug)
    confirmations.withdraw(work, row)
    return ConfirmationAnswer(slug=row.slug, revision=row.revision, is_given=False)


def move_in_person(work: Work, slug: str, order: MoveOrder, known: Relevance) -> TransitionAnswer:
    """Move an item as a person; where the move needs a yes, who makes it says it by that, and it is written down.

    Raises:
        BigMindError: as `transition`.
    """
    row = item_named(work, slug)
    process = process_of(work, row.process, row.version)
    is_yes, words, revision = _says_yes(process, row, order.target), confirmations.shown_words(row), row.revision
    answer = transition(work, row.slug, order, known)
    if answer.moved and is_yes:
        confirmations.write_yes(work, row, revision, order.reason, words)
    return answer


def _says_yes(process: Process, row: WorkItem, target: str) -> bool:
    rules = (each for each in process.leaving(row.state) if each.target == target and HUMAN in each.actors)
    return any(map(confirmations.needs_yes, rules))


def write_field(work: Work, slug: str, name: str, value: str, revision: int | None) -> TaskAnswer:
    """Write one field of an item's DNA; an empty value takes it out, and what was no text stays none.

    Raises:
        BigMindError: `not_found`, `conflict`, `invalid_input`.
    """
    row = item_named(work, slug)
    if name in MEMORY_FIELDS:
        raise invalid("name", name, "a field of the work; what a memory gate rests on is written by the agent")
    if row.holder:
        raise BigMindError(
            Code.CONFLICT, f"{row.slug} is held, and its holder writes its fields.", "Wait, or block it."
        )
    before = fields_of(row).get(name)
    return update_dna(work, row.slug, {name: _value(name, value, before) if value else None}, "", revision)


def _value(name: str, text: str, before: Any) -> Any:
    if before is None or isinstance(before, str):
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise invalid(name, text, "JSON, as it was before") from None


def take_process(work: Work, text: str, replaces: int, *, agents_may_create: bool) -> ProcessShelfAnswer:
    """Take a process document, as it was shown.

    Raises:
        BigMindError: `forbidden` in a team to its members; `invalid_input` with line and key; `conflict`.
    """
    process_shelf.permit(work)
    dropped = list(process_shelf.offered(work, text).dropped)
    process = process_shelf.take(work, text, replaces, agents_may_create=agents_may_create)
    told = f"{process.title} is taken, version {process.version}."
    return ProcessShelfAnswer(name=process.name, version=process.version, told=told, dropped=dropped)


def let_agents_create(work: Work, name: str, version: int, *, allowed: bool) -> ProcessShelfAnswer:
    """Say whether agents may make items in a process of a team's own.

    Raises:
        BigMindError: `forbidden` in a team to its members; `not_found`.
    """
    process_shelf.permit(work)
    process_shelf.let_agents_create(work, name, version, allowed=allowed)
    told = f"Agents {'may' if allowed else 'may no longer'} make items in {name}."
    return ProcessShelfAnswer(name=name, version=version, told=told)


def remove_process(work: Work, name: str, version: int) -> ProcessShelfAnswer:
    """Remove a version of a process that no item stands in.

    Raises:
        BigMindError: `forbidden` in a team to its members; `not_found`, `conflict`.
    """
    process_shelf.permit(work)
    process_shelf.remove(work, name, version)
    return ProcessShelfAnswer(name=name, version=version, told=f"Version {version} of {name} is removed.")


def migrate_items(work: Work, name: str, version: int, slugs: Sequence[str], shown: str) -> MigrationAnswer:
    """Lead items to a newer version of their process, as it was shown.

    Raises:
        BigMindError: `forbidden` in a team to its members; `not_found`, `invalid_input`, `conflict`.
    """
    process_shelf.permit(work)
    moved = item_migration.migrate(work, name, version, slugs, shown)
    return MigrationAnswer(name=name, version=version, slugs=moved)


def set_roles(work: Work, agent: str, roles: Sequence[str], *, as_usual: bool) -> RolesAnswer:
    """Say which work roles an agent may take.

    Raises:
        BigMindError: `invalid_input`.
    """
    found = role_setting.set_roles(work, agent, roles, as_usual=as_usual)
    return RolesAnswer(agent=found.shown, roles=list(found.roles), is_set=found.is_set)
