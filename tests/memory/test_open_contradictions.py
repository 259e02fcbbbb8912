"""A contradiction that nobody answered stays visible: at the start of conversations, and in the health check."""

from sqlmodel import col, select

from bigmind.memory.facts.contradictions import contradictions_among
from bigmind.memory.tables import Fact
from tests.memory.living import Memory
from tests.memory.parts import FACTS, parts_of

OLDER, NEWER = "Deploys go out on Monday and Thursday", "Deploys go out on Tuesday and Thursday"


def stored(memory: Memory, text: str, project: str = "shop") -> str:
    memory.clock.forward(minutes=1)
    return memory("memory_store_fact", category="constraint", fact=text, project=project).fact.fact_id[:8]


def told(memory: Memory) -> list[str]:
    return parts_of(memory("memory_get_context", project="shop").context)[FACTS].lines


def test_the_later_of_two_is_marked_until_somebody_says_that_both_hold(memory: Memory):
    older, newer = stored(memory, OLDER), stored(memory, NEWER)
    assert told(memory) == [
        f"- **[constraint]** {NEWER} `{newer}` (may contradict the older `{older}`)",
        f"- **[constraint]** {OLDER} `{older}`",
    ]
    stored(memory, NEWER)
    assert "(may contradict" in "\n".join(told(memory)), "that the newer one holds was never in doubt"
    assert stored(memory, OLDER) == older
    assert "(may contradict" not in "\n".join(told(memory))
    assert "facts_contradict" not in {each.code for each in memory("memory_health_check").findings}


def test_of_two_older_ones_that_which_it_denies_is_named(memory: Memory):
    denied = stored(memory, "Refunds round half up, per line.")
    stored(memory, "Refunds are rounded half even, per line, since April.")
    newest = stored(memory, "Refunds no longer round half up per line.")
    [marked] = [line for line in told(memory) if f" `{newest}`" in line]
    assert marked.endswith(f"(may contradict the older `{denied}`)")


def test_nothing_is_marked_once_one_of_them_is_deprecated(memory: Memory):
    older, newer = stored(memory, OLDER), stored(memory, NEWER)
    [finding] = [each for each in memory("memory_health_check").findings if each.code == "facts_contradict"]
    assert [each[:8] for each in finding.examples] == [newer, older]
    assert f" ({newer} and {older}) → " in finding.as_text()
    assert f" ({newer} and {older}, …) → " in finding.model_copy(update={"count": 2}).as_text()
    memory("memory_deprecate_fact", fact_id=older, reason="moved", replaced_by=newer)
    assert told(memory) == [f"- **[constraint]** {NEWER} `{newer}`"]


def test_facts_of_two_projects_do_not_contradict_each_other(memory: Memory):
    stored(memory, OLDER)
    stored(memory, NEWER, project="ledger")
    assert "(may contradict" not in "\n".join(told(memory))


def test_facts_that_share_one_word_with_what_was_left_take_no_place_of_those_that_are_judged(memory: Memory):
    older, newer = stored(memory, OLDER), stored(memory, NEWER)
    for text in ("Backups lie on the mail server", "The old wiki is read only", "Server rooms are locked"):
        stored(memory, text)
    stored(memory, "We moved sessions from the old Redis server to PostgreSQL")
    with memory.mind.store.read(memory.caller, "test") as work:
        facts = work.session.exec(select(Fact).order_by(col(Fact.id).desc())).all()
        [found] = contradictions_among(work, facts, most=1)
    assert [found.later.uid[:8], found.earlier.uid[:8]] == [newer, older]


def test_one_that_stands_behind_many_alike_is_marked_too(memory: Memory):
    older, newer = stored(memory, "Payroll deadline is the 15th"), stored(memory, "Payroll deadline moved to the 23rd")
    for number in range(10):
        memory(
            "memory_store_fact", category="constraint", fact=f"Job {number} of the shop ends at night", project="shop"
        )
    for number in range(8):
        stored(memory, f"Refunds above {number}00 EUR need two approvals")
    assert any(f"`{newer}` (may contradict the older `{older}`)" in line for line in told(memory))


def test_the_words_of_a_marked_fact_are_not_cut_for_its_mark(memory: Memory):
    for number in range(40):
        day = "Monday" if number % 2 else "Tuesday"
        client = memory.over(str(number), f"assistant-{number}")
        text = f"Backups of the archive server in hall {number // 2} are taken on {day}"
        client("memory_store_fact", category="constraint", fact=text, project="github.com/acme/shop-backend")
        memory.clock.forward(minutes=1)
    context = memory("memory_get_context", project="github.com/acme/shop-backend").context
    marked = [line for line in parts_of(context)[FACTS].lines if "may contradict" in line]
    assert marked
    assert all("…" not in line for line in marked)
