"""What operations say of each other and their fields, in the words of a terminal: `all=true` is the option `--all`."""

import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Operation


def with_options(operation: Operation, sentence: str) -> str:
    """A sentence of ours about an operation, with the options of its command. What is stored never passes here."""
    optional = [name for name, field in operation.input_model.model_fields.items() if not field.is_required()]
    if not optional:
        return sentence
    return re.sub(rf"\b({'|'.join(map(re.escape, optional))})=(\w+)", _option, sentence)


def _option(found: re.Match[str]) -> str:
    name = found[1].replace("_", "-")
    return {"true": f"--{name}", "false": f"--no-{name}"}.get(found[2], f"--{name} {found[2]}")


def with_commands(commands: Mapping[str, str], sentence: str) -> str:
    """A sentence of ours with the commands of the operations that it names; a whole call stays as it is."""
    named = "|".join(map(re.escape, commands))
    return re.sub(rf"(?<![`\w])({named})\b(?!\()", lambda found: f"`bigmind {commands[found[1]]}`", sentence)


@contextmanager
def faults_in_commands(operation: Operation, commands: Callable[[], Mapping[str, str]]) -> Generator[None]:
    """What the operation says is wrong names its options, and commands in place of operations."""
    try:
        yield
    except BigMindError as error:
        error.message = with_commands({operation.name: commands()[operation.name]}, error.message)
        error.hint = with_commands(commands(), with_options(operation, error.hint))
        raise
