"""Runs the npm tools of other people that judge an MCP server, with the Node of the environment."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support import Server

HERE = Path(__file__).parent
MODULES = HERE.parent / "node" / "node_modules"
NODE = Path(sys.executable).with_name("node")
INSPECTOR = MODULES / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
SUITE = MODULES / "@modelcontextprotocol/conformance/dist/index.js"
NEXT_SUITE = MODULES / "conformance-next/dist/index.js"

SECONDS = 180
_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")

FAULTS = {"FAILURE", "WARNING"}
"""What a check must not end with; a warning is a SHOULD of the specification that was not done."""


def node(script: Path, *arguments: str, home: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script of the npm tools, in a home of its own."""
    assert script.is_file(), f"{script} is not there: run packaging/node_tools.py"
    home.mkdir(parents=True, exist_ok=True)
    return subprocess.run(
        [str(NODE), *_authorizing(more), str(script), *arguments],
        cwd=home,
        env={**os.environ, "HOME": str(home), **more},
        check=False,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )


def _authorizing(more: Mapping[str, str]) -> list[str]:
    return ["--import", (HERE / "authorize.mjs").as_uri()] if "BIGMIND_TEST_TOKEN" in more else []


@dataclass(frozen=True)
class Run:
    """One run of a conformance suite."""

    name: str
    suite: Path
    select: tuple[str, ...]
    listing: tuple[str, ...]


RUNS = (
    Run("0.1.16", SUITE, ("--suite", "all"), ()),
    Run("2025-06-18", NEXT_SUITE, ("--suite", "all", "--spec-version", "2025-06-18"), ("--spec-version", "2025-06-18")),
    Run("2025-11-25", NEXT_SUITE, ("--requirements", "2025-11-25"), ("--requirements", "2025-11-25")),
    Run("2026-07-28", NEXT_SUITE, ("--requirements", "2026-07-28"), ("--requirements", "2026-07-28")),
)
"""The released suite, and the next one on the wire of each revision; that one also checks every message's schema."""


@dataclass
class Verdict:
    """What a suite found: the details of every check, by scenario and check id, and what it printed."""

    checks: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)
    scenarios: set[str] = field(default_factory=set)
    printed: str = ""

    def faults(self) -> dict[str, str]:
        """`scenario:check` of each check that did not end well, with the suite's words."""
        return {
            f"{scenario}:{check}": "; ".join(each.get("errorMessage", "") for each in found)
            for (scenario, check), found in self.checks.items()
            if any(each["status"] in FAULTS for each in found)
        }


def judge(run: Run, server: Server, folder: Path, token: str, *select: str) -> Verdict:
    """Let a suite judge a server; its results go to `folder`."""
    results = folder / "results"
    arguments = ["--url", f"{server.address}/mcp", "--output-dir", str(results), *(select or run.select)]
    done = node(run.suite, "server", *arguments, home=folder, BIGMIND_TEST_TOKEN=token)
    verdict = Verdict(printed=done.stdout + done.stderr)
    for file in sorted(results.rglob("checks.json")):
        scenario = _scenario(file.parent.name)
        verdict.scenarios.add(scenario)
        for check in json.loads(file.read_text()):
            verdict.checks.setdefault((scenario, check["id"]), []).append(check)
    return verdict


def _scenario(folder: str) -> str:
    return _FOLDER.fullmatch(folder)["scenario"]


def scenarios(run: Run, folder: Path) -> set[str]:
    """The scenarios for servers that a run consists of, as its suite lists them."""
    listed = node(run.suite, "list", "--server", *run.listing, home=folder)
    assert listed.returncode == 0, listed.stderr
    section, names = "", set()
    for line in listed.stdout.splitlines():
        if line and not line.startswith((" ", "-")):
            section = line
        name, _, about = line.strip().removeprefix("- ").partition(" [")
        for_servers = section.startswith("Server") or (section.startswith("Run and reported") and about == "server]")
        if line.strip().startswith("- ") and for_servers:
            names.add(name)
    return names
