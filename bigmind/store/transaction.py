"""One transaction of a unit of work: begun when it is first used, with a session of the mapper where one is wanted."""

from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, RootTransaction
from sqlmodel import Session


class Transaction:
    """It is undone when its block ends, unless it was committed before.

    Most of what runs in one goes past the mapper (docs/architecture.md, "Hot paths"), and a session of it takes longer
    to begin and to end than such a statement: so it is made over the connection by whoever asks for it first.
    """

    def __init__(self, engine: Engine) -> None:
        """Begin nothing yet; `engine` gives the connection."""
        self._engine = engine
        self._begun: RootTransaction | None = None
        self._session: Session | None = None

    def __enter__(self) -> Self:
        """Nothing is begun by this either."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Undo what was not committed, and give the connection back."""
        try:
            if self._session is not None:
                self._session.close()
        finally:
            if self._begun is not None:
                self._begun.connection.close()

    def connection(self) -> Connection:
        """What it runs on.

        Raises:
            PendingRollbackError: the mapper could not write something, which undid all of it, and whoever caught that
                goes on: what the driver wrote now would be committed at once, and alone.
        """
        if self._begun is None:
            connection = self._engine.connect()
            try:
                self._begun = connection.begin()
            except BaseException:
                connection.close()
                raise
        elif not self._begun.is_active:
            if self._session is not None:
                self._session.connection()  # says what failed; a session that was told to undo it all may go on
            connection = self._begun.connection
            self._begun = connection.get_transaction() or connection.begin()
        return self._begun.connection

    @property
    def session(self) -> Session:
        """The mapper's, within it: what is told to it goes the way of the transaction."""
        if self._session is None:
            self._session = Session(self.connection(), expire_on_commit=False)
        return self._session

    def flush(self) -> None:
        """Write what the mapper holds back."""
        if self._session is not None:
            self._session.flush()

    def commit(self) -> None:
        """Have it on disk; nothing is done where nothing was begun.

        Raises:
            PendingRollbackError: as `connection`; there is nothing left of it.
        """
        self.flush()
        if self._begun is not None:
            self.connection().commit()
