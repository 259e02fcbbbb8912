"""One thought: what it says, where it comes from, who used it, what it hangs together with, and what can be done."""

from typing import TYPE_CHECKING

from bigmind.brain.rules import LONGEST_THOUGHT
from bigmind.core.lazy_module import LazyModule
from bigmind.store.work import Work
from ui.shell import Told
from ui.show.thought_words import THOUGHT_WORDS
from ui.show.weight_line import weight_line

if TYPE_CHECKING:
    from bigmind.brain.finding import portrait
    from ui.show import lineage_map
else:
    portrait = LazyModule("bigmind.brain.finding.portrait")
    lineage_map = LazyModule("ui.show.lineage_map")


def thought_told(work: Work, reference: str) -> Told:
    """What the page of a thought shows.

    Raises:
        BigMindError: as `portrait`.
    """
    found = portrait.portrait(work, reference)
    return {
        "found": found,
        "thought": found.thought,
        "lineages": lineage_map.lineages(found.family),
        "rests": lineage_map.RESTS,
        "line": weight_line(found.course, work.now),
        "words": THOUGHT_WORDS,
        "longest": LONGEST_THOUGHT,
        "today": work.now.date().isoformat(),
    }
