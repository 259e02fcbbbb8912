"""What is done to several things at once: a form that sends `each.<field>` for every one of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Operation
from bigmind.operations.catalogue import Answer
from bigmind.wiring import Mind

EACH = "each."
MOST = 200
"""At once: to take back one of 10,000 that are much alike takes a fortieth of a second."""

OF_SEVERAL = frozenset({"memory_deprecate_fact", "memory_reinstate_fact"})
"""Operations that can be taken back, and are quick: the others are asked for one by one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    Attributes:
        answer: of the last one that it was done to.
        done: the field of each that it was done to, as the form named it.
        problem: why it was not done to one of the others; empty when it was done to all.
    """

    answer: Answer
    done: Sequence[tuple[str, str]]
    problem: str


def several(operation: Operation, sent: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The fields that name the things, one for each; empty where a form is of one thing."""
    return [each for each in sent if each[0].startswith(EACH)] if operation.name in OF_SEVERAL else []


async def do_for_each(
    mind: Mind, operation: Operation, caller: Caller, given: Mapping[str, Any], things: Sequence[tuple[str, str]]
) -> Outcome:
    """Do it to one after the other; one that is refused, as it changed meanwhile, keeps none of the others.

    Raises:
        BigMindError: what the first was refused with, when it was done to none.
    """
    if len(things) > MOST:
        raise BigMindError(Code.INVALID_INPUT, f"At most {MOST:,} at once; nothing was done.", "Choose fewer.")
    done: list[tuple[str, str]] = []
    answers: list[Answer] = []
    refused: BigMindError | None = None
    for name, value in things:
        try:
            answers.append(await mind.dispatcher.call(operation, caller, {**given, name.removeprefix(EACH): value}))
            done.append((name, value))
        except BigMindError as error:
            refused = refused or error
    if refused and not done:
        raise refused
    return Outcome(answers[-1], done, refused.message if refused else "")
