"""The brain's answers say for which work of the caller's they count, or why for none."""

from dataclasses import replace

import pytest

from tests.work.office import NOTHING, TITLE, Office, Worker


@pytest.fixture
def cursor(office: Office) -> Worker:
    return office.agent("cursor")


def told(worker: Worker, operation: str, prompt: str, **more: object) -> tuple[list[str] | None, str]:
    answer = worker(operation, prompt=prompt, **more)
    counted = answer.result.work
    return (None if counted is None else counted.counts_for), answer.in_words()


def test_a_question_says_for_which_open_items_it_counts(office: Office, cursor: Worker):
    slug, other = office.task(), office.task("Translate the invoices into Danish")
    counts, text = told(cursor, "query_brain", f"{TITLE}: what is known?")
    assert counts == [slug]
    assert f"It counts for {slug}. Claim it with work_transition." in text
    counts, text = told(cursor, "query_brain", NOTHING)
    assert counts == []
    assert "counts for none of the work that you hold or could take" in text
    assert other not in text
    cursor.claim(slug)
    assert told(cursor, "query_brain", f"{TITLE}: what is known?")[0] == []


def test_without_a_connection_it_says_to_name_the_session(office: Office):
    slug = office.task()
    script = office.agent("script", connection=None)
    answer = script("query_brain", prompt=TITLE)
    assert "and name this brain session in memory_query_session." in answer.in_words()
    script.moves(slug, "active", fields={"memory_query_session": answer.trace.session_id})


def test_a_contribution_says_for_which_held_items_it_counts(office: Office, cursor: Worker):
    slug = office.task()
    assert (
        told(cursor, "contribute_to_brain", f"{TITLE}: Norway rounds to ten øre since 2012, as its law says.")[0]
        is None
    )
    cursor.claim(slug)
    counts, text = told(cursor, "contribute_to_brain", f"{TITLE}: Sweden rounds to a whole krona in cash since 2010.")
    assert counts == [slug]
    assert f"It counts for {slug}. Hand it over with work_transition." in text
    assert told(cursor, "contribute_to_brain", NOTHING)[0] == []
    cursor.moves(slug, "review")


def test_a_flagged_one_says_why_it_counts_for_none(office: Office, cursor: Worker):
    slug = office.task()
    cursor.claim(slug)
    said = f"{TITLE}: Denmark rounds to half a krone in cash since 2008, as its bank decided."
    cursor.learn(said)
    counts, text = told(cursor, "contribute_to_brain", said)
    assert counts == []
    assert "It counts for none of the work that you hold: it is flagged near_duplicate." in text


@pytest.mark.parametrize("offer", [frozenset({"query_brain"}), frozenset({"query_brain", "work_next"})])
def test_who_is_not_offered_to_move_work_is_told_nothing(office: Office, cursor: Worker, offer: frozenset[str]):
    office.task()
    memory = replace(cursor.memory, caller=replace(cursor.memory.caller, offer=offer))
    assert told(Worker(memory), "query_brain", TITLE)[0] is None


def test_a_question_about_what_another_holds_says_who(office: Office, cursor: Worker):
    slug, codex = office.task(), office.agent("codex")
    office.task("Translate the invoices into Danish")
    cursor.claim(slug)
    counts, text = told(codex, "query_brain", f"{TITLE}: what is known?")
    assert counts == []
    assert f"It counts for none of the work that you hold or could take: cursor holds {slug}." in text
    assert "By its words" not in text
    office.forward(hours=3)
    counts, text = told(codex, "query_brain", f"{TITLE}: what is known?")
    assert counts == [slug]
    codex.moves(slug, "active")


def test_a_holders_question_and_a_contribution_after_the_handover_are_told_why(office: Office, cursor: Worker):
    slug = office.task()
    cursor.claim(slug)
    counts, text = told(cursor, "query_brain", f"{TITLE}: what is known?")
    assert counts == []
    assert f"none of the work that you hold or could take: you hold {slug} already" in text
    cursor.learn()
    cursor.moves(slug, "review")
    late = f"{TITLE}: Finland rounds to five cents in cash since 2002, as its law says."
    counts, text = told(cursor, "contribute_to_brain", late)
    assert counts == []
    assert f"{slug} is handed over already, and a contribution counts while you hold it." in text
    counts, text = told(cursor, "query_brain", f"{TITLE}: what is known?")
    assert counts == []
    assert f"{slug} needs no question in review." in text
    assert told(office.agent("codex"), "contribute_to_brain", late)[0] is None
