"""What each client's install writes, in fixture folders: before, after, once more, after an update, after a removal.

`fixtures/<target>/<case>/<home, workspace or edits>/<before or after>/…` are the files as they stand on a machine;
without a `before` there is none. `edits` is a workspace whose edits are held to claimed work. A case of some systems
ends in their names, as `store.windows` or `own.linux+macos`. A first folder `@application-data` stands for the
system's own; placeholders in the files for what an install is made with.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from bigmind.clients.files.locations import Places, System
from bigmind.clients.parts import Entry
from bigmind.clients.plan import FileChange, FileOrigin, digest, installing, placed, removing
from bigmind.clients.target import ConnectionSpec, Layer, Target
from bigmind.clients.targets import TARGETS
from bigmind.clients.targets.shared import Shell, quoted

FIXTURES = Path(__file__).parent / "fixtures"
PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
WHERES = ("home", "workspace", "edits")
COMMANDS = {
    System.LINUX: "/opt/bigmind/bigmind",
    System.MACOS: "/Applications/Big Mind.app/Contents/MacOS/bigmind",
    System.WINDOWS: r"C:\Users\ada\AppData\Local\BigMind\bigmind.exe",
}
WANTED = ConnectionSpec(
    url="http://127.0.0.1:8765/mcp",
    token="bm_first-token",
    command="",
    instructions="# Memory\n\nFirst call memory_start_session – always.\n",
)
UPDATE = {
    "url": "http://127.0.0.1:9876/mcp?toolsets=all",
    "token": "bm_second-token",
    "instructions": "# Memory\n\nOther words of memory_start_session.\n",
}


@dataclass(frozen=True)
class Case:
    """A fixture folder of a target, on one system, in its home or a workspace."""

    target: Target
    folder: Path
    where: str
    system: System

    def __str__(self) -> str:
        return f"{self.target.name}-{self.folder.name}-{self.where}-{self.system}"


def cases() -> Iterator[Case]:
    for target in TARGETS:
        for folder in sorted(each for each in (FIXTURES / target.name).glob("*") if each.is_dir()):
            only = folder.name.partition(".")[2]
            for system in [System(name) for name in only.split("+")] if only else System:
                for where in WHERES:
                    if (folder / where / "after").is_dir():
                        yield Case(target, folder, where, system)


@dataclass(frozen=True)
class Machine:
    """A person's home and a workspace, with the files of a case in them."""

    case: Case
    places: Places
    root: Path
    wanted: ConnectionSpec

    def plan(self, wanted: ConnectionSpec | None = None) -> list[FileChange]:
        return installing(self.case.target.parts(self.places, wanted or self.wanted), read)

    def expected(self, side: str, wanted: ConnectionSpec | None = None) -> dict[Path, bytes]:
        top = self.case.folder / self.case.where / side
        files = [each for each in top.rglob("*") if each.is_file()]
        return {
            self.real(each.relative_to(top)): rendered(each.read_bytes(), wanted or self.wanted, self.places.system)
            for each in files
        }

    def real(self, path: Path) -> Path:
        folders = {
            "@application-data": self.places.application_data,
            "@local-application-data": self.places.local_application_data,
        }
        first = path.parts[0]
        return folders[first].joinpath(*path.parts[1:]) if first in folders else self.root / path

    def files(self) -> dict[Path, bytes]:
        return {each: each.read_bytes() for each in self.root.rglob("*") if each.is_file()}

    def removal(self, *, wrote: bool) -> list[FileChange]:
        """Of everything; `wrote` tells whether the files are still byte for byte what an install wrote."""
        before, now = self.expected("before"), self.files()
        origins = {path: FileOrigin(before.get(path), digest(now[path] if wrote else b"")) for path in now}
        parts = [placed(each) for each in self.case.target.parts(self.places, self.wanted)]
        return removing(parts, [], read, origins.get)


