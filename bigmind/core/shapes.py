"""Parsed JSON, of which nothing is known yet, as the shape that is wanted."""

from typing import Any, TypeGuard


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether `value` is a JSON object."""
    return isinstance(value, dict)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether `value` is a JSON array."""
    return isinstance(value, list)


def as_object(value: object) -> dict[str, Any]:
    """`value` when it is a JSON object, else an empty one."""
    return value if is_object(value) else {}
