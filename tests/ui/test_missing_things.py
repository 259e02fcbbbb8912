"""What leads nowhere, and what was forgotten meanwhile, in the words of a person: no operation is named."""

import ast
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import bigmind
from bigmind.core.errors import BigMindError, Code, FieldProblem
from bigmind.registry import OPERATIONS
from tests.ui.acting import act
from tests.ui.serving import Running
from ui.error_messages import in_words, page_title

NAMES = {each.name for each in OPERATIONS if "_" in each.name}
SOURCES = sorted(Path(bigmind.__file__).parent.rglob("*.py"))
RAISING = {"not_found", "invalid", "BigMindError", "LookupSubject", "find_by_uid"}
THINGS = {
    "/facts": "fact",
    "/hypotheses": "hypothesis",
    "/knowledge": "entry",
    "/sessions": "session",
    "/brain/thoughts": "thought",
    "/work": "work item",
    "/mindspace": "node",
    "/protocol": "protocol run",
}


def _named_in(text: str) -> set[str]:
    return {name for name in NAMES if name in text}


def _hints() -> Iterator[str]:
    """Every text of ours that an error is made with, and every constant that names an operation."""
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISING:
                yield from _texts(node.args[1:])
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                yield from _texts([node.value])


def _texts(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        parts = [
            each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)
        ]
        if len(" ".join(parts).split()) > 1:
            yield "".join(parts)


def test_no_hint_names_an_operation_on_a_page() -> None:
    hints = [each for each in _hints() if _named_in(each)]
    assert len(hints) > 20, "they are found"
    for hint in hints:
        error = BigMindError(Code.NOT_FOUND, "There is none.", hint)
        for told in (in_words(error).message, page_title(error).detail):
            assert not _named_in(told), told


def test_what_is_for_people_stays() -> None:
    hint = "Pass role=pdsa. `bigmind token create my_ide` makes one. memory_list_facts shows them; load the page again."
    told = in_words(BigMindError(Code.CONFLICT, "It did not work.", hint)).message
    assert told == "It did not work. `bigmind token create my_ide` makes one. load the page again."


@pytest.mark.parametrize(
    ("expected", "words"),
    [
        ("'confirmed', 'refuted' or 'abandoned'", "confirmed, refuted or abandoned"),
        ("'chunk', 'work_item' or 'protocol_run' (A kind.)", "moment, work item or protocol run"),
        ("true or false", "yes or no"),
    ],
)
def test_the_few_values_of_a_field_are_told_as_words(expected: str, words: str) -> None:
    problem = FieldProblem("kind", "'x'", expected)
    told = in_words(BigMindError(Code.INVALID_INPUT, "The input of x is not valid.", problems=(problem,)))
    assert [each.right for each in told.fields] == [words]
    assert told.detail == f"Kind: given “x”. Expected: {words}."


@pytest.mark.parametrize("reference", ["nope", "0123456789abcdef"])
@pytest.mark.parametrize(("path", "kind"), THINGS.items())
def test_an_address_that_leads_nowhere_says_of_what(client: httpx.Client, path: str, kind: str, reference: str) -> None:
    answer = client.get(f"{path}/{reference}")
    assert answer.status_code == 404
    assert f"There is no such {kind}" in answer.text
    assert "may have been forgotten" in answer.text
    assert not _named_in(answer.text.partition("<main")[2].partition("<dialog")[0])
    assert "got &#39;" not in answer.text


def test_text_written_of_what_was_forgotten_meanwhile_stays(server: Running, client: httpx.Client) -> None:
    fact = server.call("memory_store_fact", category="decision", fact="The queue is Redis").fact.fact_id
    server.call("memory_forget", id=fact, confirm=True)
    answer = act(client, "memory_edit_fact", fact_id=fact, fact="The queue is Kafka")
    assert answer.status_code == 404
    assert "This fact was forgotten meanwhile; your text is still here." in answer.text
    assert "memory_list_facts" not in answer.text
    put_away = act(client, "memory_deprecate_fact", fact_id=fact, reason="It was replaced")
    assert "This fact was forgotten meanwhile; nothing else was changed." in put_away.text
