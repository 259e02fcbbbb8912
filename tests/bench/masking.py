"""What masking costs: a note, a long text, the loading of the rules; and what it finds and what it leaves alone."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter

from bigmind.secrets.libraries import betterleaks_finder
from bigmind.secrets.masking import mask, warm
from tests.bench.report import Table, median, milliseconds, percentile, ratio, verdict
from tests.secrets.benign import benign, notes
from tests.secrets.samples import PLACED, TOKENS, samples

TARGET_MS = 5
NOTES, EACH = 1000, 200
SHORTEST, LONGEST = 50, 2000
SIZES = (10_000, 100_000, 1_000_000)
LOADS = 7

LOADING = """
import json, time, psutil
import litestar, mcp.server, sqlmodel, uvicorn
resident = psutil.Process().memory_info
before, begin = resident().rss, time.perf_counter()
from bigmind.secrets.masking import mask, warm
imported = time.perf_counter() - begin
warm()
warmed, cost = time.perf_counter() - begin - imported, resident().rss - before
begin = time.perf_counter()
mask("the first note: password: hunter2, commit 3f2a9c1b7d8e4f5a")
print(json.dumps([imported, warmed, time.perf_counter() - begin, cost / 2**20]))
"""


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Three tables; the folder is not needed, for nothing is stored."""
    del folder
    warm()
    part = 10 if quick else 1
    yield _notes(NOTES // part)
    yield _sizes(SIZES[: -1 if quick else None])
    yield _loading(2 if quick else LOADS)
    yield _findings(NOTES // part, EACH // part)


def texts_of(kind: str, number: int) -> list[str]:
    """Notes of 50 to 2,000 characters, as long as chance wills; those `with secrets` hold one to three."""
    random = Random(kind)
    plain = notes(seed=31)
    secrets = [sample.written for sample in samples(seed=31, number=20)]
    made: list[str] = []
    while len(made) < number:
        length = random.randint(SHORTEST, LONGEST)
        lines = list(islice(plain, random.randint(1, 12)))
        text = "\n".join(lines)[:length]
        if kind == "with secrets":
            text = "\n".join([text, *random.choices(secrets, k=random.randint(1, 3))])
        if len(text) >= SHORTEST:
            made.append(text)
    return made


def timed(action: Callable[[str], object], texts: list[str]) -> list[float]:
    """Seconds of each text, measured one by one."""
    seconds: list[float] = []
    for text in texts:
        begin = perf_counter()
        action(text)
        seconds.append(perf_counter() - begin)
    return seconds


def _notes(number: int) -> Table:
    table = Table(
        "Masking a note", ("notes", "characters", "p50 ms", "p95 ms", "slowest ms", "× betterleaks alone", "target p95")
    )
    leaks = betterleaks_finder()
    for kind in ("without secrets", "with secrets"):
        texts = texts_of(kind, number)
        alone = median(timed(lambda text: list(leaks(text)), texts)) if leaks else None
        seconds = timed(mask, texts)
        table.add(
            kind,
            f"{median(len(text) for text in texts):.0f}",
            milliseconds(median(seconds)),
            milliseconds(percentile(seconds, 0.95)),
            milliseconds(max(seconds)),
            ratio(median(seconds), alone) if alone else "—",
            verdict(percentile(seconds, 0.95) * 1000, TARGET_MS, " ms"),
        )
    table.notes.append(f"{number} notes of each, one after another; a text with secrets is looked at twice.")
    return table


def _sizes(sizes: tuple[int, ...]) -> Table:
    table = Table("Masking a long text", ("characters", "ms", "× per character of the first"))
    text = "\n".join(benign(seed=37, number=sizes[-1] // 100))
    first = 0.0
    for size in sizes:
        seconds = median(timed(mask, [text[:size]] * 3))
        first = first or seconds / size
        table.add(f"{min(size, len(text)):,}", milliseconds(seconds), ratio(seconds / size, first))
    return table


def _loading(times: int) -> Table:
    """In processes that have imported what the server imports."""
    runs = [
        json.loads(subprocess.run([sys.executable, "-c", LOADING], capture_output=True, check=True, text=True).stdout)
        for _ in range(times)
    ]
    imported, warmed, first, cost = (median(figures) for figures in zip(*runs, strict=True))
    table = Table("Loading the rules", ("import ms", "`warm` ms", "first note after it ms", "memory MB"))
    table.add(milliseconds(imported), milliseconds(warmed), milliseconds(first), f"{cost:.1f}")
    table.notes.append(f"Medians of {times} processes that had imported litestar, sqlmodel, mcp and uvicorn before.")
    return table


def _findings(number: int, each: int) -> Table:
    table = Table("What is found", ("texts", "right", "target"))
    made = samples(seed=41, number=each)
    found = sum(sample.secret not in mask(sample.written).text for sample in made)
    plain = benign(seed=41, number=number)
    untouched = sum(mask(text).text is text for text in plain)
    table.add(f"{len(TOKENS) + len(PLACED)} types × {each}", f"{found} of {len(made)} masked", _all(found, len(made)))
    table.add("notes without a secret", f"{untouched} of {number} untouched", _all(untouched, number))
    return table


def _all(right: int, number: int) -> str:
    return f"all: {'met' if right == number else 'MISSED'}"
