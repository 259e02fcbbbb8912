"""What changes in the file without being written is found, in every table and column; what BigMind writes never is."""

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.errors import BigMindError
from bigmind.store.sqlite import seals
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.snapshots import connected
from tests.backup.keeping import backup, remember
from tests.http.good import GOOD, Owned, ask, own_things
from tests.http.inside import server_inside
from tests.memory.living import Memory, living

FIRST = 'WHERE rowid = (SELECT min(rowid) FROM "{table}")'
SEALED = "SELECT DISTINCT kind FROM row_seal ORDER BY kind"


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with living(tmp_path_factory.mktemp("seals") / "home") as alive:
        person = alive.as_person()
        remember(person)
        yield person


def columns_of(connection: Any, table: str) -> list[tuple[str, bool]]:
    return connection.execute("SELECT name, pk FROM pragma_table_info(?)", (table,)).fetchall()


def change(memory: Memory, table: str, statement: str) -> set[str]:
    """Do what another program, or a disk, may do; which tables are then named. It is taken back."""
    (found,) = changes(memory, table, statement)
    return found


def changes(memory: Memory, table: str, *statements: str) -> list[set[str]]:
    """Do one after the other, each alone; which tables are named after each. Taken back, none is."""
    path = memory.mind.store.path
    with closing(connected(path)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        named = ", ".join(f'"{name}"' for name, _ in columns_of(connection, table))  # without what is computed
        before = connection.execute(f'SELECT {named} FROM "{table}"').fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        places = ", ".join("?" * len(before[0]))
        found: list[set[str]] = []
        for statement in statements:
            connection.execute(statement)
            found.append({each.table for each in memory.mind.store.look()})
            connection.execute(f'DELETE FROM "{table}"')
            connection.executemany(f'INSERT INTO "{table}" ({named}) VALUES ({places})', before)
        for _, definition in triggers:
            connection.execute(definition)
    assert memory.mind.store.look() == ()
    return found


def test_a_changed_value_is_found_in_every_column_of_every_table(memory: Memory) -> None:
    with closing(connected(memory.mind.store.path, read_only=True)) as connection:
        tables = [name for (name,) in connection.execute(SEALED).fetchall()]
        columns = {table: columns_of(connection, table) for table in tables}
    assert {"session", "session_summary", "chunk", "fact", "hypothesis", "knowledge", "profile", "user"} <= set(tables)
    for table, names in columns.items():
        values = [name for name, is_key in names if not is_key]
        statements = [*(changed(table, name) for name in values), f'DELETE FROM "{table}"']
        found = changes(memory, table, *statements)
        assert [each for each, named in zip(statements, found, strict=True) if table not in named] == []


def changed(table: str, name: str) -> str:
    """The statement that gives a column of a table's first row another value."""
    other = f"CASE typeof(\"{name}\") WHEN 'text' THEN \"{name}\" || ' ' WHEN 'null' THEN 1 ELSE 7.25 END"
    return f'UPDATE "{table}" SET "{name}" = {other} {FIRST.format(table=table)}'


def test_bytes_that_are_no_text_are_found(memory: Memory) -> None:
    statement = "UPDATE session_summary SET summary = CAST(x'c3285c' AS TEXT)"
    assert change(memory, "session_summary", statement) == {"session_summary"}


def test_a_table_with_a_name_of_somebody_elses_runs_nothing_of_it(tmp_path: Path) -> None:
    file, told = (
        tmp_path / "memory.db",
        "x AFTER INSERT ON main.fact BEGIN SELECT 1; END; COMMIT; CREATE TABLE made (i);",
    )
    with closing(sound_driver().connect(str(file), isolation_level=None)) as connection:
        connection.execute("CREATE TABLE row_seal (kind TEXT, row INTEGER, seal INTEGER)")
        connection.execute("CREATE TABLE known (id INTEGER PRIMARY KEY, word TEXT)")
        connection.execute(f'CREATE TABLE "{told} BEGIN; --" (id INTEGER PRIMARY KEY)')
        connection.execute('CREATE TABLE odd (id INTEGER PRIMARY KEY, "a\'; b" TEXT)')
        seals._watch(connection)
        assert not connection.in_transaction
        connection.execute("INSERT INTO known (word) VALUES ('one')")
        assert connection.execute("SELECT kind, row FROM row_seal").fetchall() == [("known", 1)]
        assert connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'made'").fetchone() is None


def test_no_operation_leaves_a_row_that_seems_changed(home: Path) -> None:
    with server_inside(home) as inside:
        caller = inside.caller(inside.token())
        ids: Owned = own_things(inside, "ada")
        store = inside.mind.store
        for name, given in GOOD.items():
            if name.startswith(("memory_", "backup_", "project_", "hook_", "token_", "user_", "learn_", "secrets_")):
                with suppress(BigMindError):  # some are for the window alone
                    ask(inside, caller, name, **given(ids))
                assert store.look() == (), name


def test_a_restored_and_an_upgraded_memory_seem_unchanged(home: Path) -> None:
    with living(home) as alive:
        person = alive.as_person()
        remember(person)
        name = backup(person).name
        person("memory_store_fact", category="decision", fact="Since then.")
        person("backup_restore", backup=name)
        assert person.mind.store.look() == ()
        person("memory_store_fact", category="decision", fact="After it.")
        assert person.mind.store.look() == ()
        with person.mind.store.alone() as connection:
            connection.execute("UPDATE store_property SET value = '0000' WHERE name = 'sealed'")
            connection.execute("UPDATE row_seal SET seal = 1")
    with living(home) as again:  # as behind a migration
        assert again.mind.store.look() == ()
