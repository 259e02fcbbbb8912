"""The mindspace as resources: who reads them, and who listens to one."""

from functools import partial
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp_types import ResourceTemplateReference

from bigmind.mcp.addresses import NODES, SCOPE, TREE
from tests.http.owned_work import DONE
from tests.mcp.clients import MODES, good, listening, new_word, over_http
from tests.support import Server
from tests.thorough import turn

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("shared_server")]

BRIDGE = "bridge"


async def plan(client: Client, word: str, **more: Any) -> str:
    """Make a node; its id."""
    told = {"title": f"Round the {word} to the cent", "owner": "dev", "definition_of_done": DONE, **more}
    _, answer = await good(client, "mindspace_create_node", **told)
    return answer["node"]["node_id"]


async def read(client: Client, uri: str) -> str:
    [content] = (await client.read_resource(uri)).contents
    return content.text


@pytest.mark.parametrize("mode", turn(MODES, 0))
async def test_tree_scope_and_node_are_resources(shared_server: Server, mode: str):
    word = new_word()
    async with over_http(shared_server, mode, BRIDGE) as client:
        node = await plan(client, word)
        await good(client, "mindspace_set_focus", node_id=node)
        assert {TREE, SCOPE} <= {str(each.uri) for each in (await client.list_resources()).resources}
        templates = (await client.list_resource_templates()).resource_templates
        assert "mindspace://node/{id}" in {each.uri_template for each in templates}
        assert f"- `{node}` · ready · dev" in await read(client, TREE)
        assert f"`{node}`" in await read(client, SCOPE)
        assert "> Action: Write it." in await read(client, f"{NODES}/{node}")
        with pytest.raises(MCPError, match="no node"):
            await read(client, f"{NODES}/nothing-there")
        found = await client.complete(
            ResourceTemplateReference(uri=NODES + "/{id}"), {"name": "id", "value": node[:-1]}
        )
        assert node in found.completion.values


async def test_who_is_offered_none_of_the_mindspace_is_offered_no_resource_of_it(shared_server: Server):
    async with over_http(shared_server, toolsets="default") as client:
        assert TREE not in {str(each.uri) for each in (await client.list_resources()).resources}


@pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed as of 2026-07-28")
@pytest.mark.parametrize("mode", MODES)
async def test_who_listens_to_a_node_is_told_of_its_changes_alone(shared_server: Server, mode: str):
    word = new_word()
    async with over_http(shared_server, client=BRIDGE) as client:
        node, other = await plan(client, word), await plan(client, f"other {word}")
        address = f"{NODES}/{node}"
        async with listening(partial(over_http, shared_server), mode, address, TREE) as (_, following):
            await good(client, "mindspace_update_node", node_id=other, phase="do")
            assert await following() == TREE
            await good(client, "mindspace_update_node", node_id=node, phase="do")
            heard = {await following()}
            while address not in heard:
                heard.add(await following())
            assert heard <= {TREE, address}
