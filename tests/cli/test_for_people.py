"""What is said to models alone is not said at a terminal; what is stored is told as it is."""

import pytest

from bigmind.cli.for_people import for_people
from bigmind.cli.printing import show
from bigmind.text.phrasing import RECALLED


@pytest.mark.parametrize(
    ("told", "read"),
    [
        (f"2 facts. {RECALLED}\n\n- one\n- two", "2 facts.\n\n- one\n- two"),
        (f"No good match. {RECALLED} Closest:\n\n- one", "No good match. Closest:\n\n- one"),
        (f"{RECALLED}\n- one", "- one"),
        (f"## A loom\n\nended. {RECALLED}\n\n> words", "## A loom\n\nended.\n\n> words"),
        (f"Item 4\n{RECALLED}\n> words", "Item 4\n> words"),
        (f"1 fact. {RECALLED}\n\n- it says: {RECALLED}", f"1 fact.\n\n- it says: {RECALLED}"),
        (f"Kept:\n- {RECALLED}", f"Kept:\n- {RECALLED}"),
        ("Nothing is stored yet.", "Nothing is stored yet."),
    ],
)
def test_a_heading_is_without_the_sentence_for_models(told: str, read: str) -> None:
    assert for_people(told) == read


def test_a_stored_text_that_reads_as_a_hint_of_ours_stays_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    told = "> A log:\n\n5 more: raise limit.\n\n4 more: narrow by category or project, or raise limit.\n"
    show(told)
    assert capsys.readouterr().out == f"{told}\n"


def test_a_pipe_keeps_the_sentence_and_a_terminal_does_not(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show(f"2 facts. {RECALLED}")
    assert RECALLED in capsys.readouterr().out
    monkeypatch.setenv("TTY_COMPATIBLE", "1")  # what is printed goes to a terminal, rich is told
    show(f"2 facts. {RECALLED}")
    shown = capsys.readouterr().out
    assert "2 facts." in shown
    assert "recalled data" not in shown


def test_a_block_of_code_can_be_copied_from_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TTY_COMPATIBLE", "1")
    monkeypatch.setenv("COLUMNS", "40")
    line = f'{{"command": "/home/{"a long name/" * 12}bigmind"}}'
    show(f"Paste\n\n```json\n{line}\n```")
    assert f"\n{line}\n" in capsys.readouterr().out
