"""Figures that the bench writes into the docs, and what tells whether they are of today's code."""

import platform
import re
import runpy
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import psutil

from bigmind.core.clock import system_clock
from bigmind.store.sqlite.driver import sound_driver
from tests.bench.report import Table

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "performance.md"
_HOT_PATHS = (
    *("bigmind/mcp/plain_*.py", "bigmind/mcp/tool_calls.py", "bigmind/http/late_start.py", "bigmind/kinds.py"),
    *("bigmind/operations/dispatch.py", "bigmind/operations/request_receipts.py", "bigmind/store/work.py"),
    *("bigmind/store/*_statements.py", "bigmind/store/search_process/*.py", "bigmind/store/sqlite/statements.py"),
    *("bigmind/store/sqlite/fulltext.py", "bigmind/store/sqlite/neighbours.py"),
    *("bigmind/store/sqlite/connection.py", "bigmind/store/sqlite/search_parts.py", "bigmind/store/sqlite/vectors.py"),
    *("bigmind/store/sqlite/trigrams.py", "bigmind/search/common_names.py"),
    *(
        "bigmind/memory/recall/*.py",
        "bigmind/search/spelling/*.py",
        "bigmind/memory/sessions/choice.py",
        "bigmind/search/process/*.py",
    ),
    *(f"bigmind/search/{name}.py" for name in ("engine", "finding", "candidates", "ranking", "scope", "snippets")),
    *("bigmind/embedding/e*.py", "bigmind/embedding/process.py", "bigmind/embedding/worker.py", "assets/model/*"),
    *("bigmind/embedding/request_queue.py", "bigmind/embedding/limits.py", "bigmind/embedding/thread_scheduling.py"),
    *("bigmind/operations/worker_threads.py", "app/web_server/protocol.py", "bigmind/memory/projects/names.py"),
    *("bigmind/mcp/bridge.py", "bigmind/local/connection.py", "bigmind/local/http_client.py"),
)
CPU_INFO = Path("/proc/cpuinfo")
CHANGED = ("status", "--porcelain", "--untracked-files=no", "--", ".", ":!docs/performance.md")
MEASURED = {"latency": _HOT_PATHS, "load": _HOT_PATHS}
"""The parts whose figures are written so, and the files that they measure (docs/architecture.md, "Hot paths")."""
_BLOCK = re.compile(
    r"<!-- figures: (?P<part>\w+), code (?P<code>\w+) -->\n.*?<!-- end of figures: (?P=part) -->\n", re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """Figures in a document: of which part of the bench, and of which code."""

    part: str
    code: str


def code_of(part: str) -> str:
    """What stands for the code that a part measures: a hash of the bytes of its files."""
    told = sha256()
    for file in sorted({file for pattern in MEASURED[part] for file in files(pattern)}):
        told.update(f"{file.relative_to(ROOT).as_posix()}\n".encode())
        told.update(sha256(file.read_bytes()).digest())
    return told.hexdigest()[:16]


def files(pattern: str) -> list[Path]:
    """What a pattern of `MEASURED` names."""
    return [each for each in ROOT.glob(pattern) if each.is_file()]


def blocks(text: str) -> Iterator[Block]:
    """The figures of a document that the bench wrote."""
    return (Block(each["part"], each["code"]) for each in _BLOCK.finditer(text))


def written(text: str, part: str, tables: Sequence[Table], load: float, told: str) -> str:
    """A document with new figures of a part in the place of its old ones.

    Args:
        text: the document, which has such a block.
        part: of the bench.
        tables: its figures.
        load: of the machine, before the run.
        told: the commit.

    Raises:
        ValueError: there is no such block, or more than one.
    """
    found = [each for each in _BLOCK.finditer(text) if each["part"] == part]
    if len(found) != 1:
        raise ValueError(f"docs/performance.md has {len(found)} blocks of figures of {part}, and needs one")
    settings = (
        f"`python -m tests.bench {part} --write`, {told}, {system_clock().date().isoformat()}, no other settings; "
        f"{psutil.cpu_count()} cores ({_processor()}), load {load:.2f} before the run, {_python()}, "
        f"SQLite {sound_driver().sqlite_version}."
    )
    body = "\n".join(each.as_markdown().replace("### ", "#### ", 1) for each in tables)
    begin, end = f"<!-- figures: {part}, code {code_of(part)} -->", f"<!-- end of figures: {part} -->"
    block = f"{begin}\n{settings}\n\n{body.rstrip()}\n\n{end}\n"
    return text[: found[0].start()] + block + text[found[0].end() :]


def _processor() -> str:
    """Its name, and whether it adds products of bytes in one step: without that a text's vector takes twice as long."""
    if not CPU_INFO.is_file():
        return platform.processor()
    told = CPU_INFO.read_text(encoding="utf-8")
    name = re.search(r"(?m)^model name\s*:\s*(.+)$", told)
    has_vnni = re.search(r"\b(avx512_vnni|avx_vnni)\b", told)
    return f"{name[1] if name else platform.machine()} {'with' if has_vnni else 'without'} VNNI"


def _python() -> str:
    """The interpreter: its version, and how it was built, which is worth a quarter of the figures."""
    is_optimized = runpy.run_path(str(ROOT / "packaging" / "environment.py"))["is_optimized"]()
    return f"Python {platform.python_version()} built {'with' if is_optimized else 'without'} optimizations"


def commit() -> str:
    """The commit of this checkout, and whether there is more than is in it, but for figures that were just written."""
    head = _git("rev-parse", "--short", "HEAD")
    return f"{head} and changes" if _git(*CHANGED) else head


def _git(*arguments: str) -> str:
    return subprocess.run(("git", *arguments), cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
