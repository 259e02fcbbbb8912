"""The sheet that counts are written on: by day, agent, project and measure; and who and what stands on it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import NamedTuple

from sqlmodel import select

from bigmind.core.client_names import BRIDGE, SLASH, agent_of, token_name
from bigmind.memory.projects.names import folded
from bigmind.memory.tables import ProjectAlias
from bigmind.people.agent_names import TERMINAL, shown_agent
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind
from bigmind.store.work import Work
from bigmind.trust.measures import MEASURES

PROGRAM = "bigmind"
"""As what BigMind itself writes."""


@dataclass(frozen=True, slots=True)
class UsageQuery:
    """Which days, inclusive, in UTC; which client and project, empty for all. `-` is no project."""

    since: date
    until: date
    client: str = ""
    project: str = ""

    @property
    def start(self) -> datetime:
        """The first moment."""
        return datetime.combine(self.since, time.min, UTC)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.until, time.min, UTC) + timedelta(days=1)

    def holds(self, at: datetime) -> bool:
        """Whether a moment lies in it."""
        return self.start <= at < self.end


class CountKey(NamedTuple):
    """What is counted: on which day, of which agent and project, which measure."""

    day: date
    agent: str
    project: str
    measure: str


@dataclass(frozen=True, slots=True)
class Cast:
    """Who may stand on the sheet.

    Attributes:
        own: the names of people's own tools: browsers, the window.
        aliases: other names of projects, folded, each with the project it means.
    """

    own: frozenset[str]
    aliases: Mapping[str, str]

    @classmethod
    def of(cls, work: Work) -> "Cast":
        """Of the caller."""
        mine = select(Token.client, Token.kind).where(Token.user_id == work.caller.user_id).distinct()
        kinds: dict[str, set[str]] = {}
        for client, kind in work.session.exec(mine):
            kinds.setdefault(token_name(client), set()).add(kind)
        own = frozenset(name for name, found in kinds.items() if found == {TokenKind.UI.value})
        aliases = select(ProjectAlias).where(ProjectAlias.user_id == work.caller.user_id)
        return cls(own, {each.folded: each.project for each in work.session.exec(aliases)})

    def agent(self, client: str) -> str:
        """An agent as it is shown; empty for BigMind itself, and for a person's browser or window.

        Behind BigMind's own bridge token it is who it claims to be, as where calls and tokens are kept.
        """
        name = token_name(client)
        if name == PROGRAM or name in self.own:
            return ""
        return agent_of(client) if name == BRIDGE else shown_agent(client)

    def project(self, name: str | None) -> str:
        """The one name of a project; empty for none."""
        return self.aliases.get(folded(name), name) if name else ""


def client_of(agent: str) -> str:
    """The client that an agent is of: what its token, or behind the bridge its own word, says."""
    return TERMINAL if agent.partition(SLASH)[0] == TERMINAL else agent_of(agent)


@dataclass(frozen=True, slots=True)
class CountSheet:
    """Counts of the days and of whom the query asks for."""

    query: UsageQuery
    cast: Cast
    counts: Counter[CountKey] = field(default_factory=Counter[CountKey])
    _places: dict[tuple[str, str | None], tuple[str, str] | None] = field(
        default_factory=dict[tuple[str, str | None], tuple[str, str] | None]
    )

    def add(self, at: datetime | date, client: str, project: str | None, measure: str, number: int = 1) -> bool:
        """Count what an agent did, and say whether it counts: what people's own tools did does not."""
        place = self.place(client, project)
        return place is not None and self._write(at, *place, measure, number)

    def add_other(self, at: datetime, project: str | None, measure: str, number: int = 1) -> bool:
        """Count what no agent did: the server, or a person; as `add`."""
        name = self.cast.project(project)
        return self._is_asked("", name) and self._write(at, "", name, measure, number)

    def place(self, client: str, project: str | None) -> tuple[str, str] | None:
        """The agent and project under which something is counted; None where nobody asks for it."""
        known = (client, project)
        if known not in self._places:
            agent, name = self.cast.agent(client), self.cast.project(project)
            self._places[known] = (agent, name) if agent and self._is_asked(agent, name) else None
        return self._places[known]

    def _is_asked(self, agent: str, project: str) -> bool:
        query = self.query
        return query.project in {"", project or "-"} and query.client in {"", client_of(agent)}

    def _write(self, at: datetime | date, agent: str, project: str, measure: str, number: int) -> bool:
        day = at.date() if isinstance(at, datetime) else at
        counts = number > 0 and self.query.since <= day <= self.query.until
        if counts:
            self.counts[CountKey(day, agent, project, MEASURES[measure].name)] += number
        return counts


class Totals(dict[str, int]):
    """Counts by the names of their measures; 0 where nothing was counted."""

    def __missing__(self, name: str) -> int:
        return 0


@dataclass(frozen=True)
class CountedUsage:
    """The counts of a sheet, added up as one asks."""

    query: UsageQuery
    counts: Mapping[CountKey, int]

    @cached_property
    def totals(self) -> Totals:
        """Of all."""
        return _summed((each.measure, number) for each, number in self.counts.items())

    @cached_property
    def by_client(self) -> dict[str, Totals]:
        """Of each client, the busiest first; not what no agent did."""
        return _grouped((client_of(key.agent), key.measure, number) for key, number in self._of_agents())

    @cached_property
    def by_agent(self) -> dict[str, Totals]:
        """Of each agent, under the name that stands beside what it did."""
        return _grouped((key.agent, key.measure, number) for key, number in self._of_agents())

    @cached_property
    def by_project(self) -> dict[str, Totals]:
        """Of each project; empty for none."""
        return _grouped((key.project, key.measure, number) for key, number in self._of_agents())

    def by_step(self, days: int) -> dict[str, dict[date, Totals]]:
        """Of each client, for each stretch of so many days, by its first day; without those in which nothing was."""
        found: dict[str, dict[date, Totals]] = {}
        for key, number in self._of_agents():
            first = key.day - timedelta(days=(key.day - self.query.since).days % days)
            totals = found.setdefault(client_of(key.agent), {}).setdefault(first, Totals())
            totals[key.measure] += number
        return found

    def _of_agents(self) -> Iterable[tuple[CountKey, int]]:
        return ((key, number) for key, number in self.counts.items() if key.agent)


def _summed(counted: Iterable[tuple[str, int]]) -> Totals:
    totals = Totals()
    for measure, number in counted:
        totals[measure] += number
    return totals


def _grouped(counted: Iterable[tuple[str, str, int]]) -> dict[str, Totals]:
    found: dict[str, Totals] = {}
    for name, measure, number in counted:
        found.setdefault(name, Totals())[measure] += number
    return dict(sorted(found.items(), key=lambda each: (-_use_of(each[1]), each[0])))


def _use_of(totals: Totals) -> int:
    """How much there is to see of somebody; tokens would outweigh all else."""
    return sum(number for name, number in totals.items() if not name.startswith("tokens_"))
