"""The variables of the environment that are BigMind's: none is ignored in silence.

Imports almost nothing: the bridge looks here before its first answer.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from bigmind.core.errors import BigMindError, Code

PREFIX = "BIGMIND_"
ALIKE = 0.75
"""From here on a name can only be meant for one of ours (POTR for PORT); scripts have others of their own."""

_OF_EVERY_CLIENT = frozenset(
    f"{PREFIX}{name}" for name in ("HOME", "USER", "TOOLSETS", "STRUCTURED", "HOOK_MILLISECONDS")
)
"""What clients are given as a rule; each is read, and refused, where it is used."""


def check_variables(environment: Mapping[str, str]) -> list[str]:
    """Refuse what cannot be honoured, and return the names that mean nothing to this version.

    Raises:
        BigMindError: `invalid_input`, naming the variable and what would be right.
    """
    given = {name: text for name, text in environment.items() if name.startswith(PREFIX) and text}
    if given.keys() <= _OF_EVERY_CLIENT:
        return []
    from bigmind.settings.rows import ROWS  # noqa: PLC0415 - most have set none

    rows = {row.variable: row for row in ROWS if row.variable}
    for name in sorted(given.keys() & rows.keys()):
        rows[name].check(name, given[name])
    unknown = sorted(given.keys() - rows.keys())
    for name in unknown:
        if meant := nearest(name.removeprefix(PREFIX), (each.removeprefix(PREFIX) for each in rows)):
            raise BigMindError(
                Code.INVALID_INPUT,
                f"{name} is set, and BigMind has no such variable.",
                f"Did you mean {PREFIX}{meant}? Unset {name}, or correct its name.",
            )
    return unknown


def nearest(name: str, names: Iterable[str]) -> str:
    """The one among `names` that somebody who wrote `name` can only have meant; empty when there is none."""
    return next(iter(get_close_matches(name, list(names), 1, ALIKE)), "")


def unknown_in_words(names: Iterable[str]) -> str:
    """The line about variables that mean nothing here."""
    return f"BigMind has no setting {', '.join(names)}, and ignores it (docs/settings.md lists what there is)."
