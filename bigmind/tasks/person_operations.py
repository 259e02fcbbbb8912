"""What a person does about work, in person: in the app's window, or on a page with the passphrase."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Surface
from bigmind.flow.process_document import LONGEST
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import Line
from bigmind.store.work import Work
from bigmind.tasks.answers import TaskAnswer, TransitionAnswer
from bigmind.tasks.operations import Fields, ProcessName, Reason, Revision, Slug, Slugs, WorkRole
from bigmind.tasks.person_answers import ConfirmationAnswer, MigrationAnswer, ProcessShelfAnswer, RolesAnswer
from bigmind.work.rules import LONGEST_FIELD

if TYPE_CHECKING:
    from bigmind.tasks import person_service, service
    from bigmind.work import moving
else:
    service = LazyModule("bigmind.tasks.service")
    person_service = LazyModule("bigmind.tasks.person_service")
    moving = LazyModule("bigmind.work.moving")

TOOLSET = "work"
PAGES = frozenset({Surface.API})
"""No tool and no command: where nothing proves a person it would only be refused."""

Shown = Annotated[int, Field(ge=0, description="The revision that the page showed; refused where there is another.")]
Version = Annotated[int, Field(ge=1, description="Of the process.")]


@operation("Confirm an item", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def work_confirm(work: Work, slug: Slug, revision: Shown, note: Reason | None = None) -> ConfirmationAnswer:
    """Say yes to an item as it was shown. It holds until the item is moved or anything of it changes."""
    return person_service.confirm(work, slug, revision, note or "")


@operation("Take a confirmation back", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def work_withdraw(work: Work, slug: Slug) -> ConfirmationAnswer:
    """Take back the yes that holds for an item, until it is moved."""
    return person_service.withdraw(work, slug)


def _look(
    work: Work,
    slug: str,
    to: str,
    revision: int,
    reason: str | None = None,
    fields: dict[str, Any] | None = None,
) -> Any:
    del revision, reason
    return service.look_at(work, slug, to, fields)


@operation(
    "Move an item in person",
    Effect.WRITE,
    toolset=TOOLSET,
    in_person=True,
    surfaces=PAGES,
    looks=_look,
    gathers=lambda found: service.see(found),  # noqa: PLW0108 - loaded when called
)
def work_move(
    work: Work,
    slug: Slug,
    to: Annotated[Line, Field(min_length=1, max_length=40, description="A state, or restore.")],
    revision: Shown,
    reason: Reason | None = None,
    fields: Fields | None = None,
    found: Any = None,
) -> TransitionAnswer:
    """Move an item as a person may. Where the move needs a confirmation, who makes it gives it by that."""
    order = moving.MoveOrder(to, "", fields or {}, reason or "", revision)
    return person_service.move_in_person(work, slug, order, found)


@operation("Write a field of an item", Effect.WRITE, toolset=TOOLSET, people_only=True, surfaces=PAGES)
def work_write_field(
    work: Work,
    slug: Slug,
    name: Annotated[Line, Field(min_length=1, max_length=60, description="Small letters, digits and _.")],
    value: Annotated[str, Field(max_length=LONGEST_FIELD, description="Empty takes the field out.")] = "",
    revision: Revision | None = None,
) -> TaskAnswer:
    """Write one field of an item that nobody holds."""
    return person_service.write_field(work, slug, name, value.strip(), revision)


@operation("Take a process", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def work_take_process(
    work: Work,
    text: Annotated[str, Field(min_length=1, max_length=LONGEST, description="The document, in YAML.")],
    replaces: Annotated[int, Field(ge=0, description="The version beside which it was shown; 0 for none.")],
    agents_may_create: Annotated[bool, Field(description="Whether agents may make items in it.")] = False,
) -> ProcessShelfAnswer:
    """Take a process document, as it was shown with the gates that fall away."""
    return person_service.take_process(work, text, replaces, agents_may_create=agents_may_create)


@operation("Let agents make items", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def work_let_agents_create(work: Work, name: ProcessName, version: Version, allowed: bool) -> ProcessShelfAnswer:
    """Say whether agents may make items in a process of your own."""
    return person_service.let_agents_create(work, name, version, allowed=allowed)


@operation("Remove a process", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def work_remove_process(work: Work, name: ProcessName, version: Version) -> ProcessShelfAnswer:
    """Remove a version of a process of your own that no item stands in."""
    return person_service.remove_process(work, name, version)


@operation("Migrate items", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def work_migrate_items(
    work: Work,
    name: ProcessName,
    version: Version,
    shown: Annotated[Line, Field(max_length=64, description="By what the plan that the page showed is known.")],
    slugs: Slugs | None = None,
) -> MigrationAnswer:
    """Lead items to a newer version of their process, as it was shown: all of them, or those that are named."""
    return person_service.migrate_items(work, name, version, slugs or (), shown)


@operation("Set an agent's work roles", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def work_set_roles(
    work: Work,
    agent: Annotated[Line, Field(min_length=1, max_length=120, description="The name of its token.")],
    roles: Annotated[list[WorkRole] | None, Field(max_length=60, description="None: it may take none.")] = None,
    as_usual: Annotated[bool, Field(description="Say nothing of it any more.")] = False,
) -> RolesAnswer:
    """Say which work roles an agent may take."""
    return person_service.set_roles(work, agent, roles or (), as_usual=as_usual)


OPERATIONS = (
    work_confirm,
    work_withdraw,
    work_move,
    work_write_field,
    work_take_process,
    work_let_agents_create,
    work_remove_process,
    work_migrate_items,
    work_set_roles,
)
