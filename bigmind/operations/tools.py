"""Which operations assistants are offered as tools, and what each costs them."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bigmind.core.operation import Operation, Surface
from bigmind.core.toolsets import Toolset, offers
from bigmind.operations.catalogue import input_schema
from bigmind.text.tokens import count_tokens


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: the operation, and the tokens its definition takes in every conversation (an upper estimate)."""

    operation: Operation
    tokens: int


@cache
def all_tools() -> dict[str, Tool]:
    """Every tool by its name, whether it is served or not."""
    from bigmind.wiring import catalogue  # noqa: PLC0415 - it puts the operations that ask here into the catalogue

    return {each.name: Tool(each, definition_tokens(each, input_schema(each))) for each in catalogue().on(Surface.MCP)}


def offered_tools(toolsets: Collection[Toolset], off: Collection[str] = ()) -> dict[str, Tool]:
    """The tools that a client with these toolsets is offered, without those that are switched `off`."""
    return {name: each for name, each in all_tools().items() if name not in off and offers(toolsets, each.operation)}


def definition_tokens(operation: Operation, schema: Mapping[str, Any]) -> int:
    """The tokens of what a model reads of a definition (an upper estimate); `schema` is that of its input."""
    return count_tokens(json.dumps([operation.name, " ".join(operation.description.split()), schema]))
