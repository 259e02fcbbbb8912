"""`python -m tests.bench [PART …] [--quick] [--write]`: the tables of docs/performance.md, printed or put there."""

import argparse
import tempfile
from pathlib import Path

import psutil

from tests.bench import (
    answer_tokens,
    backup,
    brain,
    crowd,
    desktop,
    embedding,
    hooks,
    imports,
    indexing,
    latency,
    load,
    long_work,
    masking,
    model,
    pages,
    portable,
    recall,
    scale,
    stages,
    start,
    turns,
    usage,
    work,
)
from tests.bench.engineering import measuring as questions
from tests.bench.figures import DOCUMENT, MEASURED, commit, written
from tests.bench.report import Table

PARTS = {
    "start": start.measure,
    "hooks": hooks.measure,
    "desktop": desktop.measure,
    "latency": latency.measure,
    "load": load.measure,
    "stages": stages.measure,
    "masking": masking.measure,
    "backup": backup.measure,
    "portable": portable.measure,
    "long": long_work.measure,
    "turns": turns.measure,
    "imports": imports.measure,
    "pages": pages.measure,
    "recall": recall.measure,
    "crowd": crowd.measure,
    "scale": scale.measure,
    "embedding": embedding.measure,
    "indexing": indexing.measure,
    "model": model.measure,
    "brain": brain.measure,
    "work": work.measure,
    "usage": usage.measure,
    "questions": questions.measure,
    "answers": answer_tokens.measure,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure BigMind on this machine.")
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS), help="what to measure; all, if none is named")
    parser.add_argument("--quick", action="store_true", help="a tenth of the repetitions: for trying, not for figures")
    parser.add_argument(
        "--write", action="store_true", help=f"put them into docs/performance.md: {', '.join(MEASURED)}"
    )
    given = parser.parse_args()
    if unknown := set(given.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    if given.write and (given.quick or not given.parts or set(given.parts) - set(MEASURED)):
        parser.error(f"figures are written of whole runs, and of {', '.join(MEASURED)} alone")
    code = commit()
    before = psutil.getloadavg()[0]
    print(f"{psutil.cpu_count()} cores, load {before:.2f} before the run{' (quick)' if given.quick else ''}\n")
    for name in given.parts or PARTS:
        with tempfile.TemporaryDirectory(prefix="bigmind-bench-") as folder:
            tables: list[Table] = []
            for table in PARTS[name](Path(folder), quick=given.quick):
                show(table)
                tables.append(table)
        if given.write:
            DOCUMENT.write_text(written(DOCUMENT.read_text(), name, tables, before, code))


def show(table: Table) -> None:
    print(table.as_markdown(), flush=True)


if __name__ == "__main__":
    main()
