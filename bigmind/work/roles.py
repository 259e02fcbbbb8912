"""Who acts: an agent in a work role that it may take, or a person, in person."""

from sqlalchemy import bindparam, select

from bigmind.core import client_names
from bigmind.core.client_names import token_name
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode
from bigmind.flow.decision import no_role
from bigmind.flow.workflow import Actor, ActorKind, Process
from bigmind.store.driver_statements import first_row
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.tables import AgentWorkRoles

SYSTEM = Actor(ActorKind.SYSTEM)
EDITORS = frozenset({"liaison", "pdsa"})
"""The work roles that change title, topic, description and dependencies."""
_ROLES = table_of(AgentWorkRoles).c
_GIVEN = select(_ROLES.roles).where(_ROLES.user_id == bindparam("user"), _ROLES.agent == bindparam("agent"))


def agent_of(work: Work) -> str:
    """The caller's agent, as items and ledger name it; in a team with its user: agents of two may be called alike."""
    client = work.caller.client
    return client if work.mode is Mode.PERSONAL else f"{client_names.of_token(work.caller.username)}: {client}"


def actor_of(work: Work, process: Process, role: str = "") -> Actor:
    """The caller as the engine knows it: a person in person, else an agent in the roles that it may take."""
    if work.caller.presence.is_in_person:
        return Actor(ActorKind.HUMAN)
    return Actor(ActorKind.AGENT, agent_of(work), role, roles_of(work, process), _limit(work))


def refuse_unless_editor(actor: Actor) -> None:
    """Refuse an agent that acts in none of the roles that edit tasks.

    Raises:
        BigMindError: `forbidden`, naming the roles that it may take.
    """
    may = sorted(EDITORS & {*actor.roles})
    if actor.kind is not ActorKind.AGENT or (may and (not actor.role or actor.role in may)):
        return
    told = f"Tasks are edited by {' or '.join(sorted(EDITORS))}, or by a person."
    hint = f"Pass role={' or '.join(may)}." if may else f"Leave it to such an agent. {actor.limit}".strip()
    raise BigMindError(Code.FORBIDDEN, told, hint)


def role_fault(work: Work, role: str) -> str:
    """Why the caller can take up no work in a role, whatever the process, or in any; empty where it can."""
    given = _given(work)
    if (scope := work.caller.scope) is not None and scope.work_roles:
        given = frozenset(scope.work_roles if given is None and work.mode is Mode.PERSONAL else given or ())
        given = frozenset(scope.roles_among(given))
    may_all = work.caller.presence.is_in_person or (given is None and work.mode is Mode.PERSONAL)
    if may_all or (given and role in {"", *given}):
        return ""
    return no_role(Actor(ActorKind.AGENT, agent_of(work), role, tuple(sorted(given or ())), _limit(work)))


def roles_of(work: Work, process: Process) -> tuple[str, ...]:
    """The roles of a process that the caller's agent may take.

    They are set in person, by the name of its token; where nobody did, they are all in personal mode, none in a team.
    Of these it takes those that the scope of its token allows.
    """
    given = _given(work)
    if given is None:
        may = process.roles if work.mode is Mode.PERSONAL else ()
    else:
        may = tuple(each for each in process.roles if each in given)
    return may if work.caller.scope is None else work.caller.scope.roles_among(may)


def _limit(work: Work) -> str:
    """How the scope of the caller's token limits its work roles; empty where it does not."""
    scope = work.caller.scope
    if scope is None or not scope.work_roles:
        return ""
    return (
        f"The scope of your token lets it work as {' or '.join(scope.work_roles)} alone; "
        f"{work.caller.username} can make another token."
    )


def _given(work: Work) -> frozenset[str] | None:
    """What a person gave the caller's agent; None where nobody did. Looked up once in a unit of work."""
    key = ("work roles", work.caller.user_id, token_name(work.caller.client))
    if key not in work.session.info:
        row = first_row(work.session, _GIVEN, {"user": key[1], "agent": key[2]})
        work.session.info[key] = None if row is None else frozenset(row.roles)
    return work.session.info[key]
