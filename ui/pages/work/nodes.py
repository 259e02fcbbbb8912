"""The mindspace: the tree of nodes with the scope stack, and one node with what a person judges of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.lazy_module import LazyModule
from bigmind.mindspace.answers import TreeLine
from bigmind.mindspace.rules import LONGEST_EVIDENCE
from bigmind.store.work import Work
from ui.shell import AnyRequest, Html, Told
from ui.show import work_words
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.mindspace import service
else:
    service = LazyModule("bigmind.mindspace.service")


@dataclass(slots=True)
class Branch:
    """A node of the tree, with those below it."""

    line: TreeLine
    children: list["Branch"] = field(default_factory=list["Branch"])


def node_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of the mindspace."""
    shell = site.shell

    @get("/mindspace")
    async def tree(request: AnyRequest) -> Html:
        return await shell.page(request, "mindspace.html", "work", _tree)

    @get("/mindspace/{node_id:str}")
    async def node(request: AnyRequest, node_id: FromPath[str]) -> Html:
        return await shell.page(request, "mindspace_node.html", "work", lambda work: _node(work, node_id))

    return [tree, node]


def _tree(work: Work) -> Told:
    found = service.get_tree(work)
    return {
        "branches": nested(found.nodes),
        "count": len(found.nodes),
        "more": found.more,
        "stack": service.get_scope_stack(work).stack,
    }


def nested(lines: Sequence[TreeLine]) -> list[Branch]:
    """Lines, parents before their children, as a tree."""
    roots: list[Branch] = []
    way: list[Branch] = []
    for line in lines:
        branch = Branch(line)
        del way[line.depth :]
        (way[-1].children if way else roots).append(branch)
        way.append(branch)
    return roots


def _node(work: Work, node_id: str) -> Told:
    node = service.get_node(work, node_id).node
    below = service.get_tree(work, node.node_id, depth=1).nodes[1:]
    stack = service.get_scope_stack(work).stack
    return {
        "node": node,
        "below": below,
        "is_focus": bool(stack) and stack[-1].node_id == node.node_id,
        "may_judge": node.state == "review",
        "words": work_words,
        "longest": LONGEST_EVIDENCE,
    }
