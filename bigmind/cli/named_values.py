"""An object as a command takes it: `name=value`, as often as there are fields, or JSON."""

import json
from collections.abc import Sequence
from typing import Any

from bigmind.core.errors import invalid
from bigmind.core.shapes import is_object

PAIRS = " As name=value, as often as there are fields (JSON, else text), or as a JSON object."


def is_object_of_any(schema: dict[str, Any]) -> bool:
    """Whether a field is an object whose names nobody declared."""
    return schema.get("type") == "object" and "properties" not in schema


def object_of(name: str, given: Sequence[str]) -> dict[str, Any]:
    """The object that a command's words stand for.

    Args:
        name: of the field.
        given: `name=value` each, where the value is JSON or else text as it stands, or a JSON object.

    Raises:
        BigMindError: `invalid_input` for what is neither.
    """
    found: dict[str, Any] = {}
    for each in given:
        found |= _one(name, each)
    return found


def _one(name: str, given: str) -> dict[str, Any]:
    if given.lstrip().startswith("{"):
        told = _json(given)
        if not is_object(told):
            raise invalid(name, given, 'JSON like {"pdsa_ref": "docs/design.md"}')
        return told
    key, equals, value = given.partition("=")
    if not (equals and key.strip()):
        raise invalid(name, given, "name=value, such as pdsa_ref=docs/design.md")
    return {key.strip(): _json(value)}


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
