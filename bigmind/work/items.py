"""Items: found by slug or id, read as the engine reads them, and written back."""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import normalize
from urllib.parse import unquote

from sqlalchemy import bindparam, exists, func, or_
from sqlalchemy import select as columns
from sqlalchemy.orm import aliased
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, FieldProblem, invalid, shown, unknown
from bigmind.core.events import Action
from bigmind.core.ids import as_prefix, of_prefix
from bigmind.core.shapes import as_object, is_list
from bigmind.flow.decision import gates_to, rules_to
from bigmind.flow.process_document import gate_as_form, gate_from
from bigmind.flow.workflow import Actor, ActorKind, Gate, Interruption, Item, Process
from bigmind.kinds import save, texts_of
from bigmind.people.agent_names import shown_agent
from bigmind.store.driver_statements import first_row, limit_of
from bigmind.store.prepared_statements import rows_once
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.about import is_telling
from bigmind.work.ledger.gone_items import missing_hint
from bigmind.work.rules import (
    FIELD_NAME,
    GRANTED,
    LONGEST_DNA,
    LONGEST_FIELD,
    MEMORY_FIELDS,
    MOST_FIELDS,
    SLUG_WORDS,
    instructs,
    is_slug,
    slug_of,
)
from bigmind.work.tables import WorkDependency, WorkFieldValue, WorkItem

DONE = ("complete", "cancelled")

_ITEM = table_of(WorkItem).c
_BY_STATE = columns(_ITEM.process, _ITEM.state, func.count().label("number")).group_by(_ITEM.process, _ITEM.state)

_OF_SLUG = columns(_ITEM.id).where(_ITEM.slug == bindparam("wanted"))
_DEPENDENCY = table_of(WorkDependency).c
_ANY_OTHER = columns(_DEPENDENCY.other_id).where(_DEPENDENCY.item_id == bindparam("item")).limit(limit_of(1))


def items_by_state(work: Work) -> dict[tuple[str, str], int]:
    """How many items there are by process and state: of a page, all that takes longer with more of them."""
    return {(each.process, each.state): each.number for each in rows_once(work, _BY_STATE)}


def item_named(work: Work, reference: str) -> WorkItem:
    """The item of that slug, or of that id or its beginning, also between backticks or as addresses have it.

    Raises:
        BigMindError: `not_found`; `ambiguous`.
    """
    named = normalize("NFC", unquote(reference.strip(" \t\r\n`")))
    _flush(work)
    known = first_row(work.session, _OF_SLUG, {"wanted": named.lower()})
    if known is not None:
        return work.session.get_one(WorkItem, known.id)
    prefix = as_prefix(named)
    if prefix is None:
        raise _unknown(work, named)
    found = work.session.exec(select(WorkItem).where(*of_prefix(col(WorkItem.uid), prefix)).limit(2)).all()
    if not found:
        raise _unknown(work, named)
    if len(found) > 1:
        raise BigMindError(Code.AMBIGUOUS, f"Several work items begin with {named!r}.", "Pass the slug.")
    return found[0]


def _unknown(work: Work, named: str) -> BigMindError:
    return unknown("work item", named, missing_hint(work, "work_list_tasks lists them."))


def free_slug(work: Work, wanted: str, title: str) -> str:
    """The slug of a new item: the one that is wanted, or one made of its title.

    Raises:
        BigMindError: `invalid_input` for one that is none; `conflict` for one that is taken.
    """
    if wanted:
        if not is_slug(wanted):
            raise invalid("slug", wanted, SLUG_WORDS)
        if instructs(wanted):
            raise invalid("slug", wanted, "a name that does not read like an instruction to its reader")
        if work.session.exec(select(WorkItem.id).where(WorkItem.slug == wanted)).first() is not None:
            raise BigMindError(Code.CONFLICT, f"The slug {wanted} is taken.", "Choose another, or leave it out.")
        return wanted
    base = slug_of(title) or "item"
    taken = set(
        work.session.exec(select(WorkItem.slug).where(col(WorkItem.slug).startswith(base, autoescape=True))).all()
    )
    return next(
        each for each in (base, *(f"{base}-{number}" for number in range(2, len(taken) + 3))) if each not in taken
    )


def of_same_title(work: Work, row: WorkItem) -> str:
    """What is said of an item beside which its project has an open one of the same title; empty where it has none."""
    is_told = or_(col(WorkItem.caution) == "", col(WorkItem.accepted_at).is_not(None))
    same = (func.lower(col(WorkItem.title)) == func.lower(row.title), col(WorkItem.project) == row.project)
    others = select(WorkItem).where(*same, WorkItem.uid != row.uid, col(WorkItem.state).not_in(DONE), is_told)
    other = work.session.exec(others.order_by(col(WorkItem.id)).limit(1)).first()
    if other is None:
        return ""
    return f"{other.slug} has the same title and is {other.state}: if it is the same work, go on with that one."


def as_item(row: WorkItem) -> Item:
    """An item as the engine reads it."""
    saved = row.saved
    return Item(
        state=row.state,
        role=row.role,
        revision=row.revision,
        holder=row.holder,
        fields=fields_of(row),
        worked_by=row.worked_by,
        worked_as=row.worked_as,
        saved=Interruption(saved["state"], saved["role"], saved["holder"]) if saved else None,
        due=tuple(gate_from(each) for each in row.due),
    )


