"""Which work roles each agent of a person may take: set in person, by the name of its token."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import select

from bigmind.core.client_names import token_name
from bigmind.core.errors import BigMindError, Code, FieldProblem, invalid
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Mode
from bigmind.flow.workflow import HUMAN
from bigmind.people.agent_names import shown_agent
from bigmind.people.service import active_tokens
from bigmind.people.token_format import TokenKind
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.processes import known_roles
from bigmind.work.tables import AgentWorkRoles

AGENTS = frozenset({TokenKind.CLIENT, TokenKind.CLI, TokenKind.BRIDGE})


@dataclass(frozen=True, slots=True)
class AgentRoles:
    """An agent, and the work roles that it may take.

    Attributes:
        agent: the name of its token.
        shown: as people read it.
        roles: that it may take.
        is_set: whether a person said so; else it is as usual.
    """

    agent: str
    shown: str
    roles: Sequence[str]
    is_set: bool


def usual_roles(work: Work) -> list[str]:
    """The roles of an agent of whom nobody said otherwise: all in personal mode, none in a team."""
    return known_roles(work) if work.mode is Mode.PERSONAL else []


def agents(work: Work) -> list[AgentRoles]:
    """The caller's agents, by name."""
    mine = select(AgentWorkRoles).where(AgentWorkRoles.user_id == work.caller.user_id)
    given = {each.agent: each.roles for each in work.session.exec(mine)}
    tokens = active_tokens(work, work.caller.user_id)
    names = {token_name(each.client) for each in tokens if TokenKind(each.kind) in AGENTS} | set(given)
    usual = usual_roles(work)
    return [AgentRoles(each, shown_agent(each), given.get(each, usual), each in given) for each in sorted(names)]


def set_roles(work: Work, agent: str, roles: Sequence[str], *, as_usual: bool) -> AgentRoles:
    """Say which roles an agent may take; in the ledger.

    Args:
        work: the person's.
        agent: the name of its token, without what stands behind a slash.
        roles: of any process; none: it may take none.
        as_usual: whether nothing is said of it any more.

    Raises:
        BigMindError: `invalid_input` for a role that no process has, and for an agent that there is not.
    """
    known = known_roles(work)
    wrong = tuple(FieldProblem("roles", each, f"one of {', '.join(known)}") for each in roles if each not in known)
    if wrong:
        raise BigMindError(Code.INVALID_INPUT, "The input is not valid.", problems=wrong)
    if agent not in {each.agent for each in agents(work)}:
        raise invalid("agent", agent, "the name of an agent that has a token")
    row = work.session.get(AgentWorkRoles, (work.caller.user_id, agent))
    chosen = usual_roles(work) if as_usual else [each for each in known if each in set(roles)]
    if as_usual and row is not None:
        work.session.delete(row)
    elif not as_usual:
        row = row or AgentWorkRoles(user_id=work.caller.user_id, agent=agent)
        row.roles = chosen
        work.session.add(row)
    body = {"actor": HUMAN, "agent": agent, "roles": chosen, "as_usual": as_usual}
    append(work, Entry("roles", "", body))
    work.changed(Kind.SETTINGS, f"roles of {agent}", Action.UPDATED)
    return AgentRoles(agent, shown_agent(agent), chosen, not as_usual)
