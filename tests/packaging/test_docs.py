"""README and docs lead somewhere: each link, each command with its options, each error code, each page from README."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main

from app.process_commands import cli
from bigmind.cli.client_commands import add_client_commands
from bigmind.cli.commands import add_operations
from bigmind.cli.passphrase_commands import add_passphrase_commands
from bigmind.cli.protocol_commands import add_protocol_commands
from bigmind.cli.usage_command import add_usage_command
from bigmind.core.errors import HTTP_STATUS

ROOT = Path(__file__).parents[2]
DOCS = sorted((ROOT / "docs").glob("*.md"))
PAGES = [*(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")), *DOCS]
LINK = re.compile(r"\]\(([^)\s]+)\)")
CALL = re.compile(r"(?:`|^ {4}|\b[A-Z_]+=\S+ |&& )(?:\.venv/bin/)?bigmind ([a-z][^`#|\n]*)", re.MULTILINE)


def links_of(page: Path) -> Iterator[tuple[Path, str]]:
    """Where a page's links within the checkout lead: the file, and the anchor in it or nothing."""
    for address in LINK.findall(page.read_text(encoding="utf-8")):
        if not address.startswith(("http:", "https:")):
            path, _, anchor = address.partition("#")
            yield (page.parent / path).resolve() if path else page, anchor


def anchors_of(page: Path) -> set[str]:
    """As the hosts of code make them of headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@cache
def command_line() -> Any:
    groups = add_operations(cli, Path, None)
    add_client_commands(groups["clients"], Path)
    add_usage_command(groups["usage"], Path)
    add_protocol_commands(groups["protocol"], Path)
    add_passphrase_commands(cli)
    return typer.main.get_command(cli)


def faults_of(call: str) -> list[str]:
    """What of a call as a page shows it there is not: its words first, then its options."""
    command, words = command_line(), call.split()
    while words and (following := getattr(command, "commands", {}).get(words[0])) is not None:
        command, words = following, words[1:]
    if command is command_line() or (hasattr(command, "commands") and words and words[0].isalpha()):
        return [call]
    known = {each for parameter in command.params for each in (*parameter.opts, *parameter.secondary_opts)}
    options = {re.split(r"[^\w-]", each.lstrip("[("))[0] for each in words if each.lstrip("[(").startswith("--")}
    return sorted(options - known - {"--help"})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_link_leads_somewhere(page: Path) -> None:
    for file, anchor in links_of(page):
        assert file.exists(), file
        assert not anchor or anchor in anchors_of(file), f"{file.name}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_command_that_is_shown_is_there_with_its_options(page: Path) -> None:
    calls = [each.strip() for each in CALL.findall(page.read_text(encoding="utf-8"))]
    assert {each: faults for each in calls if (faults := faults_of(each))} == {}


def test_the_readme_leads_to_every_page_and_to_every_everyday_question() -> None:
    linked = list(links_of(ROOT / "README.md"))
    assert {file for file, _ in linked} >= set(DOCS)
    everyday = ROOT / "docs" / "everyday.md"
    assert {anchor for file, anchor in linked if file == everyday} == anchors_of(everyday) - {"everyday-questions"}


def test_each_error_code_is_told_with_its_status() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert {code: int(status) for code, status in rows} == {str(code): status for code, status in HTTP_STATUS.items()}
