"""The command line is built from a file, which says what the operations say."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.process_commands import run
from bigmind.cli.operation_commands import command_records as command_records_module
from bigmind.cli.operation_commands.command_records import FILE, command_records, recorded, written
from bigmind.core.operation import Surface
from bigmind.paths import asset
from bigmind.wiring import catalogue

HEAVY = ("sqlalchemy", "sqlmodel", "litestar", "mcp", "numpy", "bigmind.wiring")
LOADED = f"""
import json, sys
sys.argv = ["bigmind", *json.loads(sys.argv[1])]
from app.main import main
try:
    main()
finally:
    print(json.dumps([each for each in {HEAVY} if each in sys.modules]), file=sys.stderr)
"""


def test_the_file_says_what_the_operations_say() -> None:
    made = recorded(catalogue().on(Surface.CLI))
    assert asset(FILE).read_text(encoding="utf-8") == written(made), "run packaging/commands.py"
    assert command_records() == made


def test_each_answer_is_found() -> None:
    operations = {each.name: each for each in catalogue()}
    for name, record in command_records().items():
        assert record.output_model is operations[name].output_model


@pytest.mark.parametrize("text", [None, "[{", '[{"name": "memory_vacuum"}]', '{"version": 2}'])
def test_a_file_that_is_none_of_this_version_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    """As an installation leaves it that broke off: each command ended with a traceback."""
    if text is not None:
        (tmp_path / FILE).write_text(text)
    monkeypatch.setattr(command_records_module, "asset", tmp_path.joinpath)
    monkeypatch.setattr(sys, "argv", ["bigmind", "status"])
    command_records.cache_clear()
    try:
        with pytest.raises(SystemExit) as end:
            run()
    finally:
        command_records.cache_clear()
    assert end.value.code == 1
    assert "Install BigMind again." in capsys.readouterr().err


def test_no_command_loads_the_systems_behind_it() -> None:
    """That took five times as long as all else that it did."""
    for words in (["--help"], ["status", "--help"], ["memory", "list-facts", "--help"], ["nonsense"]):
        start = [sys.executable, "-c", LOADED, json.dumps(words)]
        done = subprocess.run(start, capture_output=True, text=True, check=False)  # some end with 2
        assert done.stderr.rstrip().split("\n")[-1] == "[]", words
