"""Agents as people and models read them: by their token's name, and in a team by their user's too."""

from sqlmodel import select

from bigmind.core import client_names
from bigmind.core.operation import Mode
from bigmind.people.tables import User
from bigmind.people.token_format import TokenKind
from bigmind.store.prepared_statements import rows_once
from bigmind.store.tables import table_of
from bigmind.store.work import Work

TERMINAL = "terminal"
"""What the command line is called where it acts: an agent like any other, and no person."""

_USERS = select(table_of(User).c.id, table_of(User).c.username)


def shown_agent(client: str) -> str:
    """An agent as people and models read it."""
    own, slash, claimed = client.partition("/")
    return f"{TERMINAL}{slash}{claimed}" if own == TokenKind.CLI else client


class AgentNames:
    """Tells whose a row is, by its user and client: in a team with the user, for agents of two may be called alike."""

    def __init__(self, work: Work) -> None:
        users = () if work.mode is Mode.PERSONAL else rows_once(work, _USERS)
        self._users: dict[int | None, str] = {key: client_names.of_token(name) for key, name in users}

    def agent(self, user: int | None, client: str) -> str:
        """An agent."""
        name = self._users.get(user)
        return f"{name}: {shown_agent(client)}" if name else shown_agent(client)

    def person(self, user: int | None, surface: str) -> str:
        """A person, and where they did it."""
        name = self._users.get(user)
        return f"{name}, a person ({surface})" if name else f"a person ({surface})"
