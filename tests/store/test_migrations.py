"""A store's schema comes from the migrations alone, and an upgrade happens wholly or not at all."""

import hashlib
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import BigInteger, Engine, String, inspect
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable
from sqlmodel import SQLModel

from bigmind.core.errors import BigMindError, Code
from bigmind.store.migration import MIGRATIONS, current, head, migrate
from bigmind.store.sqlite.backend import SQLITE
from bigmind.store.sqlite.engine import writing_engine
from bigmind.store.store import Store
from tests.store.using import keep, opened, raw_connection

ROOT = Path(__file__).parents[2]
for each in sorted((ROOT / "bigmind").rglob("tables.py")):
    import_module(".".join(each.relative_to(ROOT).with_suffix("").parts))
TABLES = list(SQLModel.metadata.sorted_tables)

NEXT = f"{int(head()) + 1:04}"

SECOND = """
import sqlalchemy as sa
from alembic import op

revision = "{number}"
down_revision = "{before}"


def upgrade() -> None:
    {upgrade}


def downgrade() -> None:
    pass
"""


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A copy of the migrations, to add one to; its path holds what a configuration file would take for syntax."""
    return Path(shutil.copytree(MIGRATIONS, tmp_path / "100% migrations"))


def add(scripts: Path, upgrade: str) -> None:
    written = SECOND.format(number=NEXT, before=head(), upgrade=upgrade.replace("\n", "\n    "))
    (scripts / "versions" / f"{NEXT}_next.py").write_text(written)


def schema(home: Path) -> list[Any]:
    connection = raw_connection(home)
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
    connection.close()
    return rows


def configured(engine: Engine) -> Any:
    """An open transaction and alembic's configuration for it."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = engine.connect()
    return config


def test_an_empty_folder_gets_the_newest_schema(home: Path) -> None:
    store = Store(home)
    assert current(store._writer) == head()
    assert inspect(store._writer).get_table_names()
    store.close()


def test_head_is_what_alembic_takes_for_it() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    directory = ScriptDirectory.from_config(config)
    assert directory.get_heads() == [head()]
    assert all(each.revision.isdigit() and len(each.revision) == 4 for each in directory.walk_revisions())


def test_opening_a_store_of_today_imports_no_alembic(home: Path) -> None:
    Store(home).close()
    code = (
        f"import sys; from bigmind.store.store import Store; Store(__import__('pathlib').Path({str(home)!r})).close()"
    )
    code += "; print('alembic' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False"]


