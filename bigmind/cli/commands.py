"""One command per operation: `bigmind memory search-chunks "pool size" --limit 3`."""

import inspect
import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Annotated, Any

import typer

from bigmind.cli.given_documents import document_in
from bigmind.cli.groups import Home, add_group
from bigmind.cli.missing_argument import OperationCommand
from bigmind.cli.named_values import PAIRS, object_of
from bigmind.cli.operation_commands.command_help import help_of
from bigmind.cli.operation_commands.command_records import CommandField, CommandRecord, command_records
from bigmind.cli.operation_commands.command_words import command_words
from bigmind.cli.operation_commands.option_words import Command, faults_in_commands, in_commands, with_commands
from bigmind.cli.printing import fail, show
from bigmind.cli.progress_line import following
from bigmind.cli.questions import Arguments, question_of, settled
from bigmind.cli.remote import call, read_as
from bigmind.core.operation import Effect
from bigmind.core.plain_text import visible
from bigmind.operations.catalogue import Answer
from bigmind.paths import expanded

Agent = Annotated[
    str | None,
    typer.Option("--agent", metavar="NAME", help="As which agent; it stands behind this one's name."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def add_operations(
    app: typer.Typer, home: Home, alone: str | None = None, records: Mapping[str, CommandRecord] | None = None
) -> dict[str, typer.Typer]:
    """Add a group of commands per feature, one command per operation.

    Args:
        app: what they are added to.
        home: where the memory is, when a command runs.
        alone: the group that is asked for, where it is known: the others stay empty, which saves some of a start.
        records: of the operations; left out, of all that there are.

    Returns:
        The groups by name.
    """
    groups: dict[str, typer.Typer] = {}
    for operation in (command_records() if records is None else records).values():
        feature, verb = command_words(operation.name)
        if feature not in groups:
            groups[feature] = add_group(app, feature)
        if alone is None or alone == feature:
            about = with_commands(_commands(), help_of(operation))
            command = groups[feature].command(verb, cls=OperationCommand, help=about, short_help=operation.title)
            command(_command(operation, home))
    return groups


IN_PLACE = {"memory_export": "output_path"}
"""By operation: the field that may be left out and that its command takes without its option, too."""


def _command(operation: CommandRecord, home: Home) -> Callable[..., None]:
    paths = {each.name for each in operation.fields if each.is_path}
    objects = {each.name for each in operation.fields if each.is_object}
    documents = {each.name for each in operation.fields if each.is_document}
    question = question_of(operation)

    def run(*, as_json: bool, yes: bool = False, agent: str | None = None, in_place: Any = None, **given: Any) -> None:
        do = partial(_done, operation, home, agent)
        given = given if in_place is None else _with_place(operation, given, in_place)
        arguments = {name: value for name, value in given.items() if value is not None and value != []}
        for name in paths & arguments.keys():
            arguments[name] = str(expanded(name, arguments[name]).absolute())  # the server has another folder
        for name in documents & arguments.keys():
            arguments[name] = document_in(name, arguments[name])
        for name in objects & arguments.keys():
            arguments[name] = object_of(name, arguments[name])
        answer = None
        if question is not None and not yes and question.is_needed(arguments):
            ask, worded = partial(call, home(), reads=True), partial(_worded, operation)
            settlement = settled(operation, question, arguments, do, ask, worded)
            arguments, answer = settlement.arguments, settlement.answer
        _print(operation, do(arguments) if answer is None else answer, as_json=as_json)

    parameters = list(map(_parameter, operation.fields))
    if placed := IN_PLACE.get(operation.name):
        kind = Annotated[str | None, typer.Argument(help=f"As --{placed.replace('_', '-')}.", metavar="FILE")]
        parameters.append(_option("in_place", kind, default=None))
    as_json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
    parameters.append(_option("as_json", as_json, default=False))
    if question is not None:
        parameters.append(_option("yes", Yes, default=False))
    if operation.is_tool:  # what an agent does, a script of its may do for it
        parameters.append(_option("agent", Agent, default=None))
    run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess] - what typer reads
    run.__name__ = operation.name
    return run


def _with_place(operation: CommandRecord, given: dict[str, Any], in_place: str) -> dict[str, Any]:
    """What was given, with what stands in place of an option."""
    field = IN_PLACE[operation.name]
    if given[field] is not None:
        raise typer.BadParameter(f"It is named twice: in place and by --{field.replace('_', '-')}.")
    return {**given, field: in_place}


def _done(operation: CommandRecord, home: Home, agent: str | None, arguments: Arguments) -> Arguments:
    """What the operation answers; what takes long is followed."""
    reads = operation.effect is Effect.READ
    with faults_in_commands(operation, _commands):
        if not operation.takes_access:
            return call(home(), operation.name, arguments, agent=agent, reads=reads)
        with following(operation.title, reads=reads) as follower:
            return call(home(), operation.name, arguments, agent=agent, follower=follower, reads=reads)


@cache
def _commands() -> dict[str, Command]:
    """The commands of all operations that have one, by their names."""
    return {name: Command.of(each, " ".join(command_words(name))) for name, each in command_records().items()}


def _worded(operation: CommandRecord, sentence: str) -> str:
    return in_commands(operation, _commands(), sentence)


def _print(operation: CommandRecord, answer: dict[str, Any], *, as_json: bool) -> None:
    """Print an answer; one that says that nothing was done, to standard error, and exit with 1."""
    told: Answer = read_as(operation.output_model, answer, reads=operation.effect is Effect.READ)
    words = told.in_words(hint=partial(_worded, operation))
    if as_json:
        typer.echo(visible(json.dumps(answer, indent=2, ensure_ascii=False)))
    elif told.is_refusal:
        fail(words)
    else:
        show(words)
    if told.is_refusal:
        raise typer.Exit(1)


FILE = " The name of its file; - reads it from standard input."


def _option(name: str, kind: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _parameter(field: CommandField) -> inspect.Parameter:
    """A required field as an argument, an optional one as an option; as text, for the server checks the types."""
    about = with_commands(_commands(), field.about)
    help_text = about + PAIRS * field.is_object + FILE * field.is_document
    text: Any = list[str] if field.is_object else str
    if field.is_required:
        kind: Any = Annotated[text, typer.Argument(help=help_text)]
        return _option(field.name, kind, default=inspect.Parameter.empty)
    flag = f"--{field.name.replace('_', '-')}"
    if field.is_switch:
        kind = Annotated[bool | None, typer.Option(f"{flag}/--no-{flag[2:]}", help=help_text, show_default=False)]
    else:
        kind = Annotated[text | None, typer.Option(flag, help=help_text, show_default=field.default or False)]
    return _option(field.name, kind, default=None)
