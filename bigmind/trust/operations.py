"""What the page Usage offers to commands and programs."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Surface
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import Project
from bigmind.store.work import Work
from bigmind.trust.answers import UsageAnswer

if TYPE_CHECKING:
    from bigmind.trust import service
else:
    service = LazyModule("bigmind.trust.service")

Days = Annotated[int, Field(ge=1, le=366, description="So many days, the last of them today.")]


@for_people("Usage", Effect.READ, toolset="usage", surfaces=frozenset({Surface.API}))
def usage_show(work: Work, days: Days = 30, project: Project | None = None) -> UsageAnswer:
    """Show what each assistant did with the memory, as recorded: sessions, questions, gates, runs, tokens."""
    return service.show(work, days, project or "")


OPERATIONS = (usage_show,)
