"""Markdown at a terminal, whose blocks of code can be copied from it."""

from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Markdown, MarkdownElement
from rich.text import Text


class _Verbatim(CodeBlock):
    """A block of code as it stands: a line that is too long is wrapped by the terminal, which copies it whole."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(str(self.text).rstrip(), no_wrap=True, overflow="ignore")


class Rendered(Markdown):
    """Markdown for a terminal; print it without `crop`, else long lines of code are cut."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "fence": _Verbatim,
        "code_block": _Verbatim,
    }
