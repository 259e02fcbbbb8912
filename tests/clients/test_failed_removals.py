"""A removal that fails leaves nobody in the belief that the client is out: it names the token that still works."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bigmind.clients.connecting import TOKEN_STAND_IN
from bigmind.clients.install_site import wanted_here
from bigmind.clients.parts import Entry
from bigmind.clients.service import disconnected, planned
from bigmind.clients.target import Target
from bigmind.clients.targets import TARGETS
from bigmind.core.errors import BigMindError
from bigmind.people.service import active_tokens, revoke_token
from tests.clients.test_what_was_there import Here, here
from tests.support import MOVED, own_environment
from tests.thorough import crossed

__all__ = ["here"]


def read_only(path: Path) -> None:
    path.chmod(0o444)


def not_to_be_parsed(path: Path) -> None:
    path.write_text("{ [ broken: \x01 : : 'and\n\t- so } on\n=")


def a_folder_in_its_place(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_link_out_of_the_home(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


def written_since(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n\n")


OBSTACLES = [read_only, not_to_be_parsed, a_folder_in_its_place, a_link_out_of_the_home, written_since]


def file_with_token(here: Here, target: Target) -> Path | None:
    with here.access.read() as work:
        parts = target.parts(here.site(target).places, wanted_here(work, TOKEN_STAND_IN))
    return next((each.file for each in parts if isinstance(each, Entry) and each.secret), None)


def tokens(here: Here, target: Target) -> list[str]:
    with here.access.read() as work:
        return [each.uid for each in active_tokens(work) if each.client == target.name]


@pytest.mark.parametrize(
    ("target", "obstacle"),
    crossed((each for each in TARGETS if each.for_user), OBSTACLES),
    ids=lambda each: each.name if isinstance(each, Target) else each.__name__,
)
def test_it_says_what_still_works(
    here: Here, target: Target, obstacle: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in MOVED:
        monkeypatch.delenv(name, raising=False)
    for name, value in own_environment(here.home).items():
        monkeypatch.setenv(name, value)
    here.install(target)
    path = file_with_token(here, target)
    path = path or next(each for each in here.home.rglob("*") if each.is_file())
    valid = tokens(here, target)
    with here.access.read() as work:
        shown = planned(work, target.name, None, is_removal=True).plan
    obstacle(path)

    asked = (lambda: _plan(here, target), lambda: disconnected(here.access, target.name, shown, None))
    for asks in asked:
        try:
            asks()
        except BigMindError as error:
            said = str(error)
            assert f"{target.title} is still connected" in said
            assert re.findall(r"bigmind token revoke (\w+)", said) == [each[:8] for each in valid]
        else:
            assert asks is asked[0] or tokens(here, target) == []
    for each in tokens(here, target):
        with here.access.write() as work:
            revoke_token(work, each[:8])
    assert tokens(here, target) == []


def _plan(here: Here, target: Target) -> None:
    with here.access.read() as work:
        planned(work, target.name, None, is_removal=True)
