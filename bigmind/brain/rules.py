"""The brain's numbers and formulas, each as a named constant. Pure; docs/brain.md says what each is for.

Similarities are on the one scale of all models (`embedding/models.py`: alike 0.5, close 0.85, the same 0.9).
"""

from collections.abc import Collection
from datetime import date, datetime, timedelta
from math import log10

from bigmind.embedding.models import ALIKE, CLOSE, SAME

SNAPSHOT, CORRECTION_CATEGORY, SUMMARY = "state_snapshot", "correction", "domain_summary"

# What a thought holds.
LONGEST_THOUGHT = 10_000
LONGEST_CONTEXT = 2_000
LONGEST_AGENT, LONGEST_AGENT_NAME = 100, 200
MOST_TAGS = 8
LEAST_OF_DOMAIN = 3
"""Living thoughts whose topics begin alike from which on that beginning is a domain."""

# What is stored (`contribution.py`), and which flags it gets (`quality.py`).
TOO_SHORT = 50
"""Characters up to which a text is stored only where it refines or consolidates."""
ECHO_SHARE = 0.6
"""More than this share of a text's words in one of the agent's last prompts makes it an echo."""
ECHO_PROMPTS = 5
ECHO_WORD = 3
"""Letters from which on a word counts for that."""
ORPHAN = 150
"""Characters from which on a text that says "see …" stands for itself."""
LEAST_NEW_WORDS = 3
"""Telling words that a refinement or a consolidation adds to what it rests on; with fewer it nearly repeats it."""
STALE_AFTER_DAYS = 14
PROPOSES_REFINING, PROPOSES_CONSOLIDATING = CLOSE, SAME
NEARLY_REPEATS = SAME
CONTRADICTS = CLOSE

# Pheromone.
FIRST_WEIGHT, LEAST_WEIGHT, MOST_WEIGHT = 1.0, 0.1, 10.0
RETRIEVED = 0.05
"""What each retrieval adds to what was returned."""
CONTRIBUTED = 0.02
"""What a contribution adds to what its session had been shown before."""
DECAY_PER_HOUR = 0.005
INHERITED = 0.5
"""The share of its source's weight that a refinement begins with; of the mean of its sources', a consolidation."""

# The order.
SUPERSEDED = {"refines": 0.7, "consolidates": 0.7, "supersedes": 0.5}
"""By what superseded it: a refinement, a consolidation, a correction."""
FLAGGED = {"keyword_echo": 0.8, "near_duplicate": 0.9}
STALE_BESIDE_NEWER, STALE_NEWEST = 0.8, 0.9
CORRECTION = 1.3
REFINEMENT_OF_HIT = 1.2
GENTLE = 0.1
"""What a weight of 10 adds to the factor 1, and one of 0.1 takes from it; by the logarithm between."""
CONTEXT_STEERS = 0.15
"""What a thought that is wholly about the asker's context gains over one that has nothing to do with it: less than the
step between a hit and the next that the prompt itself makes."""
ENOUGH = ALIKE
"""The best similarity below which filters are relaxed."""

# Disambiguation, highways, sessions.
LEAST_HITS, LEAST_TAGS = 10, 3
HIGHWAY_READS, HIGHWAY_AGENTS = 3, 2
HIGHWAY_NEAR = ALIKE
ONE_HIGHWAY = 0.95
"""The similarity above which one of two highways alone is shown."""
MOST_HIGHWAYS = 5
SESSION_LASTS = timedelta(hours=24)
LINEAGE_DEPTH = 10
SHORT_THOUGHT = 600
"""Characters up to which a thought counts as short, of those that are proposed for one summary."""
LEAST_TO_CONSOLIDATE = 3
LEAST_CONSOLIDATED = 2
"""Sources of a consolidation; the other is from how many on one is proposed."""


def weight_now(weight: float, since: datetime, now: datetime) -> float:
    """A pheromone weight as it is now: decayed by 0.5 % an hour since it was changed last, between 0.1 and 10.

    A clock that was set back decays nothing.
    """
    hours = max(0.0, (now - since).total_seconds() / 3600)
    return bounded(weight * (1 - DECAY_PER_HOUR) ** hours)


def bounded(weight: float) -> float:
    """A weight within its bounds."""
    return min(MOST_WEIGHT, max(LEAST_WEIGHT, weight))


def inherited(weights: Collection[float]) -> float:
    """What a refinement of one thought, or a consolidation of several, begins with: at least 1."""
    return bounded(max(FIRST_WEIGHT, INHERITED * sum(weights) / len(weights)))


def weight_factor(weight: float) -> float:
    """What a weight does to the order: from 0.9 at 0.1 over 1 at 1 to 1.1 at 10."""
    return 1.0 + GENTLE * log10(bounded(weight))


def is_stale(category: str, temporal_scope: str, today: date) -> bool:
    """Whether a snapshot tells of a day, `2026-04-11`, more than 14 days back; not where it names none."""
    if category != SNAPSHOT or not temporal_scope:
        return False
    return (today - date.fromisoformat(temporal_scope)).days > STALE_AFTER_DAYS


def domain_of(topic: str) -> str:
    """The first part of a topic: `pay` of `pay/refunds`."""
    return topic.partition("/")[0]


# Texts.
LONGEST_TAG = 40
TAG_WORD = 4
"""Letters from which on a text's own word can be a tag."""