def test_making_a_store_imports_nothing_that_colors(home: Path) -> None:
    code = (
        f"import sys; from bigmind.store.store import Store; Store(__import__('pathlib').Path({str(home)!r})).close()"
        "; print('alembic' in sys.modules, 'pygments' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["True", "False"]


def test_the_models_say_what_the_migrations_make(home: Path) -> None:
    store = Store(home)
    config = configured(store._writer)
    command.check(config)
    config.attributes["connection"].close()
    store.close()


def test_a_model_that_the_migrations_do_not_know_is_noticed(home: Path) -> None:
    store = Store(home)
    config = configured(store._writer)
    config.attributes["connection"].exec_driver_sql("ALTER TABLE fact DROP COLUMN confidence")
    with pytest.raises(CommandError, match="add_column"):
        command.check(config)
    config.attributes["connection"].close()
    store.close()


def test_down_to_nothing_and_up_again(home: Path) -> None:
    Store(home).close()
    before = schema(home)
    engine = writing_engine(home / "bigmind.db")
    config = configured(engine)
    command.downgrade(config, "base")
    config.attributes["connection"].commit()
    config.attributes["connection"].close()
    assert inspect(engine).get_table_names() == ["alembic_version"]
    assert current(engine) is None
    migrate(SQLITE.engines, engine)
    engine.dispose()
    assert schema(home) == before
    store = Store(home)
    assert store.integrity() == []
    store.close()


def test_a_store_that_began_otherwise_is_not_upgraded(home: Path) -> None:
    """As one of a version before the first release has it: a migration was edited since."""
    Store(home).close()
    engine = writing_engine(home / "bigmind.db")
    config = configured(engine)
    command.downgrade(config, "-1")
    config.attributes["connection"].exec_driver_sql("ALTER TABLE fact DROP COLUMN confidence")
    config.attributes["connection"].commit()
    config.attributes["connection"].close()
    found = current(engine)
    engine.dispose()
    before = schema(home)
    with pytest.raises(BigMindError, match=r"cannot be upgraded: it would lack fact\.confidence\.") as refusal:
        Store(home)
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert schema(home) == before
    engine = writing_engine(home / "bigmind.db")
    assert current(engine) == found
    engine.dispose()


def test_a_store_of_a_newer_version_is_refused_and_not_changed(home: Path) -> None:
    with opened(home) as run:
        keep(run, "The loop repeats cards.")
    connection = raw_connection(home)
    connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    before = fingerprint(home)
    with pytest.raises(BigMindError) as refusal:
        Store(home)
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "newer BigMind (schema 9999" in refusal.value.message
    assert fingerprint(home) == before


def test_a_file_that_is_no_database_is_refused_and_not_changed(home: Path) -> None:
    home.mkdir(0o700)
    (home / "bigmind.db").write_bytes(b"Dear diary, " * 1_000)
    before = fingerprint(home)
    with pytest.raises(BigMindError) as refusal:
        Store(home)
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "not a SQLite database" in refusal.value.message
    assert fingerprint(home) == before


def test_a_database_of_another_program_is_refused_and_not_migrated_into(home: Path) -> None:
    home.mkdir(0o700)
    connection = raw_connection(home)
    connection.executescript("PRAGMA journal_mode=WAL; CREATE TABLE recipe (name TEXT)")
    connection.close()
    before = fingerprint(home)
    with pytest.raises(BigMindError) as refusal:
        Store(home)
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "another program" in refusal.value.message
    assert fingerprint(home) == before


def test_a_refused_store_is_free_for_others(home: Path) -> None:
    home.mkdir(0o700)
    (home / "bigmind.db").write_bytes(b"Dear diary, " * 1_000)
    for _ in range(2):  # the second is told the same, and not that the first still has it
        with pytest.raises(BigMindError, match="not a SQLite database"):
            Store(home)
    (home / "bigmind.db").unlink()
    Store(home).close()


def test_a_migration_that_fails_in_the_middle_leaves_the_schema_as_it_was(home: Path, scripts: Path) -> None:
    add(
        scripts,
        'op.add_column("fact", sa.Column("mood", sa.Text()))\n'
        'op.create_table("halfway", sa.Column("id", sa.Integer()))\n'
        f"op.execute(\"UPDATE alembic_version SET version_num = '{NEXT}'\")\n"
        'op.execute("DELETE FROM chunk")\n'
        'raise RuntimeError("the power went")',
    )
    with opened(home) as run:
        keep(run, "The loop repeats cards.")
    before = schema(home)
    engine = writing_engine(home / "bigmind.db")
    with pytest.raises(RuntimeError, match="the power went"):
        migrate(SQLITE.engines, engine, scripts)
    assert current(engine) == head()
    assert schema(home) == before
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT content FROM chunk").scalar() == "The loop repeats cards."
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_migration_that_rebuilds_a_table_keeps_the_rows_that_refer_to_it(home: Path, scripts: Path) -> None:
    add(
        scripts,
        'with op.batch_alter_table("session", recreate="always") as table:\n'
        '    table.add_column(sa.Column("mood", sa.Text()))',
    )
    with opened(home) as run:
        keep(run, "The loop repeats cards.")
        run("memory_store_fact", category="decision", fact="Fifty digits.")
    engine = writing_engine(home / "bigmind.db")
    migrate(SQLITE.engines, engine, scripts)
    assert current(engine) == NEXT
    with engine.connect() as connection:
        counts = "SELECT (SELECT count(*) FROM chunk), (SELECT count(*) FROM fact WHERE session_id = 1)"
        assert tuple(connection.exec_driver_sql(counts).one()) == (1, 1)
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    engine.dispose()


def test_a_migration_that_breaks_references_is_undone(home: Path, scripts: Path) -> None:
    add(scripts, 'op.execute("DELETE FROM session")')
    with opened(home) as run:
        keep(run, "The loop repeats cards.")
    engine = writing_engine(home / "bigmind.db")
    with pytest.raises(BigMindError, match="1 row that refers to nothing"):
        migrate(SQLITE.engines, engine, scripts)
    assert current(engine) == head()
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM session").scalar() == 1
    engine.dispose()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_the_tables_compile_for_both_databases(table: Any) -> None:
    for dialect in (sqlite.dialect(), postgresql.dialect()):
        assert str(CreateTable(table).compile(dialect=dialect)).strip().startswith("CREATE TABLE")
        for index in table.indexes:
            assert "CREATE" in str(CreateIndex(index).compile(dialect=dialect))


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_no_column_has_a_type_of_one_database_only(table: Any) -> None:
    for column in table.columns:
        generic = column.type.load_dialect_impl(sqlite.dialect()) if hasattr(column.type, "impl") else column.type
        assert not type(generic).__module__.startswith("sqlalchemy.dialects."), column.name
        assert column.type.compile(dialect=postgresql.dialect()) != "NULL"


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_integer_keys_are_64_bits_wide_on_both(table: Any) -> None:
    for key in table.primary_key:
        if isinstance(key.type, String):  # what has no key but its name
            continue
        assert isinstance(key.type, BigInteger)
        assert key.type.compile(sqlite.dialect()) == "INTEGER"
        assert key.type.compile(postgresql.dialect()) == "BIGINT"


def fingerprint(home: Path) -> dict[str, str]:
    """Names and contents of the files of the store."""
    return {each.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in home.glob("bigmind.db*")}
