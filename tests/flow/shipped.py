"""The process documents that BigMind ships."""

from functools import cache
from pathlib import Path

from bigmind.flow.process_document import read_process
from bigmind.flow.workflow import Process

FOLDER = Path(__file__).parents[2] / "assets" / "processes"
FILES = {each.stem: each for each in sorted(FOLDER.rglob("*.yaml"))}


@cache
def shipped(name: str) -> Process:
    return read_process(FILES[name].read_text(encoding="utf-8"), FILES[name].name)
