"""What the tools say of a run: what a gate asks for beside why it fails, and nothing that contradicts itself."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from bigmind.protocol.imported_runs import STILL_OPEN
from bigmind.protocol.in_person.workspace_answers import RunLine
from tests.protocol.places import SKILLS, Place
from tests.protocol.test_running import PROTOCOL, take
from tests.protocol.workshop import Workshop
from tests.work.office import office_in


def test_a_violation_names_the_requirement_and_why_it_was_not_met(workshop: Workshop):
    runner = workshop.runner(workshop.place(with_git=False))
    (runner.place.root / SKILLS / "style.md").unlink()
    (runner.place.root / SKILLS).rmdir()
    runner.begin()
    answer = runner("advance_phase", target_phase="WORKING", force=True)
    found = {each.phase: each.requirement for each in answer.violations}
    asked = "The skills folder must be there, and its mandatory notes be read."
    assert found["SKILL_VALIDATION"] == f"{asked} There is no folder {SKILLS}."
    assert found["GIT_STATE"].startswith("Branch and starting commit should be recorded. There is no git repository")


def test_one_commit_is_one_and_a_run_without_any_reports_none(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    assert runner("session_end", summary="Nothing yet.").commit_sha is None
    runner.begin()
    runner.do_work()
    commit = runner.place.commit()
    assert "1 commit since" in runner("validate_gate", phase="GIT_COMMIT").message
    assert runner("session_end", summary="One commit.").commit_sha == commit


def test_a_line_of_the_list_counts_one_violation_as_one():
    at = datetime(2026, 3, 1, tzinfo=UTC)
    given = {"id": "x", "session_id": "2026-03-01-session-01", "objective": "Look", "project": None, "agent": "cursor"}
    line = RunLine(**given, phase="INIT", outcome="INCOMPLETE", started_at=at, ended_at=at, violations=1)
    assert " · INCOMPLETE · 1 violation · " in line.as_text()
    assert " · 12 violations · " in line.model_copy(update={"violations": 12}).as_text()


def test_what_git_does_not_know_is_told_apart_from_the_gate(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    said = runner("record_evidence", phase="GIT_STATE", evidence_type="commit_sha", evidence="ffff").in_words()
    assert "as stated. Git knows no such commit here: at least 7 digits of its id. The gate: PASS, by what " in said
    said = runner("record_evidence", phase="SESSION_LOG", evidence_type="manual", evidence="I wrote it.").in_words()
    assert said.endswith(f"The gate: PENDING. There is no docs/sessions/{runner.name}.md.")


def test_a_run_that_is_asked_for_in_a_folder_says_which_workspace_it_runs_in(workshop: Workshop):
    runner = workshop.runner()
    root = runner.place.root
    begun = runner("session_start", objective="Round refunds", workspace=str(root / "src"))
    assert begun.workspace == str(root)
    assert f"It runs in {root}: that is what a person opened." in begun.in_words()
    assert runner("session_start", objective="Round refunds", workspace=str(root)).workspace == ""


def test_the_headings_of_the_log_are_named_at_the_start(workshop: Workshop):
    runner = workshop.runner()
    said = runner.begin().in_words()
    headings = "Objective, What was done, Decisions, What was learned, Next session"
    assert f"from the template: its headings ({headings}), and a line" in said


def test_an_assistant_that_is_not_offered_protocol_runs_is_told_so(workshop: Workshop):
    runner = workshop.runner()
    memory = runner.worker.memory
    for offer, is_offered in ((frozenset({"memory_store_fact"}), False), (frozenset({"session_start"}), True)):
        other = replace(memory, caller=replace(memory.caller, offer=offer))
        said = str(other.refuses("get_blocked_reason"))
        assert ("session_start" in said) is is_offered
        assert ("is not offered protocol runs" in said) is not is_offered


def test_a_run_that_was_open_when_it_was_exported_says_so_on_another_machine(workshop: Workshop, tmp_path: Path):
    """It came as INCOMPLETE without a word, as if it had failed."""
    workshop.runner().begin()
    done = workshop.runner()
    done.begin()
    done("session_end", summary="Looked around.")
    written = tmp_path / "moved.json"
    workshop.office.person("memory_export", output_path=str(written))
    (tmp_path / "other").mkdir()
    with office_in(tmp_path / "other") as other:
        other.person("memory_import", path=str(written))
        told = [row for (row,) in other.rows("SELECT summary FROM protocol_run ORDER BY id")]
    assert sorted(told) == [STILL_OPEN, "Looked around."]


def test_worktrees_of_one_repository_and_pulled_logs_give_no_number_twice(workshop: Workshop):
    """Each counted from 01: where the branches met, logs and reports of two runs had one name."""
    main = workshop.runner()
    assert main.begin().session_id.endswith("-session-01")
    beside = Place(workshop.base / "beside")
    main.place.git("worktree", "add", "-q", str(beside.root), "-b", "feature")
    workshop.office.person("protocol_open_workspace", path=str(beside.root))
    feature = workshop.runner(beside, "codex")
    day = feature.begin().session_id.removesuffix("-session-02")
    assert feature.name == f"{day}-session-02"
    elsewhere = workshop.runner()
    assert elsewhere.begin().session_id == f"{day}-session-01", "another repository counts for itself"
    main.place.log(f"{day}-session-07", main.start)
    main.place.log("2020-01-01-session-44", main.start)
    assert workshop.runner(main.place, "cursor").begin().session_id == f"{day}-session-08", (
        "as another machine wrote it"
    )


def test_a_mandatory_note_is_found_without_its_ending(workshop: Workshop):
    """`usage` in the protocol and usage.md in its folder: “Mandatory notes are not in .bigmind/skills: usage.”"""
    place = workshop.place()
    place.write(PROTOCOL, "format: bigmind-protocol\nmandatory: [style]\n")
    place.commit("Protocol")
    take(workshop, place)
    runner = workshop.runner(place)
    runner.begin()
    runner.read_handoff()
    assert "not read in this run: style" in runner("validate_gate", phase="SKILL_VALIDATION").message
    assert "Write short functions." in runner("protocol_read_text", name="style").text
    assert runner("validate_gate", phase="SKILL_VALIDATION").evidence.startswith(
        f"{SKILLS} has 1 note, 1 mandatory read"
    )
