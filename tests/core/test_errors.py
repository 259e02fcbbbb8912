"""Errors say what was wrong, where, and what would be right, in few words."""

from bigmind.core.errors import HTTP_STATUS, BigMindError, Code, FieldProblem, in_person, invalid, not_found, shown


def test_every_code_has_a_status_of_a_fault():
    assert set(HTTP_STATUS) == set(Code)
    assert all(400 <= status < 600 for status in HTTP_STATUS.values())


def test_an_error_tells_its_message_then_the_fields_then_the_hint():
    problems = (FieldProblem("a", "1", "2"), FieldProblem("b", "'x'", "a number"))
    error = BigMindError(Code.INVALID_INPUT, "Not valid.", "Try again.", problems)
    assert str(error) == "Not valid.\n- a: got 1; expected 2\n- b: got 'x'; expected a number\nTry again."
    assert str(BigMindError(Code.INTERNAL, "Broken.")) == "Broken."


def test_one_wrong_field_names_itself():
    error = invalid("limit", 0, "1 or more")
    assert (error.code, str(error)) == (
        Code.INVALID_INPUT,
        "The input is not valid.\n- limit: got 0; expected 1 or more",
    )


def test_a_missing_thing_is_named_shortly():
    error = not_found("session", "x" * 500, "memory_list_sessions shows their ids.")
    assert error.code is Code.NOT_FOUND
    assert len(error.message) < 100
    assert error.hint == "memory_list_sessions shows their ids."


def test_a_value_is_shown_on_one_line_and_not_whole():
    assert shown("a\nb") == "'a\\nb'"
    assert shown(r"C:\Users\you\notes.json") == r"'C:\Users\you\notes.json'"
    assert shown("C:\\a\nb") == r"'C:\\a\nb'"
    assert len(shown("x" * 10_000)) == 80
    assert shown("x" * 10_000).endswith("…")
    assert shown(None) == "None"


def test_a_path_of_windows_is_shown_as_it_is_copied():
    assert shown(r"C:\Users\Jürgen Groß\new.json") == r"'C:\Users\Jürgen Groß\new.json'"
    assert shown("C:\\new\n.json") == r"'C:\\new\n.json'"  # else what stands there could be either


def test_who_is_sent_to_a_person_is_told_how_to_open_window_and_pages():
    told = str(in_person("Judging a gate"))
    assert "in BigMind's window, or on its pages with your passphrase" in told
    assert "`bigmind app` opens the window, `bigmind open` the pages." in told
