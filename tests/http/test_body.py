"""The body at the door, as units: whatever is sent, it comes out cleaned or is refused in our words."""

import json
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import anyio
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bigmind.core.errors import BigMindError, Code
from bigmind.core.plain_text import clean
from bigmind.http.api import arguments_in
from bigmind.http.asgi import Message, replaying
from bigmind.http.body import DEEPEST, MOST_BYTES, checked_json, declared_length, read_body
from tests.thorough import often

T = TypeVar("T")

SURROGATES = st.characters(min_codepoint=0xD800, max_codepoint=0xDFFF)
TEXTS = st.text(st.one_of(st.characters(), SURROGATES, st.sampled_from('\x00\x1b"\\{}[]\u202e\ufeff')), max_size=30)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)
TOKENS = st.sampled_from(
    [
        b"[",
        b"]",
        b"{",
        b"}",
        b'"',
        b"\\",
        b'\\"',
        b"\\ud800",
        b"\\udc00",
        b"\\u0000",
        b",",
        b":",
        b"1",
        b"\x00",
        b"\xff",
    ]
)


def cleaned(node: Any) -> Any:
    """What the one rule of `bigmind.core.plain_text` makes of a document; written anew, as an oracle."""
    if isinstance(node, str):
        return clean(node)
    if isinstance(node, list):
        return [cleaned(each) for each in node]
    if isinstance(node, dict):
        return {clean(key): cleaned(value) for key, value in node.items()}
    return node


def has_surrogate(node: Any) -> bool:
    return any("\ud800" <= character <= "\udfff" for character in json.dumps(node, ensure_ascii=False))


def depth_of(node: Any) -> int:
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else None
    return 0 if inner is None else 1 + max(map(depth_of, inner), default=0)


def outcome(call: Callable[[], T]) -> T | Code:
    """What the call returns, or the code of the fault in our words that it raises; any other fault is the test's."""
    try:
        return call()
    except BigMindError as error:
        return error.code


@given(DOCUMENTS)
@example({"\ud800": ["\udfff\ud83d", "\ud83d\ude00"]})
def test_a_document_comes_out_cleaned_and_otherwise_the_same(document: Any) -> None:
    body = json.dumps(document).encode()
    came, document = json.loads(checked_json(body)), json.loads(body)  # two halves side by side are one character
    if has_surrogate(document):
        # NUL goes here too: the document was parsed anyway.
        assert came == cleaned(document)
    else:
        assert cleaned(came) == cleaned(document)
    assert not has_surrogate(came)


@given(DOCUMENTS)
def test_a_document_in_plain_utf_8_is_not_touched(document: Any) -> None:
    body = json.dumps(cleaned(document), ensure_ascii=False).encode()
    assert checked_json(body) == body


@settings(max_examples=often(300, 100))
@given(st.one_of(st.binary(max_size=200), st.lists(TOKENS, max_size=60).map(b"".join)))
@example(('["\\"", ' + "[" * 5_000).encode("utf-16-le"))
@example(('["\\"", ' + "[" * 5_000).encode("utf-32-be"))
@example(b'"' + b"[" * 5_000)
@example(b'"\\' + b"[" * 5_000)
@example(b"]" * 5_000 + b"[" * 5_000)
@example(b'["\\ud800", 1e999999, -0, ' + b"9" * 5_000 + b"]")
@example(b'\xef\xbb\xbf{"a": "\\ud800"}')
def test_any_bytes_are_refused_in_our_words_or_safe_to_parse(body: bytes) -> None:
    came = outcome(lambda: checked_json(body))
    if isinstance(came, Code):
        assert came is Code.BAD_REQUEST
        return
    try:
        document = json.loads(came)
    except ValueError:
        return  # not JSON: the parser behind says so. A RecursionError would not come here.
    assert depth_of(document) <= DEEPEST
    assert not has_surrogate(document)


@given(st.integers(1, 200), st.booleans(), st.text('[]{}"\\ ', max_size=200))
def test_depth_counts_brackets_and_not_what_stands_in_strings(depth: int, objects: bool, text: str) -> None:
    inner = json.dumps(text)
    body = ('{"a":' * depth + inner + "}" * depth if objects else "[" * depth + inner + "]" * depth).encode()
    if depth <= DEEPEST:
        assert json.loads(checked_json(body)) == json.loads(body)
    else:
        with pytest.raises(BigMindError, match="nested deeper than 64"):
            checked_json(body)


LARGE = 2_000_000


