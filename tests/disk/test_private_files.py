"""Private files are written to the letter, and also while somebody reads the old one."""

import threading
from pathlib import Path

import pytest

from bigmind.paths import read_private_file, run_file, write_note, write_private_file


@pytest.mark.parametrize("text", ["one\ntwo\n", "@one\r\n@two\r\n", "Grüße, 你好"])
def test_a_private_file_is_written_to_the_letter(tmp_path: Path, text: str):
    write_private_file(tmp_path / "file", text)
    assert (tmp_path / "file").read_bytes() == text.encode()


def test_a_note_is_written_while_somebody_reads_the_last_one(tmp_path: Path):
    write_note(run_file(tmp_path), '{"pid": 1}')
    reader = run_file(tmp_path).open("rb")
    threading.Timer(0.1, reader.close).start()
    write_note(run_file(tmp_path), '{"pid": 2}')
    assert read_private_file(run_file(tmp_path)).rstrip() == '{"pid": 2}'
    assert [each.name for each in tmp_path.iterdir()] == [run_file(tmp_path).name]
