"""A store with one thing of every kind, many times, each with words that stand nowhere else."""

import random
import string
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.memory.traces import patterns_of

Call = Callable[..., dict[str, Any]]
"""Runs an operation by name, in this process or over HTTP, and returns its answer as data."""

KINDS = ("session", "chunk", "fact", "hypothesis", "knowledge", "thought")
COMMON = "the decision was made after a long talk about brass wheels and punched cards"


@dataclass(frozen=True)
class Thing:
    """Something that can be forgotten, and what must be gone with it."""

    kind: str
    id: str
    patterns: frozenset[bytes]


class Words:
    """Words that nothing else contains."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)

    def word(self, length: int = 11) -> str:
        return "".join(self._draw.choices(string.ascii_lowercase, k=length))

    def line(self) -> str:
        """At most 80 characters."""
        return self.text(2, paddings=(0,))

    def text(self, size: int = 4, paddings: tuple[int, ...] = (0, 1, 5, 80)) -> str:
        """Some words of its own between common ones: one capitalised, a name in camel case, one of Han characters."""
        camel = f"{self.word(7)}{self.word(8).title()}"
        han = "".join(chr(self._draw.randrange(0x4E00, 0x9FA5)) for _ in range(4))
        own = [self.word().title(), camel, han, *(self.word() for _ in range(size))]
        padding = COMMON.split() * self._draw.choice(paddings)
        mixed = [*own, *padding]
        self._draw.shuffle(mixed)
        return " ".join(mixed)


def own_words(*texts: str) -> frozenset[bytes]:
    common = patterns_of(COMMON)
    return frozenset(patterns_of(*texts) - common)


def fill(call: Call, number: int, seed: int = 1) -> list[Thing]:
    """Store `number` things of each kind; sessions have detail, topics and moments, facts and hypotheses an end."""
    words = Words(seed)
    makers = {"session": session, "chunk": chunk, "fact": fact, "hypothesis": hypothesis}
    makers |= {"knowledge": knowledge, "thought": thought}
    return [makers[kind](call, words) for _ in range(number) for kind in KINDS]


def session(call: Call, words: Words) -> Thing:
    said = [words.text() for _ in range(3)]
    line, topics = words.line(), [words.word(), words.word()]
    summary, bullets, refs = words.text(8), [words.line()], [f"src/{words.word()}.py"]
    uid = call("memory_start_session", topics=topics)["session_id"]
    for text in said:
        call("memory_append_chunk", role="user", content=text, flag_reason=topics[0], session_id=uid)
    end = {"one_liner": line, "outcome": bullets[0], "summary": summary, "key_facts": bullets, "code_refs": refs}
    call("memory_end_session", session_id=uid, topics=topics, **end)
    return Thing("session", uid, own_words(line, *said, *topics, summary, *bullets, *refs))


def chunk(call: Call, words: Words) -> Thing:
    text, reason = words.text(20), words.line()
    uid = call("memory_flag_important", content=text, flag_reason=reason)["chunk_id"]
    return Thing("chunk", uid, own_words(text, reason))


def fact(call: Call, words: Words) -> Thing:
    text, reason = words.text(4, (0, 1, 5)), words.line()
    uid = call("memory_store_fact", category="decision", fact=text)["fact"]["fact_id"]
    if len(text) % 2:
        call("memory_deprecate_fact", fact_id=uid, reason=reason)
    return Thing("fact", uid, own_words(text, reason))


def hypothesis(call: Call, words: Words) -> Thing:
    text, ending = words.text(4, (0, 1, 5)), words.text(3, (0, 1, 5))
    uid = call("memory_add_hypothesis", hypothesis=text)["hypothesis"]["hypothesis_id"]
    if len(text) % 2:
        call("memory_resolve_hypothesis", id=uid, status="refuted", resolution=ending)
    return Thing("hypothesis", uid, own_words(text, ending))


def knowledge(call: Call, words: Words) -> Thing:
    title, text, notes = f"{words.word()} {words.word()}", words.text(), words.line()
    entry = call("memory_promote_to_global", category="decision", title=title, content=text)["entry"]["entry_id"]
    call("memory_edit_global", entry_id=entry, notes=notes)
    return Thing("knowledge", entry, own_words(title, text, notes))


def thought(call: Call, words: Words) -> Thing:
    text, context, topic, tags = words.text(6, (5,)), words.line(), words.word(), [words.word(), words.word()]
    given = {"context": context, "topic": topic, "tags": tags, "alternatives_considered": words.line()}
    given["source_ref"] = {"type": "file", "value": f"src/{words.word()}.py", "project": words.word()}
    uid = call("contribute_to_brain", prompt=text, **given)["trace"]["thought_id"]
    call("query_brain", prompt=COMMON)
    source = given["source_ref"]
    said = (text, context, topic, *tags, given["alternatives_considered"], source["value"], source["project"])
    return Thing("thought", uid, own_words(*said))
