"""A whole life goes out of one server, into another, and out again: equal but for the header, and in little memory."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from tests.portable.files import contents
from tests.portable.generator import PROJECT_NAMES, SMALL, Sizes, fill
from tests.portable.peak import MOST_MEGABYTES, peak_megabytes
from tests.support import Server, completed, running_server
from tests.thorough import THOROUGH

SECONDS = 900
LONG = ("english", "emoji")
PART = Sizes(sessions=30, chunks=90, facts=30, hypotheses=10, knowledge=10, thoughts=20, long=LONG, accepts=False)
WHOLE = Sizes(accepts=False) if THOROUGH else PART


def ask(server: Server, operation: str, **arguments: Any) -> dict[str, Any]:
    with server.http() as http:
        answered = http.post(f"/api/v1/{operation}", json=arguments, timeout=SECONDS)
    assert answered.status_code == 200, answered.text
    return answered.json()


def verdicts(answer: dict[str, Any], name: str) -> dict[str, int]:
    return {each["section"]: each[name] for each in answer["sections"] if each[name]}


def rows(home: Path) -> Iterator[str]:
    """A digest of every table of a store, read beside its server."""
    connection = sound_driver().connect(f"{store_file(home).as_uri()}?mode=ro", uri=True)
    try:
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%fts%'")
        for (name,) in names.fetchall():
            # Signing in is none of an import's business.
            if name not in {"receipt", "sqlite_sequence"}:
                whole = hash(tuple(map(hash, connection.execute(f'SELECT * FROM "{name}"'))))
                yield f"{name} {whole}"
    finally:
        connection.close()


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_a_whole_memory_goes_out_and_in_and_out_again(tmp_path: Path, record_property: Any):
    one, two = tmp_path / "one", tmp_path / "two"
    fill(one, WHOLE)
    before, after = tmp_path / "before.json", tmp_path / "after.json"
    with running_server(one, by_command=True) as server:
        answer = ask(server, "memory_export", output_path=str(before))
        sizes = asdict(WHOLE)
        assert answer["records"] == {
            "questions": 0,
            "work_items": 0,
            "work_ledger": 0,
            "protocol_runs": 0,
            "profiles": 1,
            "project_names": len(PROJECT_NAMES),
            **{name: sizes[name] for name in answer["records"] if name in sizes},
        }
        _note(server, "export", record_property)
    _first_start(two)
    with running_server(two, by_command=True) as server:
        done = ask(server, "memory_import", path=str(before))
        brought = {name: count for name, count in answer["records"].items() if count}
        assert verdicts(done, "new") == brought
        assert done["secrets"] == {}
        ask(server, "memory_export", output_path=str(after))
        assert contents(before) == contents(after)
        _note(server, "import and export", record_property)
        held = list(rows(two))
        for dry_run in (True, False):
            again = ask(server, "memory_import", path=str(before), dry_run=dry_run)
            assert not again["changed"]
            assert verdicts(again, "unchanged") == brought
        assert list(rows(two)) == held
        _note(server, "import again", record_property)


def _first_start(home: Path) -> None:
    """Make an empty store; what migrating it holds in memory is no matter of an import."""
    with running_server(home):
        pass


def _note(server: Server, what: str, record_property: Any) -> None:
    peak = peak_megabytes(server.process.pid)
    record_property(f"peak memory of the server, {what}, MB", peak)
    print(f"peak memory of the server, {what}: {peak:.0f} MB")
    assert peak < MOST_MEGABYTES


def test_by_the_command_line(tmp_path: Path):
    one, two, file = tmp_path / "one", tmp_path / "two", tmp_path / "life.json"
    fill(one, SMALL)
    with running_server(one):
        assert f"Exported to {file}" in _bigmind(one, "memory", "export", "--output-path", str(file))
    with running_server(two):
        assert "would change this" in _bigmind(two, "memory", "import", str(file), "--dry-run")
        assert "changed this" in _bigmind(two, "memory", "import", str(file))
        assert "changed nothing" in _bigmind(two, "memory", "import", str(file), "--mode", "merge")
        refused = _bigmind(two, "memory", "export", "--output-path", str(file), fails=True)
        assert "Nothing is overwritten" in refused


def _bigmind(home: Path, *words: str, fails: bool = False) -> str:
    done = completed(home, *words)
    assert (done.returncode != 0) is fails, done.stderr
    return done.stdout + done.stderr
