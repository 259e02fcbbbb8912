"""One command per operation: `bigmind memory search-chunks "pool size" --limit 3`."""

import inspect
import json
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from rich.console import Console

from bigmind.cli.command_help import help_of
from bigmind.cli.for_people import for_people
from bigmind.cli.given_documents import document_in
from bigmind.cli.missing_argument import OperationCommand
from bigmind.cli.named_values import PAIRS, is_object_of_any, object_of
from bigmind.cli.option_words import Command, faults_in_commands, in_commands, with_commands
from bigmind.cli.progress_line import following
from bigmind.cli.questions import Arguments, question_of, settled
from bigmind.cli.remote import call, read_as
from bigmind.cli.rendered import Rendered
from bigmind.cli.unknown_command import suggesting
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Effect, Operation, Surface
from bigmind.core.plain_text import visible
from bigmind.operations.catalogue import Answer, input_schema
from bigmind.paths import expanded
from bigmind.wiring import catalogue

Home = Callable[[], Path]
Agent = Annotated[
    str | None,
    typer.Option("--agent", metavar="NAME", help="As which agent; it stands behind this one's name."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")]


def add_operations(app: typer.Typer, home: Home, alone: str | None = None) -> dict[str, typer.Typer]:
    """Add a group of commands per feature, one command per operation of the catalogue.

    Args:
        app: what they are added to.
        home: where the memory is, when a command runs.
        alone: the group that is asked for, where it is known: the others stay empty, which saves most of a start.

    Returns:
        The groups by name.
    """
    groups: dict[str, typer.Typer] = {}
    for operation in catalogue().on(Surface.CLI):
        feature, verb = command_words(operation.name)
        if feature not in groups:
            groups[feature] = typer.Typer(cls=CommandGroup, no_args_is_help=True)
            app.add_typer(groups[feature], name=feature, help=HELP.get(feature, feature.capitalize()))
        if alone is None or alone == feature:
            about = with_commands(_commands(), help_of(operation))
            command = groups[feature].command(verb, cls=OperationCommand, help=about, short_help=operation.title)
            command(_command(operation, home))
    return groups


def command_words(name: str) -> tuple[str, str]:
    """The group and the command of an operation: `feature verb-noun`, but for those that are named for models."""
    if name in NAMED_FOR_MODELS:
        return NAMED_FOR_MODELS[name]
    feature, _, verb = name.partition("_")
    return feature, verb.replace("_", "-")


NAMED_FOR_MODELS = {
    "query_brain": ("brain", "query"),
    "contribute_to_brain": ("brain", "contribute"),
    "session_start": ("protocol", "start"),
    "session_end": ("protocol", "end"),
    "validate_gate": ("protocol", "validate"),
    "advance_phase": ("protocol", "advance"),
    "record_evidence": ("protocol", "record"),
    "get_blocked_reason": ("protocol", "blocked"),
}
BESIDE = (
    *(f"clients {each}" for each in ("install", "remove", "repair", "doctor")),
    *(f"protocol {each}" for each in ("check", "install-hook", "remove-hook")),
    *(f"passphrase {each}" for each in ("set", "remove")),
)
"""Commands of groups that are no operations."""
IN_PLACE = {"memory_export": "output_path"}
"""By operation: the field that may be left out and that its command takes without its option, too."""
HELP = {
    "memory": "What is remembered: sessions, moments, facts, hypotheses.",
    "brain": "What agents share: ask it, contribute to it, look after it.",
    "work": "Tasks: what to do next, claim it, hand it over; the processes and the ledger.",
    "mindspace": "The tree of nodes: what is ready, claim it, submit and judge it; as YAML.",
    "protocol": "Runs of the session protocol: start, show evidence, advance, end; check one without the server.",
    "project": "Other names of projects.",
    "backup": "Verified copies of all of it: make, list, restore, encrypt.",
    "secrets": "Keys, tokens and passwords in what is remembered.",
    "token": "Which clients may use it.",
    "settings": "How this BigMind is set.",
    "clients": "The IDEs and agents of this machine: connect them, try them, take it back.",
    "learn": "What is there already: instruction files and exports, to learn from.",
    "tools": "Which tools assistants are offered.",
    "user": "Whose memory it is; for admins, who else has one here.",
    "usage": "What each assistant really did: what was recorded, not what was claimed.",
}


def _command(operation: Operation, home: Home) -> Callable[..., None]:
    fields: dict[str, FieldInfo] = operation.input_model.model_fields
    schemas: dict[str, dict[str, Any]] = input_schema(operation)["properties"]
    paths = {name for name, schema in schemas.items() if schema.get("format") == "path"}
    objects = {name for name, schema in schemas.items() if is_object_of_any(schema)}
    documents = {name for name, schema in schemas.items() if "contentMediaType" in schema}
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

    parameters = [_parameter(name, field, schemas[name], is_many=name in objects) for name, field in fields.items()]
    if placed := IN_PLACE.get(operation.name):
        kind = Annotated[str | None, typer.Argument(help=f"As --{placed.replace('_', '-')}.", metavar="FILE")]
        parameters.append(_option("in_place", kind, default=None))
    as_json = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]
    parameters.append(_option("as_json", as_json, default=False))
    if question is not None:
        parameters.append(_option("yes", Yes, default=False))
    if Surface.MCP in operation.surfaces:  # what an agent does, a script of its may do for it
        parameters.append(_option("agent", Agent, default=None))
    run.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess] - what typer reads
    run.__name__ = operation.name
    return run