def read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def write(changes: list[FileChange]) -> None:
    for change in changes:
        assert read(change.path) == change.before
        if change.after is None:
            change.path.unlink()
        else:
            change.path.parent.mkdir(parents=True, exist_ok=True)
            change.path.write_bytes(change.after)


def rendered(text: bytes, wanted: ConnectionSpec, system: System) -> bytes:
    ends = b"\r\n" if b"\r\n" in text else b"\n"
    windows = system is System.WINDOWS
    values = {
        "URL": wanted.url,
        "TOKEN": wanted.token,
        "COMMAND": in_json(wanted.command),
        "POSIX": in_json(quoted(wanted.command, Shell.POSIX)),
        "POWERSHELL": in_json(quoted(wanted.command, Shell.POWERSHELL)),
        "ON-POWERSHELL": in_json(quoted(wanted.command, Shell.POWERSHELL if windows else Shell.POSIX)),
        "GIT-BASH": in_json(quoted(wanted.command, Shell.GIT_BASH if windows else Shell.POSIX)),
        "SESSION": in_json(quoted(wanted.command, Shell.SESSION if windows else Shell.POSIX)),
        "CMD": in_json(quoted(wanted.command, Shell.CMD if windows else Shell.POSIX)),
        "INSTRUCTIONS": wanted.instructions,
    }
    for name, value in values.items():
        text = text.replace(b"{{%s}}" % name.encode(), value.encode().replace(b"\n", ends))
    assert b"{{" not in text
    return text


def in_json(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1]


@pytest.fixture(params=TARGETS, ids=lambda target: target.name)
def machines(request: pytest.FixtureRequest, tmp_path: Path) -> list[Machine]:
    """One for each case of a target."""
    of_target = [case for case in cases() if case.target is request.param]
    return [machine_of(case, tmp_path / str(number)) for number, case in enumerate(of_target)]


def machine_of(case: Case, folder: Path) -> Machine:
    home, workspace = folder / "home", folder / "workspace"
    places = Places(case.system, home, {})
    wanted = replace(WANTED, command=COMMANDS[case.system])
    root = home if case.where == "home" else workspace
    root.mkdir(parents=True)
    made = Machine(
        case,
        places,
        root,
        wanted if root is home else replace(wanted, workspace=workspace, holds_edits=case.where == "edits"),
    )
    for path, text in made.expected("before").items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)
    return made


def test_an_install_makes_of_the_files_what_the_fixture_says_and_a_second_changes_nothing(
    machines: list[Machine],
) -> None:
    for machine in machines:
        write(machine.plan())
        assert machine.files() == machine.expected("after"), machine.case
        assert machine.plan() == [], machine.case


def test_an_update_changes_our_parts_alone(machines: list[Machine]) -> None:
    for machine in machines:
        write(machine.plan())
        newer = replace(machine.wanted, **UPDATE)
        write(machine.plan(newer))
        assert machine.files() == machine.expected("after", newer), machine.case


def test_a_removal_gives_back_every_byte(machines: list[Machine]) -> None:
    for machine in machines:
        write(machine.plan())
        write(machine.removal(wrote=True))
        assert machine.files() == machine.expected("before"), machine.case


def test_a_removal_from_files_that_somebody_wrote_to_since_takes_our_parts_alone(machines: list[Machine]) -> None:
    """Here nobody did, but it is not known: so what is left has to be what was there."""
    for machine in machines:
        write(machine.plan())
        write(machine.removal(wrote=False))
        assert machine.files() == machine.expected("before"), machine.case


def test_a_token_stands_in_private_files_of_the_home_only(machines: list[Machine]) -> None:
    for machine in machines:
        for change in machine.plan():
            holds = change.after is not None and machine.wanted.token.encode() in change.after
            assert change.is_private == holds, machine.case
            assert not (holds and machine.wanted.workspace), machine.case


def test_an_install_stays_below_the_home_or_the_workspace(machines: list[Machine]) -> None:
    for machine in machines:
        for part in machine.case.target.parts(machine.places, machine.wanted):
            assert part.file.is_relative_to(machine.root), machine.case
            assert ".." not in part.file.parts, machine.case


