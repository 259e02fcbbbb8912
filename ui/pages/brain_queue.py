"""The gardening queue: thoughts without a category and flagged ones, what was kept out, and several made one."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from bigmind.brain.rules import LEAST_CONSOLIDATED, LONGEST_THOUGHT
from bigmind.core.lazy_module import LazyModule
from bigmind.store.work import Work
from ui.page_addresses import number
from ui.shell import Told
from ui.show.thought_words import THOUGHT_WORDS

if TYPE_CHECKING:
    from bigmind.brain import listing
else:
    listing = LazyModule("bigmind.brain.listing")

PAGE = 30
MOST_SHOWN = 600
NEAR = 6
MOST_MERGED = 20


def queue_told(work: Work, asked: Mapping[str, str]) -> Told:
    """What waits in the queue, or with `show=noise` what is kept out of answers."""
    is_noise = asked.get("show") == "noise"
    limit = max(PAGE, number(asked, "shown", MOST_SHOWN))
    waiting, kept_out = listing.queue_stretch(work, limit), listing.noise_stretch(work, limit)
    stretch = kept_out if is_noise else waiting
    return {
        "is_noise": is_noise,
        "stretch": stretch,
        "counts": {"waiting": waiting.total, "noise": kept_out.total},
        "step": PAGE,
        "words": THOUGHT_WORDS,
    }


def merge_told(work: Work, references: Sequence[str]) -> Told:
    """Thoughts that become one, with what is like the first of them.

    Raises:
        BigMindError: as `thoughts_named`.
    """
    chosen = listing.thoughts_named(work, references[:MOST_MERGED])
    near = listing.thoughts_near(work, chosen[0], NEAR) if chosen else []
    known = {each.uid for each in chosen}
    return {
        "chosen": chosen,
        "near": [each for each in near if each.uid not in known],
        "is_enough": len(chosen) >= LEAST_CONSOLIDATED,
        "text": "\n\n".join(each.content for each in chosen)[:LONGEST_THOUGHT],
        "longest": LONGEST_THOUGHT,
        "words": THOUGHT_WORDS,
    }
