"""Draws docs/brain_similarities.svg: how similar real pairs are by the default model, beside the brain's numbers.

`python -m tests.bench.closeness` writes it anew; tests/brain/test_brain_page.py measures pairs again.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bigmind.brain.contributing.likeness import cosine
from bigmind.brain.rules import ENOUGH, PROPOSES_CONSOLIDATING, PROPOSES_REFINING
from bigmind.embedding.loader import load
from bigmind.embedding.models import DEFAULT, model_named
from tests.brain import contributions
from tests.memory import engineering_pairs, fact_pairs
from tests.support import ROOT

FILE = ROOT / "docs" / "brain_similarities.svg"
WIDTH, LEFT, RIGHT, TOP, ROW = 920, 300, 30, 64, 56
JITTER = 17
NUMBERS = {"alike": ENOUGH, "close": PROPOSES_REFINING, "the same": PROPOSES_CONSOLIDATING}

Pair = tuple[str, str]


class PairGroup(NamedTuple):
    """Pairs of one sort: what they have in common, in words, and a colour."""

    title: str
    pairs: Sequence[Pair]
    colour: str


def groups() -> list[PairGroup]:
    """The pairs, of which both texts are in English: the model reads no other language well."""
    return [
        PairGroup("thoughts that say nearly the same", _beside("near_duplicate"), "#2c7a4b"),
        PairGroup("facts that say the same", fact_pairs.REPEATS + fact_pairs.LATER_REPEATS, "#2c7a4b"),
        PairGroup("a corrected fact, said again", list(_corrected()), "#b3541e"),
        PairGroup("facts of which one is wrong now", engineering_pairs.CERTAIN + fact_pairs.CONTRADICTIONS, "#b3541e"),
        PairGroup("facts that are alike and both hold", engineering_pairs.HARMLESS, "#35618e"),
        PairGroup("thoughts of one topic that both hold", _beside(""), "#35618e"),
        PairGroup("facts that have nothing in common", fact_pairs.UNRELATED + fact_pairs.LATER_UNRELATED, "#777777"),
    ]


def _beside(flag: str) -> list[Pair]:
    """Contributions with that flag, or with none, and what was stored before each."""
    those = [
        each for each in contributions.CONTRIBUTIONS if each.before and (flag in each.flags if flag else not each.flags)
    ]
    return [(str(one["prompt"]), str(each.arguments["prompt"])) for each in those for one in each.before[:1]]


def _corrected() -> Iterator[Pair]:
    for each in contributions.CONTRIBUTIONS:
        if "contradicts_correction" in each.flags:
            yield str(each.before[0]["corrected_fact"]), str(each.arguments["prompt"])


def similarities(pairs: Sequence[Pair]) -> list[float]:
    """How similar each pair is, on the scale of all models."""
    model = model_named(DEFAULT)
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    pieces = load(DEFAULT).documents([("", each) for each in texts])
    vectors = {text: found[0][2] for text, found in zip(texts, pieces, strict=True)}
    return [model.similarity(cosine(vectors[one], vectors[other])) for one, other in pairs]


def place(similarity: float) -> float:
    """Where a similarity stands from the left."""
    return LEFT + max(0.0, similarity) * (WIDTH - LEFT - RIGHT)


def drawn(measured: Sequence[tuple[PairGroup, Sequence[float]]]) -> str:
    """The picture."""
    bottom = TOP + ROW * len(measured)
    label = f"Similarity of real pairs by {DEFAULT}, with the numbers at which the brain changes what it says"
    head = f'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 50}" role="img" aria-label="{label}"'
    lines = [
        f'<svg {head} font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{bottom + 50}" fill="#ffffff"/>',
        f'<text x="14" y="22" font-size="15" fill="#222222">Real pairs, {DEFAULT}</text>',
    ]
    lines += [_text(place(tenth / 10), bottom + 22, f"{tenth / 10:.1f}", "middle") for tenth in range(11)]
    lines.append(_text(place(0.5), bottom + 42, "similarity", "middle"))
    for number, (name, value) in enumerate(NUMBERS.items()):
        x = f"{place(value):.1f}"
        lines.append(
            f'<line x1="{x}" x2="{x}" y1="{TOP - 8}" y2="{bottom}" stroke="#222222" stroke-dasharray="5 4"/>'
            f"{_text(place(value), TOP - 14 - 16 * (number % 2), f'{name} {value:g}', 'middle')}"
        )
    for number, (group, values) in enumerate(measured):
        lines += _row(group, values, TOP + ROW * number + ROW / 2)
    return "\n".join([*lines, "</svg>", ""])


def _row(group: PairGroup, values: Sequence[float], middle: float) -> Iterator[str]:
    counts = [sum(each >= number for each in values) for number in (PROPOSES_REFINING, PROPOSES_CONSOLIDATING)]
    told = f"{len(values)} pairs: {counts[0]} close, of these {counts[1]} the same"
    yield _text(LEFT - 16, middle - 3, group.title, "end")
    yield _text(LEFT - 16, middle + 14, told, "end", "#666666")
    for number, value in enumerate(values):
        y = middle + (number * 7 % (2 * JITTER)) - JITTER
        yield f'<circle cx="{place(value):.1f}" cy="{y:.0f}" r="3.5" fill="{group.colour}" fill-opacity="0.55"/>'


def _text(x: float, y: float, told: str, anchor: str, colour: str = "#222222") -> str:
    return f'<text x="{x:.1f}" y="{y:.0f}" text-anchor="{anchor}" fill="{colour}">{told}</text>'


def main(file: Path = FILE) -> None:
    measured = [(each, similarities(each.pairs)) for each in groups()]
    file.write_text(drawn(measured), encoding="utf-8")
    for group, values in measured:
        told = sorted(values)
        print(f"{group.title}: {len(told)} pairs, {told[0]:.2f} … {told[len(told) // 2]:.2f} … {told[-1]:.2f}")


if __name__ == "__main__":
    main()
