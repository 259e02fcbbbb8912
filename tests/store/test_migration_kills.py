"""An upgrade that is killed at any statement leaves the old store or the new one, and the next start completes it."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import randrange
from typing import Any, NamedTuple

import pytest

from bigmind.store.migration import MIGRATIONS, head
from tests.store.judge import Promises, judged
from tests.store.past import PAY, TAKEN, past_store
from tests.store.using import keep, opened, raw_connection
from tests.support import environment
from tests.thorough import often, spread

ROOT = Path(__file__).parents[2]
ENOUGH = 45
"""Kills of one upgrade; fewer would mean that the harness does not see the statements."""
PERSONAL = frozenset({"identity", "preference"})
DERIVED = {"told", "terms"}
"""Columns of a session that the first start of another version makes anew, as `reindexing.py` does."""
MEANT = {"Pay": PAY}
"""The short names in old stores that are the last part of exactly one full name, with that one."""
GIVEN_BACK = {text: wanted for text, _, wanted in TAKEN}
AFTER = often(10, 1)
"""Kills after it is done, in what a start does next."""

NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "{number}"
down_revision = "{before}"


def upgrade() -> None:
    op.execute("CREATE TABLE mood (id INTEGER PRIMARY KEY, word TEXT NOT NULL)")
    op.execute("INSERT INTO mood (word) VALUES ('glad'), ('sad')")
    with op.batch_alter_table("session", recreate="always") as table:
        table.add_column(sa.Column("mood_id", sa.Integer()))
    op.execute("UPDATE session SET mood_id = 1")
    op.execute("UPDATE chunk SET content = content || ' as it was then'")
    op.drop_index("ix_session_topic_topic", "session_topic")
"""

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="forks")]


class Look(NamedTuple):
    """A store's file as another program sees it."""

    schema: frozenset[tuple[Any, ...]]
    revision: str | None
    rows: dict[str, list[dict[str, Any]]]

    def keeps(self, other: "Look") -> bool:
        """Whether every row of the other is here as the upgrade leaves it, in the columns that both know.

        A start replaces its own tokens, and notes in its properties what it derived.
        """
        queued_anew = {
            (table, row["id"])
            for table, rows in other.rows.items()
            for row in rows
            if "id" in row and (table == "session" or _project(table, row) != row.get("project"))
        }
        return all(
            any(_in(each, self.rows.get(table, [])) for each in _upgraded(table, row, queued_anew))
            for table, rows in other.rows.items()
            if table not in {"token", "alembic_version", "store_property"}
            for row in rows
        )

    def sure(self) -> dict[str, float]:
        """How sure the facts are that lost confidence wrongly or rightly."""
        return {each["text"]: each["confidence"] for each in self.rows["fact"] if each["text"] in GIVEN_BACK}


def _project(table: str, row: dict[str, Any]) -> str | None:
    """Where migration 0006 leaves a row."""
    if table == "fact" and row["category"].lower() in PERSONAL:
        return None
    return MEANT.get(row.get("project"), row.get("project"))


def _upgraded(table: str, row: dict[str, Any], queued_anew: set[tuple[str, int]]) -> Iterator[dict[str, Any]]:
    """A row as an upgrade may leave it: what is derived and given back behind the migrations is work of its own."""
    if table == "session":
        row = {name: value for name, value in row.items() if name not in DERIVED}
    if "project" in row:
        row = row | {"project": _project(table, row)}
    if table == "embedding_queue" and (row["kind"], row["item"]) in queued_anew:  # it waits anew, under another number
        row = {name: value for name, value in row.items() if name != "id"}
    yield row
    if table == "fact" and row["text"] in GIVEN_BACK:
        yield row | {"confidence": GIVEN_BACK[row["text"]]}


def _in(row: dict[str, Any], rows: list[dict[str, Any]]) -> bool:
    return any(all(each[name] == value for name, value in row.items() if name in each) for each in rows)


def look(home: Path) -> Look:
    """Raises AssertionError when SQLite's own checks find something."""
    connection = raw_connection(home)
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    listed = "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"
    found = connection.execute(listed).fetchall()
    # Alembic rebuilds a table with its constraints in any order.
    schema = frozenset((*names, tuple(sorted(map(_bare, (sql or "").splitlines())))) for *names, sql in found)
    tables = [name for kind, name, *_ in found if kind == "table" and "_fts" not in name and "_grams" not in name]
    rows = {table: _rows(connection, table) for table in tables}
    connection.close()
    versions = rows.get("alembic_version") or [{"version_num": None}]
    return Look(schema, versions[0]["version_num"], rows)


def _bare(line: str) -> str:
    return line.strip(" ,\t")


