"""A small life, exported once; and empty memories to bring it into."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.homes import begin
from tests.memory.living import Memory, living
from tests.portable.files import in_person
from tests.portable.generator import fill
from tests.work.office import Office, office_in


@pytest.fixture(scope="session")
def small_export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of a small store that holds every kind of row."""
    folder = tmp_path_factory.mktemp("small")
    fill(folder / "home")
    with living(folder / "home") as memory:
        in_person(memory)("memory_export", output_path=str(folder / "small.json"))
    return folder / "small.json"


@pytest.fixture
def ada(home: Path) -> Iterator[Memory]:
    """Ada, in person, with an empty memory."""
    with living(home, is_copy=True) as memory:
        yield in_person(memory)


@pytest.fixture
def filled(tmp_path: Path) -> Iterator[Memory]:
    """Ada, in person, with the memory that `small_export` was made of."""
    begin(tmp_path / "filled", "filled", fill)
    with living(tmp_path / "filled") as memory:
        yield in_person(memory)


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    """A store where agents and persons work."""
    with office_in(home) as opened:
        yield opened
