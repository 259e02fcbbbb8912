"""The masking bench measures what it says."""

from pathlib import Path

from tests.bench.masking import LONGEST, SHORTEST, measure, texts_of


def test_notes_are_the_same_in_every_run_and_of_real_length():
    made = texts_of("without secrets", 50)
    assert made == texts_of("without secrets", 50)
    assert all(SHORTEST <= len(text) <= LONGEST for text in made)


def test_every_table_has_its_figures(tmp_path: Path):
    tables = {table.title: table.rows for table in measure(tmp_path, quick=True)}
    assert [row[0] for row in tables["Masking a note"]] == ["without secrets", "with secrets"]
    assert [row[0] for row in tables["Masking a long text"]] == ["10,000", "100,000"]
    assert [row[2] for row in tables["What is found"]] == ["all: met", "all: met"]
    assert float(tables["Loading the rules"][0][3]) > 0
