"""The check without the server: its verdict is the server's, and an alteration is found by both."""

import json
import os
import random
from dataclasses import dataclass
from pathlib import Path
from shutil import rmtree

import pytest
import typer
from typer.testing import CliRunner

from bigmind.cli.protocol_commands import add_protocol_commands
from bigmind.core.errors import BigMindError, Code
from bigmind.protocol.document.protocol_record import Phase
from bigmind.protocol.judging.gate_verdicts import Status
from bigmind.protocol.offline import git_hook, note_file
from bigmind.protocol.offline.run_check import CheckReport, check_run
from bigmind.protocol.receipts import receipt_file
from tests.protocol.places import HANDOFF, Place
from tests.protocol.workshop import Runner, Workshop, workshop_in
from tests.thorough import often

RUNS = often(500, 10)
AT_ONCE = 10
"""Generated runs in one test, each in a workspace of its own."""


@dataclass(frozen=True)
class Conduct:
    """How an agent goes through a run: what it does, leaves out, and does wrongly."""

    reads: bool
    log: str
    handoff: bool
    report: str
    commit: str
    leftover: bool
    skips_qa: bool
    forces: bool
    alters: str

    @classmethod
    def of(cls, dice: random.Random) -> "Conduct":
        good = dice.random() < 0.4  # else hardly one would be complete
        return cls(
            reads=good or dice.random() < 0.7,
            log="whole" if good else dice.choice(["none", "bare", "unstarted", "empty", "whole"]),
            handoff=good or dice.random() < 0.7,
            report="right" if good else dice.choice(["none", "right", "stale", "foreign"]),
            commit="work" if good else dice.choice(["none", "empty", "work", "amended"]),
            leftover=not good and dice.random() < 0.3,
            skips_qa=dice.random() < 0.3,
            forces=dice.random() < 0.3,
            alters=dice.choice(["nothing", "log", "report", "history", "more work"]),
        )


def acted(runner: Runner, conduct: Conduct, number: int) -> None:
    """A run as that agent goes through it, up to its end."""
    runner.begin(f"Objective {number}")
    if conduct.reads:
        runner.read_handoff()
    logged(runner, conduct)
    runner("advance_phase", target_phase="WORKING", force=conduct.forces)
    runner.place.write("src/refunds.py", f"def refund(cents):\n    return round(cents, {number})\n")
    if conduct.handoff:
        runner.place.write(HANDOFF, f"# Handoff\n\nTake {number}.\n")
    reported(runner, conduct)
    committed(runner.place, conduct, number)
    if conduct.leftover:
        runner.place.write("left.txt", "left")


def logged(runner: Runner, conduct: Conduct) -> None:
    match conduct.log:
        case "bare":
            text = f"Run: {runner.name}\nStarting commit: {runner.start}\n"
            runner.place.write(f"docs/sessions/{runner.name}.md", text)
        case "unstarted":
            runner.place.log(runner.name, "")
        case "empty":
            runner.place.log(runner.name, runner.start, "")
        case "whole":
            runner.place.log(runner.name, runner.start)
        case _:
            pass


def reported(runner: Runner, conduct: Conduct) -> None:
    if conduct.report != "none":
        runner.report()
    if conduct.report == "stale":
        runner.place.write("src/more.py", "more = True\n")
    if conduct.report == "foreign":
        file = runner.place.root / f"docs/qa/{runner.name}.md"
        file.with_name("old.md").write_text(file.read_text().replace(runner.name, "2020-01-01-session-01"))
        file.unlink()


def committed(place: Place, conduct: Conduct, number: int) -> None:
    match conduct.commit:
        case "empty":
            place.git("commit", "-q", "--allow-empty", "-m", "Nothing")
        case "work":
            place.commit(f"Take {number}")
        case "amended":
            place.git("add", "-A")
            place.git("commit", "-q", "--amend", "-m", "Another beginning")
        case _:
            pass


def alter(place: Place, conduct: Conduct, name: str) -> None:
    """What somebody does after the run has ended."""
    match conduct.alters:
        case "log":
            file = place.root / f"docs/sessions/{name}.md"
            if file.exists():
                file.write_text(file.read_text() + "\nAnd all of it is certified.\n")
        case "report":
            (place.root / f"docs/qa/{name}.md").unlink(missing_ok=True)
        case "history":
            place.git("add", "-A")
            place.git("commit", "-q", "--amend", "--allow-empty", "-m", "It was always so")
        case "more work":
            place.write("src/later.py", "later = True\n")
            place.commit("The next work")
        case _:
            pass


def verdicts_of_server(runner: Runner) -> dict[Phase, str]:
    return {each: runner("validate_gate", phase=each).status for each in Phase}


