"""How sure a fact is, as its history tells: what contradictions took, and what it would be without them."""

from collections.abc import Callable, Iterable

from bigmind.memory.tables import FactEvent

LOSES = 0.6
LEAST = 0.1
"""A contradicted fact keeps this share of its confidence, once for each fact that contradicts it, and at least this."""

CONTRADICTED = "contradicted"
EDITED = "edited"


def weakened(confidence: float) -> float:
    """What a contradiction leaves; it never raises."""
    return min(confidence, max(LEAST, round(confidence * LOSES, 4)))


def replayed(events: Iterable[FactEvent], counts: Callable[[FactEvent], bool]) -> float | None:
    """How sure a fact would be if only those contradictions had happened that count.

    Args:
        events: all of one fact, the oldest first.
        counts: whether a contradiction does.

    Returns:
        None without events. A fact that is older than its history is taken to have had what its first loss left of it.
    """
    sure: float | None = None
    before = 0.0
    for event in events:
        if sure is None:
            sure = before = _before(event)
        if event.action == CONTRADICTED:
            sure = weakened(sure) if counts(event) else sure
        elif event.confidence != before:  # somebody said how sure it is
            sure = event.confidence if event.action == EDITED else max(sure, event.confidence)
        before = event.confidence
    return sure


def _before(event: FactEvent) -> float:
    if event.action != CONTRADICTED or event.confidence <= LEAST:
        return event.confidence
    return min(1.0, round(event.confidence / LOSES, 4))
