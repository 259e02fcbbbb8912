"""Every row of the protocol's table, with real files and a real git: what passes, what does not, and what it says."""

import os

import pytest

from bigmind.protocol.document.protocol_record import Phase
from tests.mcp.manifest import shows
from tests.protocol.places import HANDOFF, SKILLS
from tests.protocol.workshop import Runner, Workshop
from tests.workspace.yards import posix

OF_SERVER = [each for each in Phase if each is not Phase.MEMORY_INIT]


@pytest.fixture
def runner(workshop: Workshop) -> Runner:
    begun = workshop.runner()
    begun.begin()
    return begun


def status(runner: Runner, phase: str) -> tuple[str, str]:
    answer = runner("validate_gate", phase=phase)
    return answer.status, answer.message


def test_memory_passes_by_the_session_that_the_run_opened(runner: Runner):
    assert status(runner, "MEMORY_INIT")[0] == "PASS"
    assert status(runner, "SERENA_INIT")[0] == "PASS"


def test_skills_need_their_folder(runner: Runner):
    assert status(runner, "SKILL_VALIDATION")[0] == "PASS"
    (runner.place.root / SKILLS / "style.md").unlink()
    (runner.place.root / SKILLS).rmdir()
    found, message = status(runner, "SKILL_VALIDATION")
    assert found == "FAIL"
    assert SKILLS in message


@shows("validate_gate.looks", "record_evidence.compares")
def test_the_handoff_has_to_be_read(runner: Runner):
    found, message = status(runner, "CONTEXT_RETRIEVAL")
    assert found == "FAIL"
    assert "was not read in this run" in message
    assert runner.read_handoff().gate_status == "PASS"
    assert status(runner, "CONTEXT_RETRIEVAL") == ("PASS", f"{HANDOFF} was read (hash)")


def test_a_served_handoff_says_so(runner: Runner):
    assert "Refunds are rounded by hand." in runner("protocol_read_text", name="handoff").text
    assert status(runner, "CONTEXT_RETRIEVAL") == ("PASS", f"{HANDOFF} was read (served)")


def test_the_hash_of_another_text_is_none(runner: Runner):
    answer = runner("record_evidence", phase="CONTEXT_RETRIEVAL", evidence_type="content_hash", evidence="0" * 64)
    assert (answer.auto_validated, answer.gate_status) == (False, "FAIL")


def test_a_log_has_the_headings_and_the_start(runner: Runner):
    path = f"docs/sessions/{runner.name}.md"
    assert status(runner, "SESSION_LOG") == ("FAIL", f"There is no {path}.")
    runner.place.write(path, f"Run: {runner.name}\nStarting commit: {runner.start[:9]}\n")
    assert "lacks headings" in status(runner, "SESSION_LOG")[1]
    runner.place.log(runner.name, "1234567")
    assert "at which commit the session began" in status(runner, "SESSION_LOG")[1]
    runner.place.log(runner.name, runner.start)
    assert status(runner, "SESSION_LOG")[0] == "PASS"


def test_the_log_of_another_run_is_none(runner: Runner):
    runner.place.log("2025-01-01-session-01", runner.start)
    assert status(runner, "SESSION_LOG")[0] == "FAIL"


def test_docs_count_once_they_say_something_else(runner: Runner):
    runner.place.log(runner.name, runner.start)
    before = (runner.place.root / HANDOFF).read_text()
    runner.place.write(HANDOFF, before.replace("\n", " \n\n"))
    assert "says what it said when the run began" in status(runner, "DOCS_UPDATE")[1]
    runner.place.write(HANDOFF, f"{before}\nYen next.\n")
    assert status(runner, "DOCS_UPDATE")[0] == "PASS"


def test_a_log_without_words_under_a_heading_is_not_complete(runner: Runner):
    runner.place.write(HANDOFF, "# Handoff\n\nOther.\n")
    runner.place.log(runner.name, runner.start, "")
    found, message = status(runner, "DOCS_UPDATE")
    assert found == "FAIL"
    assert "says nothing of its own under" in message


def test_no_declared_checks_pass(runner: Runner):
    assert status(runner, "QUALITY_CHECKS") == ("PASS", "the protocol declares no checks")


def test_a_report_names_run_and_tree(runner: Runner):
    runner.do_work()
    path = f"docs/qa/{runner.name}.md"
    assert "No report" in status(runner, "QA_VALIDATION")[1]
    runner.place.write(path, f"# QA of {runner.name}\n\ntree: {'0' * 32}\n")
    assert "about other files" in status(runner, "QA_VALIDATION")[1]
    runner.report()
    assert status(runner, "QA_VALIDATION")[0] == "PASS"
    runner.place.write("src/refunds.py", "changed afterwards\n")
    assert status(runner, "QA_VALIDATION")[0] == "FAIL"


