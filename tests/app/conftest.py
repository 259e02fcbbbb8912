"""Fixtures of the tests of the command."""

import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.local.wire import SECONDS, home_in
from tests.support import environment

Done = subprocess.CompletedProcess[str]
Bigmind = Callable[..., Done]


@pytest.fixture
def home(tmp_path: Path) -> Generator[Path]:
    with home_in(tmp_path) as folder:
        yield folder


@pytest.fixture
def bigmind(home: Path) -> Bigmind:
    """Runs the `bigmind` command to its end."""

    def run(*arguments: str, **more: str) -> Done:
        return subprocess.run(
            [str(Path(sys.executable).with_name("bigmind")), *arguments],
            env=environment(home, **{"COLUMNS": "200", **more}),
            stdin=subprocess.DEVNULL,
            check=False,
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )

    return run
