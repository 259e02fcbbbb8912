"""The records of an export as proposals: conversations as past sessions, what the service remembers as facts."""

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from bigmind.core.plain_text import clean, one_line, shortened
from bigmind.core.shapes import as_object, is_list, is_object
from bigmind.learning.classification import fact_category
from bigmind.learning.exports import Part
from bigmind.learning.json_stream import unusable
from bigmind.learning.proposals import (
    LONGEST_OF_PROFILE,
    MOST,
    ConversationRecord,
    Proposal,
    SourcePlace,
    client_of,
    merged,
    proposals_of,
    section,
    titled,
)
from bigmind.learning.source_text import parsed
from bigmind.learning.sources import Scope, Source
from bigmind.text.phrasing import counted

MOST_CONVERSATIONS = 1_000
"""The newest that were not decided yet; the older ones are proposed when these are."""
LONGEST_HEADLINE = 120
LONGEST_SUMMARY = 1_000
MOST_PROJECTS = 10_000
"""Whose names are kept."""
_MOST_TOPICS = 3
_OFTEN = 3
"""Titles that have a word which is thereby a topic."""
_SHORTEST_TOPIC = 4
_FIRST = datetime(2015, 1, 1, tzinfo=UTC)
_AHEAD = timedelta(days=1)
_BLOCK = re.compile(r"```(.*?)```", re.DOTALL)

OWN_EXPORTS = "An export of BigMind itself is brought in on Export & import."

CHATGPT, CLAUDE = "ChatGPT", "Claude"

Kept: TypeAlias = tuple[datetime, int, Proposal]


@dataclass(slots=True)
class RecordCollection:
    """What one export holds that could be learnt.

    Attributes:
        file: its name.
        decided: the digests of what was decided before.
        now: nothing was said later.
        newest: the newest conversations, in a heap.
        others: what is no conversation.
        older: conversations beyond those.
        without_time: conversations of which nobody knows when they were held, or in which nothing was asked.
        decided_before: how many were decided before.
    """

    file: str
    decided: AbstractSet[str]
    now: datetime
    newest: list[Kept] = field(default_factory=list[Kept])
    others: list[Proposal] = field(default_factory=list[Proposal])
    older: int = 0
    without_time: int = 0
    decided_before: int = 0
    _names: dict[str, str] = field(default_factory=dict[str, str])
    _instructions: tuple[float, str] = (-1.0, "")
    _order: Iterator[int] = field(default_factory=count)
    _known: int = 0

    def proposals(self) -> list[Proposal]:
        """All that was gathered, what is remembered first, then the newest conversations."""
        others = [each for each in merged([*self._of_instructions(), *self.others]) if each.digest not in self.decided]
        conversations = [each for _, _, each in sorted(self.newest, key=lambda kept: kept[:2], reverse=True)]
        return [*others[:MOST], *_with_topics(conversations)]

    def read(self, parts: Iterable[Part]) -> None:
        """Take in every record.

        Raises:
            BigMindError: `invalid_input`, when none of them is of an export that is known.
        """
        seen = 0
        for part in parts:
            seen += 1
            self._known += self._take(part)
        if not seen:
            raise unusable("holds no conversation of ChatGPT or Claude", OWN_EXPORTS)
        if not self._known:
            raise unusable(
                "is no export of ChatGPT or Claude: no record of it has messages "
                "(`mapping` of ChatGPT, `chat_messages` of Claude), a memory or a project",
                OWN_EXPORTS,
            )

    def _take(self, part: Part) -> bool:
        content = part.content
        if "mapping" in content:
            self._take_chatgpt(as_object(content["mapping"]), content)
        elif "chat_messages" in content:
            self._take_claude(content)
        elif "conversations_memory" in content or "project_memories" in content:
            self._take_memory(content)
        elif "prompt_template" in content or ("description" in content and "uuid" in content):
            self._take_project(content)
        else:
            return False
        return True

    def _take_chatgpt(self, mapping: Mapping[str, Any], content: Mapping[str, Any]) -> None:
        messages = [as_object(as_object(node).get("message")) for node in mapping.values()]
        for message in messages:
            self._note_instructions(message)
            if message.get("recipient") == "bio" and _role(message) == "assistant":
                self._remember(_said(message), CHATGPT)
        asked = [text for each in messages if _role(each) == "user" and (text := _said(each))]
        key = str(content.get("conversation_id") or content.get("id") or "")
        begin, end = content.get("create_time"), content.get("update_time")
        self._keep(CHATGPT, key, content.get("title"), (begin, end), asked)

    def _take_claude(self, content: Mapping[str, Any]) -> None:
        messages = [as_object(each) for each in _list(content["chat_messages"])]
        asked = [text for each in messages if each.get("sender") == "human" and (text := _said_to_claude(each))]
        project = as_object(content.get("project"))
        named = _text(project.get("name")) or self._names.get(
            _text(content.get("project_uuid") or project.get("uuid")), ""
        )
        times = content.get("created_at"), content.get("updated_at")
        told = _text(content.get("summary"))
        self._keep(CLAUDE, _text(content.get("uuid")), content.get("name"), times, asked, named or None, told)

    def _keep(
        self,
        service: str,
        key: str,
        title: object,
        times: tuple[object, object],
        asked: Sequence[str],
        project: str | None = None,
        told: str = "",
    ) -> None:
        begin = _moment(times[0], self.now)
        if begin is None or not asked or not key:
            self.without_time += 1
            return
        end = max(begin, _moment(times[1], self.now) or begin)
        began = f"{counted(len(asked), 'message')} of yours. It began: {asked[0]}"
        held = ConversationRecord(f"{service}:{key}", begin, end, summary=_masked(told or began, LONGEST_SUMMARY))
        headline = _masked(one_line(_text(title) or asked[0]), LONGEST_HEADLINE) or service
        place = (SourcePlace(self.file),)
        proposal = Proposal("session", headline, client_of(service), project=project, places=place, held=held)
        if proposal.digest in self.decided:
            self.decided_before += 1
            return
        heapq.heappush(self.newest, (begin, next(self._order), proposal))
        if len(self.newest) > MOST_CONVERSATIONS:
            heapq.heappop(self.newest)
            self.older += 1

    def _note_instructions(self, message: Mapping[str, Any]) -> None:
        """What the person had ChatGPT told about them: the newest holds."""
        content = as_object(message.get("content"))
        data = as_object(as_object(message.get("metadata")).get("user_context_message_data"))
        told = [data.get("about_user_message"), data.get("about_model_message")]
        if content.get("content_type") == "user_editable_context":
            told += [_unwrapped(content.get("user_profile")), _unwrapped(content.get("user_instructions"))]
        text = "\n\n".join(dict.fromkeys(one for each in told if (one := _text(each).strip())))
        at = message.get("create_time")
        moment = float(at) if isinstance(at, int | float) else 0.0
        if text and moment >= self._instructions[0]:
            self._instructions = (moment, text)

    def _of_instructions(self) -> Iterator[Proposal]:
        text = _masked(self._instructions[1], LONGEST_OF_PROFILE)
        if text:
            place = (SourcePlace(self.file, "Custom instructions"),)
            yield Proposal("profile", text, client_of(CHATGPT), places=place)

    def _remember(self, text: str, service: str) -> None:
        said = _masked(one_line(text), LONGEST_SUMMARY)
        if said and len(self.others) < MOST * 2:
            place = (SourcePlace(self.file, "Memory"),)
            category = fact_category(said, "user")
            self.others.append(Proposal("fact", said, client_of(service), category, places=place))

    def _take_memory(self, content: Mapping[str, Any]) -> None:
        self._of_markdown(_text(content.get("conversations_memory")), "Memory", None)
        for key, text in as_object(content.get("project_memories")).items():
            project = self._names.get(key, f"Claude project {key[:8]}")
            self._of_markdown(_text(text), f"Memory of {project}", project)

    def _take_project(self, content: Mapping[str, Any]) -> None:
        name = one_line(_text(content.get("name")))[:200]
        if not name or len(self._names) >= MOST_PROJECTS:
            return
        self._names[_text(content.get("uuid"))] = name
        told = [_text(content.get(key)).strip() for key in ("description", "prompt_template")]
        text = "\n\n".join(each for each in told if each)
        if text and len(self.others) < MOST * 2:
            place, client = SourcePlace(self.file, name), client_of(CLAUDE)
            self.others.append(
                section(_masked(text, len(text)), titled(f"{name}: project"), "standard", client, place, name)
            )

    def _of_markdown(self, text: str, heading: str, project: str | None) -> None:
        if not text.strip() or len(self.others) >= MOST * 2:
            return
        scope: Scope = "workspace" if project else "user"
        source = Source(Path(self.file), self.file, CLAUDE, scope, project, True, len(text), self.now)
        for each in proposals_of(parsed(source, text)):
            place = SourcePlace(self.file, " › ".join(one for one in (heading, each.places[0].heading) if one))
            self.others.append(replace(each, client=client_of(CLAUDE), places=(place,)))


