"""What the context says, in which order, and what stays when there is too much."""

from datetime import timedelta

import pytest

from bigmind.core.ids import new_id
from bigmind.core.toolsets import DEFAULT_TOOLS
from bigmind.memory.context.builder import EMPTY, HOW_TO_FILL, KEEPING, OPENING, build_context
from bigmind.text.tokens import count_tokens
from tests.memory.living import Memory
from tests.memory.parts import FACTS, HYPOTHESES, KNOWLEDGE, PINNED, PROFILE, SESSIONS, parts_of
from tests.memory.rows import START, WRITERS, crowd, entry, fact, hypothesis, session

TAIL = "-0000-4000-8000-000000000000"
HEAD = "| Date | Headline | Topics | Outcome |\n|---|---|---|---|"


def lines(memory: Memory, heading: str, **arguments: object) -> list[str]:
    return parts_of(memory("memory_get_context", **arguments).context)[heading].lines


def test_an_empty_memory_says_how_to_fill_it(memory: Memory):
    context = memory("memory_get_context").context
    heading, opening, rest = context.split("\n\n")
    assert heading.startswith("## 🧠 BigMind context — loaded 2026-03-01 ")
    assert opening == OPENING
    assert rest == " ".join((EMPTY, KEEPING, *(sentence for _, sentence in HOW_TO_FILL)))


def test_who_can_keep_nothing_is_told_only_that_nothing_is_there(memory: Memory):
    with memory.mind.store.read(memory.caller, "test") as work:
        assert build_context(work, 5, None, offered=frozenset({"work_next"})).endswith(f"{OPENING}\n\n{EMPTY}")


def test_what_is_left_out_is_named_with_the_call_that_finds_it(memory: Memory):
    memory.insert(*crowd(WRITERS["english"], sessions=30, facts=60, entries=20))
    told = parts_of(memory("memory_get_context", sessions=20).context)
    for heading, kind in ((KNOWLEDGE, "knowledge"), (FACTS, "fact"), (SESSIONS, "session")):
        assert told[heading].tool == f"memory_semantic_search(query, kinds={kind})"
        found = memory("memory_semantic_search", query="engine", kinds=kind)
        assert {each.kind for each in found.hits} == {kind}
    with memory.mind.store.read(memory.caller, "test") as work:
        whole = build_context(work, 20, None, offered=frozenset({*DEFAULT_TOOLS, "memory_list_sessions"}))
    assert parts_of(whole)[SESSIONS].tool == "memory_list_sessions"


def test_pinned_facts_that_are_left_out_are_named_with_the_call_that_reads_them(memory: Memory):
    named = [f"Keeps the card of loop {number} " + "of the mill " * 9 + f"in drawer {number}" for number in range(100)]
    memory("memory_update_profile", pinned_facts=named, preferences="A word " * 500)
    part = parts_of(memory("memory_get_context").context)[PINNED]
    assert part.left_out > 0
    assert part.tool == "memory_semantic_search(query, kinds=profile)"
    [found] = memory("memory_semantic_search", query=f"drawer {len(named) - 1}", kinds="profile").hits
    assert "drawer **99**" in found.excerpt.replace("**drawer**", "drawer")
    memory.insert(*[fact(START, f"Fact {number} of the engine", placement="pinned") for number in range(100)])
    part = parts_of(memory("memory_get_context").context)[PINNED]
    assert part.tool == "memory_semantic_search(query, kinds=[profile, fact])"
    found = memory("memory_semantic_search", query="loop 99 of the engine", kinds=["profile", "fact"]).hits
    assert {each.kind for each in found} == {"profile", "fact"}
    memory("memory_update_profile", pinned_facts=[])
    part = parts_of(memory("memory_get_context").context)[PINNED]
    assert part.left_out > 0
    assert part.tool == "memory_semantic_search(query, kinds=fact)"


def test_a_new_session_is_not_told_of_itself(memory: Memory):
    assert EMPTY in memory("memory_start_session").context


@pytest.mark.parametrize("kept", [KNOWLEDGE, PROFILE, PINNED, FACTS, HYPOTHESES, SESSIONS])
def test_an_empty_section_is_left_out(memory: Memory, kept: str):
    match kept:
        case "### 🌐 Company knowledge (Tier G)":
            memory.insert(entry(START, "Brass it is"))
        case "### 👤 Who you are":
            memory("memory_update_profile", role="Analyst")
        case "### 📌 Pinned facts":
            memory("memory_update_profile", pinned_facts=["Signs as A.A.L."])
        case "### 🗂️ Stored facts":
            memory.insert(fact(START, "Fifty digits"))
        case "### 💭 Open hypotheses":
            memory.insert(hypothesis(START, "It may compose music"))
        case _:
            memory.insert(session(START))
    assert list(parts_of(memory("memory_get_context").context)) == [kept]


