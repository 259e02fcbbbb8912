"""What differs between systems is chosen in one place; what cannot run here is held by the calls that it makes."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bigmind.workspace import guarded_tree, job_tree, tree_guard
from bigmind.workspace.guarded_tree import GuardedTree, guard_command
from bigmind.workspace.job_tree import ExtendedLimits, Jobs, JobTree
from bigmind.workspace.process_tree import tree_of
from bigmind.workspace.tree_guard import LinuxDescendants, MacDescendants, descendants_of
from tests.workspace.checks import Checks
from tests.workspace.yards import posix

KILLED = -9 if sys.platform != "win32" else 1
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("system", "tree"),
    [("linux", GuardedTree), ("darwin", GuardedTree), ("freebsd14", GuardedTree), ("win32", JobTree)],
)
def test_each_system_has_its_way(system: str, tree: type):
    assert tree_of(system) is tree


@posix
@pytest.mark.parametrize(("system", "way"), [("linux", LinuxDescendants), ("darwin", MacDescendants)])
def test_each_system_finds_descendants_its_way(system: str, way: type):
    assert isinstance(descendants_of(1, system), way)


@posix
def test_in_a_bundle_the_guard_is_bigmind_in_that_role(checks: Checks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    bundle = tmp_path / "bigmind"
    bundle.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m app "$@"\n')
    bundle.chmod(0o755)
    command = checks.script("print(sys.argv[1:])\nsys.exit(5)", "a b")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(bundle))
    assert guard_command() == [str(bundle), "guard"]
    pieces = list[bytes]()
    words = [str(command.program), *command.arguments[1:]]
    tree = GuardedTree(words, checks.root, {"LC_ALL": "C.UTF-8"}, pieces.append)
    assert tree.wait(60)
    tree.end()
    assert (tree.exit_code, tree.fault, b"".join(pieces)) == (5, "", b"['a b']\n")


def test_a_guard_imports_neither_bigmind_nor_what_is_installed():
    text = f"import runpy, sys; runpy.run_path({tree_guard.__file__!r}); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", text], capture_output=True, check=True, text=True)
    assert "'ctypes'" in done.stdout
    assert "bigmind" not in done.stdout
    assert "site-packages" not in done.stdout


def test_what_chooses_between_systems_is_imported_where_signals_are_few():
    few = ("SIGHUP", "SIGQUIT", "SIGPIPE", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGXFSZ")
    text = f"import signal\nfor each in {few}: vars(signal).pop(each, None)\nimport bigmind.workspace.process_tree"
    subprocess.run([sys.executable, "-c", text], check=True, cwd=ROOT)


@posix
def test_a_guard_that_cannot_be_started_is_told(checks: Checks, monkeypatch: pytest.MonkeyPatch):
    command = checks.approve("true")
    for guard, fault in ((["/nowhere/guard"], FileNotFoundError), (["/bin/false"], ConnectionError)):
        monkeypatch.setattr(guarded_tree, "guard_command", lambda guard=guard: guard)
        with pytest.raises(fault):
            GuardedTree([str(command.program)], checks.root, {}, lambda _: None)


class Mac:
    """Processes as libproc tells of them: their parents, and when each began."""

    def __init__(self, parents: dict[int, int]) -> None:
        self.parents = parents
        self.starts = {pid: pid * 1_000 for pid in parents}

    def proc_listchildpids(self, parent: int, room: Any, size: int) -> int:
        found = [pid for pid, other in self.parents.items() if other == parent]
        assert len(found) * 4 <= size
        room[: len(found)] = found
        return len(found)

    def proc_pidinfo(self, pid: int, flavor: int, argument: Any, room: Any, size: int) -> int:
        assert (flavor, argument.value, size) == (3, 0, 136)
        if pid not in self.parents:
            return 0
        ctypes.memmove(ctypes.addressof(room) + 120, self.starts[pid].to_bytes(16, "little"), 16)
        return 136


def look(mac: Mac) -> Callable[[], set[int]]:
    return MacDescendants(10, mac)  # pyright: ignore[reportArgumentType]


def test_on_macos_who_was_seen_once_is_known_though_its_parent_is_gone():
    mac = Mac({10: 1, 11: 10, 12: 11, 13: 12, 20: 1, 21: 20})
    seen = look(mac)
    assert seen() == {11, 12, 13}
    del mac.parents[11]
    mac.parents[12] = 1
    assert seen() == {12, 13}
    mac.parents[14], mac.starts[14] = 13, 14
    assert seen() == {12, 13, 14}


def test_on_macos_another_process_with_the_same_number_is_none_of_them():
    mac = Mac({10: 1, 11: 10})
    seen = look(mac)
    assert seen() == {11}
    mac.parents[11], mac.starts[11] = 1, 99
    assert seen() == set()


class Windows:
    """Job objects as kernel32 and ntdll know them; what was called, in its order."""

    def __init__(self, refused: str = "") -> None:
        self.calls = list[str]()
        self.limits = 0
        kernel = ("CreateJobObjectW", "AssignProcessToJobObject", "TerminateJobObject", "CloseHandle")
        self.kernel = SimpleNamespace(**{name: self._call(name, name != refused) for name in kernel})
        self.kernel.SetInformationJobObject = self._call(
            "SetInformationJobObject", refused != "SetInformationJobObject"
        )
        self.native = SimpleNamespace(NtResumeProcess=self._call("NtResumeProcess", refused == "NtResumeProcess"))
        self.process: Any = None

    def _call(self, name: str, answer: int) -> Callable[..., int]:
        def call(*arguments: Any) -> int:
            self.calls.append(name)
            if name == "SetInformationJobObject":
                self.limits = arguments[2]._obj.BasicLimitInformation.LimitFlags
            if name == "TerminateJobObject":
                self.process.kill()
            return int(answer)

        return call

    def jobs(self) -> Jobs:
        return Jobs(self.kernel, self.native)

    def start(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Any:
        self.calls.append("start")
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=folder, env=environment, bufsize=0
        )
        if sys.platform != "win32":
            self.process._handle = 1  # pyright: ignore[reportAttributeAccessIssue]
        return self.process


def job_of(windows: Windows, root: Path, text: str, pieces: list[bytes]) -> JobTree:
    words = [sys.executable, "-S", "-c", text]
    return JobTree(words, root, os.environ, pieces.append, windows.jobs, windows.start)


def test_on_windows_it_runs_only_when_it_is_in_its_job(tmp_path: Path):
    windows, pieces = Windows(), list[bytes]()
    tree = job_of(windows, tmp_path, "import os; os.write(1, b'x'); os._exit(3)", pieces)
    assert windows.calls == [
        *("CreateJobObjectW", "SetInformationJobObject", "start", "AssignProcessToJobObject", "NtResumeProcess")
    ]
    assert windows.limits == 0x2000
    assert tree.wait(60)
    tree.end()
    tree.end()
    assert windows.calls[5:] == ["TerminateJobObject", "CloseHandle"]
    assert (tree.exit_code, tree.fault, b"".join(pieces)) == (3, "", b"x")
    assert windows.process.stdout.closed


def test_on_windows_its_job_is_ended_at_once(tmp_path: Path):
    windows, pieces = Windows(), list[bytes]()
    tree = job_of(windows, tmp_path, "while True: pass", pieces)
    assert not tree.wait(0)
    tree.end()
    assert tree.exit_code == KILLED


@pytest.mark.parametrize(
    "refused", ["CreateJobObjectW", "SetInformationJobObject", "AssignProcessToJobObject", "NtResumeProcess"]
)
def test_on_windows_nothing_runs_outside_a_job(tmp_path: Path, refused: str):
    windows = Windows(refused)
    with pytest.raises(OSError, match="makes no job"):
        job_of(windows, tmp_path, "while True: pass", [])
    assert windows.process is None or (windows.process.returncode == KILLED and windows.process.stdout.closed)
    assert windows.calls[-1] == ("CreateJobObjectW" if refused == "CreateJobObjectW" else "CloseHandle")


def test_on_windows_what_cannot_be_started_leaves_no_job(tmp_path: Path):
    windows = Windows()
    with pytest.raises(FileNotFoundError):
        JobTree([str(tmp_path / "gone.exe")], tmp_path, {}, lambda _: None, windows.jobs, windows.start)
    assert windows.calls[-1] == "CloseHandle"


@pytest.mark.skipif(ctypes.sizeof(ctypes.c_void_p) != 8, reason="sizes of a system of 64 bits")
def test_what_windows_is_told_has_the_size_that_it_knows():
    assert ctypes.sizeof(ExtendedLimits) == 144
    assert ExtendedLimits.ProcessMemoryLimit.offset == 112
    assert job_tree.FLAGS == 0x4 | 0x200 | 0x4000 | 0x0800_0000
