"""How sure a fact is, as its history tells: what contradictions took, and what it would be without them."""

from collections.abc import Callable, Iterable

from bigmind.memory.tables import FactEvent

LOSES = 0.6
LEAST = 0.1
"""A contradicted fact keeps this share of its confidence, once for each fact that contradicts it, and at least this."""

CONTRADICTED = "contradicted"
EDITED = "edited"
GIVING_BACK = frozenset(("recovered", "kept"))
"""With another fact's id: what that one took is given back, and nothing else is said of how sure the fact is."""


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
    told = list(events)
    standing = {each.id for each in disputes(told).values() if each.action == CONTRADICTED}
    for event in told:
        if sure is None:
            sure = before = _before(event)
        if event.action == CONTRADICTED:
            stands = event.other_uid is None or event.id in standing
            sure = weakened(sure) if stands and counts(event) else sure
        elif event.action in GIVING_BACK and event.other_uid is not None:
            pass
        elif event.confidence != before:  # somebody said how sure it is
            sure = event.confidence if event.action == EDITED else max(sure, event.confidence)
        before = event.confidence
    return sure


def disputes(events: Iterable[FactEvent]) -> dict[str, FactEvent]:
    """By each other fact's id the last of what it took and was given back, of the events of one fact, oldest first."""
    return {
        event.other_uid: event
        for event in events
        if event.other_uid is not None and (event.action == CONTRADICTED or event.action in GIVING_BACK)
    }


def _before(event: FactEvent) -> float:
    if event.action != CONTRADICTED or event.confidence <= LEAST:
        return event.confidence
    return min(1.0, round(event.confidence / LOSES, 4))
