"""What people do about the ledger of work: verify it, and accept an item that stands otherwise than it says."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Role
from bigmind.maintenance.ledger_answers import AcceptedStanding, LedgerVerification
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import Line, Text
from bigmind.store.access import Access
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.maintenance import ledger_check
    from bigmind.work.ledger import standing
else:
    ledger_check = LazyModule("bigmind.maintenance.ledger_check")
    standing = LazyModule("bigmind.work.ledger.standing")

LONGEST_NOTE = 1_000


@for_people("Verify the ledger", Effect.READ, toolset="work", takes_access=True)
def work_verify(access: Access) -> LedgerVerification:
    """Compare the ledger with itself, with every item, with the brain's log, and with its heads in the backups.

    Ends with 1 where something does not agree, and names the row and the item.
    """
    return ledger_check.verified_ledger(access)


@for_people("Accept an item as it stands", Effect.WRITE, toolset="work", permission=Role.CURATOR, in_person=True)
def work_accept_standing(
    work: Work,
    slug: Annotated[Line, Field(min_length=1, max_length=80, description="The item's slug, or its id.")],
    revision: Annotated[int, Field(ge=0, description="The revision that was shown.")],
    note: Annotated[Text, Field(max_length=LONGEST_NOTE, description="What you found; stands in the ledger.")]
    | None = None,
) -> AcceptedStanding:
    """Say, in person, that an item counts as it stands, though the ledger left it otherwise: it moves again."""
    row = standing.accept_standing(work, slug, revision, note or "")
    return AcceptedStanding(slug=row.slug, state=row.state, revision=row.revision)


OPERATIONS = (work_verify, work_accept_standing)
