"""The fields of a form as the input of an operation. The operation's own rules judge them afterwards."""

from collections.abc import Iterable
from types import NoneType
from typing import Any, cast, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from bigmind.core.operation import Operation

LINES = ".lines"
"""At the end of a field's name: each line of its text is one entry of a list."""

SURENESS = tuple(percent / 100 for percent in range(100, 0, -5))
"""The confidences that a form offers."""


def arguments_of(operation: Operation, sent: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """What a form says of the operation's input.

    A field that came empty is left out where the operation takes no empty text; one of a list may come repeatedly, or
    as lines under its name with `.lines`; a part of one that has parts, or names of its own, comes as `name.part`.
    What is no field of the operation is left out too: a form carries more.
    """
    given: dict[str, Any] = {}
    for name, value in sent:
        text = value.replace("\r\n", "\n")  # as browsers send each line of a text, whatever it was stored as
        whole, _, part = name.partition(".")
        if text and part in _parts(operation, whole):
            given.setdefault(whole, {})[part] = text
            continue
        if part and dict in _accepted_by(operation, whole):
            if text.strip():
                given.setdefault(whole, {})[part] = text.strip()
            continue
        plain = name.removesuffix(LINES)
        known = operation.input_model.model_fields.get(plain)
        if known is None:
            continue
        accepted = _accepted(known.annotation)
        if list in accepted:
            entries = [line.strip() for line in text.split("\n")] if name.endswith(LINES) else [text]
            given.setdefault(plain, []).extend(entry for entry in entries if entry)
        elif text or (str in accepted and _takes_nothing(known)):
            given[plain] = text
    return given


def _parts(operation: Operation, name: str) -> Iterable[str]:
    """The parts of a field that has some."""
    return [
        part
        for each in _accepted_by(operation, name)
        if isinstance(each, type) and issubclass(each, BaseModel)
        for part in each.model_fields
    ]


def _accepted_by(operation: Operation, name: str) -> set[Any]:
    """The plain types that a field takes; none where the operation has no such field."""
    known = operation.input_model.model_fields.get(name)
    return _accepted(known.annotation) if known is not None else set()


def _takes_nothing(known: FieldInfo) -> bool:
    """Whether an empty text says something there; of one that is required, the operation says what is missing."""
    if known.is_required():
        return True
    try:
        TypeAdapter[Any](cast("Any", known.annotation)).validate_python("")
    except ValidationError:
        return False
    return True


def _accepted(annotation: Any) -> set[Any]:
    """The plain types that an annotation takes."""
    origin = get_origin(annotation)
    if origin is None:
        return {annotation} - {NoneType}
    if origin in {list, dict}:
        return {origin}
    return {each for part in get_args(annotation) for each in _accepted(part)}
