"""`bigmind search`: what is remembered about some words, for a terminal and for a pipe."""

from rich.console import Console
from rich.text import Text

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.text import one_line, shortened, visible
from bigmind.memory.search_answers import Finding, Findings
from bigmind.search.marks import stretches

KINDS = {"chunk": "moment"}
"""The kinds that people call otherwise."""

MOST_OF_A_LABEL = 80


def show_findings(found: Findings) -> None:
    """Print them, best first: in colours and wrapped on a terminal, two plain lines each into a pipe.

    Matches stand between `**` in a pipe. What is said about the search itself goes to standard error.
    """
    console, aside = Console(highlight=False), Console(stderr=True, highlight=False, soft_wrap=True)
    for each in found.hits:
        console.print(_label(each), soft_wrap=not console.is_terminal)
        console.print(_excerpt(each, keeps_marks=not console.is_terminal), soft_wrap=not console.is_terminal)
    if not found.hits:
        aside.print("Nothing found. Try other words, or fewer.")
    if found.words_only:
        aside.print(Text(visible(f"Looked for by words only: {found.words_only}."), "dim"))


def _label(found: Finding) -> Text:
    """Its kind, when, where it comes from, and why it was found."""
    label = Text().append(KINDS.get(found.kind, found.kind), "bold cyan")
    if found.caution:
        label.append(f" ⚠ reads like an instruction ({found.caution})", "yellow")
    origin = [
        short(found.id),
        local(found.at),
        _plain(found.client),
        *([_plain(found.project)] if found.project else []),
    ]
    if found.session_id and found.kind != "session":
        headline = f" ({_plain(found.session)})" if found.session else ""
        origin.append(f"session {short(found.session_id)}{headline}")
    label.append("".join(f" · {part}" for part in origin))
    return label.append(f" · {_plain(found.why)}", "dim")


def _excerpt(found: Finding, *, keeps_marks: bool) -> Text:
    excerpt = visible(one_line(found.excerpt))
    if keeps_marks:
        return Text(f"  {excerpt}")
    text = Text("  ")
    for stretch, is_match in stretches(excerpt):
        text.append(stretch, "bold yellow" if is_match else "")
    return text


def _plain(text: str) -> str:
    return shortened(visible(one_line(text)), MOST_OF_A_LABEL)
