"""What every structured format can do: one part of a text in or out, and a check that nothing else has changed."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from enum import Enum
from functools import wraps
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from bigmind.clients.editing.file_text import BOM, NotParsedError, unfit
from bigmind.clients.parts import Steps
from bigmind.core.shapes import as_object, is_list, is_object


class Missing(Enum):
    """The type of `MISSING`."""

    MISSING = "missing"


MISSING: Final = Missing.MISSING
"""What stands where nothing stands; null is something."""

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _bounded(
    function: Callable[Concatenate[Any, str, _P], _R],
) -> Callable[Concatenate[Any, str, _P], _R]:
    """Makes an error of a text out of nesting that no parser survives."""

    @wraps(function)
    def guarded(editor: Any, text: str, *arguments: _P.args, **named: _P.kwargs) -> _R:
        try:
            return function(editor, text, *arguments, **named)
        except RecursionError as error:
            raise NotParsedError(1, 1, "the values are nested too deeply") from error

    return guarded


class Editor(ABC):
    """Reads and changes texts of one format. An empty text is an empty document. A byte order mark stays.

    Every method raises `NotParsedError` for a text that is not of the format or has no object at its top, and for one
    that cannot be changed without changing what it says elsewhere.
    """

    @_bounded
    def value(self, text: str, steps: Steps) -> Any:
        """What stands at a place, as plain data; `MISSING` where there is nothing."""
        return at(self.data(text.removeprefix(BOM)), steps)

    @_bounded
    def with_value(self, text: str, steps: Steps, value: Any) -> str:
        """The text with the value at the place; the same text when an equal value is there."""
        body = text.removeprefix(BOM)
        before = self.data(body)
        if same(at(before, steps), value):
            return text
        self._ready(body, before, steps)
        after = self.put(body, steps, value)
        return _marked(text, self._checked(body, after, replaced(before, steps, value), steps))

    @_bounded
    def without_value(self, text: str, steps: Steps) -> str:
        """The text without the key; the same text where it is missing."""
        body = text.removeprefix(BOM)
        before = self.data(body)
        if at(before, steps) is MISSING:
            return text
        after = self.taken(body, steps)
        if after == body:
            return text
        return _marked(text, self._checked(body, after, replaced(before, steps, MISSING), steps))

    @_bounded
    def with_item(self, text: str, steps: Steps, value: Any, mark: str) -> str:
        """The text with the value in the list: in place of the first element with the mark, or as the last one.

        Further elements with the mark go. The list is made when it is missing.
        """
        body = text.removeprefix(BOM)
        before = self.data(body)
        found = at(before, steps)
        self._ready(body, before, steps)
        if found is not MISSING and found is not None and not is_list(found):
            raise unfit(body, self.place(body, steps), f"{kind(found)} stands where a list is expected")
        elements = found if is_list(found) else []
        ours = [index for index, element in enumerate(elements) if has_mark(element, mark)]
        if len(ours) == 1 and same(elements[ours[0]], value):
            return text
        after = self._with_element(body, steps, value, ours)
        kept = [element for index, element in enumerate(elements) if index not in ours[1:]]
        wanted = [*kept[: ours[0]], value, *kept[ours[0] + 1 :]] if ours else [*kept, value]
        return _marked(text, self._checked(body, after, replaced(before, steps, wanted), steps))

    def _with_element(self, body: str, steps: Steps, value: Any, ours: list[int]) -> str:
        if len(ours) > 1:
            body = self.elements_taken(body, steps, ours[1:])
        return self.element_put(body, steps, ours[0], value) if ours else self.appended(body, steps, value)

    @_bounded
    def without_items(self, text: str, steps: Steps, mark: str) -> str:
        """The text without the elements that have the mark; an emptied list stays (see `pruned`)."""
        body = text.removeprefix(BOM)
        before = self.data(body)
        found = at(before, steps)
        elements = found if is_list(found) else []
        ours = [index for index, element in enumerate(elements) if has_mark(element, mark)]
        if not ours:
            return text
        after = self.elements_taken(body, steps, ours)
        kept = [element for element in elements if not has_mark(element, mark)]
        return _marked(text, self._checked(body, after, replaced(before, steps, kept), steps))

    @_bounded
    def pruned(self, text: str, steps: Steps, kept: str) -> str:
        """The text without the containers along the steps that are empty and were not there in `kept`.

        One that was there and empty, or null, is written again as it was.

        Args:
            text: the text after a removal.
            steps: where the removed part was; a list that is empty there now counts too.
            kept: the text as it was before the part came.
        """
        body, earlier = text.removeprefix(BOM), kept.removeprefix(BOM)
        past, said = self.data(earlier), self.data(body)
        after, now = body, said
        for count in range(len(steps), -1, -1):
            found = at(now, steps[:count])
            if found is MISSING:
                continue
            if found or not isinstance(found, (dict, list)):
                break
            was = at(past, steps[:count])
            if count == 0 or was is not MISSING:
                after = after if was else self._restored(after, steps[:count], earlier)
                break
            after = self.taken(after, steps[:count])
            now = self.data(after)
        return text if after == body else _marked(text, self._checked(body, after, said, steps))

    def _restored(self, body: str, steps: Steps, earlier: str) -> str:
        """Puts an empty container back as it was, when nothing but white space has changed in it since."""
        now, then = self.span(body, steps), self.span(earlier, steps)
        if not steps:
            return earlier if _words_beside(body, now) == _words_beside(earlier, then) else body
        if now is None or then is None or _inner(body[slice(*now)]) != _inner(earlier[slice(*then)]):
            return body
        return body[: now[0]] + earlier[slice(*then)] + body[now[1] :]

    def _ready(self, body: str, data: Any, steps: Steps) -> None:
        """Raises when something that is no object stands on the way."""
        for count in range(1, len(steps)):
            found = at(data, steps[:count])
            if found is MISSING or found is None:
                return
            if not isinstance(found, dict):
                where = self.place(body, steps[:count])
                raise unfit(body, where, f"{kind(found)} stands at {steps[count - 1]!r} where an object is expected")

    def _checked(self, before: str, after: str, expected: Any, steps: Steps) -> str:
        """Gives `after` back if it says what is expected, empty containers on the way aside."""
        try:
            said, meant = _bare(self.data(after), steps), _bare(expected, steps)
            if said == meant or same(said, meant):  # the first is fast, and knows no NaN
                return after
        except NotParsedError:
            pass  # it says nothing any more, which is not what is expected
        pairs = enumerate(zip(before, after, strict=False))
        changed = next((at for at, (old, new) in pairs if old != new), min(len(before), len(after)))
        raise unfit(before, changed, "this cannot be changed without harm to the rest of the file")

    @abstractmethod
    def data(self, body: str) -> dict[str, Any]:
        """All that the text says."""

    @abstractmethod
    def place(self, body: str, steps: Steps) -> int:
        """Where the value at the steps begins."""

    @abstractmethod
    def span(self, body: str, steps: Steps) -> tuple[int, int] | None:
        """From where to where an empty value is written; None where it is not written at all."""

    @abstractmethod
    def put(self, body: str, steps: Steps, value: Any) -> str:
        """With the value at the steps, which nothing but objects, nulls and nothing lead to."""

    @abstractmethod
    def taken(self, body: str, steps: Steps) -> str:
        """Without the key, of which the text may have several; the same text when it is not written as one."""

    @abstractmethod
    def appended(self, body: str, steps: Steps, value: Any) -> str:
        """With one more element of the list at the steps, where there may be null or nothing."""

    @abstractmethod
    def element_put(self, body: str, steps: Steps, index: int, value: Any) -> str:
        """With another element in the place of one."""

    @abstractmethod
    def elements_taken(self, body: str, steps: Steps, indexes: Sequence[int]) -> str:
        """Without some elements of a list; raises when there are more of them than `MOST_OURS`."""


def at(data: Any, steps: Steps) -> Any:
    """What stands at the steps of plain data, or `MISSING`."""
    for step in steps:
        if not is_object(data) or step not in data:
            return MISSING
        data = data[step]
    return data


def replaced(data: Any, steps: Steps, value: Any) -> Any:
    """A copy of the data with the value at the steps; without the key for `MISSING`."""
    if not steps:
        return value
    copy = dict(as_object(data))
    inner = replaced(copy.get(steps[0]), steps[1:], value)
    if inner is MISSING:
        copy.pop(steps[0], None)
    else:
        copy[steps[0]] = inner
    return copy


def nested(steps: Steps, value: Any) -> Any:
    """The value within objects that have the steps as their keys."""
    for step in reversed(steps):
        value = {step: value}
    return value


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal as a file would write them: 1, 1.0 and true differ, NaN is NaN, order is nothing."""
    if type(one) is not type(other):
        return False
    if is_object(one):
        return one.keys() == other.keys() and all(same(inner, other[key]) for key, inner in one.items())
    if is_list(one):
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other or (one != one and other != other))  # noqa: PLR0124 - NaN is what differs from itself


