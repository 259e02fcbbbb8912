"""Masking of JSON values: each text by itself, and the whole as it reads, where a key says what its value is."""

import json
from collections.abc import Callable
from typing import Any

from bigmind.core.shapes import is_list, is_object
from bigmind.secrets.masking import mask


def masked_json(value: Any) -> tuple[Any, tuple[str, ...]]:
    """A JSON value without secrets, and the kinds of what was found in it."""
    kinds: dict[str, None] = {}

    def masked(text: str) -> str:
        found = mask(text)
        kinds.update(dict.fromkeys(found.kinds))
        return found.text

    bare = _changed(value, masked)
    found = mask(json.dumps(bare, ensure_ascii=False))
    if found.kinds and (read := _read(found.text)) is not None:
        kinds.update(dict.fromkeys(found.kinds))
        bare = read
    return bare, tuple(kinds)


def _changed(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if is_object(value):
        return {change(key): _changed(each, change) for key, each in value.items()}
    return [_changed(each, change) for each in value] if is_list(value) else value


def _read(text: str) -> Any:
    """The value that a text is; None where the mask took a quote along."""
    try:
        return json.loads(text)
    except ValueError:
        return None
