"""Which fields come with a move: whoever neither holds an item nor leads it on writes none of its DNA by the way."""

from collections.abc import Mapping, Sequence
from typing import Any

from bigmind.core.errors import BigMindError, Code, FieldProblem, shown
from bigmind.flow.decision import gates_to, rules_to
from bigmind.flow.workflow import Actor, ActorKind, Gate, Item, Process
from bigmind.people.agent_names import shown_agent
from bigmind.work.memory_gates import CONTRIBUTED, QUERIED
from bigmind.work.rules import MEMORY_FIELDS


def refuse_fields_of_others(
    slug: str, process: Process, item: Item, actor: Actor, target: str, fields: Mapping[str, Any]
) -> None:
    """Refuse fields that whoever interrupts or ends another's work writes beside those that the move itself asks for.

    Raises:
        BigMindError: `invalid_input`, naming them.
    """
    rules = rules_to(process, item, target)
    if item.holder:
        is_open = any(each.by_others for each in rules)  # else the move is refused, and writes nothing
    else:
        is_open = bool(rules) and all(each.is_aside for each in rules)
    if actor.kind is not ActorKind.AGENT or actor.agent == item.holder or not is_open:
        return
    asked = _fields_asked_for(gates_to(process, item, target))
    who = f"{shown_agent(item.holder)} holds {slug}, and" if item.holder else "who may make its next move"
    right = f"{who} writes its DNA; this move takes {', '.join(asked) or 'no fields'}"
    problems = tuple(
        FieldProblem(f"fields.{name}", shown(value), right) for name, value in fields.items() if name not in asked
    )
    if problems:
        raise BigMindError(Code.INVALID_INPUT, "The fields are not yours to write.", problems=problems)


def _fields_asked_for(gates: Sequence[Gate]) -> list[str]:
    """The fields that gates look at."""
    by_kind: dict[str, str] = dict(zip((QUERIED, CONTRIBUTED), MEMORY_FIELDS, strict=True))
    names = (each.options.get("name") if each.kind == "field" else by_kind.get(each.kind) for each in gates)
    return sorted({str(each) for each in names if each})
