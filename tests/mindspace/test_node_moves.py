"""The moves of nodes (work.md, "Mindspace"): each row of its table, and that nothing else leads anywhere."""

import pytest

from tests.mindspace.grove import CODE, Grove, done, source


def test_a_node_is_ready_by_itself_once_every_input_is_there(grove: Grove):
    plan, design = grove.make("Plan the refunds"), grove.make("Design the ledger")
    code = grove.make("Write the refunds", plan, design)
    assert (grove.state(plan), grove.state(code)) == ("ready", "pending")
    grove.complete(plan)
    assert grove.state(code) == "pending"
    grove.complete(design)
    assert grove.state(code) == "ready"


def test_it_waits_again_when_an_input_is_withdrawn(grove: Grove):
    plan = grove.make("Plan the refunds")
    grove.complete(plan)
    code = grove.make("Write the refunds", plan)
    assert grove.state(code) == "ready"
    grove.delete(plan)
    assert grove.state(code) == "pending"
    grove.planner("mindspace_update_node", node_id=code, definition_of_ready={"inputs": []})
    assert grove.state(code) == "ready"


def test_what_comes_from_outside_the_tree_is_there_when_a_planner_says_so(grove: Grove):
    outside = {"type": "analysis", "description": "the audit"}
    code = grove.make("Write the refunds", definition_of_ready={"inputs": [outside]})
    assert grove.state(code) == "pending"
    for said, state in ((True, "ready"), (False, "pending")):
        given = {"inputs": [outside | {"satisfied": said}]}
        grove.planner("mindspace_update_node", node_id=code, definition_of_ready=given)
        assert grove.state(code) == state


def test_a_claim_needs_a_question_about_the_node(grove: Grove):
    node = grove.make("Round refunds to the cent")
    assert [each.gate for each in grove.book(node, "active").blocked_by] == ["memory_queried"]
    grove.claim(node)
    assert grove.state(node) == "active"


def test_an_agent_claims_as_the_owner_alone(grove: Grove):
    node = grove.make("Round refunds to the cent", owner="liaison")
    grove.dev.ask("Round refunds to the cent")
    grove.office.run("INSERT INTO agent_work_roles (user_id, agent, roles) VALUES (1, 'cursor', '[\"dev\"]')")
    assert grove.book(node, "active").fault == "wrong_role"


