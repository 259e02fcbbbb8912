"""What three operations do to the store, without what they do for their reader.

An answer tells an agent all that leads on from where its item stands, and a question is answered with what is found:
three quarters of the time of a step, in which nothing is written that a gate rests on. The engine, the gates, the
brain's log, the ledger and the transactions are the product's own here; the dispatcher, the input's checks, the masking
of secrets, receipts and the search are not, which is why a part of the steps goes the whole way.
"""

from typing import Any

from bigmind.brain.contributing.drafts import Contribution, completed, rests
from bigmind.brain.contributing.likeness import OwnVectors
from bigmind.brain.contributing.storing import store
from bigmind.brain.query_log import ANSWERED, STORED, Prompt, record
from bigmind.store.work import Work
from bigmind.work.items import item_named
from bigmind.work.moving import MoveOrder, look_for_move, move
from tests.work.office import Worker


def shortly(worker: Worker, operation: str, arguments: dict[str, Any]) -> str:
    """Do it; returns the session of a question, the id of a thought, or nothing. Raises as the operation does."""
    memory = worker.memory
    memory.mind.store.host.activity.hear(memory.caller, memory.clock.now)
    with memory.mind.store.write(memory.caller, operation) as work:
        return SHORT[operation](work, **arguments)


def _move(
    work: Work,
    slug: str,
    to: str,
    role: str = "",
    fields: dict[str, Any] | None = None,
    revision: int | None = None,
) -> str:
    row, given = item_named(work, slug), fields or {}
    move(work, row, MoveOrder(to, role, given, revision=revision), look_for_move(work, row, to, given))
    return ""


def _ask(work: Work, prompt: str) -> str:
    return record(work, Prompt("query_brain", prompt, ""), None, [], ANSWERED).session_uid


def _learn(work: Work, prompt: str) -> str:
    """Of a thought that states something, and is like no other."""
    given = Contribution(prompt=prompt)
    resting = rests(work, given)
    row = store(work, completed(work, given, resting), resting, (), OwnVectors())
    record(work, Prompt("contribute_to_brain", prompt, ""), None, [], STORED, row.uid)
    return row.uid


SHORT = {"work_transition": _move, "query_brain": _ask, "contribute_to_brain": _learn}
"""The operations that have a short way."""
