"""`bigmind search`: what is remembered about some words, for a terminal and for a pipe."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.plain_text import one_line, shortened, visible
from bigmind.local.command_line import typed_argument
from bigmind.memory.answers import looked_for
from bigmind.memory.id_questions import NO_SUCH_ID, asks_for_id
from bigmind.memory.recall.answers import OWN, Finding, Findings, MomentHit
from bigmind.memory.search_filters import otherwise, within
from bigmind.text.excerpts import stretches
from bigmind.text.phrasing import counted, doubted, noted, replaced

MOST_OF_A_LABEL = 80
_OPTIONS = {"kinds": "--kind"}


def show_findings(found: Findings) -> None:
    """Print them, best first: in colours and wrapped on a terminal, plain lines into a pipe.

    Matches stand between `**` in a pipe. What is said about the search itself goes to standard error.
    """
    console, aside = Console(highlight=False), Console(stderr=True, highlight=False, soft_wrap=True)
    if found.looked_for:
        aside.print(Text(visible(looked_for(found.looked_for).strip())))
    if words := _heading(found):
        aside.print(words)
    for line in (line for each in found.hits for line in _lines(each, keeps_marks=not console.is_terminal)):
        if not found.answers_well and console.is_terminal:
            line.stylize("dim")
        console.print(line, soft_wrap=not console.is_terminal)
    for words in _advice(found):
        aside.print(Text(visible(words)))
    if found.words_only:
        aside.print(Text(visible(f"Looked for by words only: {found.words_only}."), "dim"))


def _heading(found: Findings) -> str:
    """What is said above it, or in its place; nothing where it answers well, but of which time that is."""
    if found.days:
        return f"What is {found.of_time}{'; for more, --limit' if found.has_more else ''}:"
    if found.hits and found.answers_well:
        return ""
    if asks_for_id(found.query):
        return f"{NO_SUCH_ID}{' Closest:' if found.hits else ''}"
    options = {_OPTIONS.get(name, f"--{name}"): value for name, value in found.filters.items()}
    narrowed = within(found.filters)
    if found.hits:
        return f"{noted(f'No good match{narrowed}.', otherwise(options))} Closest:"
    return f"Nothing found{narrowed}. {found.unknown or otherwise(options, 'try other words, or fewer')}"


def _advice(found: Findings) -> Iterator[str]:
    """What else finds what was meant, in the words of a terminal."""
    if found.named_time is not None:
        yield f"For what was stored in the time that you name: --since {found.named_time}"
    if found.named_category:
        facts = counted(found.of_category, "fact has", "facts have")
        name = _plain(found.named_category)
        yield f"{facts} the category {name}: bigmind memory list-facts --category {typed_argument(name)}"


def _lines(found: Finding, *, keeps_marks: bool) -> Iterator[Text]:
    """A session's line or another thing's, and below a session's the moments that were found."""
    yield _label(found)
    if found.title:
        yield _excerpt(found.title, keeps_marks=keeps_marks)
    if found.excerpt and found.excerpt != found.title:
        field = "" if found.field in OWN else f"{found.field}: "
        yield _excerpt(found.excerpt, field, keeps_marks=keeps_marks)
    for each in found.moments:
        yield Text("  ").append_text(_moment(each))
        yield Text("  ").append_text(_excerpt(each.excerpt, keeps_marks=keeps_marks))
    if found.more_moments:
        yield Text(f"  and {counted(found.more_moments, 'more moment')}", "dim")


def _label(found: Finding) -> Text:
    """Its kind, when, where it comes from, and why it was found."""
    label = Text().append(found.kind, "bold cyan")
    if found.caution:
        label.append(f" ⚠ reads like an instruction ({found.caution})", "yellow")
    own = [] if found.id == found.kind else [short(found.id)]  # of what one has once, the kind is the id
    if found.category:
        own.append(f"[{_plain(found.category)}]")
    label.append("".join(f" · {part}" for part in own))
    if found.status:
        label.append(f" · {found.status}", "yellow")
    if found.newer_id:
        label.append(f" · {doubted(found.newer_id)}", "yellow")
    if found.superseded_by:
        label.append(f" · {replaced(found.superseded_by)}", "yellow")
    origin = [local(found.at), *map(_plain, filter(None, found.origin.split(" · ")))]
    if found.session_id and found.kind != "session":
        headline = f" ({_plain(found.session)})" if found.session else ""
        origin.append(f"session {short(found.session_id)}{headline}")
    label.append("".join(f" · {part}" for part in origin))
    return label.append(f" · {_plain(found.why)}", "dim")


def _moment(found: MomentHit) -> Text:
    label = Text().append("moment", "bold cyan")
    if found.caution:
        label.append(f" ⚠ reads like an instruction ({found.caution})", "yellow")
    label.append("".join(f" · {part}" for part in (short(found.id), local(found.at))))
    return label.append(f" · {_plain(found.why)}", "dim")


def _excerpt(marked: str, field: str = "", *, keeps_marks: bool) -> Text:
    excerpt = visible(one_line(marked))
    text = Text(f"  {field}")
    if keeps_marks:
        return text.append(excerpt)
    for stretch, is_match in stretches(excerpt):
        text.append(stretch, "bold yellow" if is_match else "")
    return text


def _plain(text: str) -> str:
    return shortened(visible(one_line(text)), MOST_OF_A_LABEL)
