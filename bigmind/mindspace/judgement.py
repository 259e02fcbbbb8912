"""The quality gates of a node: each is judged by its verifier, never by who produced."""

from bigmind.core.client_names import token_name
from bigmind.core.errors import BigMindError, Code, in_person, invalid
from bigmind.core.events import Action
from bigmind.core.operation import Presence
from bigmind.mindspace.answers import VerdictAnswer
from bigmind.mindspace.consequences import settle
from bigmind.mindspace.nodes import Node, node_named, words_before, write_node
from bigmind.mindspace.planning import refuse_stale, told
from bigmind.mindspace.rules import HUMAN
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry
from bigmind.work.moving import refuse_unless_agreed
from bigmind.work.node_gates import PENDING
from bigmind.work.node_tables import WorkNodeGate
from bigmind.work.processes import OF_TASKS_ONLY, shipped
from bigmind.work.roles import actor_of, agent_of


def record_gate(work: Work, node_id: str, name: str, status: str, evidence: str, revision: int | None) -> VerdictAnswer:
    """Judge a quality gate of a node in review; the last that passes completes it, one that fails sends it back.

    Raises:
        BigMindError: `not_found`; `conflict` where it is not in review, or was changed since a person looked;
            `forbidden` to who is not its verifier, or produced what it judges; `invalid_input`.
    """
    node = node_named(work, node_id)
    row = node.row
    refuse_unless_agreed(work, row)
    gate = next((each for each in node.gates if each.name == name), None)
    if gate is None:
        raise invalid("gate", name, f"one of {', '.join(each.name for each in node.gates)}")
    by_person = work.caller.presence.is_in_person
    if by_person and revision is None:
        raise invalid("revision", None, f"the revision that was shown; it is at {row.revision}")
    refuse_stale(row, revision)
    if row.state != "review":
        raise BigMindError(Code.CONFLICT, f"{row.slug} is {row.state}; its gates are judged while it is in review.")
    self_checked = False if by_person else _self_checked(work, node, gate)
    before = words_before(work, node)
    gate.status, gate.evidence, gate.at, gate.by = status, evidence, work.now, agent_of(work)
    gate.in_person, gate.self_checked = by_person, self_checked
    row.revision += 1
    work.session.add(gate)
    body = {"gate": gate.id, "status": status, "verifier": gate.verifier, "in_person": by_person}
    body |= {"self_checked": self_checked, "revision": row.revision, "actor": "human" if by_person else "agent"}
    entry = Entry("judged", row.uid, body, {"gate": gate.name, "evidence": evidence})
    write_node(work, node, Action.UPDATED, before, entry)
    moved = told(settle(work, [row]))
    left = [each.name for each in node.gates if each.status == PENDING]
    return VerdictAnswer(
        gate=name, status=status, self_checked=self_checked, state=row.state, pending=left, moved=moved
    )


def _self_checked(work: Work, node: Node, gate: WorkNodeGate) -> bool:
    """Whether the caller differs from a producer only behind the slash.

    Raises:
        BigMindError: `forbidden` to who is not the verifier, is a producer, or where `independent` refuses it.
    """
    if work.caller.presence is Presence.PAGE:  # a person's page without their passphrase is no agent
        raise in_person("Judging a gate")
    if gate.verifier == HUMAN:
        raise BigMindError(Code.FORBIDDEN, f"“{gate.name}” is judged by a person.", "It waits on the node's page.")
    actor = actor_of(work, shipped(OF_TASKS_ONLY))
    if gate.verifier not in actor.roles:
        told_ = f"“{gate.name}” is judged by {gate.verifier}, which you may not be."
        raise BigMindError(Code.FORBIDDEN, told_, actor.limit)
    own, producers = agent_of(work), producers_of(node)
    if own in producers:
        told_ = f"{shown_agent(own)} produced the output, and judges none of its gates."
        raise BigMindError(Code.FORBIDDEN, told_, "Leave it to another agent, or to a person.")
    is_alike = token_name(own) in {token_name(each) for each in producers}
    if is_alike and gate.is_independent:
        told_ = f"“{gate.name}” is independent: {shown_agent(own)} differs from the producer only behind the slash."
        raise BigMindError(Code.FORBIDDEN, told_, "Leave it to an agent with another token, or to a person.")
    return is_alike


def producers_of(node: Node) -> set[str]:
    """The agents that produced what a node's gates judge: who submitted an output, and who handed it over."""
    made = {each.produced_by for each in node.outputs} | {node.row.holder, node.row.worked_by}
    return {each for each in made if each}
