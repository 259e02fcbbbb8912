"""The standard input of a process that works for another one: taken, so that nothing else can wait for it."""

import os
import sys
from pathlib import Path
from typing import TextIO


def taken_input() -> TextIO:
    """What comes over standard input; whoever else reads or looks at that finds it empty from here on.

    On Windows who looks at a pipe that a thread reads from waits until something comes. Libraries look at standard
    input while they are loaded (NumPy's issue 24290): what loads NumPy beside such a thread would wait for the next
    request to be able to answer this one.
    """
    taken = os.fdopen(os.dup(sys.stdin.fileno()), encoding="utf-8")
    with Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), sys.stdin.fileno())
    return taken
