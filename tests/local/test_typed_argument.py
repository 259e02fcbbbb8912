"""What a person is told to type is one argument in their shell."""

import shlex

import pytest

from app.stopping import kill_command
from bigmind.local.command_line import LEFT_OUT, typed_argument


@pytest.mark.parametrize(
    "value", ["plain", "naming (ui)", "ada's", 'the "new"', "$(echo)", r"C:\Users\Jörg Müller", ""]
)
def test_a_posix_shell_reads_any_text_back(value: str) -> None:
    assert shlex.split(typed_argument(value, "posix")) == [value]


@pytest.mark.parametrize(
    ("value", "typed"),
    [
        ("plain", "plain"),
        (r"C:\Users\Jörg\notes", r"C:\Users\Jörg\notes"),
        (r"C:\Users\Jörg Müller", r'"C:\Users\Jörg Müller"'),
        ("C:\\Big Mind\\", '"C:\\Big Mind\\\\"'),
        ("session=q-1", "session=q-1"),
        ("@ada", '"@ada"'),
        ("~/notes", '"~/notes"'),
        ("naming (ui)", '"naming (ui)"'),
        ("a & b", '"a & b"'),
        ("ada's (own)", '"ada\'s (own)"'),
        ("", '""'),
        ('{"a": "b"}', '\'{"a": "b"}\''),
        ("$(calc)", LEFT_OUT),
        ("%PATH%", LEFT_OUT),
        ('x" & calc & "', LEFT_OUT),
        ("x” ; calc ; “", LEFT_OUT),
        ("a\nb", LEFT_OUT),
    ],
)
def test_windows_shells_read_it_back_and_run_none_of_it(value: str, typed: str) -> None:
    assert typed_argument(value, "nt") == typed


def test_a_process_that_heeds_nothing_is_ended_by_a_command_of_the_system() -> None:
    assert [kill_command(7, system) for system in ("linux", "darwin", "win32")] == [
        *("kill -9 7", "kill -9 7"),
        "taskkill /F /PID 7",
    ]
