"""What operations say of their fields, in the words of a terminal: `all=true` is the option `--all`."""

import re
from collections.abc import Generator
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


@contextmanager
def faults_with_options(operation: Operation, command: str) -> Generator[None]:
    """What the operation says is wrong names its options, and its command in place of the operation."""
    try:
        yield
    except BigMindError as error:
        error.message = error.message.replace(f"input of {operation.name} ", f"input of `bigmind {command}` ")
        error.hint = with_options(operation, error.hint)
        raise
