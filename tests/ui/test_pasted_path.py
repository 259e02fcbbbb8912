"""Paths as a person puts them into a field of a page."""

import os

import pytest

from bigmind.protocol.in_person.workspace_operations import protocol_open_workspace
from ui.forms.input import arguments_of
from ui.forms.pasted_path import pasted_path

COPIED = r'"C:\Users\you\my notes.json"'
MEANT = r"C:\Users\you\my notes.json"


@pytest.mark.parametrize(
    ("text", "meant"), [(COPIED, MEANT), (f" {COPIED}\n", MEANT), (MEANT, MEANT), ('"', '"'), ("", ""), ('a"b', 'a"b')]
)
def test_what_explorer_copies_as_a_path_is_that_path(text: str, meant: str) -> None:
    assert pasted_path(text, "nt") == meant


def test_elsewhere_a_name_may_have_quotation_marks() -> None:
    assert pasted_path('"notes" ', "posix") == '"notes" '


def test_a_form_takes_it_for_the_path_that_is_meant() -> None:
    given = arguments_of(protocol_open_workspace, [("path", COPIED)])
    assert given == {"path": MEANT if os.name == "nt" else COPIED}
