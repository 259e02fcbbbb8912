"""Templates: escaped by default, and an undefined name is an error."""

import hashlib
import json
import logging
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from markupsafe import Markup, escape

from bigmind.core.ids import short
from bigmind.core.plain_text import one_line, shortened
from bigmind.local.command_line import typed_argument, typed_command
from bigmind.local.program import own_command
from bigmind.memory.rules import AUTO_CLOSED
from bigmind.text.excerpts import stretches
from bigmind.text.import_marks import IMPORTED, is_imported
from bigmind.text.phrasing import enumerated
from ui.error_messages import in_words, page_title
from ui.show import date_format, example_paths, markdown, section_words, weight_line
from ui.show.visible_html import visible_html

if TYPE_CHECKING:
    from jinja2 import Environment

log = logging.getLogger(__name__)

HERE = Path(__file__).parent
STATIC = HERE / "static"

_compiled: list[Path] = []
"""The folder in which compiled templates are kept for the next start; none where they are not."""


def keep_compiled(folder: Path) -> None:
    """Keep the templates that this process compiles in a folder, which is there; call it before the first page."""
    _compiled[:] = [folder]


@cache
def environment() -> "Environment":
    """The one template environment, made for the first page: a server that clients alone use needs none."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415
    from jinja2 import pass_context as with_page  # noqa: PLC0415

    from ui.compiled_templates import CompiledTemplates  # noqa: PLC0415 - with the first page, as what it is made of

    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=CompiledTemplates(str(_compiled[0]), "%s.template") if _compiled else None,
    )
    # Jinja's stubs narrow both tables to the types of what it brings along.
    filters = cast("dict[str, Any]", made.filters)
    filters |= {
        "when": with_page(date_format.when),
        "ahead": with_page(date_format.ahead),
        "clock": date_format.clock,
        "number": date_format.number,
        "size": date_format.size,
        "percent": date_format.percent,
        "full_date": date_format.full_date,
        "short": short,
        "one_line": one_line,
        "unmarked": unmarked,
        "shortened": shortened,
        "marked": marked,
        "as_json": json.dumps,
        "typed": typed_argument,
        "markdown": markdown.rendered,
        "as_plain": markdown.as_plain,
        "has_markup": markdown.has_markup,
        "in_words": in_words,
        "page_title": page_title,
        "why_flagged": why_flagged,
        "enumerated": enumerated,
        "weight_share": weight_line.share,
        "section_title": section_words.title,
        "counted": section_words.counted,
        "day_of": with_page(date_format.day_of),
    }
    names = cast("dict[str, Any]", made.globals)
    names |= {"plural": date_format.plural, "lasting": date_format.lasting, "version": static_version()}
    names |= {"own_command": typed_command(), "own_program": own_command(), "job_html": job_html}
    names |= {"in_home": example_paths.in_home, "in_own_home": example_paths.in_own_home}
    names |= {"on_a_drive": example_paths.on_a_drive}
    return made


def render(template: str, context: Mapping[str, Any]) -> str:
    """The template with that context, and nothing in it that a reader could not see."""
    return visible_html(environment().get_template(template).render(context))


def job_html(job: Any, *, is_elsewhere: bool = False) -> Markup:
    """How far a job is, or what came of it; a page stands whatever its answer is.

    `is_elsewhere`: it was begun by another tab, and is shown in place of what was asked for.
    """
    try:
        return Markup(render("_job.html", {"job": job, "is_elsewhere": is_elsewhere}))  # noqa: S704 - a template's own text
    except Exception:  # the edge of a part of a page: told on it, and to the log
        log.exception("what came of %s cannot be shown", job.operation.name)
        return Markup(render("_job_unshown.html", {"job": job}))  # noqa: S704 - as above


def why_flagged(caution: str, named: bool = False) -> str:
    """What a caution says of a text; `named`: with the names of what was found."""
    found = ", ".join(name for name in caution.split(",") if name != IMPORTED)
    told = ["was imported by an assistant"] * is_imported(caution)
    if found:
        told.insert(0, f"reads like an instruction ({found})" if named else "reads like an instruction")
    return " and ".join(told)


def unmarked(headline: str) -> str:
    """A session's headline without the mark that nobody ended it, which pages show beside it."""
    return headline.removeprefix(AUTO_CLOSED).lstrip()


def marked(excerpt: str) -> Markup:
    """An excerpt with what was looked for in `mark` elements; all of its text is escaped."""
    return Markup().join(
        Markup("<mark>{}</mark>").format(text) if is_hit else escape(text) for text, is_hit in stretches(excerpt)
    )


@cache
def static_version() -> str:
    """Changes with every script and style: it stands in their addresses, so that browsers may keep them."""
    digest = hashlib.sha256()
    for file in sorted(each for each in STATIC.rglob("*") if each.is_file()):
        digest.update(file.relative_to(STATIC).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


@cache
def standalone_style() -> str:
    """The style of pages that load nothing: the tokens and a few rules, in one text."""
    files = (STATIC / "tokens.css", HERE / "templates" / "standalone.css")
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
