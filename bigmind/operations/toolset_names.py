"""Names of toolsets as an input takes them: in any letters, with commas between them."""

from bigmind.core.shapes import is_list
from bigmind.core.toolsets import Toolset
from bigmind.operations.inputs import split

MOST_SHOWN = 40


def each_once(toolsets: list[Toolset]) -> list[Toolset]:
    """The same without repetitions."""
    return list(dict.fromkeys(toolsets))


def in_small_letters(names: object) -> object:
    """Each name by itself: a form sends several with commas between them as one entry."""
    names = split(names)
    if not is_list(names):
        return names
    parts = [each.lower().split(",") if isinstance(each, str) else [each] for each in names]
    found = [part.strip() if isinstance(part, str) else part for each in parts for part in each if part != ""]
    unknown = next((each for each in found if isinstance(each, str) and each not in {*Toolset}), None)
    if unknown is not None:
        raise ValueError(f"names of toolsets, and {unknown[:MOST_SHOWN]!r} is none")
    return found
