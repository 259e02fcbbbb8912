"""What operations say of each other and their fields, in the words of a terminal: `all=true` is the option `--all`."""

import json
import re
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from bigmind.cli.named_values import object_of
from bigmind.cli.operation_commands.command_records import CommandRecord
from bigmind.core.errors import BigMindError, FieldProblem
from bigmind.local.command_line import LEFT_OUT, typed_argument

_STRING = r'"[^"]*"'
_OBJECT = r"\{[^{}]*\}"
_NAME = r"'[^']*'"
"""Of a value alone: in prose an apostrophe begins nothing."""
_VALUE = rf"{_STRING}|{_NAME}|{_OBJECT}|\[[^\]]*\]|[^\s,()]+"
_ARGUMENT = re.compile(rf"(?:(\w+)=)?({_VALUE})(?:, |$)")
OF_THE_MOVE = "fields"
"""Whatever was asked for, the fields that an answer wants are those of the next move, which takes them as an option."""
_VERBATIM = rf"`[^`]*`|{_STRING}|={_NAME}|“[^”]*”"
"""What is quoted stays as it is: it may be a title that somebody stored.

Also the value of a call that is not closed: were the names in it begun with, each would read the text to its end.
"""


@dataclass(frozen=True, slots=True)
class Command:
    """The command of an operation: its words, and the fields that it takes as arguments and as options."""

    words: str
    arguments: tuple[str, ...] = ()
    options: frozenset[str] = frozenset()

    @classmethod
    def of(cls, operation: CommandRecord, words: str) -> "Command":
        """The command of an operation."""
        return cls(words, operation.arguments, frozenset(operation.options))

    def called(self, given: str) -> str:
        """The command that a call with these arguments stands for; empty where one of them is none of its fields."""
        told = {name or value: value if name else "" for name, value in _ARGUMENT.findall(given)}
        values = {name: _shell_word(value) if value else "" for name, value in told.items()}
        named = {name: value for name, value in told.items() if name in self.options}
        if _ARGUMENT.sub("", given) or not values.keys() <= {*self.arguments, *self.options}:
            return ""
        words = [values.get(name) or name.upper() for name in self.arguments]
        more = [_given(name, value) if value else f"{_option(name)} {name.upper()}" for name, value in named.items()]
        return " ".join((f"bigmind {self.words}", *words, *more))


def _shell_word(value: str) -> str:
    """A value of a call as a shell reads it: a list is a text with commas."""
    if value[0] == "[":
        value = value[1:-1].replace(", ", ",")
    value = value[1:-1] if value[0] == "'" else value.strip('"')
    return value if value == LEFT_OUT else typed_argument(value)


def _given(name: str, value: str) -> str:
    """An option with its value, of an object one for each pair: Windows' shells take the quotes of JSON away."""
    words = _pairs(value) if value[0] == "{" else []
    return " ".join(f"{_option(name)} {each}" for each in map(typed_argument, words)) or (
        f"{_option(name)} {_shell_word(value)}"
    )


def _pairs(value: str) -> list[str]:
    """An object as `name=value` words; none where they would be read as another one."""
    try:
        told = json.loads(value)
    except ValueError:
        return []
    words = [f"{name}={each if isinstance(each, str) else json.dumps(each)}" for name, each in told.items()]
    try:
        return words if object_of(OF_THE_MOVE, words) == told else []
    except BigMindError:
        return []


def with_options(operation: CommandRecord, sentence: str) -> str:
    """A sentence of ours about an operation, with the options of its command. What is stored never passes here."""
    optional = [*operation.options, OF_THE_MOVE]
    if "limit" in optional:
        sentence = sentence.replace(" raise limit.", " pass a higher --limit.")

    def worded(found: re.Match[str]) -> str:
        option, value = _option(found[1]), found[2]
        return {"true": option, "false": f"--no-{option[2:]}"}.get(value) or _given(found[1], value)

    return re.sub(rf"\b({'|'.join(map(re.escape, optional))})=(\w+|{_OBJECT})", worded, sentence)


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def with_commands(commands: Mapping[str, Command], sentence: str) -> str:
    """A sentence of ours with the commands of the operations that it names; a call that is none stays as it is."""
    if "_" not in sentence:
        return sentence

    def worded(found: re.Match[str]) -> str:
        name, call = found["name"], found["call"]
        if name is None:
            return found[0]
        command = commands[name].called(call[1:-1]) if call else f"bigmind {commands[name].words}"
        return f"`{command}`" if command else found[0]

    named = "|".join(map(re.escape, commands))
    # What begins a quoted value is nothing else, so that a text is read in one way.
    call = rf"\((?:{_STRING}|={_NAME}|(?!=')[^()\"])*\)"
    return re.sub(rf"{_VERBATIM}|(?<!\w)(?P<name>{named})\b(?P<call>{call})?", worded, sentence)


def in_commands(operation: CommandRecord, commands: Mapping[str, Command], sentence: str) -> str:
    """A sentence of ours beside an operation's answer, as a person at a terminal is to read it."""
    return with_options(operation, with_commands(commands, sentence))


@contextmanager
def faults_in_commands(operation: CommandRecord, commands: Callable[[], Mapping[str, Command]]) -> Generator[None]:
    """What the operation says is wrong names its options, and commands in place of operations."""
    try:
        yield
    except BigMindError as error:
        known = commands()
        error.message = with_commands({operation.name: known[operation.name]}, error.message)
        error.hint = in_commands(operation, known, error.hint)
        error.problems = tuple(
            FieldProblem(each.field, each.value, with_commands(known, each.expected)) for each in error.problems
        )
        raise
