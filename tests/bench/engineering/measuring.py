"""The tables of the engineering questions: how well each class is answered by words, by vectors and by both."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bigmind.embedding.meaning import Meaning
from tests.bench.engineering.asking import Asked, asked, by, embedded, everything, moments, one_by_one
from tests.bench.engineering.filling import fill
from tests.bench.engineering.likeness import likeness
from tests.bench.engineering.written import Question, memory, questions
from tests.bench.report import Table, milliseconds, percentile
from tests.memory.living import Memory, living

WAYS = ("words", "vectors", "hybrid")
APART = "crosslingual"
"""The class that stands apart: the question is in another language than what answers it."""
HEAD = ("questions", "by", "number", "hit@1", "hit@3", "hit@5", "hit@10", "MRR")
NOTHING = (
    "looked through",
    "by",
    "asked",
    "found nothing",
    "or says that nothing answers well",
    "hits, mean",
    "of those answered, % said well",
    "p50 ms",
    "p95 ms",
)


Outcomes = dict[tuple[str, str], list[Asked]]
"""What was asked, by what was looked through and by which way."""


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Every class through `memory_semantic_search`, moments through `memory_search_chunks`; then the cosines."""
    told = questions()[:: 10 if quick else 1]
    with living(folder / "home") as mind:
        names = fill(mind, memory())
        with embedded(mind) as meaning:
            yield from tables(outcomes_of(mind, meaning, told, names, WAYS))
            yield likeness(mind, meaning, told, names)


def outcomes_of(
    mind: Memory, meaning: Meaning, told: Sequence[Question], names: dict[str, str], ways: Sequence[str]
) -> Outcomes:
    """Ask everything by each of the ways."""
    kinds = {each.name: each.kind for each in memory()}
    of_moments = [each for each in told if not each.answers or any(kinds[name] == "chunk" for name in each.answers)]
    outcomes: Outcomes = {}
    for way in ways:
        with by(way, mind, meaning):
            outcomes["everything", way] = asked(mind, everything, told, names)
            outcomes["one by one", way] = asked(mind, one_by_one, told, names)
            outcomes["moments", way] = asked(mind, moments, of_moments, names)
    return outcomes


def tables(outcomes: Outcomes) -> Iterator[Table]:
    """What was found of each class, among the moments, and where there is nothing to find."""
    yield _by_class(outcomes)
    yield _one_by_one(outcomes)
    yield _moments(outcomes)
    yield _nothing(outcomes)


def _by_class(outcomes: Outcomes) -> Table:
    table = Table(f"{len(memory())} things of all kinds, each class of questions", HEAD)
    of_all = {way: outcome for (looked, way), outcome in outcomes.items() if looked == "everything"}
    sorts = dict.fromkeys(each.question.sort for outcome in of_all.values() for each in outcome)
    for sort in sorted(sorts, key=lambda sort: sort == APART):
        for way, outcome in of_all.items():
            _add(table, sort, way, outcome, lambda each, sort=sort: each.sort == sort)
    for way, outcome in of_all.items():
        _add(table, f"all but {APART}", way, outcome, lambda each: each.sort != APART)
    return table


def _one_by_one(outcomes: Outcomes) -> Table:
    table = Table("The same, each moment a hit of its own", HEAD)
    for (looked, way), outcome in outcomes.items():
        if looked == "one by one":
            _add(table, f"all but {APART}", way, outcome, lambda each: each.sort != APART)
    return table


def _moments(outcomes: Outcomes) -> Table:
    table = Table("Moments only, questions that a moment answers", HEAD)
    for (looked, way), outcome in outcomes.items():
        if looked == "moments":
            _add(table, f"all but {APART}", way, outcome, lambda each: each.sort != APART)
    return table


def _add(table: Table, name: str, way: str, outcome: Sequence[Asked], among: Callable[[Question], bool]) -> None:
    chosen = [each for each in outcome if each.question.answers and among(each.question)]
    if chosen:
        table.add(name, way, len(chosen), *(f"{100 * share:.1f}" for share in shares(chosen)))


def shares(outcome: Sequence[Asked]) -> list[float]:
    """hit@1, hit@3, hit@5, hit@10 and MRR, each from 0 to 1."""
    hits = [sum(0 < each.place <= most for each in outcome) / len(outcome) for most in (1, 3, 5, 10)]
    return [*hits, sum(1 / each.place for each in outcome if each.place) / len(outcome)]


def _nothing(outcomes: Outcomes) -> Table:
    table = Table("Questions that nothing answers, and how long all questions took", NOTHING)
    for (looked, way), outcome in outcomes.items():
        empty = [each for each in outcome if not each.question.answers]
        right, hits = sum(not each.hits for each in empty), sum(len(each.hits) for each in empty)
        modest = sum(not each.is_well for each in empty)
        known = [each for each in outcome if each.place and each.question.sort != APART]
        well = f"{100 * sum(each.is_well for each in known) / len(known):.1f}" if known else "—"
        mean = f"{hits / len(empty):.1f}" if empty else "—"
        times = [milliseconds(percentile([each.seconds for each in outcome], share)) for share in (0.5, 0.95)]
        table.add(looked, way, len(empty), right, modest, mean, well, *times)
    table.notes.append("In this process, every query for the first time by vectors, with its vector kept by hybrid.")
    return table