def test_every_target_has_fixtures_and_every_fixture_a_target() -> None:
    names = [target.name for target in TARGETS]
    assert sorted(names) == sorted(each.name for each in FIXTURES.iterdir())
    for target in TARGETS:
        made = {case.where for case in cases() if case.target is target}
        assert made == {where for where, holds in zip(WHERES, writes(target), strict=True) if holds}


def writes(target: Target) -> tuple[bool, bool, bool]:
    """Whether it writes anything for the user, for a workspace, and more where edits are held to claimed work."""
    places = Places(System.LINUX, Path("/home/ada"), {})
    inside = replace(WANTED, command="bigmind", workspace=Path("/work"))
    of_user, of_workspace = target.parts(places, replace(inside, workspace=None)), target.parts(places, inside)
    holding = target.parts(places, replace(inside, holds_edits=True))
    return bool(of_user), bool(of_workspace), len(holding) > len(of_workspace)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
class TestEveryTarget:
    def test_says_where_it_can_be_connected(self, target: Target) -> None:
        assert writes(target) == (target.for_user, target.for_workspace, target.can_hold_edits)
        assert target.for_user or target.for_workspace or target.guide

    def test_has_a_name_that_a_token_and_a_command_line_can_bear(self, target: Target) -> None:
        assert target.name.replace("-", "").isascii()
        assert target.name == target.name.lower().strip("-")
        assert [each.name for each in TARGETS].count(target.name) == 1

    def test_asks_its_own_command_line_only_where_it_has_one(self, target: Target) -> None:
        assert not target.lists or target.lists[0] in target.commands
        assert target.lists or not target.connected

    def test_is_not_there_in_an_empty_home(self, target: Target, tmp_path: Path) -> None:
        for system in System:
            assert not [sign for sign in target.signs(Places(system, tmp_path, {})) if sign.exists()]

    def test_looks_for_itself_in_the_home_alone(self, target: Target, tmp_path: Path) -> None:
        for system in System:
            assert all(sign.is_relative_to(tmp_path) for sign in target.signs(Places(system, tmp_path, {})))

    def test_names_hooks_exactly_where_it_writes_them(self, target: Target) -> None:
        parts = target.parts(Places(System.LINUX, Path("/home/ada"), {}), replace(WANTED, command="bigmind"))
        assert any(" hook session-start --client " in str(part) for part in parts) == (Layer.HOOKS in target.layers)

    def test_names_the_instruction_files_exactly_where_it_writes_them(self, target: Target) -> None:
        inside = replace(WANTED, command="bigmind", workspace=None if target.for_user else Path("/work"))
        parts = target.parts(Places(System.LINUX, Path("/home/ada"), {}), inside)
        told = any(WANTED.instructions in getattr(part, "text", "") for part in parts)
        assert told == (Layer.FILES in target.layers)

    def test_starts_the_bridge_by_its_own_name(self, target: Target) -> None:
        inside = replace(WANTED, command="bigmind", workspace=Path("/work"))
        for part in target.parts(Places(System.LINUX, Path("/home/ada"), {}), inside):
            if isinstance(part, Entry) and part.steps[-1] == "bigmind":
                assert f"--client', '{target.name}'" in str(part.value)
                assert not part.secret


class TestTheFoldersThatVariablesMove:
    @pytest.mark.parametrize(
        ("name", "variable", "file"),
        [
            ("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"),
            ("copilot-cli", "COPILOT_HOME", "mcp-config.json"),
            ("gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"),
            ("codex", "CODEX_HOME", "config.toml"),
        ],
    )
    def test_are_followed(self, name: str, variable: str, file: str, tmp_path: Path) -> None:
        moved = tmp_path / "elsewhere"
        target = next(each for each in TARGETS if each.name == name)
        parts = target.parts(Places(System.LINUX, tmp_path, {variable: str(moved)}), WANTED)
        assert parts[0].file == moved / file
        assert all(part.file.is_relative_to(moved) for part in parts)

    @pytest.mark.parametrize("named", ["~nosuchuser/x", "elsewhere", ""])
    def test_are_as_if_unset_where_they_are_no_whole_path(self, named: str) -> None:
        places = Places(System.LINUX, Path("/home/ada"), {"CODEX_HOME": named})
        assert places.named("CODEX_HOME", Path("/home/ada/.codex")) == Path("/home/ada/.codex")