def test_a_review_needs_every_output_and_a_contribution(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    assert [each.gate for each in grove.book(node, "review").blocked_by] == ["outputs_present", "memory_contributed"]
    grove.submit(node)
    assert [each.gate for each in grove.book(node, "review").blocked_by] == ["memory_contributed"]
    grove.learn(node)
    grove.books(node, "review")


def test_the_holder_alone_hands_over_and_submits(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    other = grove.office.agent("windsurf")
    assert not grove.submit(node, by=other).accepted
    grove.submit(node)
    grove.learn(node, by=other)
    assert grove.book(node, "review", by=other).fault == "held_by_another"


def test_the_last_gate_that_passes_completes_it(grove: Grove):
    gates = ({"name": "tests pass", "verifier": "qa"}, {"name": "reads well", "verifier": "liaison"})
    node = grove.make("Round refunds to the cent", definition_of_done=done(gates=gates))
    grove.hand_over(node)
    assert grove.judge(node).pending == ["reads well"]
    assert grove.state(node) == "review"
    assert grove.judge(node, gate="reads well").state == "complete"


def test_one_that_fails_sends_it_back_and_each_rework_asks_anew(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.hand_over(node)
    assert grove.judge(node, "fail").state == "rework"
    assert [each.gate for each in grove.book(node, "active").blocked_by] == ["memory_queried"]
    grove.claim(node, by=grove.office.agent("windsurf"))  # also another agent of the owner
    grove.hand_over(node, by=grove.office.agent("windsurf"))
    assert grove.gates(node) == {"tests pass": "pending"}
    assert grove.judge(node).state == "complete"


def test_a_child_that_its_holder_opens_pauses_it_until_that_is_complete(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    child = grove.make("Fix the clock of the tests", parent_id=node, by=grove.dev)
    assert grove.state(node) == "paused"
    assert grove.book(node, "active").fault in {"wrong_role", "undeclared"}
    grove.complete(child)
    assert grove.state(node) == "active"
    grove.submit(node)
    grove.learn(node)
    grove.books(node, "review")


def test_it_goes_on_when_that_child_is_deleted(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    child = grove.make("Fix the clock of the tests", parent_id=node, by=grove.dev)
    grove.delete(child)
    assert grove.state(node) == "active"


def test_a_node_that_nobody_claimed_is_paused_by_its_owner(grove: Grove):
    node = grove.make("Round refunds to the cent")
    assert [each.gate for each in grove.book(node, "paused").blocked_by] == ["child_open"]
    child = grove.make("Fix the clock of the tests", parent_id=node)
    assert grove.state(node) == "ready"
    grove.books(node, "paused")
    grove.complete(child)
    assert grove.state(node) == "ready"


def test_what_another_plans_below_a_held_node_does_not_pause_it(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    grove.make("Write the handbook", parent_id=node)
    assert grove.state(node) == "active"


def test_completing_one_goes_on_up_and_down_the_tree(grove: Grove):
    root = grove.make("Refunds")
    grove.claim(root)
    found = grove.make("Fix the clock of the tests", parent_id=root, by=grove.dev)
    below = [grove.make(f"Part {number} of the handbook", found, parent_id=root) for number in range(3)]
    grove.hand_over(found)
    answer = grove.judge(found)
    assert grove.state(root) == "active"
    assert {grove.state(each) for each in below} == {"ready"}
    assert set(answer.moved) == {f"{found} (complete)", f"{root} (active)", *(f"{each} (ready)" for each in below)}
    numbers = grove.office.rows("SELECT number FROM work_ledger ORDER BY number")
    assert numbers == [(each + 1,) for each in range(len(numbers))]


MOVES = ("pending", "ready", "active", "review", "rework", "paused", "complete", "restore", "cancelled", "blocked")


@pytest.mark.parametrize("state", ["pending", "ready", "active", "review", "rework", "paused", "complete"])
def test_nothing_else_leads_anywhere(grove: Grove, state: str):
    node = grove.make("Round refunds to the cent", *([grove.make("Plan the refunds")] if state == "pending" else []))
    if state in {"active", "paused"}:
        grove.claim(node)
    if state == "paused":
        grove.make("Fix the clock of the tests", parent_id=node, by=grove.dev)
    if state in {"review", "rework", "complete"}:
        grove.hand_over(node)
        if state != "review":
            grove.judge(node, "fail" if state == "rework" else "pass")
    assert grove.state(node) == state
    for to in MOVES:
        for worker in (grove.dev, grove.verifier, grove.person):
            assert not grove.book(node, to, by=worker).transitioned, (state, to, worker.name)
    assert grove.state(node) == state


def test_a_node_is_no_task(grove: Grove):
    node = grove.make("Round refunds to the cent")
    assert "mindspace_book_transition" in str(grove.dev.refuses("work_transition", slug=node, to="active"))
    assert "mindspace_update_node" in str(grove.planner.refuses("work_edit_task", slug=node, title="Round no refunds"))
    task = grove.office.task()
    assert grove.dev.refuses("mindspace_book_transition", node_id=task, target_state="active").code == "not_found"


def test_a_task_that_depends_on_a_node_is_ready_with_it(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.planner("work_create_task", title="Tell the customers of rounding", type="task", depends_on=[node])
    grove.complete(node)
    assert grove.state("tell-the-customers-of-rounding") == "ready"


def test_circular_inputs_are_refused_and_shown(grove: Grove):
    first = grove.make("Round euros")
    second = grove.make("Round dollars", first)
    third = grove.make("Round yen", second)
    given = {"inputs": [source(third)]}
    refused = grove.planner.refuses("mindspace_update_node", node_id=first, definition_of_ready=given)
    assert "round-euros → round-yen → round-dollars → round-euros" in str(refused)
    assert grove.state(first) == "ready"
    assert (
        grove.planner.refuses(
            "mindspace_update_node", node_id=first, definition_of_ready={"inputs": [source(first)]}
        ).code
        == "invalid_input"
    )


def test_a_lease_that_ran_out_lets_another_claim_it(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    grove.submit(node, CODE)
    grove.office.forward(hours=3)
    other = grove.office.agent("windsurf")
    grove.claim(node, by=other)
    assert "windsurf" in str(grove.submit(node).validation_errors)


def test_a_station_without_a_node_in_one_state_is_told_in_which_its_others_are(grove: Grove):
    def listed(status: str = "ready", station: str = "dev", **more: str) -> str:
        return grove.dev("mindspace_get_ready_nodes", station=station, status=status, **more).as_text()

    assert listed() == "No node of dev is ready."
    node = grove.make("Round refunds to the cent")
    grove.hand_over(node)
    assert listed() == "No node of dev is ready."
    assert listed(station="qa") == "No node of qa is ready. 1 is in review: status=review."
    grove.judge(node, "fail")
    assert listed() == "No node of dev is ready. 1 is in rework: status=rework."
    other = grove.make("Print the tariff sheet")
    assert f"`{other}`" in listed()
    assert listed().endswith("\n\n1 is in rework: status=rework.")
    assert listed("review") == "No node of dev is in review. 1 is ready: status=ready. 1 is in rework: status=rework."
    assert listed("active", parent_id=other) == "No node of dev is active. 1 is ready: status=ready."


def test_a_station_whose_nodes_wait_for_an_input_is_told_so_and_the_node_says_for_which(grove: Grove):
    inputs = [{"type": "file", "description": "The tariff sheet", "path": "docs/tariffs.md"}]
    made = grove.planner(
        "mindspace_create_node",
        title="Round refunds to the cent",
        owner="dev",
        definition_of_ready={"inputs": inputs},
        definition_of_done=done(),
    )
    assert "> Input · file at docs/tariffs.md: The tariff sheet" in made.in_words()
    waits = "It waits for its inputs marked “·”: orchestrator, pdsa or a person says `satisfied` of them."
    assert waits in made.in_words()
    given = [{**inputs[0], "satisfied": True}]
    node = made.node.node_id
    told = grove.dev("mindspace_get_ready_nodes", station="dev").as_text()
    assert told == "No node of dev is ready. 1 waits for an input: `pending` in the tree."
    grove.planner("mindspace_update_node", node_id=node, definition_of_ready={"inputs": given})
    assert "It waits" not in grove.dev("mindspace_get_ready_nodes", station="dev").in_words()


def test_who_takes_up_a_node_that_was_sent_back_is_told_why(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.hand_over(node)
    grove.judge(node, "fail")
    why = "Sent back by codex: I ran it."
    assert f"\n{why}\n> " in grove.dev("mindspace_get_ready_nodes", station="dev", status="rework").as_text()
    grove.dev.ask("Round refunds to the cent")
    told = grove.books(node, "active").as_text()
    assert told.startswith(f"Moved to active.\n`{node}` Round refunds to the cent · active")
    assert f"\n{why}\n> " in told
    grove.submit(node)
    assert "Sent back" not in grove.dev("mindspace_get_ready_nodes", station="dev", status="active").as_text()
