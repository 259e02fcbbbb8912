"""Gives memory back to the system after work that needed much of it for a while."""

import ctypes
import sys
from collections.abc import Generator
from contextlib import contextmanager


def give_back() -> None:
    """Let the C library return what it holds unused; glibc keeps it otherwise, for as long as the server runs."""
    if sys.platform == "linux":
        # musl has no such function, and keeps less.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


@contextmanager
def returning_memory() -> Generator[None]:
    """What the block needed is given back at its end, whatever happens."""
    try:
        yield
    finally:
        give_back()
