r"""The person's search path on Windows, into which the installer puts BigMind's folder."""

import sys

import pytest

from app.search_path import ACCOUNT, MOST_LETTERS, NAME, change, main, with_folder, without_folder
from tests.app.registry import Registry

OURS = r"C:\Users\you\AppData\Local\Programs\BigMind"
OTHERS = r"C:\Users\you\bin;%USERPROFILE%\go\bin"


def registry(path: object, kind: int = Registry.REG_EXPAND_SZ) -> Registry:
    """One in which the account has that search path."""
    made = Registry()
    made.keys[ACCOUNT], made.kinds[NAME] = {NAME: path}, kind
    return made


@pytest.mark.parametrize("old", [OTHERS, f"{OTHERS};", "", OTHERS * 100])
def test_the_folder_stands_last_once_and_a_removal_leaves_what_was_there(old: str) -> None:
    new = with_folder(old, OURS)
    assert new.endswith(OURS)
    assert new.startswith(old.rstrip(";"))
    assert with_folder(new, OURS.lower() + "\\") == new
    assert without_folder(new, OURS.upper()) == old.rstrip(";")


@pytest.mark.parametrize("folder", [r"C:\a;b", r"C:\100%", 'C:\\"a"'])
def test_what_would_stand_for_another_folder_is_left_out(folder: str) -> None:
    assert with_folder(OTHERS, folder) == OTHERS


@pytest.mark.parametrize("kind", [Registry.REG_SZ, Registry.REG_EXPAND_SZ])
def test_variables_in_it_stay_what_they_are(kind: int) -> None:
    made = registry(OTHERS, kind)
    change(OURS, is_wanted=True, registry=made)
    assert (made.keys[ACCOUNT][NAME], made.kinds[NAME]) == (f"{OTHERS};{OURS}", kind)
    change(OURS, is_wanted=False, registry=made)
    assert (made.keys[ACCOUNT][NAME], made.kinds[NAME]) == (OTHERS, kind)


def test_an_account_without_one_gets_one_and_has_none_after_a_removal() -> None:
    made = Registry()
    change(OURS, is_wanted=True, registry=made)
    assert made.keys[ACCOUNT] == {NAME: OURS}
    change(OURS, is_wanted=False, registry=made)
    assert made.keys[ACCOUNT] == {}


def test_what_is_no_text_is_an_error_and_stays_as_it_is() -> None:
    made = registry(b"bytes")
    with pytest.raises(OSError, match="Path is no text"):
        change(OURS, is_wanted=True, registry=made)
    assert made.keys[ACCOUNT] == {NAME: b"bytes"}


def test_what_would_grow_too_long_stays_as_it_is() -> None:
    made = registry("x" * MOST_LETTERS)
    change(OURS, is_wanted=True, registry=made)
    assert made.keys[ACCOUNT] == {NAME: "x" * MOST_LETTERS}


def test_a_checkout_is_put_into_nobodys_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["add"]) == 2
    monkeypatch.setattr(sys, "platform", "win32")
    assert main(["add"]) == 2