def _with_topics(sessions: Sequence[Proposal]) -> list[Proposal]:
    """Each with the words of its title that stand in several: what is said once is no topic."""
    from bigmind.text.words import query_terms  # noqa: PLC0415 - here alone

    words = [[w for w in query_terms(each.text) if len(w) >= _SHORTEST_TOPIC and w.isalpha()] for each in sessions]
    counts = Counter(word for each in words for word in each)
    return [
        replace(each, held=replace(each.held, topics=_topics(own, counts))) if each.held else each
        for each, own in zip(sessions, words, strict=True)
    ]


def _topics(words: Sequence[str], counts: Mapping[str, int]) -> tuple[str, ...]:
    often = [word for word in words if counts[word] >= _OFTEN and "masked" not in word]
    return tuple(sorted(often, key=lambda word: -counts[word])[:_MOST_TOPICS])


def _masked(text: str, most: int) -> str:
    from bigmind.secrets.masking import mask  # noqa: PLC0415 - its rules are loaded when something is learnt

    return shortened(mask(clean(text)).text.strip(), most)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return value if is_list(value) else []


def _role(message: Mapping[str, Any]) -> str:
    return _text(as_object(message.get("author")).get("role"))


def _said(message: Mapping[str, Any]) -> str:
    parts = _list(as_object(message.get("content")).get("parts"))
    return "\n".join(part for part in parts if isinstance(part, str)).strip()


def _said_to_claude(message: Mapping[str, Any]) -> str:
    text = _text(message.get("text")).strip()
    blocks = [each for each in _list(message.get("content")) if is_object(each)]
    return text or "\n".join(_text(each.get("text")) for each in blocks if each.get("type") == "text").strip()


def _unwrapped(value: object) -> str:
    """What the person wrote of what ChatGPT tells its model about them: it stands in a block."""
    found = _BLOCK.search(_text(value))
    return found[1] if found else _text(value)


def _moment(value: object, now: datetime) -> datetime | None:
    """Seconds since 1970, or a time as text; None for what cannot be when it was."""
    try:
        if isinstance(value, int | float):
            at = datetime.fromtimestamp(value, UTC)
        else:
            at = datetime.fromisoformat(_text(value))
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return at if _FIRST <= at <= now + _AHEAD else None
