"""Operations that look after the memory: how it is, pruning, forgetting for good, making indexes anew."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect, Role
from bigmind.maintenance import forgetting, health, pruning, reindexing, statistics
from bigmind.maintenance.answers import ClosedSessions, ForgottenItem, Health, Pruned, Reindexed, Stats
from bigmind.memory.sessions import closing
from bigmind.operations.catalogue import for_people, operation
from bigmind.operations.inputs import ReferenceOrProfile
from bigmind.store.access import Access
from bigmind.store.work import Work

Days = Annotated[int, Field(ge=1, le=36_500, description="Moments older than so many days; assistants: 30 or more.")]


@operation("Memory statistics", Effect.READ)
def memory_get_stats(work: Work) -> Stats:
    """Call this when the user asks how much is remembered: sizes on disk, backups, and counts by tier."""
    return statistics.full_stats(work)


@operation("Check the memory's health", Effect.READ, takes_access=True, beside_memory=True)
def memory_health_check(
    access: Access,
    stale_days: Annotated[int, Field(ge=1, le=36_500, description="When a fact is stale.")] = 30,
) -> Health:
    """Call this when recall seems wrong, or the user asks how the memory is.

    Each finding says what it means and which operation mends it.
    """
    return health.look_after(access, stale_days)


@operation("Prune old moments", Effect.DESTRUCTIVE, takes_access=True, idempotent=True)
def memory_vacuum(
    access: Access,
    days: Days,
    dry_run: Annotated[bool, Field(description="Only say what would be pruned.")] = False,
    all: Annotated[  # noqa: A002 - the word of the specification
        bool, Field(description="Also the last moment of sessions without a summary.")
    ] = False,
) -> Pruned:
    """Call this only when the user asks to make room: prunes old moments (Tier 3); summaries stay.

    Call it with dry_run=true first and show the user what it says.
    """
    return pruning.prune(access, days, dry_run=dry_run, whole=all)


@for_people("Forget for good", Effect.DESTRUCTIVE, takes_access=True)
def memory_forget(
    access: Access,
    id: ReferenceOrProfile,  # noqa: A002 - of whatever kind, as in memory_accept
    kind: Annotated[forgetting.Forgettable, Field(description="Needed only where an id's beginning fits two kinds.")]
    | None = None,
    confirm: Annotated[bool, Field(description="Needed where it is much at once.")] = False,
    dry_run: Annotated[bool, Field(description="Only say what would be removed.")] = False,
) -> ForgottenItem:
    """Remove one thing for good: a session with its moments, a moment, a fact, a hypothesis, an entry, the profile.

    Of the brain a thought, or the words of a question, whose row in the log stays; a work item, whose rows in the
    ledger stay without their words. Its words are overwritten in the
    store, in its indexes and in the backups.
    """
    if dry_run:
        with access.read() as work:
            return forgetting.forecast(work, id.lower(), kind)
    return forgetting.forget(access, id.lower(), kind, confirm=confirm)


@for_people("Rebuild indexes", Effect.WRITE, takes_access=True, idempotent=True, permission=Role.ADMIN)
def memory_reindex(access: Access) -> Reindexed:
    """Make everything that is derived from the rows anew, for everybody in the store, and check it.

    Others write and search meanwhile.
    """
    return reindexing.reindex(access)


@for_people("Close forgotten sessions", Effect.WRITE, idempotent=True)
def memory_close_forgotten(work: Work) -> ClosedSessions:
    """Close the sessions that have been open for more than 24 hours, with what is known of them."""
    return ClosedSessions(closed=closing.close_forgotten(work))


OPERATIONS = (
    memory_get_stats,
    memory_health_check,
    memory_vacuum,
    memory_forget,
    memory_reindex,
    memory_close_forgotten,
)
"""After the operations of knowledge and review."""