class TestFilesThatTwoClientsRead:
    """VS Code and Copilot CLI run the same hooks and read the same instructions."""

    @pytest.mark.parametrize(("goes", "stays"), [("vscode", "copilot-cli"), ("copilot-cli", "vscode")])
    def test_stay_until_the_second_of_them_is_removed(self, goes: str, stays: str, tmp_path: Path) -> None:
        wanted = replace(WANTED, command="bigmind")
        parts = {
            each.name: each.parts(Places(System.LINUX, tmp_path, {}), wanted)
            for each in TARGETS
            if each.name in (goes, stays)
        }
        for name in (goes, stays):
            write(installing(parts[name], read))
        assert not any(installing(each, read) for each in parts.values())

        places = {name: [placed(part) for part in each] for name, each in parts.items()}
        write(removing(places[goes], places[stays], read, lambda _: None))
        assert not installing(parts[stays], read)

        write(removing(places[stays], [], read, lambda _: None))
        assert not [each for each in tmp_path.rglob("*") if each.is_file()]


def test_what_somebody_writes_after_the_install_stays_when_ours_goes(tmp_path: Path) -> None:
    file = tmp_path / ".cursor" / "hooks.json"
    file.parent.mkdir()
    file.write_bytes(b'{"version": 1, "hooks": {}}')
    target = next(each for each in TARGETS if each.name == "cursor")
    parts = target.parts(Places(System.LINUX, tmp_path, {}), replace(WANTED, command="bigmind"))
    origin = FileOrigin(file.read_bytes(), "")
    write(installing(parts, read))

    theirs = {"command": "./audit.sh"}
    told = json.loads(file.read_bytes())
    told["hooks"]["stop"].insert(0, theirs)
    file.write_text(json.dumps(told))
    write(removing([placed(part) for part in parts], [], read, {file: origin}.get))
    assert json.loads(file.read_bytes()) == {"version": 1, "hooks": {"stop": [theirs]}}


def test_the_page_tells_which_layers_reach_which_client() -> None:
    rows = [line.strip("|").split("|") for line in PAGE.read_text().splitlines() if line.startswith("|")]
    top = next(index for index, row in enumerate(rows) if row[0].strip() == "client")
    layers = [cell.strip() for cell in rows[top][1:]]
    assert layers == [str(layer) for layer in Layer]
    told = {row[0].strip(): [cell.strip() == "yes" for cell in row[1:]] for row in rows[top + 2 :][: len(TARGETS)]}
    assert told == {target.title: [layer in target.layers for layer in Layer] for target in TARGETS}


def test_the_page_has_a_section_for_every_client() -> None:
    headings = [line.removeprefix("### ") for line in PAGE.read_text().splitlines() if line.startswith("### ")]
    assert headings == [target.title for target in TARGETS]


@pytest.mark.skipif(os.name != "posix", reason="root may write anywhere")
@pytest.mark.parametrize("target", TARGETS, ids=lambda each: each.name)
def test_folders_that_may_not_be_looked_into_keep_no_client_from_being_planned(target: Target, tmp_path: Path) -> None:
    for name in (".claude", ".codex", ".cursor", ".config", ".cline", ".junie", "Documents", "AGENTS.md"):
        (tmp_path / name).symlink_to("x" * 300)  # a name that is too long: root may look there neither
    places = Places(System.LINUX, tmp_path, {})
    assert target.parts(places, WANTED) is not None
    assert target.parts(places, replace(WANTED, workspace=tmp_path)) is not None
