"""A program of a client is given its time, and no more; also where another one, which it started, holds its pipes."""

import os
import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from bigmind.clients.trial import run_for

WAITS = "import time; print('waits', flush=True); time.sleep(100)"
STARTS = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {WAITS!r}])"


def test_what_it_reads_and_says_and_where_it_is_run(tmp_path: Path) -> None:
    code = "import os, sys; sys.stdout.write(sys.stdin.read()); sys.stderr.write(os.getcwd())"
    said, complained = run_for(60, [sys.executable, "-c", code], os.environ, b"asked", tmp_path)
    assert (said, Path(complained.decode()).samefile(tmp_path)) == (b"asked", True)


# The second one has to have started the other by then.
@pytest.mark.parametrize(("code", "seconds"), [(WAITS, 0.2), (STARTS, 2.0)], ids=["itself", "what it started"])
def test_it_is_ended_when_its_time_is_over(code: str, seconds: float) -> None:
    began = monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        run_for(seconds, [sys.executable, "-c", code], os.environ)
    assert monotonic() - began < 60
