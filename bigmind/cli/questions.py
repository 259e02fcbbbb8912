"""What a command asks before it does what nothing undoes: it shows what would go, and takes a yes to that."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import typer
from rich.console import Console

from bigmind.cli.at_terminal import is_terminal
from bigmind.cli.operation_commands.command_records import CommandRecord
from bigmind.cli.remote import read_as
from bigmind.core.errors import BigMindError, not_found
from bigmind.core.operation import Effect
from bigmind.core.plain_text import visible
from bigmind.paths import expanded

Arguments = dict[str, Any]
Call = Callable[[Arguments], dict[str, Any]]
Ask = Callable[[str, Arguments], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked before one operation.

    Attributes:
        text: the question.
        is_needed: whether these arguments remove anything at all.
        rehearsal: the arguments by which the operation only says what it would do; None where it knows none.
        is_idle: whether, by that answer, there is nothing to remove.
        meant: what is asked for after a yes, from the answer that the yes was given to.
        refuse: raises for what cannot be done, by what other operations say.
    """

    text: str
    is_needed: Callable[[Arguments], bool] = lambda _: True
    rehearsal: Mapping[str, Any] | None = None
    is_idle: Callable[[Arguments], bool] = lambda _: False
    meant: Callable[[Arguments], Arguments] = lambda _: {}
    refuse: Callable[[Arguments, Ask], None] = lambda _given, _ask: None


def _refuse_unknown_backup(given: Arguments, ask: Ask) -> None:
    """Raises `not_found` before a yes to what cannot be; where the list cannot be told, the restore itself does."""
    name = given["backup"]
    path = expanded("backup", name)
    try:
        if path.is_absolute():
            is_there = path.is_file()
        else:
            is_there = name in {each["name"] for each in ask("backup_list", {})["backups"]}
    except (BigMindError, OSError):
        return
    if not is_there:
        raise not_found("backup", name, "`bigmind backup list` shows their names.")


def _no_rehearsal(given: Arguments) -> bool:
    return not given.get("dry_run")


QUESTIONS = {
    "memory_forget": Question(
        "Delete it permanently? Nothing brings it back, no backup either.",
        _no_rehearsal,
        {"dry_run": True},
        meant=lambda told: {"id": told["id"] if told["kind"] != "profile" else "profile", "kind": told["kind"]},
    ),
    "memory_vacuum": Question(
        "Delete these moments permanently?",
        _no_rehearsal,
        {"dry_run": True},
        is_idle=lambda told: not told["moments"],
    ),
    "memory_import": Question(
        "Replace what is remembered by this file?",
        lambda given: given.get("mode") == "replace" and _no_rehearsal(given),
        {"dry_run": True},
        is_idle=lambda told: not told["changed"],
    ),
    "secrets_scan": Question(
        "Replace them in place, permanently?",
        lambda given: bool(given.get("mask")),
        {"mask": False},
        is_idle=lambda told: not told["total"],
    ),
    "backup_restore": Question(
        "Replace what is remembered by this backup? What is there now is kept as a backup.",
        refuse=_refuse_unknown_backup,
    ),
}
UNASKED = {
    "memory_deprecate_fact": "memory_reinstate_fact takes it back",
    "memory_approve_global": "the entry stays, and its status can be changed again",
    "token_revoke": "whoever takes a token back is in a hurry, and a new one is made at any time",
    "user_disable": "user_enable takes it back, and nothing of theirs is lost",
    "user_sign_out": "whoever ends another's access is in a hurry, and nothing of theirs is lost",
}
"""What is called destructive and is done at once, and why."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What came of a question: what to do after a yes, or the answer, where nothing is to be removed."""

    arguments: Arguments
    answer: Arguments | None = None


def question_of(operation: CommandRecord) -> Question | None:
    """What is asked before an operation; None where nothing is.

    Raises:
        LookupError: for what is destructive and of which nobody has decided whether it asks.
    """
    if operation.effect is not Effect.DESTRUCTIVE or operation.name in UNASKED:
        return None
    return QUESTIONS[operation.name]


def settled(
    operation: CommandRecord, question: Question, given: Arguments, call: Call, ask: Ask, worded: Callable[[str], str]
) -> Settlement:
    """Show what would go, and ask.

    Args:
        operation: what is about to be done.
        question: its question.
        given: its arguments.
        call: runs it.
        ask: runs another one, which only reads.
        worded: says a hint in the words of a terminal.

    Raises:
        BigMindError: for what cannot be done.
        typer.Exit: with 1, when the answer is no, or there is no terminal to ask on.
    """
    question.refuse(given, ask)
    meant = dict(given)
    if question.rehearsal is not None:
        told = call({**given, **question.rehearsal})
        if question.is_idle(told):
            return Settlement(given, told)
        _show(read_as(operation.output_model, told, reads=True).in_words(hint=worded))
        meant |= question.meant(told)
        if told.get("is_much"):
            meant["confirm"] = True
    if not is_terminal(sys.stdin):
        typer.echo("There is no terminal to ask on, and nothing was changed: --yes says yes.", err=True)
        raise typer.Exit(1)
    if not typer.confirm(question.text, default=False, err=True):
        typer.echo("Nothing was changed.", err=True)
        raise typer.Exit(1)
    return Settlement(meant)


def _show(words: str) -> None:
    """On standard error: standard output belongs to the answer."""
    Console(stderr=True).print(visible(words), markup=False, highlight=False, soft_wrap=True)
