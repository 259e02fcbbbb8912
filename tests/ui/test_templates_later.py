"""What a server loads that nobody has asked for a page: nothing that draws one, which keeps what it compiles."""

import subprocess
import sys
from pathlib import Path

import pytest


def told_by(code: str, *arguments: str) -> str:
    """What a fresh Python prints."""
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True).stdout


def test_a_server_that_clients_alone_use_loads_no_templates_and_no_sieve() -> None:
    code = "import app.core, app.running, sys; from app.running import begin_server; "
    assert told_by(code + "print(*sorted({'jinja2', 'nh3'} & set(sys.modules)))").strip() == ""


def test_templates_that_a_page_compiled_are_kept_in_the_folder(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from ui.render import environment, keep_compiled; "
        "keep_compiled(Path(sys.argv[1])); environment().get_template('_work_card.html')"
    )
    told_by(code, str(tmp_path))

    assert [each.suffix for each in tmp_path.iterdir()] == [".template"]


@pytest.mark.parametrize("in_place", ["nothing", "a file"])
def test_a_page_stands_where_what_it_compiles_cannot_be_kept(tmp_path: Path, in_place: str) -> None:
    folder = tmp_path / "compiled"
    if in_place == "a file":
        folder.touch()
    code = (
        "import sys; from pathlib import Path; from ui.render import environment, keep_compiled; "
        "keep_compiled(Path(sys.argv[1])); print(environment().get_template('_work_card.html').name)"
    )
    assert told_by(code, str(folder)).strip() == "_work_card.html"
