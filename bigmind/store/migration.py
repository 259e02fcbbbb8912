"""Brings a store's schema to the version this BigMind knows."""

import sys
from pathlib import Path
from types import ModuleType
from typing import cast

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import DBAPIError
from sqlmodel import SQLModel

from bigmind.core.errors import BigMindError, Code
from bigmind.store.backend import Engines

MIGRATIONS = Path(__file__).parent / "migrations"


MOST_TOLD = 3

OLDER_TABLES = frozenset({"identity_profile", "session_summaries", "conversation_chunks"})


def head(scripts: Path = MIGRATIONS) -> str:
    """The newest revision. Revisions are numbered files, so that alembic is imported only when one is pending."""
    return max(file.name.split("_")[0] for file in (scripts / "versions").glob("[0-9]*.py"))


def current(engine: Engine) -> str | None:
    """The revision of the store's schema; None for an empty file."""
    with engine.connect() as connection:
        if not engine.dialect.has_table(connection, "alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def is_newest(engine: Engine, scripts: Path = MIGRATIONS) -> bool:
    """Whether the store has the newest schema; False when migrations are pending.

    Raises:
        BigMindError: `store_unusable`, when the store was written by a newer BigMind or is another program's.
    """
    return _known_revision(engine, newest := head(scripts)) == newest


def _known_revision(engine: Engine, newest: str) -> str | None:
    """The store's revision, which is at most the newest; None for an empty file. Raises as `is_newest`."""
    found = current(engine)
    strange = set(inspect(engine).get_table_names() if found is None else ()) - {"alembic_version"}
    if strange >= OLDER_TABLES:
        raise BigMindError(
            Code.STORE_UNUSABLE,
            "The store's file is a memory of the older BigMind, which is imported and not opened.",
            "Unset BIGMIND_DB_PATH, or name another file; then `bigmind memory import` takes it over. It was left as "
            "it is.",
        )
    if strange:
        raise BigMindError(
            Code.STORE_UNUSABLE,
            "The store's file is a database of another program.",
            "Move it away, or set BIGMIND_HOME to another folder; BigMind left it alone.",
        )
    if found is not None and found > newest:
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"This memory was written by a newer BigMind (schema {found}; this one knows up to {newest}).",
            "Install the newer version again. The file was not changed.",
        )
    return found


def is_older(engine: Engine, scripts: Path = MIGRATIONS) -> bool:
    """Whether the store has a schema, and not the newest one; an empty file has none.

    Raises:
        BigMindError: as `is_newest`.
    """
    return _known_revision(engine, newest := head(scripts)) not in {None, newest}


def refuse_strangers(engines: Engines, path: Path) -> None:
    """Look at the file before it is opened for writing: that alone would fold its log into it, or give it one.

    Raises:
        BigMindError: `store_unusable`, when it is not ours to open; no byte of it was changed.
    """
    if not path.exists():
        return
    engine = engines.glancing(path)
    try:
        is_newest(engine)
    except DBAPIError:
        return  # a damaged or forbidden file: opening it says which
    finally:
        engine.dispose()


def migrate(engines: Engines, engine: Engine, scripts: Path = MIGRATIONS) -> None:
    """Run the pending migrations, all in one transaction.

    Args:
        engines: of the database.
        engine: the writing one.
        scripts: alembic's folder; another one in tests of what a migration may do.

    Raises:
        BigMindError: `store_unusable`, when the store was written by a newer BigMind or is another program's, or when
            it would lack what this BigMind reads afterwards; the file is as it was then.
    """
    if is_newest(engine, scripts):
        return
    is_upgrade = current(engine) is not None
    # Alembic's templates would color errors: 42 modules of pygments, which the process then holds as long as it runs.
    sys.modules.setdefault("mako.ext.pygmentplugin", cast("ModuleType", None))
    from alembic import command  # noqa: PLC0415 - a quarter of a second, needed once per upgrade
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))  # the parser interpolates
    with engines.rebuilding(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        if is_upgrade and scripts == MIGRATIONS:
            _refuse_incomplete(connection)


def _refuse_incomplete(connection: Connection) -> None:
    """Compare the tables with the models: a store of a version that was never released may have begun otherwise.

    Raises:
        BigMindError: `store_unusable`, which undoes the upgrade.
    """
    found = {
        name: {each["name"] for each in columns}
        for (_, name), columns in inspect(connection).get_multi_columns().items()
    }
    lacking = [
        f"{table.name}.{column.name}"
        for table in SQLModel.metadata.sorted_tables
        for column in table.columns
        if column.name not in found.get(table.name, ())
    ]
    if lacking:
        more = f" and {len(lacking) - MOST_TOLD} more" if len(lacking) > MOST_TOLD else ""
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"This memory cannot be upgraded: it would lack {', '.join(lacking[:MOST_TOLD])}{more}. It was left as it "
            "is.",
            "It was begun by a version of BigMind that was never released. Go on with that one; or export it there, "
            "move the data folder away, and take the file over with `bigmind memory import`.",
        )
