"""Collects what rows say, under the agent and project that each of them names."""

from datetime import datetime

from bigmind.core.client_names import BRIDGE, agent_of, token_name
from bigmind.trust.usage_report import AgentUse, DayUse, Period

PEOPLE = frozenset({"cli", "ui", "window", "browser", "bigmind", "terminal"})
"""What stands as a source where a person's own tool, or BigMind itself, wrote."""


class Tally:
    """The numbers of a range of days, as they come together."""

    def __init__(self, period: Period) -> None:
        """Nothing is counted yet."""
        self.period = period
        self._agents: dict[tuple[str, str], AgentUse] = {}
        self._days: dict[tuple[str, str], DayUse] = {}

    def of(self, agent: str, project: str | None) -> AgentUse | None:
        """The numbers of an agent in a project; None for a person's own tool.

        Behind BigMind's own bridge token an agent is who it claims to be, as where calls and tokens are kept.
        """
        if not agent or token_name(agent) in PEOPLE:
            return None
        client = agent_of(agent)
        name = client if token_name(agent) == BRIDGE else agent
        key = name, project or ""
        if key not in self._agents:
            self._agents[key] = AgentUse(name, client, project or "")
        return self._agents[key]

    def day(self, agent: str, at: datetime) -> DayUse | None:
        """The numbers of an agent's client on a day."""
        if not agent or token_name(agent) in PEOPLE:
            return None
        client = agent_of(agent)
        key = client, f"{at:%Y-%m-%d}"
        if key not in self._days:
            self._days[key] = DayUse(key[1], client)
        return self._days[key]

    def agents(self) -> list[AgentUse]:
        """All of them, the busiest first."""
        return sorted(self._agents.values(), key=_business)

    def days(self) -> list[DayUse]:
        """All days, by client and day."""
        return sorted(self._days.values(), key=lambda each: (each.client, each.day))


def _business(use: AgentUse) -> tuple[int, str, str]:
    told = use.sessions + use.questions + use.contributions + use.at_once + use.after_refusal + use.calls
    return -told, use.agent, use.project