def write_item(row: WorkItem, item: Item) -> None:
    """An item as the engine left it, into its row; its fields aside."""
    saved = item.saved
    after = {
        "state": item.state,
        "role": item.role,
        "holder": item.holder,
        "revision": item.revision,
        "worked_by": item.worked_by,
        "worked_as": item.worked_as,
        "due": [gate_as_form(each) for each in item.due],
        "saved": {"state": saved.state, "role": saved.role, "holder": saved.holder} if saved is not None else None,
    }
    for name, value in after.items():
        if getattr(row, name) != value:  # to look takes a tenth of what the mapper takes to be told the same again
            setattr(row, name, value)


def fields_of(row: WorkItem) -> dict[str, Any]:
    """The fields of an item's DNA."""
    return as_object(json.loads(row.dna or "{}"))


def dna_text(row: WorkItem) -> str:
    """The words of an item's DNA."""
    return "\n".join(_words(each) for each in fields_of(row).values())


def _words(value: Any) -> str:
    if isinstance(value, str):
        return value
    if is_list(value):
        return " ".join(map(_words, value))
    return " ".join(f"{key} {_words(each)}" for key, each in as_object(value).items()) or json.dumps(value)


def checked_fields(before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a DNA with those that are given; a null takes one out.

    Raises:
        BigMindError: `invalid_input` for a name that is none or the engine's own, or what is too large.
    """
    problems = [_problem(name, value) for name, value in given.items()]
    after = {name: value for name, value in {**before, **given}.items() if value is not None}
    if len(after) > MOST_FIELDS:
        problems.append(FieldProblem("fields", f"{len(after)} fields", f"at most {MOST_FIELDS}"))
    if (size := len(json.dumps(after, ensure_ascii=False))) > LONGEST_DNA:
        problems.append(FieldProblem("fields", f"{size:,} characters", f"at most {LONGEST_DNA:,} in all"))
    found = tuple(each for each in problems if each is not None)
    if found:
        raise BigMindError(Code.INVALID_INPUT, "The fields are not valid.", problems=found)
    return after


def _problem(name: str, value: Any) -> FieldProblem | None:
    if not FIELD_NAME.fullmatch(name):
        return FieldProblem(f"fields.{name[:60]}", shown(name), "small letters, digits and _, at most 60")
    if name in GRANTED and value is not None:  # one that an earlier version let in can be taken out
        right = "another name: BigMind itself keeps who holds an item, how it stands and what was confirmed"
        return FieldProblem(f"fields.{name}", shown(value), right)
    if len(json.dumps(value, ensure_ascii=False)) > LONGEST_FIELD:
        return FieldProblem(f"fields.{name}", shown(value), f"at most {LONGEST_FIELD:,} characters")
    return None


def write_fields(work: Work, row: WorkItem, after: Mapping[str, Any]) -> list[str]:
    """Write an item's DNA, with a row of history for each field that changed; returns their names."""
    before = fields_of(row)
    changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
    if not changed:
        return []
    texts = texts_of(work, row)
    row.dna = json.dumps(after, ensure_ascii=False, sort_keys=True)
    row.updated_at = work.now
    save(work, row, Action.UPDATED, texts)
    work.session.add_all(
        WorkFieldValue(
            item_id=row.id or 0,
            name=name,
            at=work.now,
            client=work.caller.client,
            value=json.dumps(after.get(name), ensure_ascii=False),
        )
        for name in changed
    )
    return changed


def tell(work: Work, row: WorkItem) -> None:
    """Store a change of an item that touched none of its words, and note it."""
    row.updated_at = work.now
    work.session.add(row)
    work.changed("work_item", row.uid, Action.UPDATED, is_shared=True)


def _flush(work: Work) -> None:
    """Write what was just changed, as the mapper does before it reads."""
    if work.session.autoflush:
        work.session.flush()


def depends_on(work: Work, row: WorkItem) -> list[WorkItem]:
    """What an item depends on."""
    _flush(work)
    if first_row(work.session, _ANY_OTHER, {"item": row.id}) is None:
        return []
    joined = select(WorkItem).join(WorkDependency, col(WorkDependency.other_id) == col(WorkItem.id))
    return list(work.session.exec(joined.where(WorkDependency.item_id == row.id).order_by(WorkItem.slug)).all())


def dependents(work: Work, row: WorkItem) -> list[WorkItem]:
    """What depends on an item."""
    joined = select(WorkItem).join(WorkDependency, col(WorkDependency.item_id) == col(WorkItem.id))
    return list(work.session.exec(joined.where(WorkDependency.other_id == row.id).order_by(WorkItem.slug)).all())


def waiting_dependents(work: Work, row: WorkItem) -> list[WorkItem]:
    """The pending items that depend on this one, and on nothing else that is not complete."""
    needs, others = aliased(WorkDependency), aliased(WorkItem)
    open_ones = exists().where(
        col(needs.item_id) == col(WorkItem.id),
        col(others.id) == col(needs.other_id),
        col(others.state) != "complete",
        col(others.id) != row.id,
    )
    joined = select(WorkItem).join(WorkDependency, col(WorkDependency.item_id) == col(WorkItem.id))
    waiting = joined.where(WorkDependency.other_id == row.id, WorkItem.state == "pending", ~open_ones)
    return list(work.session.exec(waiting.order_by(WorkItem.slug)).all())


def refuse_untelling(title: str) -> None:
    """Refuse a title that does not say what an item is about.

    Raises:
        BigMindError: `invalid_input`.
    """
    if not is_telling(title):
        right = "a title with a word that says what it is about: “Fix it” does not, “Fix rounding of refunds” does"
        raise invalid("title", title, right)


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
    by_kind: dict[str, str] = dict(zip(("memory_queried", "memory_contributed"), MEMORY_FIELDS, strict=True))
    names = (each.options.get("name") if each.kind == "field" else by_kind.get(each.kind) for each in gates)
    return sorted({str(each) for each in names if each})