def _with_place(operation: Operation, given: dict[str, Any], in_place: str) -> dict[str, Any]:
    """What was given, with what stands in place of an option."""
    field = IN_PLACE[operation.name]
    if given[field] is not None:
        raise typer.BadParameter(f"It is named twice: in place and by --{field.replace('_', '-')}.")
    return {**given, field: in_place}


def _done(operation: Operation, home: Home, agent: str | None, arguments: Arguments) -> Arguments:
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
    return {each.name: Command.of(each, " ".join(command_words(each.name))) for each in catalogue().on(Surface.CLI)}


def grouped_commands() -> list[str]:
    """All commands that are in groups, as they are typed."""
    return [*(each.words for each in _commands().values()), *BESIDE]


CommandGroup = suggesting(grouped_commands)


def _worded(operation: Operation, sentence: str) -> str:
    return in_commands(operation, _commands(), sentence)


def _print(operation: Operation, answer: dict[str, Any], *, as_json: bool) -> None:
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


def _parameter(name: str, field: FieldInfo, schema: dict[str, Any], *, is_many: bool) -> inspect.Parameter:
    """A required field as an argument, an optional one as an option; as text, for the server checks the types."""
    about = with_commands(_commands(), schema.get("description", ""))
    help_text = about + PAIRS * is_many + FILE * ("contentMediaType" in schema)
    if field.is_required():
        kind: Any = Annotated[list[str] if is_many else str, typer.Argument(help=help_text)]
        default: Any = inspect.Parameter.empty
    else:
        flag = f"--{name.replace('_', '-')}"
        if field.annotation is bool:
            kind = Annotated[bool | None, typer.Option(f"{flag}/--no-{flag[2:]}", help=help_text, show_default=False)]
            return _option(name, kind, default=None)
        shown = None if field.default in {None, PydanticUndefined} else str(field.default)
        text: Any = list[str] if is_many else str
        kind = Annotated[text | None, typer.Option(flag, help=help_text, show_default=shown or False)]
        default = None
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def show(markdown: str) -> None:
    """Print an answer: rendered and in words for people on a terminal, as it is into a pipe, which a model may read.

    Never what a terminal would obey.
    """
    console = Console()
    markdown = visible(markdown)
    if console.is_terminal:
        console.print(Rendered(for_people(markdown)), crop=False)
    else:
        typer.echo(markdown)


def fail(error: BigMindError | str, code: int = 1) -> NoReturn:
    """Print a fault, or why nothing was done, to standard error and exit with that code."""
    Console(stderr=True).print(visible(str(error)), style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(code)
