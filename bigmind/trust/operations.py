"""What people ask about the use that agents make of BigMind."""

from datetime import date
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, ValidatorFunctionWrapHandler, WrapValidator

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect
from bigmind.operations.catalogue import for_people
from bigmind.operations.day_words import DAY_WORDS, first_day, last_day
from bigmind.operations.inputs import Line, ProjectOrNone
from bigmind.store.work import Work
from bigmind.trust.answers import UsageAnswer
from bigmind.trust.rules import MOST_DAYS, USUAL_DAYS

if TYPE_CHECKING:
    from bigmind.trust import service
else:
    service = LazyModule("bigmind.trust.service")


def _first(value: object, read: ValidatorFunctionWrapHandler) -> date:
    return _read(value, first_day(value) if isinstance(value, str) else None, read)


def _last(value: object, read: ValidatorFunctionWrapHandler) -> date:
    return _read(value, last_day(value) if isinstance(value, str) else None, read)


def _read(value: object, day: date | None, read: ValidatorFunctionWrapHandler) -> date:
    try:
        return read(value if day is None else day)
    except ValueError:
        raise ValueError(f"a date like 2026-03-30, or {DAY_WORDS}") from None


_DESCRIBED = Field(description="A day in UTC, as 2026-03-30, yesterday or 7d.")
FirstDay = Annotated[date, WrapValidator(_first), _DESCRIBED]
LastDay = Annotated[date, WrapValidator(_last), _DESCRIBED]


@for_people("Show usage", Effect.READ, toolset="usage")
def usage_show(
    work: Work,
    days: Annotated[int, Field(ge=1, le=MOST_DAYS, description="So many days until today.")] = USUAL_DAYS,
    since: Annotated[FirstDay | None, Field(description="The first day, in place of a number of days.")] = None,
    until: Annotated[LastDay | None, Field(description="The last day; today, where left out.")] = None,
    client: Annotated[Line, Field(max_length=120, description="This assistant only.")] = "",
    project: Annotated[ProjectOrNone, Field(description="This project only; - for none.")] = "",
    by_day: Annotated[bool, Field(description="Each day's counts too.")] = False,
    commits: Annotated[bool, Field(description="Look for commits that no claim or run covers, with git.")] = True,
) -> UsageAnswer:
    """Show what each assistant really did: what was recorded, not what was claimed."""
    query = service.query_of(work, days, since, until, client, project)
    return service.usage_answer(work, query, by_day=by_day, commits=commits)


OPERATIONS = (usage_show,)
