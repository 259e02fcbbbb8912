"""docs/processes.md says what the engine knows: kinds of gates with their options, levels, effects, keys."""

import re
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError
from bigmind.flow.checks import EFFECTS
from bigmind.flow.gates import COMBINED, GATES
from bigmind.flow.process_document import ProcessForm, StateForm, TransitionForm, read_process
from bigmind.flow.workflow import ACTORS, Level

TEXT = (Path(__file__).parents[2] / "docs" / "processes.md").read_text(encoding="utf-8")


def table(heading: str) -> dict[str, list[str]]:
    """The first column of the table with that first heading, in words, each with the other cells of its line."""
    rows: dict[str, list[str]] = {}
    for line in TEXT.partition(f"\n| {heading} |")[2].splitlines()[2:]:
        if not line.startswith("|"):
            break
        first, *others = (each.strip() for each in line.strip("|").split("|"))
        rows |= dict.fromkeys(re.findall(r"`([^`]+)`", first), others)
    return rows


def section(title: str) -> str:
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_every_kind_of_gate_stands_there_with_its_options() -> None:
    rows = table("kind")
    assert rows.keys() == GATES.keys()
    for name, (_, options) in rows.items():
        required, _, others = options.partition(";")
        assert {*re.findall(r"`([^`]+)`", required)} == GATES[name].required, name
        assert {*re.findall(r"`([^`]+)`", others)} == GATES[name].options - GATES[name].required, name
        assert (options == "a list") == (name in COMBINED), name


def test_every_level_and_effect_and_actor_stands_there() -> None:
    assert [*table("level")] == [each.value for each in Level]
    assert table("effect").keys() == EFFECTS
    by = re.search(r"\| `by` \|(.*)\|", TEXT)
    assert by is not None
    assert {*re.findall(r"`([^`]+)`", by.group(1))} == ACTORS


@pytest.mark.parametrize(
    ("title", "form"), [("Write one", ProcessForm), ("States", StateForm), ("Transitions", TransitionForm)]
)
def test_every_key_stands_there(title: str, form: type[ProcessForm | StateForm | TransitionForm]) -> None:
    named = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", section(title), re.MULTILINE)
    keys = {each.alias or name for name, each in form.model_fields.items()}
    assert {key for each in named for key in re.findall(r"`(\w+)`", each)} == keys


def test_the_document_that_it_shows_is_one() -> None:
    shown = TEXT.partition("```yaml\n")[2].partition("```")[0]
    assert read_process(shown, "letter.yaml").name == "letter"


def test_the_fault_that_it_shows_is_told_so() -> None:
    shown = TEXT.partition("```yaml\n")[2].partition("```")[0]
    misspelt = shown.replace("gates: [memory_queried]", "gates: [memory_quried]")
    told = next(line.strip() for line in section("Errors").splitlines() if "memory_quried" in line)
    with pytest.raises(BigMindError) as refused:
        read_process(misspelt, "letter.yaml")
    assert told.partition(", …")[0] in str(refused.value)
