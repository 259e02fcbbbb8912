"""How far something long is, on the terminal: a line that goes when it is done, and that Ctrl-C ends."""

from collections.abc import Generator
from contextlib import contextmanager

import typer
from rich.console import Console

from bigmind.core.plain_text import visible
from bigmind.core.progress import BYTES, Progress

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""
MEGABYTE = 1_000_000


@contextmanager
def following(title: str) -> Generator[Progress]:
    """Takes the progress of an operation; shown on standard error, where that is a terminal.

    Whoever presses Ctrl-C goes away, and the server stops what nobody waits for any more.
    """
    console = Console(stderr=True)
    try:
        with console.status(title) as status:

            def told(done: int, total: int, what: str, unit: str = "") -> None:
                status.update(visible(f"{what or title} {_amount(done, total, unit)}".strip()) + " …")

            yield told
    except KeyboardInterrupt:
        console.print("Stopped: BigMind ends it now, and leaves nothing half done.", style="yellow")
        raise typer.Exit(INTERRUPTED) from None


def _amount(done: int, total: int, unit: str) -> str:
    if not total:
        return f"{done:,}" if done else ""
    if unit == BYTES:
        return f"{done / MEGABYTE:,.0f} of {total / MEGABYTE:,.0f} MB"
    return f"{done:,} of {total:,}"
