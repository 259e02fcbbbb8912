"""Prints what a command says, and what it could not do."""

from typing import NoReturn

import typer
from rich.console import Console

from bigmind.cli.for_people import for_people
from bigmind.core.errors import BigMindError
from bigmind.core.plain_text import visible


def show(markdown: str) -> None:
    """Print an answer: rendered and in words for people on a terminal, as it is into a pipe, which a model may read.

    Never what a terminal would obey.
    """
    console = Console()
    markdown = visible(markdown)
    if console.is_terminal:
        from bigmind.cli.rendered import Rendered  # noqa: PLC0415 - all of Markdown; a pipe needs none

        console.print(Rendered(for_people(markdown)), crop=False)
    else:
        typer.echo(markdown)


def fail(error: BigMindError | str, code: int = 1) -> NoReturn:
    """Print a fault, or why nothing was done, to standard error and exit with that code."""
    Console(stderr=True).print(visible(str(error)), style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(code)
