"""In a team nobody's page but an admin's opens a folder of the server's disk, and no token learns what is there."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode, Presence, Role
from bigmind.workspace.opened import workspace_at
from tests.memory.living import Memory, living


@pytest.fixture
def ada(tmp_path: Path) -> Iterator[Memory]:
    with living(tmp_path / "team" / "home", Mode.TEAM) as memory:
        yield memory


def seen_as(memory: Memory, presence: Presence) -> Memory:
    return replace(memory, caller=replace(memory.caller, is_person=True, presence=presence))


def test_only_an_admin_opens_a_folder_on_a_page(ada: Memory, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    for role in (Role.MEMBER, Role.CURATOR):
        eve = seen_as(ada.of(f"eve the {role}", role), Presence.PASSPHRASE)
        told = [eve.refuses("protocol_open_workspace", path=str(each)) for each in (folder, tmp_path / "none")]
        assert {each.code for each in told} == {Code.FORBIDDEN}
        assert len({str(each) for each in told}) == 1
    admin = seen_as(ada.of("bob", Role.ADMIN), Presence.PASSPHRASE)
    assert admin("protocol_open_workspace", path=str(folder)).id


def test_the_window_on_the_servers_machine_opens_any_folder(ada: Memory, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    eve = seen_as(ada.of("eve"), Presence.WINDOW)
    assert eve("protocol_open_workspace", path=str(tmp_path / "project")).id


def test_no_token_learns_which_folders_are_there(ada: Memory, tmp_path: Path) -> None:
    there, file, link = tmp_path / "there", tmp_path / "file", tmp_path / "link"
    there.mkdir()
    file.write_text("x")
    if os.name == "posix":  # elsewhere a link takes a right that few have
        link.symlink_to(there)
    eve, told = ada.of("eve"), set[str]()
    for each in (there, file, link, tmp_path / "none"):
        refused = eve.refuses("session_start", objective="Look around", workspace=str(each))
        assert refused.code is Code.WORKSPACE_NOT_OPENED
        told.add(str(refused).replace(str(each), "FOLDER"))
    assert len(told) == 1


def test_on_windows_no_token_has_another_machine_called(ada: Memory, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    places, near = ["//127.0.0.1/share", f"/{tmp_path / 'project'}"], tmp_path / "project"
    if os.name == "posix":  # elsewhere a link takes a right that few have
        (tmp_path / "away").symlink_to("//127.0.0.1/share")
        (near := tmp_path / "near").symlink_to(tmp_path / "project")
        places.append(str(tmp_path / "away" / "project"))
    person = seen_as(ada, Presence.WINDOW)
    person("protocol_open_workspace", path=str(tmp_path / "project"))
    with ada.mind.store.read(ada.caller, "test") as work:
        for each in places:
            with pytest.raises(BigMindError, match="no person opened"):
                workspace_at(work, each, "win32")
        assert workspace_at(work, str(near), "win32").path == str((tmp_path / "project").resolve())
