"""YAML that somebody else wrote, as a tree that knows the place of everything in it."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from bigmind.core.errors import shown
from bigmind.core.shapes import is_object

DEEPEST = 40
"""Lists and objects within each other; reading takes the square of it."""


class YamlFault(Exception):  # noqa: N818 - a fault of the text
    """Why a text is no YAML that is read here; as words without the full stop.

    Attributes:
        line, column: where, from 1; both 0 where nobody knows.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        super().__init__(message)
        self.line, self.column = line, column


def read_tree(text: str, called: str) -> Any:
    """Read a YAML text; anchors that are used again are refused, as a few of them make gigabytes.

    Args:
        text: of a size that the caller bounds.
        called: what the text is, with its article.

    Raises:
        YamlFault: it is no YAML, or more than is read.
    """
    from ruamel.yaml import YAML  # noqa: PLC0415 - only whoever reads a document pays for it
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415
    from ruamel.yaml.events import AliasEvent  # noqa: PLC0415
    from ruamel.yaml.reader import ReaderError  # noqa: PLC0415

    yaml: Any = YAML(typ="rt", pure=True)
    try:
        for event, depth in _with_depth(yaml.parse(text)):
            mark = event.start_mark
            if event.__class__ is AliasEvent:
                raise YamlFault(f"{called} has no aliases (*)", mark.line + 1, mark.column + 1)
            if depth > DEEPEST:
                raise YamlFault(f"more than {DEEPEST} things within each other", mark.line + 1, mark.column + 1)
        return yaml.load(text)
    except MarkedYAMLError as error:
        marked: Any = error
        mark = marked.problem_mark or marked.context_mark
        at = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        raise YamlFault(marked.problem or marked.context or "this is no YAML", *at) from None
    except ReaderError as error:
        unread: Any = error
        before = text[: unread.position]
        at = (before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise YamlFault(f"U+{unread.character:04X} is no character of YAML", *at) from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise YamlFault(f"this is no YAML: {shown(str(error))}") from None


def _with_depth(events: Iterator[Any]) -> Iterator[tuple[Any, int]]:
    depth = 0
    for each in events:
        name = type(each).__name__
        depth += name in {"SequenceStartEvent", "MappingStartEvent"}
        yield each, depth
        depth -= name in {"SequenceEndEvent", "MappingEndEvent"}


def position(tree: Any, place: Sequence[str | int], *, of_value: bool = False) -> tuple[int, int]:
    """The line and column, from 1, of a place in a tree, or of the nearest one around it.

    Args:
        tree: as `read_tree` gives it.
        place: keys and indexes from the top.
        of_value: of what stands at the last key, not of the key.
    """
    found = (0, 0)
    node: Any = tree
    for number, each in enumerate(place):
        mark: Any = getattr(node, "lc", None)
        is_last = number == len(place) - 1
        try:
            if mark is not None:
                of_key = mark.value if of_value and is_last else mark.key
                # Of what is in an empty object or list nothing is known.
                found = (of_key(each) if is_object(node) else mark.item(each)) or found
            node = cast("Any", node)[each]
        except (KeyError, IndexError, TypeError):
            break
    return found[0] + 1, found[1] + 1
