"""What an assistant takes out of the pinned facts is named, and its words stay."""

from sqlmodel import select

from bigmind.memory.facts.unpinning import REASON, REPLACED
from bigmind.memory.tables import Fact
from tests.memory.living import Memory

PINS = ["Keeps a falcon", "Lives in Berlin"]


def pin(memory: Memory, *facts: str) -> list[tuple[str, str]]:
    """Pin these and no others; what the answer says is no longer pinned, and which facts keep it."""
    answer = memory("memory_update_profile", pinned_facts=list(facts))
    return [(each.fact, each.fact_id) for each in answer.unpinned]


def test_what_a_new_list_leaves_out_is_named_and_kept_with_its_history(memory: Memory):
    assert pin(memory, *PINS) == []
    [(falcon, uid)] = pin(memory.over("b", "cursor"), "Lives in Berlin", "Plays chess")
    assert falcon == "Keeps a falcon"
    history = memory("memory_get_fact_history", fact_id=uid).as_text()
    assert falcon in history
    assert "cursor" in history
    assert REASON in history
    answer = memory("memory_update_profile", pinned_facts=[])
    assert [each.fact for each in answer.unpinned] == ["Lives in Berlin", "Plays chess"]
    assert "**No longer pinned**, the words kept as facts:\n- Lives in Berlin (fact " in answer.as_text()
    assert "memory_update_profile" in answer.hints(None)[0]


def test_it_is_told_and_found_no_more_until_it_is_pinned_again(memory: Memory):
    pin(memory, *PINS)
    pin(memory)
    assert memory("memory_list_facts").total == 0
    assert "falcon" not in memory("memory_get_context").context
    assert "falcon" not in memory("memory_semantic_search", query="falcon").as_text().partition("\n\n")[2]
    assert pin(memory, *PINS) == []
    assert "falcon" in memory("memory_get_context").context


def test_the_same_words_are_kept_once(memory: Memory):
    stored = memory("memory_store_fact", category="identity", fact=PINS[0]).fact.fact_id
    pin(memory, *PINS)
    first = pin(memory)
    assert first[0] == (PINS[0], stored)
    assert memory("memory_list_facts").total == 1, "the fact holds as before"
    pin(memory, *PINS)
    assert pin(memory) == first
    assert pin(memory) == []


def test_nothing_is_said_where_nothing_was_unpinned_and_nobody_elses_fact_keeps_it(memory: Memory):
    pin(memory, *PINS)
    answer = memory("memory_update_profile", role="Engineer")
    assert (answer.unpinned, answer.hints(None)) == ([], [])
    charles = memory.of("charles")
    charles("memory_store_fact", category="identity", fact=PINS[0])
    [(_, uid), _] = pin(memory)
    charles.refuses("memory_get_fact_history", fact_id=uid)


def test_what_a_person_takes_out_by_hand_leaves_nothing(memory: Memory):
    pin(memory, *PINS)
    answer = memory.as_person()("memory_edit_profile", pinned_facts=PINS[:1])
    assert (answer.pinned_facts, answer.unpinned) == (PINS[:1], [])
    with memory.mind.store.read(memory.caller, "test") as work:
        assert work.session.exec(select(Fact)).all() == []


def test_preferences_that_a_new_text_leaves_out_are_named_and_kept(memory: Memory):
    memory("memory_update_profile", preferences="Answers in German.\n- No emojis")
    answer = memory("memory_update_profile", preferences="No emojis. Tabs.\nAnswers in German.")
    assert (answer.replaced, answer.hints(None)) == (None, [])
    answer = memory("memory_update_profile", preferences="Prefers spaces.")
    assert answer.replaced.fact == "No emojis. Tabs.\nAnswers in German."
    uid = answer.replaced.fact_id
    told = (
        "**No longer among the preferences**, the words kept as a fact:\n- No emojis. Tabs. Answers in German. (fact "
    )
    assert told in answer.as_text()
    assert "in preferences" in answer.hints(None)[0]
    assert REPLACED in memory("memory_get_fact_history", fact_id=uid).as_text()
    assert memory("memory_list_facts").total == 0
    assert memory("memory_update_profile", preferences="Prefers spaces.").replaced is None


def test_who_edits_the_preferences_by_hand_leaves_out_what_they_like(memory: Memory):
    memory("memory_update_profile", preferences="No emojis")
    answer = memory.as_person()("memory_edit_profile", preferences="")
    assert answer.replaced is None


def test_facts_that_still_say_what_the_profile_no_longer_says_are_named(memory: Memory):
    memory("memory_update_profile", preferences="- Answers in German\n- Short", pinned_facts=PINS)
    facts = {
        text: memory("memory_store_fact", category="preference", fact=text).fact.fact_id
        for text in ("Wants answers in German", "Keeps a falcon", "Short meetings", "The falcon is fed at noon")
    }
    memory.of("charles")("memory_store_fact", category="preference", fact="Wants answers in German")
    answer = memory("memory_update_profile", preferences="- Answers in English\n- Short", pinned_facts=PINS[1:])
    said = {each.fact: each.fact_id for each in answer.still_said}
    assert said == {text: facts[text] for text in ("Wants answers in German", "Keeps a falcon")}
    told = answer.in_words()
    assert f"- Wants answers in German (fact {said['Wants answers in German'][:8]})" in told
    assert told.endswith("call memory_deprecate_fact for each of them.")
    assert memory("memory_update_profile", role="Engineer").still_said == []


def test_facts_that_the_new_profile_says_too_are_not_named(memory: Memory):
    """Models were told to deprecate them."""
    memory("memory_update_profile", preferences="Prefers short answers.")
    memory("memory_store_fact", category="preference", fact="Prefers short answers")
    assert memory("memory_update_profile", preferences="- Prefers short, direct answers").still_said == []
    assert memory("memory_update_profile", preferences="- prefers short answers").still_said == []
    assert memory("memory_update_profile", preferences="Prefers long answers").still_said != []
