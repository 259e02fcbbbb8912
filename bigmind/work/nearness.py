"""How near a text is to items by meaning, with the product's model, and what comes of it."""

from collections.abc import Sequence

from bigmind.brain.contributing.likeness import embedded, nearest
from bigmind.embedding.models import ALIKE, model_named
from bigmind.search.model_state import active_model
from bigmind.store.work import Work
from bigmind.work.about import TEXT_READ, Ground, Other, Subject, how_about, nearest_by_words

MOST_OTHERS = 10
"""Other items of a project that a text is compared with: each is embedded, which takes some 20 ms."""


def ground(work: Work, subject: Subject, text: str, others: Sequence[Subject] = ()) -> Ground | None:
    """Why a text is about an item; None where it is not. It may wait for the model: call it before anything is written.

    Args:
        work: reads; its model is the one that search goes by.
        subject: the item.
        text: a question or a contribution.
        others: the other open items of its project that the caller may read, some hundreds at most.
    """
    if how_about(subject, text, None, ALIKE) is Ground.TITLE:
        return Ground.TITLE  # that asks no model
    chosen = nearest_by_words(text, others, MOST_OTHERS)
    own, *found = similarities(work, text, (subject, *chosen))
    return how_about(subject, text, own, ALIKE, [Other(*each) for each in zip(chosen, found, strict=True)])


def similarity(work: Work, subject: Subject, text: str) -> float | None:
    """How similar a text is to an item on the scale of all models; None where no model works or reads them."""
    return similarities(work, text, (subject,))[0]


def similarities(work: Work, text: str, subjects: Sequence[Subject]) -> list[float | None]:
    """The same for each of some items, of which the first is the one in question, by one request to the model."""
    model = model_named(active_model(work))
    read = [each.meaning for each in subjects if model.reads(each.meaning)]
    answer = embedded(work, [text[:TEXT_READ], *read]) if model.reads(subjects[0].meaning) else None
    if answer is None:
        return [None] * len(subjects)
    own, *pieces = answer[1]
    near = {one: nearest(model, own, those) for one, those in zip(read, pieces, strict=True)}
    return [near.get(each.meaning) for each in subjects]
