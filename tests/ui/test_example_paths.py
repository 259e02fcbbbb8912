"""The paths that pages give as examples are those of the server's system."""

import pytest

from ui.render import environment
from ui.show.example_paths import in_home, in_own_home, on_a_drive


def test_on_windows_they_have_a_drive_and_backslashes() -> None:
    assert in_home("src/my-project", "nt") == r"C:\Users\you\src\my-project"
    assert in_own_home("memory.json", "nt") == r"~\memory.json"
    assert on_a_drive("bigmind.db", "nt") == r"E:\bigmind.db"


def test_elsewhere_they_begin_at_the_home_or_the_root() -> None:
    assert in_home("src/my-project", "posix") == "~/src/my-project"
    assert in_own_home("memory.json", "posix") == "~/memory.json"
    assert on_a_drive("bigmind.db", "posix") == "/media/drive/bigmind.db"


@pytest.mark.parametrize("place", ["~/", "/home/", "/media/", "C:"])
def test_no_template_writes_one_itself(place: str) -> None:
    made = environment()
    assert made.loader is not None
    told = [name for name in made.list_templates() if f'"{place}' in made.loader.get_source(made, name)[0]]
    assert told == []
