"""The rules of the installed libraries, and texts made by each: what a filter of ours must not contradict."""

import importlib
import re
import sys
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from random import Random

import rstr

from bigmind.secrets.libraries import PLUGINS

MOST_REPEATED = 420
"""The longest part that a rule asks for; rstr's own limit is 100."""


def leak_rules() -> dict[str, str]:
    """Each rule of betterleaks that has a pattern, as Python reads it: they stand as TOML in its compiled library."""
    import betterleaks  # noqa: PLC0415 - the caller looks first whether it is installed

    library = next(
        path for path in Path(betterleaks.__file__).parent.iterdir() if path.suffix in {".so", ".dylib", ".dll"}
    )
    data = library.read_bytes()
    start = data.index(b"[[rules]]")
    rules = tomllib.loads(data[start : data.index(b"\0", start)].decode())["rules"]
    return {rule["id"]: _as_python(rule["regex"]) for rule in rules if "regex" in rule}


def plugin_patterns() -> Iterator[tuple[str, str]]:
    """The patterns of the plugins of detect-secrets that are used: the plugin's name, and one of its patterns."""
    for plugin in PLUGINS:
        module = importlib.import_module(f"detect_secrets.plugins.{plugin.module}")
        for pattern in getattr(module, plugin.name).denylist:
            yield plugin.name, pattern.pattern


def texts_of(pattern: str, random: Random, number: int) -> Iterator[str]:
    """Texts that a pattern matches, in ASCII and without control characters but the line's end."""
    maker = rstr.Rstr(random)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Go's patterns nest brackets
        for _ in range(number):
            made = maker.xeger(pattern)
            yield "".join(char if " " <= char <= "~" or char == "\n" else " " for char in made)


def allow_long_parts() -> None:
    """Let rstr make parts as long as rules ask for."""
    # Its package names a function like the module.
    sys.modules["rstr.xeger"].__dict__["STAR_PLUS_LIMIT"] = MOST_REPEATED


def _as_python(pattern: str) -> str:
    """Go's syntax in Python's: flags in mid-pattern go (small letters match too), parts without bounds get one."""
    pattern = re.sub(r"\(\?[ims]+\)", "", pattern).replace(r"\z", "$").replace("[[:alnum:]]", "[A-Za-z0-9]")
    return re.sub(r"\{(\d+),\}", lambda found: f"{{{found[1]},{int(found[1]) + 8}}}", pattern)
