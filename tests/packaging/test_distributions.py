"""What the package index takes: the wheel and the sdist, as they are built, hold the product and nothing else."""

import runpy
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.system_programs import ROOT

pytestmark = pytest.mark.xdist_group("distributions")

SCRIPT = runpy.run_path(str(ROOT / "packaging" / "distributions.py"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("distributions")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return wheel, sdist


def test_the_wheel_holds_every_file_of_the_product_and_no_other(built: tuple[Path, Path]) -> None:
    assert len(SCRIPT["product"]()) > 300
    assert SCRIPT["of_wheel"](built[0]) == []


def test_the_sdist_holds_the_product_and_what_judges_it_and_nothing_of_this_machine(built: tuple[Path, Path]) -> None:
    assert SCRIPT["of_sdist"](built[1]) == []


def test_a_file_that_is_no_part_of_it_is_noticed(built: tuple[Path, Path], tmp_path: Path) -> None:
    changed = tmp_path / "bigmind-0.1.0.tar.gz"
    with tarfile.open(built[1]) as old, tarfile.open(changed, "w:gz") as new:
        for member in old.getmembers():
            if not member.name.endswith("bigmind/paths.py"):
                new.addfile(member, old.extractfile(member) if member.isfile() else None)
        new.addfile(tarfile.TarInfo("bigmind-0.1.0/notes.txt"))
    assert SCRIPT["of_sdist"](changed) == [
        "not in the sdist: bigmind/paths.py",
        "in the sdist, and in no commit: notes.txt",
    ]
