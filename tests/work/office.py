"""A store in this process where agents and persons work; its brain answers by words alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import text

from bigmind.core.operation import Mode, Role
from tests.memory.living import Memory, living

TITLE = "Round refunds to the cent"
NOTHING = "Walruses sleep in water for eleven hours, as the zoo of Antwerp measured in 1987."
_numbers = count(1)


@dataclass
class Worker:
    """An agent of a user on a connection, or a person."""

    memory: Memory

    def __call__(self, operation: str, **arguments: Any) -> Any:
        return self.memory(operation, **arguments)

    def refuses(self, operation: str, **arguments: Any) -> Any:
        return self.memory.refuses(operation, **arguments)

    @property
    def name(self) -> str:
        return self.memory.caller.client

    def ask(self, prompt: str = TITLE, **more: Any) -> str:
        """Put a question; the id of its brain session."""
        return self("query_brain", prompt=prompt, **more).trace.session_id

    def learn(self, prompt: str = "", **more: Any) -> str:
        """Contribute what no thought says yet; its id."""
        number = next(_numbers)
        told = (
            prompt or f"{TITLE}: banks round half to even, seen in {number} of {number + 7} ledgers of 19{number:02}."
        )
        return self("contribute_to_brain", prompt=told, **more).trace.thought_id

    def move(self, slug: str, to: str, **more: Any) -> Any:
        return self("work_transition", slug=slug, to=to, **more)

    def moves(self, slug: str, to: str, **more: Any) -> Any:
        """Move what must move."""
        answer = self.move(slug, to, **more)
        assert answer.moved, answer.in_words()
        return answer

    def stays(self, slug: str, to: str, **more: Any) -> str:
        """Try to move what must not; why, in words."""
        answer = self.move(slug, to, **more)
        assert not answer.moved, answer.in_words()
        return answer.in_words()

    def claim(self, slug: str, title: str = TITLE, **more: Any) -> Any:
        """Ask, and claim."""
        self.ask(title)
        return self.moves(slug, "active", **more)


@dataclass
class Office:
    """The store, who works there, and a look behind it."""

    memory: Memory
    _workers: dict[str, Worker] = field(default_factory=dict[str, Worker])

    def agent(self, client: str = "cursor", connection: str | None = "same", user: str = "ada") -> Worker:
        """An agent; with `same`, over a connection of its own."""
        memory = self.memory if user == "ada" else self.memory.of(user, Role.MEMBER)
        return Worker(memory.over(f"{client} of {user}" if connection == "same" else connection, client))

    @property
    def person(self) -> Worker:
        return Worker(self.memory.as_person())

    def task(self, title: str = TITLE, type: str = "solo", **more: Any) -> str:  # noqa: A002
        """Make an item; its slug."""
        return self.agent("planner")("work_create_task", title=title, type=type, **more).slug

    def item(self, slug: str) -> Any:
        return self.memory("work_get_task", slug=slug)

    def state(self, slug: str) -> str:
        return self.rows("SELECT state FROM work_item WHERE slug = :slug", slug=slug)[0][0]

    def forward(self, **much: float) -> None:
        self.memory.clock.forward(**much)

    def rows(self, statement: str, **values: Any) -> list[tuple[Any, ...]]:
        with self.memory.mind.store.read(self.memory.caller, "test") as work:
            return [tuple(each) for each in work.session.execute(text(statement), values)]

    def run(self, *statements: str, **values: Any) -> None:
        """Change rows as no operation would."""
        with self.memory.mind.store.write(self.memory.caller, "test") as work:
            for each in statements:
                work.session.execute(text(each), values)

    def yes(self, slug: str) -> None:
        """A person moves a reviewed item to complete, which confirms it."""
        self.person.moves(slug, "complete", revision=self.item(slug).revision)


@contextmanager
def office_in(home: Path, mode: Mode = Mode.PERSONAL) -> Iterator[Office]:
    """An office for the length of a block."""
    with living(home, mode, is_copy=True) as memory:
        yield Office(memory)


def as_command_line(worker: Worker) -> Worker:
    """The same user at the terminal."""
    from bigmind.core.operation import Presence  # noqa: PLC0415

    caller = replace(
        worker.memory.caller, client="cli", is_person=True, presence=Presence.COMMAND_LINE, connection=None
    )
    return Worker(replace(worker.memory, caller=caller))
