"""Small processes and items for tests of the engine."""

from collections.abc import Sequence
from typing import Any

from bigmind.flow.decision import Decision, Move, MoveRequest, Refusal, decide
from bigmind.flow.gates import Finding, Findings
from bigmind.flow.process_document import read_process
from bigmind.flow.workflow import Actor, ActorKind, Item, Process

HEAD = """\
process: small
version: 1
roles: [dev, qa]
states:
"""
STATES = """\
  open: {begins: true}
  work: {claimed: true}
  check: {}
  done: {final: true}
  held: {saves: true, keeps_holder: true}
"""

PASSED = Finding(passed=True, evidence="seen")
FAILED = Finding(passed=False, reason="It did not happen.", remedy="Let it happen.")

SYSTEM, HUMAN = Actor(ActorKind.SYSTEM), Actor(ActorKind.HUMAN)


def process(*transitions: str, states: str = STATES, head: str = HEAD) -> Process:
    """A process of transitions as a document writes them, each `{from: …}` or so on one line."""
    return read_process(document(*transitions, states=states, head=head), "small.yaml")


def document(*transitions: str, states: str = STATES, head: str = HEAD) -> str:
    return head + states + "transitions:\n" + "".join(f"  - {each}\n" for each in transitions)


def agent(role: str = "", name: str = "ann", roles: Sequence[str] = ("dev", "qa")) -> Actor:
    return Actor(ActorKind.AGENT, name, role, roles)


def ask(
    small: Process, item: Item, target: str, actor: Actor, findings: Findings | None = None, **request: Any
) -> Decision:
    return decide(small, item, MoveRequest(target, actor, **request), findings or {})


def moved(*given: Any, **request: Any) -> Move:
    decision = ask(*given, **request)
    assert isinstance(decision, Move), decision
    return decision


def refused(*given: Any, **request: Any) -> Refusal:
    decision = ask(*given, **request)
    assert isinstance(decision, Refusal), decision
    return decision
