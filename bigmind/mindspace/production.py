"""Working on a node: its outputs, and the moves that agents make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bigmind.core.errors import BigMindError, invalid
from bigmind.core.events import Action
from bigmind.flow.decision import Refusal
from bigmind.mindspace.answers import BookingAnswer, SubmissionAnswer
from bigmind.mindspace.consequences import settle
from bigmind.mindspace.definitions import OutputForm
from bigmind.mindspace.listing import node_part
from bigmind.mindspace.nodes import (
    Node,
    node_named,
    node_of,
    node_row,
    reopen_gates,
    sent_back,
    words_before,
    write_node,
)
from bigmind.mindspace.planning import told
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.work.evidence_gates import digests_in, workspace_root
from bigmind.work.holding.lease import renew
from bigmind.work.ledger.ledger_rows import Entry
from bigmind.work.memory_gates import Relevance
from bigmind.work.moving import MoveOrder, look_for_move, move, refuse_unless_agreed
from bigmind.work.node_gates import FAILED
from bigmind.work.node_tables import WorkNodeOutput
from bigmind.work.roles import agent_of
from bigmind.work.rules import MEMORY_FIELDS
from bigmind.work.workflow_context import gate_line

PRODUCING = frozenset({"active", "rework"})


@dataclass(frozen=True, slots=True)
class SubmittedFiles:
    """The files that are submitted from a workspace; once somebody looked: of each its digest, or what is wrong."""

    root: str
    paths: tuple[str, ...]
    digests: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])


def look_at_files(work: Work, node_id: str, given: Sequence[OutputForm]) -> SubmittedFiles | None:
    """Find out where the submitted files of a node are; None where no workspace is opened, or nothing is accepted."""
    try:
        node = node_named(work, node_id)
    except BigMindError:  # the submission itself says what is wrong
        return None
    errors, found = _matched(work, node, given)
    root = workspace_root(work, node.row.project)
    return SubmittedFiles(root, _paths(found)) if root and not errors else None


def see_files(found: SubmittedFiles) -> SubmittedFiles:
    """Look at them; needs no store."""
    return replace(found, digests=digests_in(found.root, found.paths))


def submit_output(
    work: Work, node_id: str, given: Sequence[OutputForm], seen: SubmittedFiles | None
) -> SubmissionAnswer:
    """Take what the holder of a node produced, all of it or, where something does not fit, nothing.

    Where a person opened the workspace of its project, a file has to be there; elsewhere it is there as stated.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `conflict` where it does not agree with the ledger.
    """
    node = node_named(work, node_id)
    refuse_unless_agreed(work, node.row)
    errors, found = _matched(work, node, given)
    digests = _digests(workspace_root(work, node.row.project), seen, found, errors) if not errors else {}
    if errors:
        renew(work, node.row)
        return SubmissionAnswer(accepted=False, validation_errors=errors, missing=_missing(node))
    before = words_before(work, node)
    for output, form in found:
        output.produced_at, output.produced_by, output.note = work.now, agent_of(work), form.description
        output.digest = digests.get(form.path or "", "")
        work.session.add(output)
    reopen_gates(node)
    node.row.revision += 1
    work.session.flush()
    texts = {
        f"output_{number}": f"{form.type} {form.path} {form.description}" for number, (_, form) in enumerate(found)
    }
    body = {"outputs": [each.id for each, _ in found], "revision": node.row.revision}
    write_node(work, node, Action.UPDATED, before, Entry("produced", node.row.uid, body, texts))
    renew(work, node.row)
    return SubmissionAnswer(accepted=True, validation_errors=[], missing=_missing(node))


def _digests(root: str, seen: SubmittedFiles | None, found: Sequence["Match"], errors: list[str]) -> dict[str, str]:
    """The digests of the files that were submitted from an opened workspace; one that was not seen is an error."""
    digests: dict[str, str] = {}
    there: Mapping[str, tuple[str, str]] = seen.digests if seen is not None and seen.root == root else {}
    for path in _paths(found) if root else ():
        digests[path], fault = there.get(path, ("", "BigMind has not looked at it yet; submit it again."))
        if fault:
            errors.append(f"file {path}: {fault}")
    return digests


def _paths(found: Sequence["Match"]) -> tuple[str, ...]:
    return tuple(form.path for _, form in found if form.type == "file" and form.path)


Match = tuple[WorkNodeOutput, OutputForm]


def _matched(work: Work, node: Node, given: Sequence[OutputForm]) -> tuple[list[str], list[Match]]:
    """What is wrong with what was submitted, and which declared output each of it is."""
    row = node.row
    if work.caller.presence.is_in_person or row.holder != agent_of(work):
        who = shown_agent(row.holder) if row.holder else "nobody"
        return [f"{who} holds {row.slug}; its holder alone submits outputs."], []
    if row.state not in PRODUCING:
        return [f"{row.slug} is {row.state}; outputs are submitted while it is active or in rework."], []
    left, errors, found = list(node.outputs), list[str](), list[Match]()
    for each in given:
        output = _declared(left, each)
        if output is None:
            told_ = ", ".join(f"{one.type} {one.path or one.description}".strip() for one in left) or "none is left"
            errors.append(f"{each.type} {each.path or each.description}: not among those declared ({told_}).")
            continue
        left.remove(output)
        found.append((output, each))
    return errors, found


def _declared(outputs: Sequence[WorkNodeOutput], given: OutputForm) -> WorkNodeOutput | None:
    """The declared output that is meant: by its path, else by its words, else the only one of its type."""
    alike = [each for each in outputs if each.type == given.type]
    if given.path:
        by_path = next((each for each in alike if each.path == given.path), None)
        if by_path is not None:
            return by_path
        alike = [each for each in alike if not each.path]
    by_words = next((each for each in alike if each.description == given.description), None)
    return by_words or (alike[0] if len(alike) == 1 else None)


def _missing(node: Node) -> list[str]:
    return [each.path or each.description or each.type for each in node.outputs if each.produced_at is None]


def look_at(work: Work, node_id: str, fields: Mapping[str, Any] | None) -> Relevance:
    """Find out what a move of a node may rest on; nothing where there is no such node."""
    try:
        return look_for_move(work, node_row(work, node_id), "", fields or {})
    except BigMindError:  # the move itself says what is wrong
        return Relevance()


def book_transition(
    work: Work, node_id: str, target: str, fields: Mapping[str, Any], known: Relevance
) -> BookingAnswer:
    """Move a node, or say all that is missing; then BigMind makes its own moves.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `conflict` where it does not agree with the ledger; `invalid_input`
            for fields other than those of the memory gates.
    """
    node = node_named(work, node_id)
    row, source = node.row, node.row.state
    if others := sorted(fields.keys() - {*MEMORY_FIELDS}):
        raise invalid("fields", ", ".join(others), " and ".join(MEMORY_FIELDS))
    order = MoveOrder(target, fields=dict(fields), revision=row.revision)
    outcome = move(work, row, order, known)
    if isinstance(outcome.decision, Refusal):
        return BookingAnswer(
            transitioned=False,
            state=row.state,
            fault=outcome.decision.fault.value,
            message=outcome.decision.message,
            blocked_by=[gate_line(each) for each in outcome.decision.blocked_by],
            moved=[],
        )
    if row.state == "active":
        node.own.was_claimed = True
    if row.state == "review" and source == "active":
        reopen_gates(node, FAILED)
    work.session.add(node.own)
    work.session.flush()
    moved = told(settle(work, [row]))
    why = sent_back(node) if row.state == "active" else ""
    whole = node_part(work, node_of(work, row))
    return BookingAnswer(transitioned=True, state=row.state, blocked_by=[], moved=moved, sent_back=why, node=whole)
