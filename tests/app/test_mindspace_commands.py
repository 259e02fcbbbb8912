"""The tree at the command line: in from a file, out to one."""

from pathlib import Path

from tests.app.conftest import Bigmind
from tests.app.terminal import serving

TREE = """\
- id: barn
  title: The barn
  owner: dev
  done:
    outputs:
      - type: state
        description: it stands
"""


def test_a_tree_goes_in_from_a_file_and_out_again(bigmind: Bigmind, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "tree.yaml"
    file.write_text(TREE, encoding="utf-8")
    with serving(home):
        done = bigmind("mindspace", "import", str(file))
        assert (done.returncode, "Made 1: barn." in done.stdout) == (0, True), done.stderr
        exported = bigmind("mindspace", "export").stdout
        assert exported.startswith("- id: barn\n  title: The barn\n  owner: dev\n  state: ready\n")
        file.write_text(exported, encoding="utf-8")
        assert "Nothing changed: 1 nodes are there already." in bigmind("mindspace", "import", str(file)).stdout
        file.write_text(TREE.replace("owner: dev", "owners: dev"), encoding="utf-8")
        done = bigmind("mindspace", "import", str(file))
        assert (done.returncode, "line 3, node 'barn': owners: there is no such key" in done.stderr) == (2, True)
        done = bigmind("mindspace", "import", str(tmp_path / "nowhere.yaml"))
        assert (done.returncode, "There is no file" in done.stderr) == (1, True)
        assert "`barn` The barn · ready · dev" in bigmind("mindspace", "get-tree").stdout