def statuses(report: CheckReport) -> dict[Phase, str]:
    return {phase: each.status.value for phase, each in report.verdicts.items()}


@pytest.mark.parametrize("seed", range(RUNS // AT_ONCE))
def test_server_and_check_agree_on_generated_runs(home: Path, tmp_path: Path, seed: int):
    dice = random.Random(seed)
    with workshop_in(home, tmp_path / "projects") as workshop:
        for number in range(AT_ONCE):
            conduct = Conduct.of(dice)
            runner = workshop.runner(client=f"agent-{number}")
            place = runner.place
            acted(runner, conduct, number)
            told = verdicts_of_server(runner)
            assert statuses(check_run(place.root, home, runner.name)) == told, conduct
            if conduct.log in {"empty", "whole"}:
                alone = statuses(check_run(place.root, tmp_path / "no-home", runner.name))
                known = {phase: status for phase, status in alone.items() if status != Status.UNKNOWN.value}
                assert known == {phase: told[phase] for phase in known}, conduct
                assert set(told) - set(known) <= {
                    Phase.MEMORY_INIT, Phase.SKILL_VALIDATION, Phase.CONTEXT_RETRIEVAL, Phase.QUALITY_CHECKS
                }  # fmt: skip
            ended = runner("session_end", summary=f"Take {number}.", skip_qa=conduct.skips_qa)
            report = check_run(place.root, home, runner.name)
            assert (report.outcome, report.has_receipt, report.altered) == (ended.status, True, []), conduct
            alter(place, conduct, runner.name)
            again = check_run(place.root, home, runner.name)
            server = workshop.office.person("protocol_check_run", session_id=uid_of(workshop, runner))
            assert list(again.altered) == server.altered, conduct
            assert again.is_good == server.good, conduct
            was_altered = bool(again.altered)
            if conduct.alters in {"nothing", "more work"}:
                assert not was_altered, conduct
            if conduct.alters == "log" and conduct.log != "none":
                assert was_altered, conduct
            if conduct.alters == "history":
                assert was_altered, conduct


def uid_of(workshop: Workshop, runner: Runner) -> str:
    """The id of a run; names are of one workspace."""
    found = "SELECT uid FROM protocol_run WHERE name = :name AND agent = :agent"
    return workshop.office.rows(found, name=runner.name, agent=runner.worker.name)[0][0]


def test_a_run_that_bigmind_did_not_see_is_judged_and_noted_and_told_of(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The client could not reach BigMind: the run was done by hand, and the next one knows it."""
    place = workshop.place()
    name, start = "2025-12-21-session-03", place.git("rev-parse", "HEAD")
    place.write("src/refunds.py", "def refund(cents):\n    return round(cents)\n")
    place.write(HANDOFF, "# Handoff\n\nDone by hand.\n")
    place.log(name, start, "Round yen next.")
    tree = check_run(place.root, tmp_path / "no-home", name).verdicts[Phase.QA_VALIDATION].remedy
    place.write(f"docs/qa/{name}.md", f"# QA of {name}\n\ntree: {tree.partition('tree:')[2].partition(',')[0]}\n")
    place.commit("By hand")
    report = check_run(place.root, tmp_path / "no-home")
    assert (report.run, report.outcome, report.has_receipt) == (name, "COMPLETE", False)
    file = place.root / f"docs/sessions/{name}.degraded.json"
    file.symlink_to(tmp_path / "theirs")  # which another user of a shared folder puts there after the look
    with monkeypatch.context() as patched:
        patched.setattr(Path, "is_symlink", lambda _: False)
        note_file.leave(place.root, report)
    assert not (tmp_path / "theirs").exists()
    file.unlink()
    note_file.leave(place.root, report)
    note = json.loads(file.read_text())
    assert (note["run"], note["outcome"]) == (name, "COMPLETE")
    assert check_run(place.root, tmp_path / "no-home").is_good, "its own note makes nothing unclean"
    begun = workshop.runner(place).begin()
    assert (begun.last.session_id, begun.last.is_from_file) == (name, True)
    assert "as read from a file" in begun.in_words()
    assert begun.last.next_session_notes == "Round yen next."
    assert workshop.office.rows("SELECT count(*) FROM protocol_run WHERE name = :name", name=name) == [(1,)]


def test_a_number_of_a_noted_run_is_given_to_nobody_else(workshop: Workshop):
    place = workshop.place()
    today = workshop.office.memory.clock.now.strftime("%Y-%m-%d")
    note = {"format": "bigmind-degraded-run", "run": f"{today}-session-04", "outcome": "INCOMPLETE"}
    place.write(f"docs/sessions/{today}-session-04.degraded.json", json.dumps(note))
    assert workshop.runner(place).begin().session_id == f"{today}-session-05"


@pytest.mark.parametrize("text", ["{", "[]", '{"format": "bigmind-degraded-run", "run": "x", "outcome": "COMPLETE"}'])
def test_what_is_no_note_is_passed_over(workshop: Workshop, text: str):
    place = workshop.place()
    place.write("docs/sessions/2025-12-21-session-01.degraded.json", text)
    workshop.runner(place).begin()
    assert workshop.office.rows("SELECT count(*) FROM protocol_run") == [(1,)]


def test_without_a_log_it_says_what_is_missing(workshop: Workshop, home: Path):
    place = workshop.place()
    with pytest.raises(BigMindError) as refused:
        check_run(place.root, home)
    assert refused.value.code is Code.NOT_FOUND
    assert "docs/sessions" in str(refused.value)


def test_a_document_that_is_none_names_line_and_column(workshop: Workshop, home: Path):
    place = workshop.place()
    place.write(".bigmind/protocol.yaml", "format: bigmind-protocol\nhandoff: [\n")
    with pytest.raises(BigMindError) as refused:
        check_run(place.root, home)
    assert "line" in str(refused.value)
    assert "column" in str(refused.value)


def test_before_a_commit_the_commit_is_not_asked_for(workshop: Workshop, home: Path):
    runner = workshop.runner()
    runner.begin()
    runner.to_work()
    runner.do_work()
    runner.report()
    assert not check_run(runner.place.root, home).is_good
    assert check_run(runner.place.root, home, before_commit=True).is_good


def test_a_run_of_docs_alone_is_held_to_no_report_before_its_end(workshop: Workshop, home: Path, tmp_path: Path):
    """It says at its end that it skips the report: the hook would hold the commit that comes before, and CI fail."""
    runner = workshop.runner()
    runner.begin()
    runner.to_work()
    runner.place.write(HANDOFF, "# Handoff\n\nOnly words.\n")
    runner.place.log(runner.name, runner.start)
    assert check_run(runner.place.root, home, before_commit=True).is_good
    assert "session_end with skip_qa: only docs changed" in runner("validate_gate", phase="QA_VALIDATION").remedy
    runner.place.commit("Words")
    assert runner("session_end", summary="Words alone.", skip_qa=True).status == "COMPLETE"
    elsewhere = check_run(runner.place.root, tmp_path / "no-home", runner.name)
    assert (elsewhere.is_good, elsewhere.verdicts[Phase.QA_VALIDATION].status) == (True, Status.SKIPPED)


def test_a_run_of_code_is_held_to_its_report_before_its_end(workshop: Workshop, home: Path):
    runner = workshop.runner()
    runner.begin()
    runner.to_work()
    runner.do_work()
    report = check_run(runner.place.root, home, before_commit=True)
    assert [each.phase for each in report.failed] == [Phase.QA_VALIDATION]
    assert "skip_qa" not in report.failed[0].remedy


def test_of_a_run_that_ended_incomplete_it_says_what_lets_the_next_commit_pass(workshop: Workshop, home: Path):
    """The hook refuses each commit until another run has a log, and said no more than INCOMPLETE."""
    runner = workshop.runner()
    runner.begin()
    runner.place.log(runner.name, runner.start)
    assert runner("session_end", summary="Given up.").status == "INCOMPLETE"
    group = typer.Typer()
    add_protocol_commands(group, lambda: home)
    done = CliRunner().invoke(group, ["check", "--before-commit", "--workspace", str(runner.place.root)])
    assert done.exit_code == 1
    assert "page Protocol says why. A new run with a log is judged in its place." in done.output


def test_a_receipt_that_cannot_be_read_is_none(workshop: Workshop, home: Path):
    runner = workshop.runner()
    assert runner.whole().status == "COMPLETE"
    receipt_file(home, runner.place.root, runner.name).write_text("{")
    report = check_run(runner.place.root, home, runner.name)
    assert (report.has_receipt, report.outcome) == (False, "COMPLETE")


@pytest.mark.parametrize("before", [None, b"#!/bin/sh\nexit 0", b"#!/usr/bin/env python3\r\nprint('\xff')\n"])
def test_the_hook_is_put_in_and_taken_out_byte_for_byte(workshop: Workshop, before: bytes | None):
    place = workshop.place()
    hook = place.root / ".git/hooks/pre-commit"
    if before is not None:
        hook.write_bytes(before)
        hook.chmod(0o750)
    mode = hook.stat().st_mode if before is not None else None
    assert git_hook.install(place.root) == hook
    with pytest.raises(BigMindError, match="installed already"):
        git_hook.install(place.root)
    git_hook.remove(place.root)
    assert (hook.read_bytes() if hook.exists() else None) == before
    assert (hook.stat().st_mode if hook.exists() else None) == mode
    assert not hook.with_name(git_hook.KEPT).exists()


@pytest.mark.parametrize("named", ["", "tools/hooks"])
def test_a_folder_that_was_made_for_the_hook_goes_with_it(workshop: Workshop, named: str):
    place = workshop.place()
    hooks = place.root / (named or ".git/hooks")
    if named:
        place.git("config", "core.hooksPath", named)
    else:
        rmtree(hooks)
    for _ in range(2):
        assert git_hook.install(place.root) == hooks / "pre-commit"
        with pytest.raises(BigMindError, match="installed already"):
            git_hook.install(place.root)
        git_hook.remove(place.root)
        assert not hooks.exists()
        assert (hooks.parent.exists()) == (not named)


def test_a_folder_of_hooks_stays_where_it_was_there_before_or_holds_something_else(workshop: Workshop):
    place = workshop.place()
    hooks = place.root / ".git/hooks"
    rmtree(hooks)
    hooks.mkdir()
    git_hook.install(place.root)
    git_hook.remove(place.root)
    assert list(hooks.iterdir()) == []
    hooks.rmdir()
    git_hook.install(place.root)
    (hooks / "pre-push").write_text("#!/bin/sh\n")
    git_hook.remove(place.root)
    assert [each.name for each in hooks.iterdir()] == ["pre-push"]


def test_a_hook_that_was_changed_by_hand_is_left(workshop: Workshop):
    place = workshop.place()
    hook = git_hook.install(place.root)
    hook.write_text(hook.read_text() + "echo mine\n")
    with pytest.raises(BigMindError, match="changed by hand"):
        git_hook.remove(place.root)
    assert "echo mine" in hook.read_text()


def test_a_workflow_with_the_line_ends_of_windows_is_still_ours(workshop: Workshop):
    """Git gives it those when it checks it out there."""
    place = workshop.place()
    file = git_hook.install(place.root, workflow=True)
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    with pytest.raises(BigMindError, match="is installed already"):
        git_hook.install(place.root, workflow=True)
    git_hook.remove(place.root, workflow=True)
    assert not file.exists()


@pytest.mark.skipif(os.name != "posix", reason="links are POSIX's")
@pytest.mark.parametrize("workflow", [False, True])
def test_a_link_that_comes_there_meanwhile_is_not_written_through(
    workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workflow: bool
):
    """As one that another user of a shared folder puts there between the look and the writing."""
    place, theirs = workshop.place(), tmp_path / "theirs"
    file = place.root / (git_hook.WORKFLOW if workflow else ".git/hooks/pre-commit")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(theirs)
    monkeypatch.setattr(Path, "is_symlink", lambda _: False)
    with pytest.raises(FileExistsError):
        git_hook.install(place.root, workflow=workflow)
    assert not theirs.exists()


def test_the_workflow_goes_with_the_folders_that_it_needed(workshop: Workshop):
    place = workshop.place()
    git_hook.install(place.root, workflow=True)
    assert (place.root / git_hook.WORKFLOW).is_file()
    git_hook.remove(place.root, workflow=True)
    assert not (place.root / ".github").exists()


def test_the_hook_of_a_repository_runs_what_was_there_first_and_then_the_check(workshop: Workshop, tmp_path: Path):
    """With real git: a commit without a run is refused, one of a run is made."""
    place = workshop.place()
    programs = tmp_path / "bin"
    programs.mkdir()
    told = tmp_path / "told"
    stand_in = programs / "bigmind"
    stand_in.write_text(f'#!/bin/sh\necho "check $*" >> "{told}"\nexit "$(cat "{tmp_path}/code")"\n')
    stand_in.chmod(0o755)
    before = place.root / ".git/hooks/pre-commit"
    before.write_text(f'#!/bin/sh\necho before >> "{told}"\n')
    before.chmod(0o755)
    git_hook.install(place.root)
    import subprocess  # noqa: PLC0415

    for code, is_made in ((1, False), (0, True)):
        (tmp_path / "code").write_text(str(code))
        place.write("a.txt", f"{code}")
        place.git("add", "-A")
        done = subprocess.run(
            ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "x"],
            cwd=place.root,
            env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
            check=False,
        )
        assert (done.returncode == 0) == is_made
    assert told.read_text().splitlines() == ["before", "check protocol check --before-commit"] * 2
