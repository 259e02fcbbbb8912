"""The operations that have a command, as assets/commands.json tells them: a command loads no system behind them.

Importing all systems takes five times as long as all else that a command does.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bigmind.cli.named_values import is_object_of_any
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Effect, Operation, Surface
from bigmind.operations.catalogue import Answer, input_schema
from bigmind.paths import asset

FILE = "commands.json"


@dataclass(frozen=True, slots=True)
class CommandField:
    """A field of an operation's input.

    Attributes:
        name: of the field.
        about: its description, which names operations and not commands.
        default: as the help shows it; empty for none.
        is_required: whether it is an argument, and not an option.
        is_switch: whether it is true or false.
        is_path: whether it is a path of this machine.
        is_document: whether it is a text that a file may hold.
        is_object: whether it is an object whose names nobody declared.
    """

    name: str
    about: str = ""
    default: str = ""
    is_required: bool = False
    is_switch: bool = False
    is_path: bool = False
    is_document: bool = False
    is_object: bool = False

    @classmethod
    def of(cls, name: str, field: FieldInfo, schema: dict[str, Any]) -> "CommandField":
        """A field, with its part of the input's schema."""
        return cls(
            name,
            schema.get("description", ""),
            "" if field.default in {None, PydanticUndefined} else str(field.default),
            field.is_required(),
            field.annotation is bool,
            schema.get("format") == "path",
            "contentMediaType" in schema,
            is_object_of_any(schema),
        )


@dataclass(frozen=True, slots=True)
class CommandRecord:
    """An operation, as far as its command needs it.

    Attributes:
        name: of the operation.
        title: of it.
        description: of it, which tells a model when to call it.
        effect: what it does to the store.
        is_tool: whether models are offered it.
        takes_access: whether it takes long, and tells how far it has come.
        answer: the module and the class of what it answers.
        fields: of its input, in order.
    """

    name: str
    title: str
    description: str
    effect: Effect
    is_tool: bool
    takes_access: bool
    answer: str
    fields: tuple[CommandField, ...]

    @classmethod
    def of(cls, operation: Operation) -> "CommandRecord":
        """The record of an operation."""
        answer, fields = operation.output_model, operation.input_model.model_fields
        schemas = input_schema(operation)["properties"]
        return cls(
            operation.name,
            operation.title,
            operation.description,
            operation.effect,
            Surface.MCP in operation.surfaces,
            operation.takes_access,
            f"{answer.__module__}:{answer.__qualname__}",
            tuple(CommandField.of(name, each, schemas[name]) for name, each in fields.items()),
        )

    @property
    def output_model(self) -> type[Answer]:
        """What it answers; imported when it is asked for."""
        module, _, name = self.answer.partition(":")
        return getattr(import_module(module), name)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of the fields that have to be given."""
        return tuple(each.name for each in self.fields if each.is_required)

    @property
    def options(self) -> tuple[str, ...]:
        """The names of the others."""
        return tuple(each.name for each in self.fields if not each.is_required)


def recorded(operations: Iterable[Operation]) -> dict[str, CommandRecord]:
    """The records of operations, by their names."""
    return {each.name: CommandRecord.of(each) for each in operations}


def written(records: Mapping[str, CommandRecord]) -> str:
    """Records as the file holds them: what is false or empty is left out of the fields."""
    told = [asdict(each) for each in records.values()]
    for each in told:
        each["fields"] = [{name: value for name, value in field.items() if value} for field in each["fields"]]
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


@cache
def command_records() -> Mapping[str, CommandRecord]:
    """The records of all operations that have a command, by their names, as the file has them.

    Raises:
        BigMindError: `internal`, when the file is missing, cut, or another version's: an installation that broke off.
    """
    try:
        told = json.loads(asset(FILE).read_text(encoding="utf-8"))
        return {each["name"]: _read(each) for each in told}
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise BigMindError(
            Code.INTERNAL,
            f"{FILE}, which says what commands there are, is missing, damaged, or another version's.",
            "Install BigMind again. The memory stays as it is.",
        ) from error


def _read(told: dict[str, Any]) -> CommandRecord:
    own: dict[str, Any] = {
        **told,
        "effect": Effect(told["effect"]),
        "fields": tuple(CommandField(**each) for each in told["fields"]),
    }
    return CommandRecord(**own)
