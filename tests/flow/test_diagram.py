"""A process as a picture and as rows: both say all that the document says, and nothing stored is taken for markup."""

from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from bigmind.flow.diagram import rows, svg
from bigmind.flow.workflow import ANY, Effect, Gate, Level, Process
from tests.flow.shipped import FILES, shipped

SVG = "{http://www.w3.org/2000/svg}"
EVIL = "</title><script>alert(1)</script>\"'&<b>"
every_process = pytest.mark.parametrize("name", FILES)


def drawn(process: Process, current: str = "") -> ET.Element:
    return ET.fromstring(svg(process, current))  # noqa: S314 - our own


def of_class(picture: ET.Element, name: str) -> list[ET.Element]:
    return [each for each in picture.iter(f"{SVG}g") if name in each.get("class", "").split()]


def texts(element: ET.Element) -> str:
    return " ".join(each.strip() for each in element.itertext() if each.strip())


@every_process
def test_every_state_is_a_node_with_its_marks(name: str) -> None:
    process = shipped(name)
    nodes = {each.get("data-state"): each for each in of_class(drawn(process), "state")}
    assert list(nodes) == list(process.states)
    for state in process.states.values():
        node = nodes[state.name]
        assert state.title in texts(node)
        marks = {"is-final": state.is_final, "is-claimed": state.is_claimed, "is-saving": state.saves}
        assert {each for each, holds in marks.items() if holds} == {*node.get("class", "").split()} - {"state"}
        for word, holds in (("final", state.is_final), ("claimed", state.is_claimed), ("interrupts", state.saves)):
            assert (word in texts(node)) == holds
        assert ("begins" in texts(node)) == state.begins


@every_process
def test_every_transition_is_one_arrow_with_its_label_who_may_and_its_gates(name: str) -> None:
    process = shipped(name)
    arrows = of_class(drawn(process), "transition")
    assert Counter((each.get("data-from"), each.get("data-to")) for each in arrows) == Counter(
        (each.source, each.target) for each in process.transitions
    )
    in_order = sorted(process.transitions, key=lambda each: each.source == ANY)
    for rule, arrow in zip(in_order, arrows, strict=True):
        [label] = [each for each in arrow.iter(f"{SVG}text") if each.get("class") == "label"]
        assert rule.label in texts(label)
        assert all(each in texts(label) for each in rule.actors)
        needs = " ".join(texts(each) for each in arrow.iter(f"{SVG}text") if each.get("class") == "needs")
        assert all(each.name in needs for gate in rule.gates for each in gate.each())


@every_process
def test_what_leads_from_anywhere_is_drawn_once_with_a_dot_at_each_state(name: str) -> None:
    process = shipped(name)
    for arrow in of_class(drawn(process), "transition"):
        if arrow.get("data-from") == ANY:
            sources = [each for each in process.states.values() if not (each.is_final or each.saves)]
            assert len([*arrow.iter(f"{SVG}circle")]) == len(sources)


@every_process
def test_no_text_meets_another_or_leaves_the_picture(name: str) -> None:
    picture = drawn(shipped(name))
    _, _, width, height = map(float, picture.get("viewBox", "").split())
    boxes: list[tuple[float, float, float, float]] = []
    for arrow in of_class(picture, "transition"):
        for text in arrow.iter(f"{SVG}text"):
            x, y, size = (float(text.get(key, "")) for key in ("x", "y", "font-size"))
            boxes.append((x, y - size * 0.8, x + len(texts(text)) * size * 0.5, y + size * 0.2))
    for at, (left, top, right, bottom) in enumerate(boxes):
        assert left >= 0
        assert right <= width
        assert bottom <= height
        for other_left, other_top, other_right, other_bottom in boxes[at + 1 :]:
            assert right < other_left or other_right < left or bottom <= other_top or other_bottom <= top


@every_process
def test_the_rows_say_the_same_as_the_document(name: str) -> None:
    process = shipped(name)
    found = rows(process)
    assert len(found) == len(process.transitions)
    for rule, row in zip(process.transitions, found, strict=True):
        assert (row.source, row.target, row.label) == (rule.source, rule.target, rule.label)
        assert all(each in row.by for each in rule.actors)
        assert [each.partition(",")[0] for each in row.gates] == [each.name for each in rule.gates]
        assert len(row.effects) == len(rule.effects)
        assert rule.role is None or f"item of {rule.role}" in row.by
        assert rule.worked_as is None or f"work of {rule.worked_as}" in row.by


def test_the_picture_has_a_title_and_says_itself_in_words() -> None:
    picture = drawn(shipped("task"), "review")
    ids = picture.get("aria-labelledby", "").split()
    title, described = (next(each for each in picture.iter() if each.get("id") == name) for name in ids)
    assert (picture.get("role"), title.tag, described.tag) == ("img", f"{SVG}title", f"{SVG}desc")
    assert "Task" in texts(title)
    assert "It is now in Review." in texts(described)
    for rule in shipped("task").transitions:
        assert f"{rule.label}: {rule.source} to {rule.target}" in texts(described)


def test_where_an_item_is_now_is_marked_and_a_state_that_is_none_marks_nothing() -> None:
    for current, marked in (("review", ["review"]), ("", []), ("gone", [])):
        found = of_class(drawn(shipped("task"), current), "is-current")
        assert [each.get("data-state") for each in found] == marked


def test_it_needs_no_script_no_style_and_no_network() -> None:
    text = svg(shipped("task"))
    assert "<style" not in text
    assert "style=" not in text
    assert "href" not in text
    assert "url(" not in text
    assert text.count("http") == 1, "the namespace alone"


def test_what_is_stored_is_text_and_no_markup() -> None:
    bug = shipped("bug")
    states = {name: replace(each, title=EVIL) for name, each in bug.states.items()}
    evil_gate = Gate("field", {"name": EVIL, "one_of": [EVIL]})
    evil = [
        replace(each, label=EVIL, prompt=EVIL, gates=(evil_gate,), effects=(Effect("emit", EVIL),), role=EVIL)
        for each in bug.transitions
    ]
    process = replace(bug, title=EVIL, states=states, transitions=tuple(evil))
    picture = drawn(process, "active")
    assert {each.tag.removeprefix(SVG) for each in picture.iter()} == {
        "svg", "title", "desc", "g", "line", "path", "circle", "rect", "text"
    }  # fmt: skip
    assert EVIL in texts(picture)
    assert "<script" not in svg(process)


def test_a_gate_in_words_says_what_it_asks_for() -> None:
    field = {"name": "a", "least": 3, "one_of": ["x", "y"], "url": True}
    assert Gate("field", field, Level.BY_END).words == "field:a, least 3, one of x y, url, MUST BY END"
    assert Gate("other_agent").words == "other_agent"
    both = Gate("any_of", level=Level.SHOULD, parts=(Gate("other_agent"), Gate("human_confirmed")))
    assert Gate("all_of", parts=(Gate("field", {"name": "a", "url": True}),)).words == "(field:a, url)"
    assert both.words == "(other_agent or human_confirmed), SHOULD"
