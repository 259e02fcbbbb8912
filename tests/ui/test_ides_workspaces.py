"""The page Assistants tells of a workspace that needs a repair, and of one whose folder is gone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.clients.machine import Machine
from tests.ui.test_ides_page import context, fresh, machine, page, row, told

__all__ = ["context", "fresh", "machine", "page"]
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("ides")]


def test_a_workspace_that_needs_a_repair_says_so_and_so_does_one_that_is_gone(
    page: Page, machine: Machine, tmp_path: Path
) -> None:
    folder = tmp_path / "refunds"
    folder.mkdir()
    machine.install("claude-code", workspace=str(folder))
    page.goto("/ides")
    of_folder = row(page, "claude-code").locator(".ide-head .chip").last
    expect(of_folder).to_have_class("chip good")
    expect(page.locator("#repair-all")).to_have_count(0)

    machine.server.call("clients_toolsets", client="claude-code", toolsets=["default", "brain"])
    expect(of_folder).to_have_class("chip warn")
    expect(of_folder).to_contain_text(": needs a repair")
    expect(row(page, "claude-code")).to_contain_text("bigmind.md would be written anew.")
    page.locator("#repair-all").click()
    page.locator("#plan").get_by_role("button", name="Repair all").click()
    expect(told(page)).to_contain_text("Claude Code")
    expect(of_folder).to_have_class("chip good")

    folder.rename(tmp_path / "moved")
    page.goto("/ides")
    expect(of_folder).to_have_class("chip warn")
    expect(of_folder).to_contain_text(": folder is gone")
    expect(row(page, "claude-code").get_by_role("button", name="Hold edits")).to_have_count(0)
    row(page, "claude-code").get_by_role("button", name="Disconnect").click()
    page.locator("#plan").get_by_role("button", name="Disconnect").click()
    expect(told(page)).to_contain_text("no longer connected")
    assert machine.state("claude-code")["workspaces"] == []
