"""The bench of backups measures what it says."""

from pathlib import Path

from tests.bench.backup import measure


def test_writers_and_backups_are_both_at_work(tmp_path: Path):
    inside, table = measure(tmp_path, quick=True)
    assert [int(row[4]) > 0 for row in inside.rows] == [False, True]
    assert all(int(row[1]) > 10 for row in inside.rows)
    assert [row[0] for row in table.rows] == [
        "nothing else happens",
        "backups are made",
        "encrypted backups are made",
    ]
    assert all(int(row[1]) > 10 for row in table.rows)
    assert [int(row[4]) > 0 for row in table.rows] == [False, True, True]
