"""What tests need of the system: one list, which a newcomer is told, the gate installs, and no test goes beyond."""

import os
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from shutil import copytree

import pytest

from app.desktop.preflight import GLIBC_OF_2024, WINDOW_LIBRARIES, Installer, install_line
from tests.system_programs import LIST, ROOT

UNLISTED = "/usr/bin/tac"
"""A program that every Linux has, which is not on the list."""
MORE = """
[[package]]
name = "not-on-this-machine"
programs = ["make", "a-program-of-another-machine"]
why = "is needed by this test"

[[package]]
name = "neither-is-this|nor-its-new-name"
libraries = ["libanother-machine.so.1"]
why = "is needed, too"

[[package]]
name = "nor-these-files"
files = ["/usr/share/another-machine/*.ttf"]
why = "are needed as well"
"""
WITH_LIBRARY = """
import platform, runpy, sys
platform.libc_ver = lambda: tuple(sys.argv[1:])
runpy.run_path("packaging/system_packages.py", run_name="__main__")
"""
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the list is of Debian and Ubuntu")


def script(name: str, *arguments: str, checkout: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(checkout / "packaging" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.fixture
def demanding(tmp_path: Path) -> Path:
    """A checkout whose tests need more than this machine has."""
    copytree(ROOT / "packaging", tmp_path / "packaging")
    with (tmp_path / "packaging" / LIST.name).open("a") as file:
        file.write(MORE)
    return tmp_path


def test_the_window_and_the_tests_know_the_same_releases() -> None:
    assert runpy.run_path(str(ROOT / "packaging" / "system_packages.py"))["GLIBC_OF_2024"] == GLIBC_OF_2024


@linux_only
def test_nothing_is_missing_here() -> None:
    asked = script("system_packages.py")

    assert (asked.stdout, asked.stderr) == ("\n", "")


@linux_only
def test_a_newcomer_is_told_all_that_is_missing_and_the_one_command_that_installs_it(demanding: Path) -> None:
    told = script("environment.py", "test", checkout=demanding)

    assert told.returncode == 1
    assert "  not-on-this-machine: is needed by this test\n" in told.stderr
    *_, install = told.stderr.splitlines()
    assert install.startswith("Debian, Ubuntu: sudo apt-get install --no-install-recommends ")
    assert " not-on-this-machine n" in install
    assert install.endswith(" nor-these-files")
    assert not (demanding / ".venv").exists()


@linux_only
def test_the_gate_is_told_the_same_packages(demanding: Path) -> None:
    first, second, third = script("system_packages.py", checkout=demanding).stdout.split()[-3:]

    assert (first, third) == ("not-on-this-machine", "nor-these-files")
    assert second in {"neither-is-this", "nor-its-new-name"}


@linux_only
def test_what_only_tries_a_bundle_is_asked_for_where_one_is_tried(demanding: Path) -> None:
    tries = MORE.partition("\n\n")[0].replace("[[package]]", "[[bundle]]").replace("programs", "tries = true\nprograms")
    (demanding / "packaging" / LIST.name).write_text(
        f"package = []\n{tries}"
    )  # alone: what else a bundle needs may be missing here
    asks = "from system_packages import *; print(what_is_missing('Bundles', of_bundles=True, to_try=False))"
    command = [sys.executable, "-c", asks]
    built = subprocess.run(command, cwd=demanding / "packaging", capture_output=True, text=True, check=True, timeout=60)
    tried = script("environment.py", "smoke", checkout=demanding)

    assert built.stdout == "\n"
    assert "not-on-this-machine: is needed" in tried.stderr


@linux_only
@pytest.mark.parametrize(
    ("library", "new"),
    [
        pytest.param(("glibc", "2.36"), False, id="Debian 12"),
        pytest.param(("glibc", "2.39"), True, id="Ubuntu 24.04"),
        pytest.param(("glibc", "2.43"), True, id="Debian unstable, which has no number"),
        pytest.param(("", ""), False, id="another C library"),
    ],
)
def test_a_renamed_package_has_the_name_of_this_release(
    demanding: Path, monkeypatch: pytest.MonkeyPatch, library: tuple[str, str], *, new: bool
) -> None:
    command = [sys.executable, "-c", WITH_LIBRARY, *library]
    told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=demanding)
    monkeypatch.setattr("platform.libc_ver", lambda: library)
    sound = [each for each in WINDOW_LIBRARIES if each.soname == "libasound.so.2"]

    assert ("nor-its-new-name" in told.stdout.split()) is new
    assert install_line(sound, Installer.APT).endswith("libasound2t64" if new else "libasound2")


def test_each_package_says_what_is_used_of_it_and_why() -> None:
    packages = tomllib.loads(LIST.read_text())["package"]

    assert [each["name"] for each in packages if not each.get("why")] == []
    assert [each["name"] for each in packages if not {"programs", "libraries", "files"} & set(each)] == []


def test_the_libraries_are_those_that_the_window_asks_people_for() -> None:
    packages = tomllib.loads(LIST.read_text())["package"]

    listed = {(each["name"], library) for each in packages for library in each.get("libraries", ())}
    assert listed == {(each.apt, each.soname) for each in WINDOW_LIBRARIES}


@linux_only
@pytest.mark.parametrize(
    ("command", "environment"),
    [
        pytest.param([UNLISTED], None, id="by its path"),
        pytest.param([Path(UNLISTED).name], {}, id="past the search path"),
        pytest.param([Path(UNLISTED).name.encode()], {"PATH": "/usr/bin"}, id="by a search path of the test's own"),
    ],
)
def test_a_test_fails_that_starts_a_program_that_is_not_on_the_list(command: list, environment: dict | None) -> None:
    with pytest.raises(pytest.fail.Exception, match=r"a test starts .*/tac, which is of no package"):
        subprocess.run(command, env=environment, check=False, stdin=subprocess.DEVNULL)


@linux_only
def test_an_unlisted_program_takes_no_other_way() -> None:
    with pytest.raises(pytest.fail.Exception):
        os.posix_spawn(UNLISTED, ["tac"], {})
    with pytest.raises(pytest.fail.Exception):
        os.execv(UNLISTED, ["tac"])  # noqa: S606 - without a shell is what is tried
    with pytest.raises(FileNotFoundError):
        subprocess.run(["tac"], check=False)
    of_a_child = subprocess.run(["sh", "-c", "tac /dev/null"], check=False, capture_output=True)
    assert of_a_child.returncode == 127


@linux_only
def test_a_test_that_is_skipped_because_a_program_is_missing_fails(tmp_path: Path) -> None:
    (tmp_path / "test_skips.py").write_text(
        "import pytest\n\n"
        "def test_one(): pytest.skip('chromium is not installed')\n"
        "@pytest.mark.skipif(True, reason='no git')\ndef test_two(): pass\n"
        "def test_three(): pytest.skip('mounting is not allowed here: by nobody')\n"
        "@pytest.mark.xfail\ndef test_four(): assert False\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "tests.skips", "-c", os.devnull, "--rootdir", str(tmp_path)]

    alone = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = subprocess.run([*command, tmp_path], env=alone, capture_output=True, text=True, check=False, cwd=ROOT)

    assert "1 failed, 1 skipped, 1 xfailed, 1 error" in ran.stdout
    assert "does not allow: chromium is not installed" in ran.stdout
