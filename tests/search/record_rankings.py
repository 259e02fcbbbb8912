"""Writes down what the ranking is given for questions of engineers, and how it ranks that: numbers alone, no text.

`python -m tests.search.record_rankings` asks some of the questions in `tests/bench/engineering` with the default model,
and has the slow ranking (`plain_ranking.py`) order what was looked at.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bigmind.registry import KINDS
from bigmind.search import engine
from bigmind.search.finding import source_of
from bigmind.search.model_state import active_model
from bigmind.search.ranking import MEASURED, Candidates, RankedCandidate, Weights, ranked
from bigmind.search.scope import SearchQuery
from tests.bench.engineering.asking import by, embedded
from tests.bench.engineering.filling import fill
from tests.bench.engineering.written import Written, memory, questions
from tests.memory.living import Memory, living
from tests.search.plain_ranking import in_rows, plainly_ranked

RECORD = Path(__file__).with_name("recorded_rankings.json")
DIGITS = 4
"""Of what is written down, so that it stays small: it is ranked as it is written."""
ASKED = 30
AS_ASKED = ("{}", "When was it? {}", "{} It was in May 2025.", "What did Grace say of it? {}", "{}")
AS_SAID = ("Grace: {}", "Alan: {} Is that right?", "{}", "Grace: {} (?)")
Given = tuple[Candidates, Mapping[str, float], Mapping[str, float] | None]


def main() -> None:
    """Ask, and write it down."""
    with tempfile.TemporaryDirectory() as folder, living(Path(folder)) as mind:
        fill(mind, map(_said, memory(), cycle(AS_SAID)))
        with embedded(mind) as meaning, by("hybrid", mind, meaning):
            told = [_written(*each) for each in _given(mind)]
    RECORD.write_text("[\n" + ",\n".join(json.dumps(each, separators=(",", ":")) for each in told) + "\n]\n")


def _said(thing: Written, how: str) -> Written:
    """A moment as somebody said it; anything else as it is."""
    if thing.kind != "chunk":
        return thing
    return replace(thing, told={**thing.told, "content": how.format(thing.told["content"])})


def _given(mind: Memory) -> list[Given]:
    """What the ranking is given for some of the questions, of all kinds and of moments in turns."""
    given: list[Given] = []

    def noted(
        candidates: Candidates, rarity: Mapping[str, float], weights: Weights, telling: Mapping[str, float] | None
    ) -> list[RankedCandidate]:
        given.append((candidates, rarity, telling))
        return ranked(candidates, rarity, weights, telling)

    some = questions()[:: len(questions()) // ASKED][:ASKED]
    kinds = cycle(([each.name for each in KINDS.searched], ["chunk"]))
    with patch.object(engine, "ranked", noted), mind.mind.store.read(mind.caller, "record") as work:
        model = active_model(work)
        source = source_of(work, model, partial(work.host.meaning.ask, model))
        for question, asked in zip(some, cycle(AS_ASKED), strict=False):
            engine.find(source, SearchQuery(asked.format(question.query), 5), next(kinds))
    return given


def _written(
    candidates: Candidates, rarity: Mapping[str, float], telling: Mapping[str, float] | None
) -> dict[str, Any]:
    weights = [round(each, DIGITS) for each in rarity.values()]
    told = None if telling is None else [round(telling.get(term, 0.0), DIGITS) for term in rarity]
    columns = {name: [_short(each) for each in column] for name, column in candidates._asdict().items()}
    names = [str(number) for number in range(len(weights))]
    rows = in_rows(columns_of(columns), names)
    order = plainly_ranked(
        rows, dict(zip(names, weights, strict=True)), MEASURED, told and dict(zip(names, told, strict=True))
    )
    numbers = {each.key: number for number, each in enumerate(rows)}
    return {
        "rarity": weights,
        "telling": told,
        **columns,
        "order": [numbers[each.key] for each in order],
        "scores": [round(each.score, 9) for each in order],
        "told": [round(each.told, 9) for each in order],
    }


def _short(value: Any) -> Any:
    match value:
        case bool():
            return int(value)
        case float():
            return round(value, DIGITS)
        case (kind, key):
            return f"{kind} {key}"
        case _:
            return value


def columns_of(written: Mapping[str, Sequence[Any]]) -> Candidates:
    """Candidates as they were written down."""
    columns = {name: written[name] for name in Candidates._fields}
    keys = [(kind, int(key)) for kind, _, key in (each.partition(" ") for each in columns.pop("keys"))]
    return Candidates(keys, **columns)


if __name__ == "__main__":
    main()
