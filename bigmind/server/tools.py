"""Which operations assistants are offered as tools, and what each costs them."""

import json
from dataclasses import dataclass
from functools import cache

from bigmind.catalog import input_schema
from bigmind.core.operation import Operation, Surface
from bigmind.memory.tokens import count_tokens


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: the operation, and the tokens its definition takes in every conversation (an upper estimate)."""

    operation: Operation
    tokens: int


@cache
def all_tools() -> dict[str, Tool]:
    """Every tool by its name, whether it is served or not."""
    from bigmind.wiring import catalogue  # noqa: PLC0415 - it puts the operations that ask here into the catalogue

    return {each.name: Tool(each, _cost(each)) for each in catalogue().on(Surface.MCP)}


def _cost(operation: Operation) -> int:
    """Of what a model reads of a definition."""
    told = [operation.name, " ".join(operation.description.split()), input_schema(operation)]
    return count_tokens(json.dumps(told))
