"""What is told of nodes: whole to who works on them, and how it goes on from there."""

from bigmind.mindspace.answers import ROOM
from tests.mindspace.grove import CODE, Grove, done

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
    assert "Next, unless you did since you claimed it: contribute_to_brain what you learned" in told
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


def test_who_judges_a_node_is_told_with_which_tool_and_what_is_left(grove: Grove):
    """A verifier was told that BigMind completes the node or sends it back, and nothing that it could do itself."""
    gates = ({"name": "tests pass", "verifier": "qa"}, {"name": "reads well", "verifier": "qa"})
    accepted = {"name": "accepted", "verifier": "human"}
    node = grove.make(TITLE, definition_of_done=done(gates=(*gates, accepted)))
    grove.hand_over(node)
    told = grove.verifier("mindspace_get_ready_nodes", station="qa", status="review").in_words()
    left = "Still to be judged by mindspace_record_gate, not by who produced it: “tests pass” (qa), “reads well” (qa)."
    assert told.endswith(f"Next for `{node}`:\n{left} A person judges “accepted”.")
    assert "by BigMind" not in told
    grove.judge(node)
    told = grove.verifier("mindspace_get_ready_nodes", station="qa", status="review").in_words()
    assert "not by who produced it: “reads well” (qa). A person" in told


def test_a_long_node_in_review_is_told_whole_where_it_is_named_as_parent(grove: Grove):
    """It was said that claiming shows a text whole that is cut; a verifier claims nothing."""
    long = done(acceptance=STORY)
    above = grove.make(TITLE, definition_of_done=long)
    below = [grove.make(f"{TITLE} for bank {each}", parent_id=above, definition_of_done=long) for each in range(2)]
    for each in (*below, above):
        grove.hand_over(each)
        grove.office.forward(minutes=1)
    asked = {"station": "qa", "status": "review"}
    told = grove.verifier("mindspace_get_ready_nodes", **asked).in_words()
    assert "A text that ends in … is cut: parent_id=ID shows it whole, and so does mindspace://node/ID." in told
    assert LAST not in told.split(f"`{above}` {TITLE} ·")[1].split("Next for")[0]
    told = grove.verifier("mindspace_get_ready_nodes", **asked, parent_id=above).in_words()
    assert LAST in told.split(f"`{above}` {TITLE} ·")[1].split(f"`{below[0]}`")[0]


def test_a_node_that_waits_tells_no_move_of_bigminds_own_and_what_it_waits_for(grove: Grove):
    """Of each ready node the way back to pending was told, which nobody can take."""
    node = grove.make(TITLE)
    assert "`pending`" not in grove.dev("mindspace_get_ready_nodes", station="dev").in_words()
    grove.claim(node)
    grove.make("Measure the loss by rounding", by=grove.dev, parent_id=node)
    told = grove.dev("mindspace_get_ready_nodes", station="dev", status="paused").in_words()
    assert told.endswith("complete or deleted. mindspace_get_tree shows it.")
    assert "restore" not in told


def test_whose_work_is_deleted_or_forgotten_is_told_so_and_nobody_else(grove: Grove):
    """It was told that there is no such node, as if it had mistyped it."""
    node, task = grove.make(TITLE), grove.office.task("Drop stale sessions")
    grove.claim(node)
    grove.dev.claim(task, "Drop stale sessions")
    grove.person("mindspace_delete_node", node_id=node, revision=grove.revision(node))
    told = str(grove.dev.refuses("mindspace_book_transition", node_id=node, target_state="review"))
    assert "A person deleted work that you held, at 12:00 UTC. If you mean that, stop" in told
    assert "Otherwise, mindspace_get_tree shows the nodes." in told  # it may have mistyped another
    assert "mindspace_get_tree" in str(grove.verifier.refuses("mindspace_submit_output", node_id=node, outputs=[CODE]))
    grove.person("memory_forget", id=grove.office.item(task).uid)
    assert "A person forgot work that you held" in str(grove.dev.refuses("work_get_task", slug=task))
    grove.office.forward(days=2)
    assert "work_list_tasks lists them." in str(grove.dev.refuses("work_get_task", slug=task))


def test_a_tree_says_of_each_node_what_its_id_and_state_do_not_say(grove: Grove):
    """A line was twice as long: the title again beside an id that is made of it, and what nobody has begun counted."""
    first, second = grove.make(TITLE), grove.make("Export invoices, as PDF")
    third = grove.make("Drop stale sessions", parent_id=first)
    grove.complete(third)
    grove.claim(second)
    grove.submit(second)
    told = grove.dev("mindspace_get_tree").in_words().splitlines()
    assert told[1:] == [
        f"- `{first}` · ready · dev",
        f"  - `{third}` · complete · dev",
        f"- `{second}` Export invoices, as PDF · active · dev · held by {grove.dev.name} · outputs 1/1, gates 0/1",
    ]
