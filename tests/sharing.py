"""What a test process need not do again for each store and each client: compile a statement, read the certificates.

A good part of the time of tests of the memory went into statements that other stores had compiled before: SQLAlchemy
keeps them for each engine, of which a test has two of its own. A client of HTTP reads all certificates of the system,
which no server of a test has.
"""

import ssl
from functools import cache
from typing import Any

from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from bigmind.store.sqlite import engine

statements: dict[Any, Any] = {}
"""What was compiled in this process; a test of what is compiled when empties it first."""


def share_statements() -> None:
    """Let all stores of this process, and of those that it forks, use what one of them has compiled."""
    make = engine.create_engine

    def made(*given: Any, **named: Any) -> Any:
        new = make(*given, **named)
        new.update_execution_options(compiled_cache=statements)
        return new

    engine.create_engine = made
    # What is compiled is found by its dialect, and each engine has one of its own.
    SQLiteDialect_pysqlite.__eq__ = lambda self, other: type(self) is type(other)
    SQLiteDialect_pysqlite.__hash__ = lambda self: hash(type(self))


def share_certificates() -> None:
    """Let all clients of this process use what one of them has read."""
    ssl.create_default_context = cache(ssl.create_default_context)
