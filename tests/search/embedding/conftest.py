"""An embedder with the program that ships, and its process."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from bigmind.embedding.embedder import Embedder
from bigmind.local.program import embedder_command


@pytest.fixture
def embedder(tmp_path: Path) -> Iterator[Embedder]:
    made = Embedder(embedder_command(), tmp_path / "models")
    yield made
    made.close()


def its_process() -> psutil.Process:
    """The one embedder's process that this test process has."""
    (found,) = its_processes()
    return found


def its_processes() -> list[psutil.Process]:
    return [each for each in psutil.Process().children() if "embedder" in " ".join(each.cmdline())]
