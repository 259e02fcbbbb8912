"""The groups of commands, and what is in them."""

from collections.abc import Callable
from pathlib import Path

import typer

from bigmind.cli.operation_commands.command_records import command_records
from bigmind.cli.operation_commands.command_words import command_words
from bigmind.cli.unknown_command import suggesting

Home = Callable[[], Path]
BESIDE = (
    *(f"clients {each}" for each in ("install", "remove", "repair", "doctor")),
    *(f"protocol {each}" for each in ("check", "install-hook", "remove-hook")),
    *(f"passphrase {each}" for each in ("set", "remove")),
)
"""Commands of groups that are no operations."""
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
    "directory": "Who works on what in a team, as far as each person chose.",
    "audit": "Who did what for the whole store, and when; for admins.",
    "usage": "What each assistant really did: what was recorded, not what was claimed.",
}


def grouped_commands() -> list[str]:
    """All commands that are in groups, as they are typed."""
    return [*(" ".join(command_words(name)) for name in command_records()), *BESIDE]


CommandGroup = suggesting(grouped_commands)


def add_group(app: typer.Typer, name: str) -> typer.Typer:
    """Add a group of commands, which has none yet."""
    group = typer.Typer(cls=CommandGroup, no_args_is_help=True)
    app.add_typer(group, name=name, help=HELP.get(name, name.capitalize()))
    return group
