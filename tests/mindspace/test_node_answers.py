"""What is told of nodes: whole to who works on them, and how it goes on from there."""

from bigmind.mindspace.answers import ROOM
from tests.mindspace.grove import Grove, done

TITLE = "Round refunds to the cent"
LAST = "Last: never touch the table of payouts."
STORY = f"{'Each line of a refund is rounded by itself. ' * 100}{LAST}"


def test_who_claims_a_node_is_told_it_whole_and_what_comes_next(grove: Grove):
    """A context may have 5,000 characters, and of each text 800 were told; a claim was answered “Moved to active.”"""
    node = grove.make(TITLE, definition_of_ready={"context": STORY}, definition_of_done=done(acceptance=STORY))
    grove.dev.ask(TITLE)
    told = grove.books(node, "active").in_words()
    assert told.count(LAST) == 2
    assert f"· active · station dev · held by {grove.dev.name} until" in told
    assert "- `review` (Submit for review): outputs_present missing, memory_contributed missing." in told
    told = grove.submit(node).in_words()
    assert "Next: contribute_to_brain what you learned" in told
    grove.learn(node)
    told = grove.books(node, "review").in_words()
    assert told.startswith(f"Moved to review.\n`{node}` {TITLE} · review")
    assert LAST not in told


def test_the_first_node_of_a_list_is_whole_and_the_others_while_there_is_room(grove: Grove):
    for each in range(4):
        grove.make(f"{TITLE} for bank {each}", definition_of_done=done(acceptance=STORY))
    told = grove.dev("mindspace_get_ready_nodes", station="dev").in_words()
    assert told.count(LAST) == ROOM // len(STORY) == 2
    assert "A text that ends in … is cut: claiming the node shows it whole" in told


def test_what_leads_on_from_nodes_in_the_same_way_is_said_once(grove: Grove):
    """Of twenty ready nodes it was half of the answer."""
    first, second = grove.make(f"{TITLE} today"), grove.make(f"{TITLE} tomorrow")
    told = grove.dev("mindspace_get_ready_nodes", station="dev").in_words()
    assert f"Next for `{first}`, `{second}`, by mindspace_book_transition:" in told
    assert told.count("(Claim)") == 1


def test_a_node_whose_lease_ran_out_is_offered_and_who_lost_it_is_told_who_has_it(grove: Grove):
    node = grove.make(TITLE)
    grove.claim(node)
    other = grove.office.agent("windsurf")
    assert "has run out" not in other("mindspace_get_ready_nodes", station="dev").in_words()
    grove.office.forward(hours=3)
    free = f"The lease of `{node}` has run out: ask about it, and claim it as if it were ready."
    assert free in other("mindspace_get_ready_nodes", station="dev").in_words()
    grove.claim(node, other)
    told = grove.dev("mindspace_get_ready_nodes", station="dev", status="active").in_words()
    assert "You held it; windsurf took it over at " in told


def test_a_node_and_a_task_that_are_taken_for_each_other_name_the_tool_that_moves_them(grove: Grove):
    node, task = grove.make(TITLE), grove.office.task("Drop stale sessions")
    told = grove.dev("work_get_task", slug=node).in_words()
    assert "Next, by mindspace_book_transition:" in told
    assert "work_transition" not in told
    refused = grove.dev.refuses("mindspace_book_transition", node_id=task, target_state="active")
    assert "It is a task; work_transition moves it." in str(refused)
