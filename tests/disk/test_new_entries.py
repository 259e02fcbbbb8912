"""A new file or folder is made at once, or refused at once."""

import ast
import os
import stat
from pathlib import Path

import pytest

from bigmind.disk.new_entries import new_folder, tried_file
from tests.disk.test_nobody_goes_around import MODULES, ROOT

OF_OTHER_SYSTEMS = {"app/desktop/start_at_login/entry.py"}


def test_a_new_folder_is_private_and_none_that_is_there(tmp_path: Path) -> None:
    made = [new_folder(tmp_path, "upload-") for _ in range(3)]
    assert sorted(tmp_path.iterdir()) == sorted(made)
    assert all(each.name.startswith("upload-") for each in made)
    assert os.name != "posix" or {stat.S_IMODE(each.stat().st_mode) for each in made} == {0o700}


def test_a_file_is_tried_and_gone_again(tmp_path: Path) -> None:
    with tried_file(tmp_path) as tried:
        assert list(tmp_path.iterdir()) == [tried]
    assert list(tmp_path.iterdir()) == []


def test_what_windows_refuses_is_tried_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def refuse(path: object, *_: object, **__: object) -> None:
        asked.append(path)
        raise PermissionError(13, "Access is denied", str(path))

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(os, "mkdir", refuse)
    with pytest.raises(PermissionError), tried_file(tmp_path):
        pass
    with pytest.raises(PermissionError):
        new_folder(tmp_path, "backup-")
    assert len(asked) == 2


def test_nobody_makes_one_by_pythons_tempfile_in_a_folder_that_may_refuse_it() -> None:
    calls = (
        (each.relative_to(ROOT).as_posix(), call)
        for each in MODULES
        for call in ast.walk(ast.parse(each.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and "dir" in {word.arg for word in call.keywords}
    )
    names = ("mkdtemp", "mkstemp", "TemporaryFile", "NamedTemporaryFile", "TemporaryDirectory")
    found = {where for where, call in calls if ast.unparse(call.func).rpartition(".")[2] in names}
    assert found <= OF_OTHER_SYSTEMS
