"""The tools of a catalogue, and what the definition of each costs an assistant."""

import json
from collections.abc import Mapping
from typing import Any

from bigmind.core.operation import Mode, Operation
from bigmind.core.toolsets import ToolTable
from bigmind.operations.catalogue import Catalogue, input_schema
from bigmind.text.tokens import count_tokens


def tool_table(catalogue: Catalogue, mode: Mode) -> ToolTable:
    """The tools among the operations of a catalogue, on a server of that mode."""
    elsewhere = (each.name for each in catalogue.tools(Mode.TEAM))
    return ToolTable(catalogue.tools(mode), lambda each: definition_tokens(each, input_schema(each)), elsewhere)


def definition_tokens(operation: Operation, schema: Mapping[str, Any]) -> int:
    """The tokens of what a model reads of a definition (an upper estimate); `schema` is that of its input."""
    return count_tokens(json.dumps([operation.name, " ".join(operation.description.split()), schema]))
