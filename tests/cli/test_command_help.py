"""The help of a command says what it does, to a person: no sentence of it tells a model when to call a tool."""

import re

import pytest

from bigmind.cli.operation_commands.command_help import FOR_PEOPLE, help_of
from bigmind.cli.operation_commands.command_records import CommandRecord, command_records

COMMANDS = command_records()


@pytest.mark.parametrize("operation", COMMANDS.values(), ids=COMMANDS)
def test_no_help_speaks_to_a_model(operation: CommandRecord) -> None:
    told = help_of(operation)
    assert re.match(r"[A-Z][^.:]{8,}", told)
    assert not re.search(r"\b(call this|call it|the user|your user)\b", told, re.IGNORECASE)


def test_only_descriptions_that_do_not_begin_with_what_they_do_have_another_sentence() -> None:
    assert FOR_PEOPLE.keys() <= COMMANDS.keys()
    for name in FOR_PEOPLE:
        assert re.match("call this", COMMANDS[name].description, re.IGNORECASE), name


def test_what_an_operation_does_is_its_own_words_where_these_begin_with_it() -> None:
    assert help_of(COMMANDS["work_list_tasks"]) == "Show what work there is, by role, state or project."
    assert help_of(COMMANDS["memory_list_sessions"]) == "Look for a conversation by topic, project or time."
