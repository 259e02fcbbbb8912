"""What the edit hook of a client asks, where a person holds the edits of a workspace to claimed work."""

from typing import TYPE_CHECKING, Annotated

from pydantic import BeforeValidator, Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect
from bigmind.memory.sessions.hook_operations import FOR_HOOKS, HookAnswer, Key
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import cleaned
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.tasks import service
else:
    service = LazyModule("bigmind.tasks.service")

File = Annotated[str, BeforeValidator(cleaned), Field(max_length=4_096, description="That is about to be changed.")]
PAUSED = "BigMind is paused, so this edit was not held to claimed work."


@operation("Hook: a file is about to be changed", Effect.READ, toolset="hooks", surfaces=FOR_HOOKS)
def hook_edit(work: Work, conversation: Key = "", file: File = "") -> HookAnswer:
    """Run by a client before its model changes a file, where a person chose so: why it may not; mostly nothing."""
    del conversation
    keeping = work.store.safekeeping
    if work.host.activity.is_paused or keeping.loss is not None or keeping.condition.damage:
        return HookAnswer(notice=PAUSED if work.host.activity.is_paused else keeping.condition.in_words or DAMAGED)
    return HookAnswer(context=service.reason_against_edit(work, file))


DAMAGED = "BigMind's memory is missing, so this edit was not held to claimed work."

OPERATIONS = (hook_edit,)
"""What only `bigmind hook edit` calls."""