def test_only_what_is_known_of_the_profile_is_said(memory: Memory):
    memory("memory_update_profile", preferences="Small\ncommits")
    assert lines(memory, PROFILE) == ["**Preferences:** Small commits"]


@pytest.mark.parametrize(
    "preferences",
    [
        "- Short answers, no preamble\n- Tests first\n- never poetry",
        "1. Short answers, no preamble\r\n\n2. Tests first;\n* never poetry\n",
    ],
)
def test_the_items_of_a_list_of_preferences_stand_apart_in_its_line(memory: Memory, preferences: str):
    memory("memory_update_profile", preferences=preferences)
    assert lines(memory, PROFILE) == ["**Preferences:** Short answers, no preamble; Tests first; never poetry"]


def test_facts_of_other_projects_cost_the_projects_own_no_word(memory: Memory):
    own = [f"Fact {n} of the loom, {'which holds for the mill and its cards too, ' * 5}as was said" for n in range(4)]
    memory.insert(
        *[fact(START, text, category="codebase", project="loom") for text in own],
        *[fact(START, f"The engine has wheel {n}", category="decision", project="engine") for n in range(50)],
    )
    told = lines(memory, FACTS, project="loom")
    assert all(any(text in line for line in told) for text in own)
    assert len(told) > len(own)


def test_open_sessions_and_sessions_with_detail_are_marked(memory: Memory):
    memory.insert(
        session(START, uid="aaaaaaaa-0000-4000-8000-000000000001", one_liner="Plain", outcome="done"),
        session(
            START + timedelta(days=1), uid="bbbbbbbb-0000-4000-8000-000000000002", one_liner="Deep", has_detail=True
        ),
        session(START + timedelta(days=2), uid="cccccccc-0000-4000-8000-000000000003", ended_at=None, client="other"),
        session(START + timedelta(days=3), uid="dddddddd-0000-4000-8000-000000000004"),
    )
    assert lines(memory, SESSIONS) == [
        "| 2026-01-03 | 🟡 in progress `cccccccc` (by other) |  |  |",
        "| 2026-01-04 | closed without a headline |  |  |",
        "| 2026-01-02 | 📄 Deep `bbbbbbbb` |  |  |",
        "| 2026-01-01 | Plain |  | done |",
    ]


def test_what_would_break_a_table_or_a_list_is_defused(memory: Memory):
    memory.insert(
        session(START, one_liner="a|b\n| c", outcome="x\r\n## y | z", project="p|q"),
        fact(START, "one\n- two", uid=f"aaaaaaaa{TAIL}"),
    )
    row = lines(memory, SESSIONS)[0]
    assert row.replace("\\|", "").count("|") == 5
    assert "a\\|b \\| c" in row
    assert lines(memory, FACTS) == ["- **[preference]** one - two `aaaaaaaa`"]


def test_the_newest_closed_sessions_are_shown_as_many_as_asked(memory: Memory):
    memory.insert(*[session(START + timedelta(hours=n), one_liner=f"talk {n}") for n in range(12)])
    shown = lines(memory, SESSIONS)
    assert [row.split(" | ")[1] for row in shown] == [f"talk {n}" for n in range(11, 6, -1)]
    assert len(lines(memory, SESSIONS, sessions=3)) == 3
    assert SESSIONS not in parts_of(memory("memory_get_context", sessions=0).context)


def test_when_sessions_must_go_importance_then_recency_decide(memory: Memory):
    long = "why the cards must be sorted before the loop begins, and who said so in which of the letters of that summer"
    memory.insert(
        *[
            session(START + timedelta(hours=n), one_liner=f"{n} {long}", outcome=long, importance=n % 2 * 4 + 5)
            for n in range(50)
        ]
    )
    part = parts_of(memory("memory_get_context", sessions=50).context)[SESSIONS]
    numbers = [int(row.split("| ")[2].split(" ")[0]) for row in part.lines]
    assert 3 < len(numbers) < 25
    # All of importance 9, the newest of them, told in the order of time.
    assert numbers == list(range(49, 49 - 2 * len(numbers), -2))
    assert part.left_out == 50 - len(numbers)
    assert part.tool == "memory_semantic_search(query, kinds=session)"


