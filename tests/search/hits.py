"""What was found by itself: a session that only stands above its moments was not."""

from bigmind.memory.recall.answers import Finding, Findings, MomentHit


def matched(found: Findings) -> list[Finding | MomentHit]:
    """The things that were found, each session before its moments."""
    return [each for hit in found.hits for each in (*((hit,) if hit.excerpt else ()), *hit.moments)]


def kinds_matched(found: Findings) -> list[str]:
    """Their kinds."""
    return ["chunk" if isinstance(each, MomentHit) else each.kind for each in matched(found)]
