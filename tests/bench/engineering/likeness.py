"""How alike by meaning a question and its answers are, and how alike what does not answer: where ALIKE should stand."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import col, select

from bigmind.embedding.meaning import Meaning
from bigmind.embedding.models import model_named
from bigmind.embedding.vector_index import EVERYBODY, VectorFilter
from bigmind.registry import KINDS
from bigmind.search.model_state import active_model
from bigmind.store.work import Work
from tests.bench.engineering.written import Question
from tests.bench.report import Table, percentile
from tests.memory.living import Memory

THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6)
FOREIGN = ("german", "french", "chinese", "japanese", "crosslingual")
DEEP = 500
HEAD = ("cosine", "answers in English", "answers in others", "nothing answers: asked", "things found", "others found")


@dataclass(frozen=True, slots=True)
class Cosines:
    """Of one question: the highest of what answers it, and all of what does not."""

    question: Question
    answer: float
    others: tuple[float, ...]


def likeness(memory: Memory, meaning: Meaning, questions: Sequence[Question], names: dict[str, str]) -> Table:
    """For each threshold the share of questions whose best answer is above it, and what is above it by mistake.

    Of the questions in a script that the model reads.
    """
    with memory.mind.store.read(memory.caller, "bench") as work:
        model = active_model(work)
        asked = [each for each in questions if model_named(model).reads(each.query)]
        known = [_cosines(work, meaning, model, each, names) for each in asked]
    english = [each.answer for each in known if each.answer > -1 and each.question.sort not in FOREIGN]
    foreign = [each.answer for each in known if each.answer > -1 and each.question.sort in FOREIGN]
    nothing = [each.others for each in known if not each.question.answers]
    others = [each.others for each in known if each.question.answers]
    table = Table(f"Found by its meaning alone from a cosine of …, {model}", HEAD)
    for least in THRESHOLDS:
        table.add(
            f"{least:.2f}",
            *(_percent([answer >= least for answer in answers]) for answers in (english, foreign)),
            _percent([any(cosine >= least for cosine in each) for each in nothing]),
            *(_mean([sum(cosine >= least for cosine in each) for each in part]) for part in (nothing, others)),
        )
    for name, values in (
        ("the best answer, English", english),
        ("the best answer, others", foreign),
        ("the best of what does not answer", [max(each, default=-1.0) for each in nothing]),
    ):
        tenths = " / ".join(f"{percentile(values, share):.2f}" for share in (0.05, 0.25, 0.5, 0.75, 0.95)) or "—"
        table.notes.append(f"- Cosine of {name}, 5 / 25 / 50 / 75 / 95 of a hundred: {tenths}")
    return table


def _cosines(work: Work, meaning: Meaning, model: str, question: Question, names: dict[str, str]) -> Cosines:
    vector, why_not = meaning.ask(model, question.query).vector()
    assert vector is not None, why_not
    assert meaning.vectors is not None
    answers, others = [-1.0], list[float]()
    for kind, table in ((each.name, each.table) for each in KINDS.searched):
        among = VectorFilter(kind, EVERYBODY if kind == "knowledge" else work.caller.user_id)
        near = meaning.vectors.nearest(work.session, model, vector, among, DEEP)
        rows = work.session.exec(select(table.id, table.uid).where(col(table.id).in_([each.item for each in near])))
        called = {key: names[uid] for key, uid in rows}
        for each in near:
            (answers if called[each.item] in question.answers else others).append(each.similarity)
    return Cosines(question, max(answers), tuple(others))


def _percent(values: Sequence[bool]) -> str:
    return f"{100 * sum(values) / len(values):.0f}" if values else "—"


def _mean(values: Sequence[int]) -> str:
    return f"{sum(values) / len(values):.1f}" if values else "—"
