"""The engineering questions: what is written is sound, and they can be asked."""

from collections import Counter
from pathlib import Path

import yaml

from bigmind.embedding.meaning import WORDS_ONLY
from tests.bench.engineering.filling import fill
from tests.bench.engineering.measuring import APART, outcomes_of, shares, tables
from tests.bench.engineering.written import HERE, NOW, memory, questions
from tests.memory.living import living

CLASSES = {
    "paraphrase": 30,
    "exact": 30,
    "part": 20,
    "decision": 15,
    "preference": 10,
    "time": 10,
    "german": 20,
    "french": 20,
    "chinese": 10,
    "japanese": 10,
    "crosslingual": 10,
    "short": 10,
    "long": 5,
    "misspelt": 10,
    "nothing": 20,
}


def test_there_are_enough_questions_of_every_class():
    found = Counter(each.sort for each in questions())
    assert set(found) == set(CLASSES)
    assert {sort: number for sort, number in CLASSES.items() if found[sort] < number} == {}
    assert sum(1 for each in questions() if each.answers and each.sort != APART) >= 150


def test_every_answer_is_something_that_is_remembered():
    known = {each.name for each in memory()}
    assert [each.query for each in questions() if not set(each.answers) <= known] == []
    assert [each.query for each in questions() if (each.sort == "nothing") != (not each.answers)] == []


def test_nothing_is_written_twice():
    names = Counter(each.name for each in memory())
    texts = Counter(str(each.told.get("content") or each.told.get("text") or each.name) for each in memory())
    asked = Counter(each.query for each in questions())
    assert [name for found in (names, texts, asked) for name, number in found.items() if number > 1] == []


def test_no_key_stands_twice_in_a_file():
    for file in HERE.glob("*/*.yaml"):
        assert _doubled(yaml.compose(file.read_text(encoding="utf-8"))) == [], file.name


def _doubled(node: yaml.Node) -> list[str]:
    """Keys of a YAML document that stand twice in one mapping: the loader would keep the last without a word."""
    if isinstance(node, yaml.SequenceNode):
        return [each for part in node.value for each in _doubled(part)]
    if not isinstance(node, yaml.MappingNode):
        return []
    keys = Counter(key.value for key, _ in node.value)
    inside = [each for _, value in node.value for each in _doubled(value)]
    return [*(key for key, number in keys.items() if number > 1), *inside]


def test_the_memory_holds_every_kind_in_five_languages_over_a_year_and_a_half():
    assert set(Counter(each.kind for each in memory())) == {"session", "chunk", "fact", "hypothesis", "knowledge"}
    projects = Counter(each.project for each in memory())
    assert all(projects[name] >= 20 for name in ("lager", "tarif", "suyun", "hikari", "ledger"))
    times = [each.at for each in memory()]
    assert (times[-1] - times[0]).days > 500
    assert times[-1] < NOW
    assert max(len(each.told.get("content", "")) for each in memory()) > 2_000


def test_the_questions_of_one_project_are_answered_by_words(tmp_path: Path):
    of_project = [each for each in memory() if each.project == "ledger"]
    known = {each.name for each in of_project}
    told = [each for each in questions() if set(each.answers) & known or each.sort == "nothing"]
    with living(tmp_path / "home") as mind:
        names = fill(mind, of_project)
        outcomes = outcomes_of(mind, WORDS_ONLY, told, names, ["words"])
    assert len(outcomes["everything", "words"]) == len(told)
    answered = [each for each in outcomes["everything", "words"] if each.question.answers]
    first, _, in_five, in_ten, reciprocal = shares(answered)
    assert 0.5 < first <= reciprocal <= in_ten
    assert 0.75 < in_five <= in_ten
    by_class, one_by_one, of_moments, nothing = tables(outcomes)
    assert {row[0] for row in by_class.rows} >= {"paraphrase", "exact", "time"}
    assert len(one_by_one.rows) == len(of_moments.rows) == 1
    assert len(nothing.rows) == 3
