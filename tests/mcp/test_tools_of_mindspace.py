"""The tools of the mindspace, through the official client: a node from its plan to its last gate."""

import pytest

from bigmind.people.token_format import TokenKind
from tests.http.owned_work import DONE, OUTPUT
from tests.mcp.clients import bad, good, new_word, over_http, text_of
from tests.mcp.manifest import shows
from tests.support import Server

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("shared_server")]

BRIDGE = TokenKind.BRIDGE.value


@shows(
    "mindspace_create_node.plans", "mindspace_get_ready_nodes.lists", "mindspace_book_transition.moves",
    "mindspace_submit_output.submits", "mindspace_record_gate.judges",
)  # fmt: skip
async def test_a_node_is_claimed_produced_handed_over_and_judged_by_another(shared_server: Server):
    title = f"Round the {new_word()} to the cent"
    async with over_http(shared_server, client=BRIDGE) as dev, over_http(shared_server) as verifier:
        text, told = await good(dev, "mindspace_create_node", title=title, owner="dev", definition_of_done=DONE)
        node = told["node"]["node_id"]
        assert node[:8] in text
        _, told = await good(dev, "mindspace_get_ready_nodes", station="dev")
        assert node in str(told)
        move = {"node_id": node, "target_state": "active"}
        refused = await dev.call_tool("mindspace_book_transition", move)
        assert refused.is_error
        assert "memory_queried" in text_of(refused)
        text, asked = await good(dev, "query_brain", prompt=title)
        assert asked["result"]["work"]["counts_for"] == [node]
        assert "Claim it with mindspace_book_transition." in text
        await good(dev, "mindspace_book_transition", **move)
        _, told = await good(dev, "mindspace_submit_output", node_id=node, outputs=[OUTPUT])
        assert told["accepted"]
        said = f"{title}: {new_word()} {new_word()} was slower by 3 ms, because of the {new_word()}."
        await good(dev, "contribute_to_brain", prompt=said)
        await good(dev, "mindspace_book_transition", node_id=node, target_state="review")
        gate = {"node_id": node, "gate": "tests pass", "status": "pass", "evidence": "I ran them."}
        _, error = await bad(dev, "mindspace_record_gate", **gate)
        assert error["code"] in {"forbidden", "conflict"}
        text, _ = await good(verifier, "mindspace_record_gate", **gate)
        assert "complete" in text


@shows(
    "mindspace_get_tree.tells", "mindspace_get_scope_stack.tells", "mindspace_update_node.changes",
    "mindspace_move_node.places", "mindspace_set_focus.turns",
)  # fmt: skip
async def test_the_tree_is_planned_placed_and_focused(shared_server: Server):
    word = new_word()
    async with over_http(shared_server, client=BRIDGE) as client:
        made = [
            await good(client, "mindspace_create_node", title=f"{word} {name}", owner="dev", definition_of_done=DONE)
            for name in ("root", "leaf")
        ]
        root, leaf = (told["node"]["node_id"] for _, told in made)
        await good(client, "mindspace_move_node", node_id=leaf, parent_id=root)
        await good(client, "mindspace_update_node", node_id=leaf, title=f"{word} leaf anew")
        text, _ = await good(client, "mindspace_get_tree", root_id=root)
        assert text.index(f"`{root}` · ready") < text.index(f"`{leaf}` {word} leaf anew")
        await good(client, "mindspace_set_focus", node_id=leaf)
        text, _ = await good(client, "mindspace_get_scope_stack")
        assert text.index(f"`{root}` · ready") < text.index(f"`{leaf}` {word} leaf anew")
