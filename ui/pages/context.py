"""What an assistant sees: the block that its next conversation starts with, and the last answers that it was given."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.operation import Mode, Role
from bigmind.core.plain_text import one_line
from bigmind.hooks.client_events import HookReply, hook_of
from bigmind.memory.context.block import ContextBlock, ContextLine, LineKind, Subject
from bigmind.memory.context.builder import TOTAL
from bigmind.memory.context.placement import hidden_things
from bigmind.memory.context.preview import known_projects, newest_project, preview
from bigmind.store.work import Work
from bigmind.usage.counts import clients_lately
from ui.page import Page
from ui.pages.context_correction import correction_of
from ui.shell import AnyRequest, Html, Told
from ui.site import Site

NO_PROJECT = "-"
"""In the address, stands for no project: no project is called so."""

MOST_PROJECTS = 50
LONGEST_PROJECT = 200
MOST_HIDDEN = 50
NOBODY_YET = "assistant"
"""Stands for the client as long as none is connected."""

NAMES: dict[LineKind, str] = {
    LineKind.WORK: "Work",
    LineKind.KNOWLEDGE: "Company knowledge",
    LineKind.PROFILE: "Profile",
    LineKind.PINNED: "Pinned facts",
    LineKind.FACT: "Facts",
    LineKind.HYPOTHESIS: "Hypotheses",
    LineKind.THOUGHT: "Thoughts",
    LineKind.SESSION: "Sessions",
}
PLACEABLE = frozenset({LineKind.FACT, LineKind.HYPOTHESIS, LineKind.SESSION, LineKind.KNOWLEDGE})


@dataclass(frozen=True, slots=True)
class Assistant:
    """A client whose view can be shown: its name, and how people call it."""

    name: str
    title: str
    has_hooks: bool


@dataclass(frozen=True, slots=True)
class Share:
    """What part of the block's tokens one kind of lines takes: where it begins, and how much it is, of 1."""

    kind: str
    name: str
    tokens: int
    begin: float
    part: float


@dataclass(frozen=True, slots=True)
class LineView:
    """A line of the block on the page: `key` ends the ids of its elements, `address` unfolds it."""

    line: ContextLine
    key: str
    address: str
    can_place: bool

    @property
    def subject(self) -> Subject:
        """The thing that it stands for."""
        return self.line.subject


def context_routes(site: Site) -> list[HTTPRouteHandler]:
    """The page, and what a line of it unfolds."""
    shell = site.shell

    @get("/context")
    async def context(request: AnyRequest) -> Html:
        asked = request.query_params
        answer = await shell.page(request, "context.html", "context", lambda work: _tell(work, asked))
        if request.headers.get("HX-Target") == "seen":
            answer.headers["HX-Push-Url"] = (
                f"/context?{urlencode({n: asked.get(n, '') for n in ('client', 'project')})}"
            )
        return answer

    @get("/context/line")
    async def line(request: AnyRequest) -> Html:
        kind, uid = (request.query_params.get(name, "") for name in ("kind", "id"))
        return await shell.fragment(
            request, "_context_correct.html", lambda work: {"made": correction_of(work, kind, uid)}
        )

    return [context, line]


CONTEXT = Page(
    "context", "What your assistant sees", "/context", "w", context_routes, offers=frozenset({"memory_place"})
)


def _tell(work: Work, asked: Mapping[str, str]) -> Told:
    clients = _assistants(work)
    client = next((each for each in clients if each.name == asked.get("client")), clients[0])
    project = _chosen_project(work, asked)
    projects = known_projects(work, MOST_PROJECTS)
    block = preview(work, client.name, project)
    hidden, total = hidden_things(work, MOST_HIDDEN)
    may_place = work.mode is Mode.PERSONAL or work.caller.role.includes(Role.CURATOR)
    return {
        "clients": clients,
        "client": client,
        "projects": projects if project is None or project in projects else [project, *projects],
        "project": project,
        "block": block,
        "most": TOTAL,
        "how": HOW[client.has_hooks],
        "shares": _shares(block),
        "parts": [
            (part, [_line(line, number, may_place=may_place) for number, line in enumerate(part.lines)])
            for part in block.parts
        ],
        "names": NAMES,
        "hidden": hidden,
        "hidden_total": total,
        "timedelta": timedelta,
        "answers": work.host.activity.deliveries(work.caller.user_id, client.name),
    }


HOW = {
    True: "BigMind's hook puts exactly this text into each new conversation.",
    False: "The answer to memory_start_session holds exactly this text, behind the id of the new session.",
}
"""How the block reaches an assistant: by a hook, or not."""


def _assistants(work: Work) -> list[Assistant]:
    """The clients that called, the latest first, then those that are connected and never did; never empty."""
    from bigmind.clients.files.ledger import Ledger  # noqa: PLC0415 - the clients' modules cost the start 20 ms
    from bigmind.clients.install_site import site_home  # noqa: PLC0415
    from bigmind.clients.targets import TARGETS  # noqa: PLC0415

    titles = {each.name: each.title for each in TARGETS}
    connected = {each.target for each in Ledger(work, site_home(work)).owners()}
    names = dict.fromkeys([each.name for each in clients_lately(work)])
    names |= dict.fromkeys(name for name in titles if name in connected)
    found = [Assistant(each, titles.get(each, each), each in connected and _has_hook(each)) for each in names]
    return found or [Assistant(NOBODY_YET, "Your assistant", has_hooks=False)]


def _has_hook(client: str) -> bool:
    """Whether a connected client's own hook puts the context into its conversations."""
    hook = hook_of(client, "session-start")
    return hook is not None and hook.says is HookReply.CONTEXT


def _chosen_project(work: Work, asked: Mapping[str, str]) -> str | None:
    """As asked for; else that of the newest session that has one."""
    given = one_line(asked.get("project", ""))[:LONGEST_PROJECT]
    if given == NO_PROJECT:
        return None
    return given or newest_project(work)


def _shares(block: ContextBlock) -> list[Share]:
    """The parts of the block by kind, and what stands around them; their tokens together are the block's."""
    tokens: dict[str, int] = {}
    for part in block.parts:
        kind = part.lines[0].subject.kind.value if part.lines else "frame"
        tokens[kind] = tokens.get(kind, 0) + part.tokens
    tokens["frame"] = tokens.get("frame", 0) + max(0, block.tokens - sum(tokens.values()))
    shares: list[Share] = []
    begin = 0.0
    for kind, count in tokens.items():
        if count:
            name = "Heading and notes" if kind == "frame" else NAMES[LineKind(kind)]
            shares.append(Share(kind, name, count, begin, count / TOTAL))
            begin += count / TOTAL
    return shares


def _line(line: ContextLine, number: int, *, may_place: bool) -> LineView:
    subject = line.subject
    has_id = subject.kind in PLACEABLE
    key = f"{subject.kind}-{subject.uid}" if has_id else f"{subject.kind}-{number}"
    reference = {"kind": subject.kind.value, "id": subject.uid if subject.kind is not LineKind.PINNED else ""}
    can_place = has_id and (may_place or subject.kind is not LineKind.KNOWLEDGE)
    return LineView(line, key, f"/context/line?{urlencode(reference)}", can_place)