def test_open_sessions_stay_before_important_closed_ones(memory: Memory):
    long = "a word " * 15
    memory.insert(
        *[session(START + timedelta(hours=n), one_liner=long, outcome=long, importance=10) for n in range(50)],
        session(START - timedelta(days=9), ended_at=None, importance=1),
    )
    assert lines(memory, SESSIONS, sessions=50)[0].startswith("| 2025-12-23 | 🟡 in progress")


def test_when_facts_must_go_confidence_then_recency_decide(memory: Memory):
    memory.insert(
        *[
            fact(START + timedelta(hours=n), f"fact {n} of the engine and its mill", confidence=0.5 + n % 2 / 2)
            for n in range(200)
        ]
    )
    part = parts_of(memory("memory_get_context").context)[FACTS]
    numbers = [int(line.split("fact ")[1].split(" ")[0]) for line in part.lines]
    assert len(numbers) > 5
    assert numbers == list(range(199, 199 - 2 * len(numbers), -2))
    assert part.left_out == 200 - len(numbers)
    assert part.tool == "memory_semantic_search(query, kinds=fact)"


def test_three_hypotheses_are_shown_and_the_rest_counted(memory: Memory):
    memory.insert(
        *[hypothesis(START + timedelta(hours=n), f"belief {n}", uid=f"{n}bbbbbbb{new_id()[8:]}") for n in range(7)]
    )
    memory.insert(hypothesis(START + timedelta(days=9), "shown already", status="confirmed"))
    part = parts_of(memory("memory_get_context").context)[HYPOTHESES]
    assert part.lines == [f"- (0.7) belief {n} `{n}bbbbbbb`" for n in (6, 5, 4)]
    assert (part.left_out, part.tool) == (4, "memory_semantic_search(query, kinds=hypothesis)")


def test_a_long_list_of_pinned_facts_does_not_hide_that_there_are_stored_ones(memory: Memory):
    memory("memory_update_profile", pinned_facts=[f"pinned fact {n} " + "about the mill " * 9 for n in range(100)])
    memory.insert(fact(START, "Fifty digits"))
    parts = parts_of(memory("memory_get_context").context)
    assert len(parts[PINNED].lines) + parts[PINNED].left_out == 100
    assert len(parts[FACTS].lines) + parts[FACTS].left_out == 1


def test_the_current_project_comes_first_and_nothing_is_hidden(memory: Memory):
    memory.insert(
        fact(START, "of the loom", category="codebase", project="loom", confidence=0.2, uid=f"aaaaaaaa{TAIL}"),
        fact(START, "of the engine", category="codebase", project="engine", confidence=0.9, uid=f"bbbbbbbb{TAIL}"),
        fact(START, "of none", category="codebase", uid=f"cccccccc{TAIL}"),
        fact(START, "of the person", project="engine", confidence=0.1, client="other", uid=f"dddddddd{TAIL}"),
        session(START, project="loom", one_liner="loom talk"),
        *[session(START + timedelta(hours=n + 1), project="engine", one_liner=f"engine {n}") for n in range(5)],
    )
    assert lines(memory, FACTS, project="loom") == [
        "- **[codebase]** of none `cccccccc`",
        "- **[preference]** of the person `dddddddd` (engine, by other)",
        "- **[codebase]** of the loom `aaaaaaaa`",
        "- **[codebase]** of the engine `bbbbbbbb` (engine)",
    ]
    shown = "\n".join(lines(memory, SESSIONS, project="loom"))
    assert "loom talk" in shown
    assert [f"engine {n}" in shown for n in range(5)] == [False, True, True, True, True]
    assert "loom talk" not in "\n".join(lines(memory, SESSIONS))


@pytest.mark.timeout(20)  # a thousandth of a second; with two repetitions of line ends, longer than anybody lives
def test_preferences_of_line_ends_are_read_in_no_time(memory: Memory):
    memory("memory_update_profile", preferences=f"Use tabs.{chr(10) * 3_000}Be brief.")
    assert "Use tabs." in memory("memory_get_context").context


def test_a_deprecated_fact_and_another_users_memory_stay_out(memory: Memory):
    stored = memory("memory_store_fact", category="codebase", fact="Uses brass")
    memory("memory_deprecate_fact", fact_id=stored.fact.fact_id, reason="steel now")
    memory("memory_end_session", one_liner="Mine", topics=[], outcome="")
    other = memory.of("charles")
    assert "Mine" not in other("memory_get_context").context
    assert FACTS not in parts_of(memory("memory_get_context").context)


def test_the_tokens_of_the_answer_are_counted(memory: Memory):
    answer = memory("memory_get_context")
    assert answer.tokens == count_tokens(answer.context) > 20
