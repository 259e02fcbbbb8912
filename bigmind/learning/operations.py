"""Learning from what is there already, as it is offered to people."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, Field, StringConstraints

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Role
from bigmind.learning.answers import (
    LEAST_OF_LIST,
    Accepted,
    DecidedList,
    Dismissed,
    ProposalList,
    SourceList,
    TakenBack,
)
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import FilePath, Line, split
from bigmind.store.access import Access
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.learning import service
else:
    service = LazyModule("bigmind.learning.service")

# The operations mask nothing of their input: a name of 64 hexadecimal digits would be taken for a key. What they read
# is masked where it is read.
Digest = Annotated[Line, StringConstraints(to_lower=True, pattern=r"^[0-9a-f]{8,64}$")]
Digests = Annotated[
    list[Digest],
    Field(max_length=2_000),
    BeforeValidator(split),
    Field(description="Names of proposals, or their first 8 characters, separated by commas."),
]
Shown = Annotated[
    Line,
    StringConstraints(to_lower=True, pattern=rf"^[0-9a-f]{{{LEAST_OF_LIST},64}}$"),
    Field(description=f"With all: the list that was shown, by its list_digest or {LEAST_OF_LIST} characters of it."),
]
Workspace = Annotated[FilePath, Field(description="A folder whose instruction files are read too.")]
ExportFile = Annotated[
    FilePath, Field(description="An export of ChatGPT or Claude (the zip, or a file of it) in place of the files here.")
]


@for_people("List what can be learned from", Effect.READ, permission=Role.ADMIN)
def learn_sources(work: Work, workspace: Workspace | None = None) -> SourceList:
    """List the files by which assistants are told things already: instructions, rules, their own notes."""
    del work
    return service.sources(workspace)


@for_people("Propose what could be learned", Effect.READ, takes_access=True)
def learn_proposals(access: Access, workspace: Workspace | None = None, file: ExportFile | None = None) -> ProposalList:
    """Show what could be learned from the files here, or from an export. Nothing is learned before it is accepted."""
    return service.proposed(access, workspace, file)


@for_people("Accept what could be learned", Effect.WRITE, takes_access=True, masks=False, idempotent=True)
def learn_accept(
    access: Access,
    digests: Digests | None = None,
    all: Annotated[bool, Field(description="All that are new and instruct nobody.")] = False,  # noqa: A002 - as people say it
    shown: Shown | None = None,
    workspace: Workspace | None = None,
    file: ExportFile | None = None,
) -> Accepted:
    """Learn what was proposed: what is named, or all that is new of the list that was shown.

    What it became can be taken back.
    """
    if all:
        return service.accept_all(access, shown or "", workspace, file)
    return service.accept_named(access, digests or (), workspace, file)


@for_people("Dismiss what could be learned", Effect.WRITE, takes_access=True, masks=False, idempotent=True)
def learn_dismiss(
    access: Access,
    digests: Digests | None = None,
    all: Annotated[bool, Field(description="All that are proposed.")] = False,  # noqa: A002
    shown: Shown | None = None,
    workspace: Workspace | None = None,
    file: ExportFile | None = None,
) -> Dismissed:
    """Have proposals not made again: those that are named, or the list that was shown. It can be taken back."""
    if all:
        return service.dismiss_all(access, shown or "", workspace, file)
    return service.dismiss_named(access, digests or (), workspace, file)


@for_people("List what was decided", Effect.READ)
def learn_decided(
    work: Work, limit: Annotated[int, Field(ge=1, le=500, description="How many, at most.")] = 50
) -> DecidedList:
    """List what was accepted and dismissed, the newest first, with what it became: each can be taken back by its name.

    Of what was dismissed no word is kept.
    """
    return service.decided(work, limit)


@for_people("Take back what was learned", Effect.WRITE, takes_access=True, masks=False, idempotent=True)
def learn_undo(
    access: Access,
    digests: Digests | None = None,
    dismissed: Annotated[bool, Field(description="All that was ever dismissed.")] = False,
) -> TakenBack:
    """Take back decisions: facts are deprecated, what else was made of proposals goes, and they are made again."""
    return service.undo(access, digests or (), all_dismissed=dismissed)


OPERATIONS = (learn_sources, learn_proposals, learn_accept, learn_dismiss, learn_decided, learn_undo)
