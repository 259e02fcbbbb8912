"""A memory in this process: a real store, a clock that the test moves, as many users and clients as it needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError
from bigmind.core.kind import Kinds
from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.paths import transfer_folder
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.tables import User
from bigmind.registry import KINDS
from bigmind.wiring import Mind, open_mind
from tests.homes import begin


class Clock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **much: float) -> None:
        self.now += timedelta(**much)


@dataclass
class Memory:
    """Use cases as one caller runs them."""

    mind: Mind
    clock: Clock
    caller: Caller

    def __call__(self, operation: str, **arguments: Any) -> Any:
        """Run an operation; its answer."""
        found = self.mind.dispatcher.catalogue.get(operation)
        assert found is not None, operation
        return self.mind.dispatcher.run(found, self.caller, arguments)

    def refuses(self, operation: str, **arguments: Any) -> BigMindError:
        """Run an operation that must fail; its error."""
        try:
            answer = self(operation, **arguments)
        except BigMindError as error:
            return error
        raise AssertionError(f"{operation} answered: {answer!r}")

    def over(self, connection: str | None, client: str = "tester") -> "Memory":
        """The same user over another connection, or as another client."""
        return replace(self, caller=replace(self.caller, connection=connection, client=client))

    def of(self, username: str, role: Role = Role.MEMBER) -> "Memory":
        """Another user of the same store, with a role."""
        with self.mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, username)
            user.role = role
            work.session.add(user)
        return replace(self, caller=replace(self.caller, user_id=user.id or 0, username=username, role=role))

    def as_person(self) -> "Memory":
        """The same user, by their own hand, in the app's window."""
        return replace(self, caller=replace(self.caller, is_person=True, presence=Presence.WINDOW))

    @property
    def kept_exports(self) -> Path:
        """The folder that a team's server keeps for the user's tokens."""
        with self.mind.store.read(self.caller, "test") as work:
            return transfer_folder(self.mind.store.home, work.session.get_one(User, self.caller.user_id).uid)

    def working_in(self, project: str) -> "Memory":
        """The same user in some workspace."""
        return replace(self, caller=replace(self.caller, project=project))

    def insert(self, *rows: Any) -> None:
        """Put rows into the store as they are, in one transaction."""
        with self.mind.store.write(self.caller, "test") as work:
            work.session.add_all(rows)


@contextmanager
def living(home: Path, mode: Mode = Mode.PERSONAL, *, is_copy: bool = False, kinds: Kinds = KINDS) -> Iterator[Memory]:
    """Ada's memory at noon of the first of March.

    A new one is a store of its own; as a copy, which is there much sooner, it is the same store as every other copy.
    """
    clock = Clock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    if is_copy:
        begin(home, f"living-{mode.value}", lambda made: open_mind(made, "ada", clock, mode=mode).close())
    mind = open_mind(home, "ada", clock, mode=mode, kinds=kinds)
    caller = Caller(user_id=1, username="ada", role=Role.ADMIN, client="tester", token_id=1, connection="first")
    try:
        yield Memory(mind, clock, caller)
    finally:
        mind.close()
