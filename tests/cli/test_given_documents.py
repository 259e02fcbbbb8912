"""A text that is given to a command is read as what it is, and what it says is UTF-8, whatever the code page."""

import codecs
import os
import subprocess
from pathlib import Path

import pytest

from bigmind.cli.given_documents import document_in
from bigmind.core.errors import BigMindError
from bigmind.core.plain_text import text_of
from bigmind.local.program import again
from tests.support import environment

TEXT = "name: Grüße 日本\nleads: yes\n"
WINDOWS = TEXT.replace("\n", "\r\n")


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        WINDOWS.encode(),
        WINDOWS.encode("utf-8-sig"),
        codecs.BOM_UTF16_LE + WINDOWS.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + WINDOWS.encode("utf-16-be"),
    ],
    ids=["as ever", "CRLF", "notepad", "powershell 5", "big endian"],
)
def test_what_windows_programs_write_is_the_same_text(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "node.yaml").write_bytes(data)
    assert document_in("document", str(tmp_path / "node.yaml")) == TEXT


@pytest.mark.parametrize("data", [TEXT[:12].encode("cp1252"), codecs.BOM_UTF16_LE + b"a"], ids=["code page", "cut"])
def test_what_is_in_another_encoding_is_refused_and_not_stored_as_other_letters(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UnicodeDecodeError):
        text_of(data)
    (tmp_path / "node.yaml").write_bytes(data)
    with pytest.raises(BigMindError, match="UTF-8"):
        document_in("document", str(tmp_path / "node.yaml"))


def test_what_is_piped_in_is_no_text_of_the_code_page() -> None:
    say = "from bigmind.cli.given_documents import document_in; print(ascii(document_in('document', '-')))"
    told = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    command = [again()[0], "-P", "-c", say]
    said = subprocess.run(command, input=WINDOWS.encode(), env=told, capture_output=True, check=True).stdout
    assert said.decode().strip() == ascii(TEXT)


@pytest.mark.parametrize("command", ["mcp", "app", "status"])
def test_what_a_command_complains_of_is_said_in_utf_8(tmp_path: Path, command: str) -> None:
    home = tmp_path / "日本"
    home.touch()
    told = {"PYTHONIOENCODING": "cp1252", "BIGMIND_TOOLSETS": "日本", "BIGMIND_USER": "日本\n"}
    whole = environment(home, **told)
    done = subprocess.run(again(command), env=whole, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert done.returncode != 0
    assert "日本" in (done.stdout + done.stderr).decode()
