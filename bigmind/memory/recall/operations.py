"""Search over everything, as it is offered to the outside."""

from collections.abc import Sequence
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from bigmind.core.operation import Effect
from bigmind.memory.recall import everything
from bigmind.memory.recall.answers import Findings
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import Project, Query, Since, split
from bigmind.operations.token_scope import kinds_within, refusal
from bigmind.store.work import Work

Searchable = Literal[
    "chunk", "session", "fact", "hypothesis", "knowledge", "profile", "thought", "work_item", "protocol_run"
]
# The bound of a list stands next to the list, as in `inputs.py`.
Kinds = Annotated[
    list[Searchable],
    Field(max_length=len(get_args(Searchable))),
    BeforeValidator(split),
    Field(description="Leave it out for all."),
]


@operation("Search everything", Effect.READ)
def memory_semantic_search(
    work: Work,
    query: Query,
    limit: Annotated[int, Field(ge=1, le=100, description="How many at most.")] = 8,
    kinds: Kinds | None = None,
    project: Project | None = None,
    since: Since | None = None,
) -> Findings:
    """CALL THIS when you need to know what is remembered about something, in whatever words.

    Looks through moments, sessions, facts, hypotheses, company knowledge, the profile, thoughts, work items, runs.
    """
    wanted = _within_scope(work, kinds or ())
    return everything.search_everything(work, everything.EverythingQuery(query, limit, wanted, project, since))


def _within_scope(work: Work, kinds: Sequence[str]) -> Sequence[str]:
    """The kinds that are looked for, as far as the scope of the caller's token lets it be told of them.

    Raises:
        BigMindError: `forbidden`, where that is none of them.
    """
    scope = work.caller.scope
    if scope is None or not scope.toolsets:
        return kinds
    told = [each.name for each in kinds_within(scope, work.kinds.searched) if not kinds or each.name in kinds]
    if not told:
        raise refusal(f"Looking for {', '.join(kinds)}", scope, work.caller.username)
    return told


OPERATIONS = (memory_semantic_search,)