def _rows(connection: Any, table: str) -> list[dict[str, Any]]:
    cursor = connection.execute(f'SELECT * FROM "{table}"')
    names = [each[0] for each in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


class Upgrades:
    """Upgrades in processes of their own (tests/store/upgrades.py)."""

    def __init__(self, *arguments: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.upgrades", *arguments],
            cwd=ROOT,
            env=environment(Path("nowhere")),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, home: Path, killed_at: int = 0) -> int:
        """The status of an upgrade of `home`: the signal that ended it, or 0."""
        self._process.stdin.write(f"{killed_at} {home}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def close(self) -> None:
        self._process.stdin.close()
        assert self._process.wait(30) == 0
        self._process.stdout.close()


@contextmanager
def upgrades(*arguments: str) -> Generator[Upgrades]:
    started = Upgrades(*arguments)
    try:
        yield started
    finally:
        started.close()


def fresh(store: Path, home: Path) -> Path:
    """A copy of the store, in place of what was in `home`."""
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(store, home)
    return home


def killed_at_every_statement(
    started: Upgrades, store: Path, scratch: Path, step: int = 1, first: int = 1
) -> Generator[tuple[int, Path]]:
    """The number of each statement, and the home that was left by the upgrade that was killed there.

    With a step, of each so many statements one, from the first that is told, and the very last: each takes a second.
    """
    for number in count(first, step):
        home = fresh(store, scratch)
        status = started.run(home, number)
        if status == 0:
            break
        assert status == signal.SIGKILL, f"statement {number}"
        yield number, home
    for last in range(number - 1, number - step, -1):
        home = fresh(store, scratch)
        if started.run(home, last) == signal.SIGKILL:
            yield last, home
            return


def old_store(home: Path, revision: str | None) -> Promises:
    """A store of that revision, and what is in it; an empty folder for none."""
    if revision is None:
        home.mkdir(0o700)
        return Promises()
    return past_store(home, revision)


RELEASED = [None, "0001", "0002", "0003", "0004", "0005", head()]
"""Schemas that stores may have; a newer one needs a store of its own in tests/store/past.py."""


def test_every_released_schema_is_one_of_the_migrations() -> None:
    known = {file.name.split("_")[0] for file in (MIGRATIONS / "versions").glob("[0-9]*.py")}
    assert set(RELEASED) - {None} <= known


def step_of(revision: str | None) -> int:
    """The newest upgrade is killed at each of its statements; those from older schemas, which contain it, at some."""
    return often(1, 16) if revision == RELEASED[-2] else often(3, 40)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("revision", spread(RELEASED[:-1], 2))
def test_a_killed_upgrade_leaves_the_old_store_or_the_new_one(revision: str | None, tmp_path: Path) -> None:
    promises = old_store(tmp_path / "store", revision)
    given_back = GIVEN_BACK if revision is not None and revision >= "0002" else {}
    left: list[str] = []
    step = step_of(revision)
    first = randrange(1, step + 1)  # in the end, every statement had its turn
    with upgrades() as started:
        old = look(fresh(tmp_path / "store", tmp_path / "old"))
        assert started.run(fresh(tmp_path / "store", tmp_path / "new")) == 0
        new = look(tmp_path / "new")
        assert (old.revision, new.revision) == (revision, head())
        assert new.keeps(old)
        assert new.sure() == given_back
        for number, home in killed_at_every_statement(started, tmp_path / "store", tmp_path / "home", step, first):
            found = look(home)
            left.append("new" if found.revision == new.revision else "old")
            if found.revision == new.revision:
                assert found.schema == new.schema, f"statement {number}"
                assert found.keeps(old), f"statement {number}"
            else:
                assert found == old, f"statement {number}"
            assert judged(home, tmp_path / "next", promises, promises) == [], f"statement {number}"
            following = look(tmp_path / "next")
            assert following.schema == new.schema, f"statement {number}"
            assert following.keeps(old), f"statement {number}"
            if left[-1] == "new":  # what is derived behind the migrations is completed by the next start
                assert started.run(home) == 0
                assert look(home).keeps(old), f"statement {number}"
                assert look(home).sure() == given_back, f"statement {number}"
            if left.count("new") == AFTER:
                break
    assert left == sorted(left, reverse=True)  # at one statement it becomes new, and stays it
    assert left.count("old") * step >= ENOUGH
    assert left.count("new") == AFTER


def test_a_killed_rebuild_of_a_table_leaves_the_old_one_or_the_new_one(home: Path, tmp_path: Path) -> None:
    scripts = Path(shutil.copytree(MIGRATIONS, tmp_path / "scripts"))
    following = f"{int(head()) + 1:04}"
    (scripts / "versions" / f"{following}_next.py").write_text(NEXT.format(number=following, before=head()))
    with opened(home) as run:
        kept = [keep(run, f"card {number}") for number in range(2)]
        run("memory_store_fact", category="decision", fact="Fifty digits.")
    old = look(home)
    left: list[bool] = []
    step = often(1, 9)
    with upgrades(str(scripts)) as started:
        assert started.run(fresh(home, tmp_path / "new")) == 0
        new = look(tmp_path / "new")
        assert new.revision == following
        for number, killed in killed_at_every_statement(started, home, tmp_path / "home-killed", step):
            found = look(killed)
            assert found in (old, new), f"statement {number}"
            left.append(found == new)
            assert started.run(killed) == 0
            assert look(killed) == new, f"statement {number}"
    assert left == sorted(left)
    assert left.count(False) * step >= ENOUGH
    assert left.count(True) > 0
    assert {each["uid"] for each in new.rows["chunk"]} == set(kept)


def test_an_upgrade_in_two_halves_is_noticed(tmp_path: Path) -> None:
    """The control: what a migration without a transaction leaves is neither the old nor the new store."""
    past_store(tmp_path / "store", "0001")
    old = look(fresh(tmp_path / "store", tmp_path / "old"))
    with upgrades() as started:
        assert started.run(fresh(tmp_path / "store", tmp_path / "new")) == 0
    new = look(tmp_path / "new")
    connection = raw_connection(tmp_path / "old")
    connection.execute("CREATE TABLE fact_event (id INTEGER PRIMARY KEY)")
    connection.close()
    assert look(tmp_path / "old").schema not in (old.schema, new.schema)
    connection = raw_connection(tmp_path / "new")
    connection.execute("DELETE FROM hypothesis WHERE id = 1")
    connection.close()
    assert not look(tmp_path / "new").keeps(old)
