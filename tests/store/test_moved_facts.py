"""An upgrade gives facts to whom they belong, a project one name, and back what was taken wrongly; nothing is lost."""

from pathlib import Path
from typing import Any

import pytest

from bigmind.wiring import open_mind
from tests.store.past import OWNED, PAY, TAKEN, past_store
from tests.store.using import raw_connection

MOVES = {
    "past: is a staff engineer": None,
    "past: likes short answers": None,
    "past: likes long names": None,
    "past: the ledger has one writer": PAY,
}


def rows(home: Path, query: str) -> list[Any]:
    connection = raw_connection(home)
    found = connection.execute(query).fetchall()
    connection.close()
    return found


def texts(home: Path) -> dict[str, list[Any]]:
    tables = {"fact": "text", "chunk": "content", "hypothesis": "text", "session": "one_liner"}
    return {table: sorted(rows(home, f"SELECT uid, {column} FROM {table}")) for table, column in tables.items()}


@pytest.mark.parametrize("revision", ["0001", "0002", "0003", "0004", "0005"])
def test_facts_are_where_they_belong_after_an_upgrade(revision: str, tmp_path: Path) -> None:
    past_store(tmp_path, revision)
    before = texts(tmp_path)
    open_mind(tmp_path, "ada").close()
    assert texts(tmp_path) == before
    projects = dict(rows(tmp_path, "SELECT text, project FROM fact WHERE text LIKE 'past: %'"))
    for _, project, text in OWNED:
        assert projects[text] == MOVES.get(text, project), text
    told = rows(
        tmp_path, "SELECT text, reason FROM fact_event JOIN fact ON fact.id = fact_id WHERE action = 'moved' ORDER BY 1"
    )
    assert {text for text, _ in told} == set(MOVES)
    assert ("past: the ledger has one writer", "project was: Pay") in told
    assert rows(tmp_path, "SELECT name, project FROM project_alias") == [("Pay", PAY)]
    assert list((tmp_path / "backups").iterdir())
    open_mind(tmp_path, "ada").close()
    assert len(rows(tmp_path, "SELECT 1 FROM fact_event WHERE action = 'moved'")) == len(told)


@pytest.mark.parametrize("revision", ["0002", "0005"])
def test_what_was_taken_wrongly_is_given_back(revision: str, tmp_path: Path) -> None:
    past_store(tmp_path, revision)
    for _ in range(2):
        open_mind(tmp_path, "ada").close()
        sure = dict(rows(tmp_path, "SELECT text, confidence FROM fact"))
        assert {text: sure[text] for text, _, _ in TAKEN} == {text: wanted for text, _, wanted in TAKEN}
        events = rows(tmp_path, "SELECT confidence, other_uid FROM fact_event WHERE action = 'recovered'")
        assert [confidence for confidence, _ in events] == [1.0]
