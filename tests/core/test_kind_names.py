"""What people call a kind is known in one place (bigmind/core/events.py), for the command line and for inputs."""

from typing import get_args

import pytest

from app import process_commands
from bigmind.core.events import stored_name
from bigmind.memory.recall.operations import Searchable


@pytest.mark.parametrize("called", list(process_commands.Kind))
def test_each_kind_that_a_person_may_look_for_is_one_that_is_searched(called: str) -> None:
    assert stored_name(called) in get_args(Searchable)


@pytest.mark.parametrize(
    ("called", "stored"),
    [("highlight", "chunk"), ("task", "work_item"), ("run", "protocol_run"), ("fact", "fact"), ("parrot", "parrot")],
)
def test_another_name_of_a_kind_stands_for_the_stored_one(called: str, stored: str) -> None:
    assert stored_name(called) == stored
