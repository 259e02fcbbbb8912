"""What a memory has come to, as badges: each is one line of the table below, and a rule over counted figures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Figures:
    """What is counted of a memory.

    Attributes:
        sessions: how many.
        days: the days on which a session was begun, by the machine's calendar, in their order, each once.
        moments, facts, corrected, clients, projects: how many; `corrected` facts no longer hold.
        confirmed, refuted: hypotheses that were resolved so.
        approved: entries of company knowledge that the owner approved.
        detailed: sessions that are told in detail.
    """

    sessions: int = 0
    days: Sequence[date] = ()
    moments: int = 0
    facts: int = 0
    corrected: int = 0
    confirmed: int = 0
    refuted: int = 0
    approved: int = 0
    clients: int = 0
    projects: int = 0
    detailed: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """One badge: it is earned when `counted` says as much as `needed`. `family` are badges of the same kind."""

    family: str
    name: str
    what_for: str
    needed: int
    counted: Callable[[Figures], int]


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge, and how far its owner is. `since` is the day on which it was earned, where that is known."""

    rule: Rule
    count: int
    since: date | None = None

    @property
    def is_earned(self) -> bool:
        """Whether its owner has it."""
        return self.count >= self.rule.needed

    @property
    def share(self) -> float:
        """How far it is, from 0 to 1."""
        return min(1.0, self.count / self.rule.needed)


def longest_streak(days: Sequence[date]) -> int:
    """The most days in a row among them."""
    return max(_lengths(days), default=0)


def _lengths(days: Sequence[date]) -> list[int]:
    """For each day, how many days in a row end with it."""
    lengths: list[int] = []
    for place, day in enumerate(days):
        follows = place > 0 and (day - days[place - 1]).days == 1
        lengths.append(lengths[-1] + 1 if follows else 1)
    return lengths


def _streak(figures: Figures) -> int:
    return longest_streak(figures.days)


STREAK, DAYS = "streak", "days"
RULES = (
    Rule(STREAK, "3-day streak", "Work on three days in a row", 3, _streak),
    Rule(STREAK, "7-day streak", "Work on seven days in a row", 7, _streak),
    Rule(STREAK, "30-day streak", "Work on thirty days in a row", 30, _streak),
    Rule(STREAK, "100-day streak", "Work on a hundred days in a row", 100, _streak),
    Rule("sessions", "First session", "One conversation that is remembered", 1, lambda f: f.sessions),
    Rule("sessions", "10 sessions", "Ten conversations that are remembered", 10, lambda f: f.sessions),
    Rule("sessions", "100 sessions", "A hundred conversations that are remembered", 100, lambda f: f.sessions),
    Rule("sessions", "1,000 sessions", "A thousand conversations that are remembered", 1_000, lambda f: f.sessions),
    Rule(DAYS, "100 days", "A hundred days with a session", 100, lambda f: len(f.days)),
    Rule(DAYS, "365 days", "As many days with a session as a year has", 365, lambda f: len(f.days)),
    Rule("moments", "Word for word", "A first moment kept as it was said", 1, lambda f: f.moments),
    Rule("moments", "100 moments", "A hundred moments kept", 100, lambda f: f.moments),
    Rule("moments", "1,000 moments", "A thousand moments kept", 1_000, lambda f: f.moments),
    Rule("moments", "10,000 moments", "Ten thousand moments kept", 10_000, lambda f: f.moments),
    Rule("facts", "First fact", "One thing that stays true", 1, lambda f: f.facts),
    Rule("facts", "100 facts", "A hundred things that stay true", 100, lambda f: f.facts),
    Rule("facts", "1,000 facts", "A thousand things that stay true", 1_000, lambda f: f.facts),
    Rule("confirmed", "Hypothesis confirmed", "A hunch that turned out right", 1, lambda f: f.confirmed),
    Rule("confirmed", "Good nose", "Ten hunches that turned out right", 10, lambda f: f.confirmed),
    Rule("refuted", "Hypothesis refuted", "A hunch that turned out wrong: now it is known", 1, lambda f: f.refuted),
    Rule("refuted", "Hard to fool", "Ten hunches of one's own shown wrong", 10, lambda f: f.refuted),
    Rule("tidy", "Tidy", "A fact put away because it no longer holds", 1, lambda f: f.corrected),
    Rule("tidy", "Spring cleaning", "Twenty-five facts put away that no longer hold", 25, lambda f: f.corrected),
    Rule("storyteller", "Storyteller", "Fifty sessions told in detail", 50, lambda f: f.detailed),
    Rule("polyglot", "Polyglot", "Three assistants that write to one memory", 3, lambda f: f.clients),
    Rule("wide", "Wide field", "Ten projects in one memory", 10, lambda f: f.projects),
    Rule("curator", "Curator", "An entry of company knowledge approved", 1, lambda f: f.approved),
    Rule("curator", "Editor in chief", "A hundred entries of company knowledge approved", 100, lambda f: f.approved),
)
"""Every badge there is; within a family, the easier before the harder."""


@dataclass(frozen=True, slots=True)
class Badges:
    """What was earned, and what comes next.

    Attributes:
        best: of each family the hardest that was earned, the rarest before the commonest.
        earned: all that were earned, in the order of the table.
        next: of each family the first that is not earned yet, the nearest first.
    """

    best: Sequence[Badge]
    earned: Sequence[Badge]
    next: Sequence[Badge]


def badges_of(figures: Figures, since: Callable[[Rule], date | None] = lambda _: None) -> Badges:
    """Which badges the figures earn. `since` says when one that is earned was, as far as somebody knows."""
    judged = [Badge(rule, rule.counted(figures)) for rule in RULES]
    earned = [
        Badge(each.rule, each.count, _by_days(each.rule, figures.days) or since(each.rule))
        for each in judged
        if each.is_earned
    ]
    best = {each.rule.family: each for each in earned}
    missing = {each.rule.family: each for each in reversed(judged) if not each.is_earned}
    return Badges(
        best=sorted(best.values(), key=lambda each: (-_step(each.rule), RULES.index(each.rule))),
        earned=earned,
        next=sorted(missing.values(), key=lambda each: (-each.share, RULES.index(each.rule))),
    )


def _step(rule: Rule) -> int:
    """How far up in its family a badge is: the third of four goes before the first of two."""
    return [each for each in RULES if each.family == rule.family].index(rule)


def _by_days(rule: Rule, days: Sequence[date]) -> date | None:
    """When a badge was earned that the days themselves tell of."""
    if rule.family == STREAK:
        return next(day for day, length in zip(days, _lengths(days), strict=True) if length >= rule.needed)
    return days[rule.needed - 1] if rule.family == DAYS else None