def has_mark(value: Any, mark: str) -> bool:
    """Whether a text stands anywhere within a string of the value."""
    if isinstance(value, str):
        return mark in value
    if is_object(value):
        return any(has_mark(inner, mark) for inner in value.values())
    return is_list(value) and any(has_mark(inner, mark) for inner in value)


def kind(value: Any) -> str:
    """What a value is, in words."""
    if isinstance(value, dict):
        return "an object"
    return "a list" if isinstance(value, list) else "a single value"


def _bare(data: Any, steps: Steps) -> Any:
    """The data without what is empty along the steps, from the innermost outwards."""
    for count in range(len(steps), 0, -1):
        found = at(data, steps[:count])
        if found is MISSING:
            continue
        if found is not None and (found or not isinstance(found, (dict, list))):
            break
        data = replaced(data, steps[:count], MISSING)
    return data


def _marked(text: str, body: str) -> str:
    return BOM + body if text.startswith(BOM) else body


def _inner(written: str) -> str:
    """What an empty container holds beside white space: comments."""
    words = "".join(written.split())
    return (
        "" if words in {"null", "~"} else words.removeprefix("[").removesuffix("]").removeprefix("{").removesuffix("}")
    )


def _words_beside(body: str, span: tuple[int, int] | None) -> str:
    start, end = span or (0, 0)
    return "".join((body[:start] + _inner(body[start:end]) + body[end:]).split())
