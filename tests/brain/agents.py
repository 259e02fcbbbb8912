"""The brain as agents use it, over real HTTP by one of its two surfaces, and a look behind it: rows and clock."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import text

from bigmind.core.operation import Role
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.token_format import TokenKind
from tests.http.inside import Inside, server_inside
from tests.memory.living import Clock

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MCP, HTTP = "MCP", "HTTP"
FIRST = "ada"
_TABLES = ("brain_query_source", "brain_query", "brain_session", "thought_link", "thought", "receipt", "row_seal")


class RefusedError(Exception):
    """A call that was refused: its code, and the words."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass
class Agent:
    """A client of a user, with a token of its own."""

    brain: "Brain"
    http: httpx.Client
    user: str
    client: str
    via: str = ""
    """The surface, where it is not the brain's."""

    def __call__(self, operation: str, *, key: str = "", **arguments: Any) -> dict[str, Any]:
        """Run an operation, under an idempotency key if one is given; its answer as data."""
        headers = {"Idempotency-Key": key} if key else {}
        if (self.via or self.brain.via) == HTTP:
            answered = self.http.post(f"/api/v1/{operation}", json=arguments, headers=headers)
            told = answered.json()
            if answered.status_code != 200:
                raise RefusedError(told["code"], answered.text)
            return told
        call = {"name": operation, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        result = self.http.post("/mcp?structured=1", json=message, headers=headers).json()["result"]
        if result["isError"]:
            raise RefusedError(result["structuredContent"]["error"]["code"], str(result))
        return result["structuredContent"]

    def refused(self, operation: str, **arguments: Any) -> RefusedError:
        """Run an operation that must be refused."""
        try:
            answer = self(operation, **arguments)
        except RefusedError as refused:
            return refused
        raise AssertionError(f"{operation} answered: {answer}")

    def ask(self, prompt: str, **more: Any) -> dict[str, Any]:
        return self("query_brain", prompt=prompt, **more)

    def sources(self, prompt: str, **more: Any) -> list[dict[str, Any]]:
        """What answers, best first."""
        return self.ask(prompt, **more)["result"]["sources"]

    def found(self, prompt: str, **more: Any) -> list[str]:
        """The ids of what answers, best first."""
        return [each["thought_id"] for each in self.sources(prompt, **more)]

    def contribute(self, prompt: str, **more: Any) -> dict[str, Any]:
        return self("contribute_to_brain", prompt=prompt, **more)

    def learn(self, prompt: str, **more: Any) -> str:
        """Contribute what is stored; its id."""
        return self.contribute(prompt, **more)["trace"]["thought_id"]

    def thought(self, thought: str) -> dict[str, Any]:
        return self("brain_get_thought", id=thought)


@dataclass
class Brain:
    """One store behind one server; `via` says by which surface its agents call."""

    inside: Inside
    clock: Clock
    stack: ExitStack
    via: str = MCP
    _agents: dict[tuple[str, str, bool], Agent] = field(default_factory=dict)

    def agent(self, client: str = "tester", user: str = FIRST, *, is_person: bool = False) -> Agent:
        """The agent of that name, the same for the length of a module."""
        key = (client, user, is_person)
        if key not in self._agents:
            kind = TokenKind.CLI if is_person else TokenKind.CLIENT
            http = self.stack.enter_context(self.inside.http(self.inside.token(user, kind, client=client)))
            self._agents[key] = Agent(self, http, user, client)
        return self._agents[key]

    def person(self, user: str = FIRST) -> Agent:
        """A user's own command line, which calls the API whatever agents call."""
        return replace(self.agent("cli", user, is_person=True), via=HTTP)

    def role(self, user: str, role: Role) -> None:
        """Give a user a role; what tokens say of it is read anew."""
        with self.inside.mind.store.write(NOBODY, "test") as work:
            row = ensure_user(work, user)
            row.role = role
            work.session.add(row)
            work.changed("user", user, "updated")

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with self.inside.mind.store.read(NOBODY, "test") as work:
            return [tuple(row) for row in work.session.execute(text(statement), values)]

    def run(self, *statements: str, **values: Any) -> None:
        """Change rows as no operation would."""
        with self.inside.mind.store.write(NOBODY, "test") as work:
            for each in statements:
                work.session.execute(text(each), values)

    def weigh(self, thought: str, weight: float) -> None:
        """Give a thought a weight, as of now."""
        self.run(
            "UPDATE thought_use SET weight = :weight, weighed_at = :now WHERE thought_id IN"
            " (SELECT id FROM thought WHERE uid = :uid)",
            weight=weight, uid=thought, now=stored(self.clock.now),
        )  # fmt: skip

    def weight(self, thought: str) -> float:
        """The weight of a thought as it stands in its row."""
        return self._use(thought)[0]

    def reads(self, thought: str) -> int:
        return int(self._use(thought)[1])

    def _use(self, thought: str) -> tuple[Any, ...]:
        joined = "thought_use JOIN thought ON thought.id = thought_id WHERE uid = :uid"
        [row] = self.rows(f"SELECT weight, reads FROM {joined}", uid=thought)
        return row

    def log(self) -> list[tuple[Any, ...]]:
        """Tool, outcome, text and number of sources of each row of the log, in their order."""
        return self.rows("SELECT operation, outcome, text, returned FROM brain_query ORDER BY id")

    def begin_anew(self, via: str) -> None:
        """Forget all thoughts and the log, and be at noon again."""
        self.via, self.clock.now = via, NOON
        self.run(*(f"DELETE FROM {each}" for each in _TABLES))


def stored(moment: datetime) -> str:
    """A moment as the store has it."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")


@contextmanager
def brain_of(home: Path) -> Iterator[Brain]:
    """A server with an empty brain for the length of a block."""
    clock = Clock(NOON)
    with server_inside(home, clock) as inside, ExitStack() as stack:
        yield Brain(inside, clock, stack)