def test_a_report_of_another_run_is_none(runner: Runner):
    runner.report()
    file = runner.place.root / f"docs/qa/{runner.name}.md"
    file.rename(file.with_name("old.md"))
    file.with_name("old.md").write_text(f"2020-01-01-session-01 {file.with_name('old.md').read_text()}")
    assert "No report" in status(runner, "QA_VALIDATION")[1]


def test_a_commit_changes_something_and_leaves_nothing(runner: Runner):
    assert status(runner, "GIT_COMMIT") == ("FAIL", "No commit since the run began changes anything.")
    runner.place.git("commit", "-q", "--allow-empty", "-m", "nothing")
    assert status(runner, "GIT_COMMIT")[0] == "FAIL"
    runner.do_work()
    runner.place.commit()
    assert status(runner, "GIT_COMMIT")[0] == "PASS"
    runner.place.write("left.txt", "left")
    assert status(runner, "GIT_COMMIT") == ("FAIL", "Not committed: left.txt.")


def test_what_is_hidden_since_the_run_began_is_not_clean(runner: Runner):
    runner.do_work()
    runner.place.commit()
    runner.place.write("secret/left.txt", "left")
    with (runner.place.root / ".git/info/exclude").open("a") as file:
        file.write("secret\n")
    found, message = status(runner, "GIT_COMMIT")
    assert found == "FAIL"
    assert "Hidden from git's status since the run began: secret/" in message


def test_flags_of_the_index_hide_nothing(runner: Runner):
    runner.do_work()
    runner.place.commit()
    runner.place.git("update-index", "--assume-unchanged", "src/refunds.py")
    runner.place.write("src/refunds.py", "changed\n")
    assert status(runner, "GIT_COMMIT") == ("FAIL", "Not committed: src/refunds.py.")


def test_a_rewritten_history_does_not_count(runner: Runner):
    runner.do_work()
    runner.place.git("add", "-A")
    runner.place.git("commit", "-q", "--amend", "-m", "Another beginning")
    for phase in ("GIT_STATE", "GIT_COMMIT"):
        found, message = status(runner, phase)
        assert found == "FAIL"
        assert "does not lead to where git stands now" in message


def test_another_repository_in_its_place_does_not_count(runner: Runner):
    (runner.place.root / ".git").rename(runner.place.root.parent / "old-git")
    runner.place.git("init", "-q")
    runner.place.commit("Begin anew")
    assert "not the repository that the workspace had" in status(runner, "GIT_STATE")[1]


def test_a_detached_head_counts(workshop: Workshop):
    place = workshop.place()
    place.git("checkout", "-q", "--detach")
    runner = workshop.runner(place)
    assert runner.begin().branch == ""
    assert runner.to_work().success
    runner.do_work()
    runner.report()
    place.commit()
    assert runner("session_end", summary="Done on a detached head.").status == "COMPLETE"


def test_without_git_the_gates_of_git_fail_and_say_why(workshop: Workshop):
    runner = workshop.runner(workshop.place(with_git=False))
    runner.begin()
    runner.read_handoff()
    runner.place.log(runner.name, "")
    assert status(runner, "SESSION_LOG")[0] == "PASS"
    for phase in ("GIT_STATE", "QA_VALIDATION", "GIT_COMMIT"):
        found, message = status(runner, phase)
        assert found == "FAIL"
        assert "no git repository" in message


@pytest.mark.parametrize(
    "place", [pytest.param("link", marks=posix), pytest.param("pipe", marks=posix), "folder", "huge"]
)
def test_a_log_that_is_no_ordinary_file_is_none(runner: Runner, place: str):
    file = runner.place.root / f"docs/sessions/{runner.name}.md"
    file.parent.mkdir(parents=True)
    outside = runner.place.root.parent / "outside.md"
    outside.write_text("# outside\n")
    match place:
        case "link":
            file.symlink_to(outside)
        case "pipe":
            os.mkfifo(file)
        case "folder":
            file.mkdir()
        case _:
            file.touch()
            os.truncate(file, 1 << 40 if os.name == "posix" else 1 << 28)  # NTFS keeps room for all of it
    assert status(runner, "SESSION_LOG")[0] == "FAIL"


@pytest.mark.parametrize("phase", OF_SERVER)
@pytest.mark.parametrize("kind", ["manual", "tool_output"])
@shows("record_evidence.states")
def test_a_statement_lets_no_gate_pass_that_bigmind_can_look_at(workshop: Workshop, phase: str, kind: str):
    """The whole table: each gate fails, and still does after it was stated that it is met."""
    runner = workshop.runner(workshop.place(with_git=False))
    runner.begin()
    for path in (HANDOFF, f"{SKILLS}/style.md"):
        (runner.place.root / path).unlink()
    (runner.place.root / SKILLS).rmdir()
    before = status(runner, phase)
    answer = runner("record_evidence", phase=phase, evidence_type=kind, evidence="I did it, and it passed.")
    assert (answer.evidence_recorded, answer.auto_validated) == (True, False)
    assert status(runner, phase) == before
    assert before[0] == ("PASS" if phase == "QUALITY_CHECKS" else "FAIL")