@pytest.mark.parametrize(
    "body",
    [
        b'"' * LARGE,
        b'"\\' * LARGE,
        b"\\" * LARGE,
        b'"' + b"\\" * LARGE,
        b'["' + b'\\"' * LARGE,
        b'"a' * LARGE + b"[" * 100,
        b'{"\\ud800": "' + b"\\u" * LARGE + b'"}',
        b"\\ud80" * LARGE,
        b"[]" * LARGE,
        b"[" * DEEPEST + b'"' + b"[" * LARGE,
    ],
    ids=range(10),
)
def test_large_hostile_shapes_are_dealt_with(body: bytes) -> None:
    """Each would keep a backtracking or quadratic reader busy past the suite's time limit."""
    assert outcome(lambda: checked_json(body)) in (body, Code.BAD_REQUEST)


def receiving(messages: Iterable[Message]):
    waiting = iter(messages)

    async def receive() -> Message:
        return next(waiting)

    return receive


def as_messages(parts: list[bytes]) -> list[Message]:
    return [
        {"type": "http.request", "body": part, "more_body": number < len(parts) - 1}
        for number, part in enumerate(parts)
    ]


@given(st.lists(st.binary(max_size=50), min_size=1, max_size=10), st.integers(0, 300))
def test_a_body_is_read_whole_or_refused_as_too_large(parts: list[bytes], most: int) -> None:
    whole = b"".join(parts)
    if len(whole) <= most:
        assert anyio.run(read_body, receiving(as_messages(parts)), most) == whole
    else:
        with pytest.raises(BigMindError) as caught:
            anyio.run(read_body, receiving(as_messages(parts)), most)
        assert caught.value.code is Code.TOO_LARGE


def test_reading_stops_as_soon_as_a_body_is_too_large() -> None:
    messages = iter(as_messages([b"x" * 10] * 5))

    async def receive() -> Message:
        return next(messages)

    with pytest.raises(BigMindError):
        anyio.run(read_body, receive, 15)
    assert len(list(messages)) == 3


@given(st.lists(st.binary(max_size=20), max_size=5))
def test_a_client_that_goes_away_within_its_body_is_a_bad_request(parts: list[bytes]) -> None:
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    with pytest.raises(BigMindError) as caught:
        anyio.run(read_body, receiving([*messages, {"type": "http.disconnect"}]))
    assert caught.value.code is Code.BAD_REQUEST


def test_a_body_that_was_read_is_given_once_and_then_the_real_one_goes_on() -> None:
    async def read() -> list[Message]:
        receive = replaying(b"all of it", receiving([{"type": "http.disconnect"}]))
        return [await receive(), await receive()]

    first, then = anyio.run(read)
    assert first == {"type": "http.request", "body": b"all of it", "more_body": False}
    assert then == {"type": "http.disconnect"}


@given(st.lists(st.binary(max_size=40) | st.integers().map(lambda number: str(number).encode()), max_size=3))
@example([b"9" * 5_000])
@example([b"\xb2"])
@example([b"0" * 5_000 + b"1"])
def test_a_declared_length_is_a_number_or_refused(values: list[bytes]) -> None:
    scope = {"headers": [(b"content-length", value) for value in values]}
    length = outcome(lambda: declared_length(scope))
    if isinstance(length, int):
        assert length == int(values[0]) <= MOST_BYTES
    else:
        assert length in ({Code.BAD_REQUEST, Code.TOO_LARGE} if values else {None})


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"fact": "a", "fact": "b"}', "The body names 'fact' twice."),
        (b'{"parts": [{"a": 1, "b": 2, "a": 1}]}', "The body names 'a' twice."),
        (b'{"confidence": ' + b"9" * 5_000 + b"}", "A number in the body is too long."),
        (b'{"fact": ', "The body is not JSON: "),
        (b"[1]", "The body is [1]."),
    ],
    ids=["twice", "twice within", "5,000 digits", "cut off", "a list"],
)
def test_fields_are_what_the_body_says_or_refused_in_words(body: bytes, said: str) -> None:
    with pytest.raises(BigMindError) as refusal:
        arguments_in(body)
    assert refusal.value.code is Code.BAD_REQUEST
    assert refusal.value.message.startswith(said)
    assert "sys." not in str(refusal.value)


def test_a_name_that_stands_twice_is_refused_where_surrogates_are_taken_out_too() -> None:
    with pytest.raises(BigMindError, match="names 'a' twice"):
        checked_json(b'{"a": "\\ud800", "a": 1}')


def test_a_raw_nul_is_refused_without_recommending_what_is_left_out() -> None:
    with pytest.raises(BigMindError, match="holds a NUL byte") as refusal:
        checked_json(b'{"a": "\x00"}')
    assert "u0000" not in refusal.value.hint
