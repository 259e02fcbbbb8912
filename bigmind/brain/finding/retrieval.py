"""Finds thoughts: search over what the caller may read, filters relaxed where nothing fits, and the brain's order."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import bindparam, func
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from bigmind.brain.answers import SHOWN_WHOLE
from bigmind.brain.finding.clusters import Cluster, clusters
from bigmind.brain.finding.factors import STALE, Standing, flags_on, ordered
from bigmind.brain.finding.highways import Highway, near_highways
from bigmind.brain.finding.lineage import Succession, is_accepted, is_living, succession
from bigmind.brain.finding.places import places
from bigmind.brain.rules import ENOUGH, HIGHWAY_READS, LEAST_HITS, SNAPSHOT, is_stale
from bigmind.brain.tables import Thought, ThoughtTag
from bigmind.core.kind import Where
from bigmind.embedding.models import ALIKE, CLOSE, model_named
from bigmind.memory.lookup import key_of
from bigmind.memory.sessions.choice import current_project
from bigmind.search.engine import Hit, SearchResult
from bigmind.search.finding import find
from bigmind.search.model_state import active_model
from bigmind.search.scope import SearchQuery, index_of
from bigmind.search.snippets import shown
from bigmind.store.descriptions import ChildCondition, PathCondition, Predicate, RowCondition
from bigmind.store.prepared_statements import first, kept_rows
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.text.dates import named_times, nearness
from bigmind.text.words import query_terms

KIND = "thought"
ACCEPTED = RowCondition("caution", "", other=Where("accepted_at", datetime(1970, 1, 1, tzinfo=UTC), ">="))
"""As `is_accepted`, for a search: a time of any kind is one."""
LOOKED_AT = 30
"""Hits that the brain's factors are computed for, the best by the search's score: no factor lifts one from further."""
DROPPED_FIRST = ("category", "tags", "topic")
NEAR_IN_TIME = 0.5


class Question(NamedTuple):
    """What is asked, and what the answer is narrowed to; empty narrows nothing."""

    prompt: str
    context: str = ""
    topic: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    space: str = ""
    limit: int = 5
    full_content: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A thought of an answer.

    Attributes:
        row: the thought.
        score: its place among the sources, at most 1.
        similarity: how near it is.
        flags: its quality flags now.
        fields: what it matched by.
        excerpt: of a long text the stretch that answers, with what was looked for between `**`; a short one whole.
        refined_by: the id of the newest thought that corrected it, else refined it; empty where none did.
    """

    row: Thought
    score: float
    similarity: float
    flags: tuple[str, ...]
    fields: tuple[str, ...]
    excerpt: str
    refined_by: str = ""

    @property
    def reason(self) -> str:
        """Why it was found, in words: `topic match + high similarity`."""
        said = [f"{each} match" for each in self.fields if each not in {"meaning", "lineage"}]
        if "meaning" in self.fields:
            said.append("high similarity" if self.similarity >= CLOSE else "similar meaning")
        if "lineage" in self.fields:
            said.append("supersedes a match")
        return " + ".join(said) or "nearest there is"


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What was found.

    Attributes:
        sources: best first.
        found: how many thoughts answered.
        dropped: the filters that were dropped, in their order.
        clusters: groups of what was found, largest first, where there is so much that the asker has to choose.
        highways: well-travelled thoughts near the question, that are no sources.
        words_only: why meaning had no part; empty where it had.
        is_steered: whether the context had a part in the order.
        project: the one that the asker works on.
    """

    sources: Sequence[Source]
    found: int = 0
    dropped: tuple[str, ...] = ()
    clusters: Sequence[Cluster] = ()
    highways: Sequence[Highway] = ()
    words_only: str = ""
    is_steered: bool = False
    project: str | None = None
    answers_well: bool = True

    @property
    def is_snapshot_alone(self) -> bool:
        """Whether nothing answers, and the topic's snapshot is told all the same."""
        return bool(self.sources) and not self.found


def retrieve(work: Work, asked: Question) -> Retrieval:
    """The thoughts that answer best, of those that the caller may read."""
    model = active_model(work)
    coming = work.host.meaning.ask(model, asked.context) if asked.context else None
    project = current_project(work)
    found, waiting, dropped = _relaxed(work, asked, project)
    best = max((each.similarity for each in found.hits or waiting), default=0.0)
    hits = list(islice(found.hits, max(LOOKED_AT, 3 * asked.limit)))
    looked = _Looked(work, asked, found, hits, waiting[: asked.limit])
    shares = looked.context_shares(coming) if coming is not None else {}
    order = looked.waiting_last(ordered(looked.standings(shares), looked.succession.keys()))
    groups = clusters(order, looked.tags()) if len(found.hits) >= LEAST_HITS and not asked.tags else []
    if groups:
        chosen = looked.succession.beyond(groups[0].keys)
        order = [each for each in order if each.key in chosen]
    order = looked.with_snapshot(order)[: asked.limit]
    sources = looked.sources(order, best)
    return Retrieval(
        sources=sources,
        found=len(found.hits) + len(looked.waiting),
        dropped=dropped,
        clusters=groups,
        highways=near_highways(work, looked.well_read(), {each.key for each in order}),
        words_only=found.words_only,
        is_steered=bool(shares),
        project=project,
        answers_well=found.answers_well,
    )


def predicates(asked: Question, without: Collection[str] = ()) -> tuple[Predicate, ...]:
    """What must hold of a thought beside that the caller may read it; `without` the filters of these names."""
    found: list[Predicate] = [RowCondition("space", asked.space)] if asked.space else []
    if asked.category and "category" not in without:
        found.append(RowCondition("category", asked.category))
    if asked.topic and "topic" not in without:
        found.append(PathCondition("topic", asked.topic))
    if "tags" not in without:
        found += [ChildCondition(table_of(ThoughtTag).name, "thought_id", "tag", each) for each in asked.tags]
    return tuple(found)


def _relaxed(work: Work, asked: Question, project: str | None) -> tuple[SearchResult, Sequence[Hit], tuple[str, ...]]:
    """What is found, with as few filters dropped as it takes to find something alike; never space or owner.

    What waits for a person is told beside it: it decides about nothing.
    """
    given = [name for name in DROPPED_FIRST if getattr(asked, name)]
    dropped: tuple[str, ...] = ()
    while True:
        wanted = SearchQuery(
            asked.prompt,
            max(asked.limit, LEAST_HITS),
            preferred=project,
            narrowed=predicates(asked, dropped),
        )
        found, waiting = _told_apart(work, wanted)
        best = max((each.similarity for each in found.hits), default=0.0)
        if best >= ENOUGH or len(dropped) == len(given):
            return found, waiting, dropped
        dropped = (*dropped, given[len(dropped)])


def _told_apart(work: Work, wanted: SearchQuery) -> tuple[SearchResult, Sequence[Hit]]:
    """What is found, and beside it what waits for a person; what the question holds the id of stays where it is."""
    found = find(work, wanted, [KIND], every=True)
    unnamed = [each for each in found.hits if not each.is_named]
    keys = _waiting(work, [each.key for each in unnamed])
    if not keys:
        return found, ()
    # Some hundred things are looked at: what waits is not to be all of them.
    living = find(work, replace(wanted, narrowed=(*wanted.narrowed, ACCEPTED)), [KIND], every=True)
    named = [each for each in found.hits if each.is_named]
    others = [each for each in living.hits if not each.is_named]
    return replace(living, hits=[*named, *others]), [each for each in unnamed if each.key in keys]


def _waiting(work: Work, keys: Sequence[int]) -> set[int]:
    """Those of the thoughts that wait for a person."""
    return {key for (key,) in kept_rows(work, _waiting_among(), keys=keys)} if keys else set()


@cache
def _waiting_among() -> Any:
    thought = table_of(Thought).c
    those = thought.id.in_(bindparam("keys", expanding=True))
    return sqlalchemy.select(thought.id).where(those, ~is_accepted(thought))


class _Looked:
    """The hits that are looked at, with what superseded them; and some that wait for a person."""

    def __init__(
        self, work: Work, asked: Question, found: SearchResult, hits: Sequence[Hit], waiting: Sequence[Hit]
    ) -> None:
        self.work, self.asked, self.found = work, asked, found
        self.hits = hits
        self.waiting = {each.key for each in waiting}
        self._hits = {each.key: each for each in (*hits, *waiting)}
        self._words, self._times = set(query_terms(asked.prompt)), named_times(asked.prompt, work.now)
        self.succession: Succession = succession(work, list(self._hits), asked.space)
        later = [key for those in self.succession.keys().values() for key in those]
        self._scores = self._with_successors({key: each.score for key, each in self._hits.items()})
        self.places = places(work, list(dict.fromkeys((*self._hits, *later))))

    def _with_successors(self, scores: dict[int, float]) -> dict[int, float]:
        """The scores, with what superseded a hit as good as that hit is, where it is no better by itself."""
        for key in sorted(self.succession.successors):
            for later, _ in self.succession.of(key):
                scores[later] = max(scores.get(later, 0.0), scores.get(key, 0.0))
        return scores

    def well_read(self) -> list[tuple[int, float]]:
        """The hits that were read often enough for a highway, and how near each is."""
        known = {key for key, each in self.places.items() if each.reads >= HIGHWAY_READS}
        return [(each.key, each.similarity) for each in self.hits if each.key in known]

    def tags(self) -> dict[int, Sequence[str]]:
        """The tags of each thought that answers well; none of one that waits, also where the question names it."""
        held = _waiting(self.work, [each.key for each in self.hits if each.is_named])
        good = {each.key for each in self.hits if each.is_good} - held
        return {key: each.tags for key, each in self.places.items() if key in good}

    def context_shares(self, coming: Any) -> dict[int, float]:
        """How much each hit has to do with the asker's context: by its meaning, or by the words that they share."""
        keys, work = list(self.places), self.work
        vector, _ = coming.vector()
        index = work.host.meaning.vectors
        if vector is not None and index is not None and not index.why_not(work.session):
            model = model_named(coming.model)
            near = index.similar(work.session, model.name, vector, KIND, keys)
            return {each.item: model.similarity(each.similarity) for each in near}
        terms = query_terms(self.asked.context)
        full_text, index = work.backend.full_text, index_of(work.kinds[KIND])
        newest = full_text.newest_rows(work.session, [index.table])[index.table]
        counts = full_text.term_counter(work.session, index, newest, terms)(keys)
        return {key: len(counts.terms.get(key, ())) / max(1, len(terms)) for key in keys}

    def standings(self, shares: dict[int, float]) -> Iterator[Standing]:
        """What is known of each."""
        today, refined = self.work.now.date(), self._refined()
        stale = {key for key, each in self.places.items() if is_stale(each.category, each.temporal_scope, today)}
        newest = newest_scopes(self.work, {self.places[key].topic for key in stale} - {""})
        for key, place in self.places.items():
            yield Standing(
                key=key,
                score=self._scores.get(key, 0.0),
                category=place.category,
                flags=frozenset((*place.flags, STALE) if key in stale else place.flags),
                has_newer=newest.get(place.topic, "") > place.temporal_scope,
                superseded_by=frozenset(relation for _, relation in self.succession.of(key)),
                refines=refined.get(key, frozenset()),
                weight=place.weight,
                context=shares.get(key, 0.0),
            )

    def _refined(self) -> dict[int, frozenset[int]]:
        """Of each successor the hits that it refines."""
        found: dict[int, set[int]] = {}
        for before, those in self.succession.successors.items():
            for later, relation in those:
                if relation == "refines":
                    found.setdefault(later, set()).add(before)
        return {key: frozenset(those) for key, those in found.items()}

    def waiting_last(self, order: list[Standing]) -> list[Standing]:
        """The order, with what waits for a person behind all else, whatever it is like."""
        living = [each for each in order if each.key not in self.waiting]
        least = min((each.score for each in living), default=1.0)
        behind = [replace(each, score=min(each.score, least)) for each in order if each.key in self.waiting]
        return [*living, *behind]

    def with_snapshot(self, order: list[Standing]) -> list[Standing]:
        """The order, with the newest living snapshot of the topic that was asked for before everything else.

        Whether its words answer does not count: "how far are we?" shares none with it.
        """
        if not self.asked.topic:
            return order
        key = newest_snapshot(self.work, self.asked.topic, self.asked.space)
        if key is None:
            return order
        best = max((each.score for each in order), default=1.0)
        known = next((each for each in order if each.key == key), Standing(key, best, SNAPSHOT))
        return [replace(known, score=max(best, known.score)), *(each for each in order if each.key != key)]

    def sources(self, order: Sequence[Standing], best: float) -> list[Source]:
        """The sources in their order; their scores tell how near the nearest of all hits is, too."""
        keys = [each.key for each in order]
        found = thoughts(self.work, keys)
        return [self._source(found[each.key], each, best) for each in order if each.key in found]

    def _source(self, row: Thought, place: Standing, best: float) -> Source:
        hit, later = self._hits.get(place.key), self.succession.foremost(place.key)
        flags = flags_on(self.work.now.date(), row.flags, row.category, row.temporal_scope)
        is_cut = hit is not None and len(row.content) > SHOWN_WHOLE
        excerpt = shown(self.found, hit, self.work.kinds[KIND], row).text if hit is not None and is_cut else ""
        return Source(
            row=row,
            score=round(min(1.0, place.score * best), 2),
            similarity=hit.similarity if hit is not None else 0.0,
            flags=tuple(flags),
            fields=tuple(self._fields(row, hit)),
            excerpt=excerpt or row.content,
            refined_by=self.places[later].uid if later is not None else "",
        )

    def _fields(self, row: Thought, hit: Hit | None) -> Iterator[str]:
        """What a source matched by."""
        words, times = self._words, self._times
        if (self.asked.topic and PathCondition("topic", self.asked.topic).holds(row.topic)) or (
            row.topic and words & set(query_terms(row.topic))
        ):
            yield "topic"
        if self.asked.category and row.category == self.asked.category:
            yield "category"
        if set(row.tags) & ({*self.asked.tags} | words):
            yield "tags"
        if hit is not None and hit.has_words:
            yield "words"
        if hit is not None and hit.near is not None and hit.similarity >= ALIKE:
            yield "meaning"
        if times and nearness(times, row.created_at) >= NEAR_IN_TIME:
            yield "time"
        if hit is None and self.succession_of(row):
            yield "lineage"

    def succession_of(self, row: Thought) -> bool:
        """Whether a thought superseded a hit."""
        return any(row.id == later for those in self.succession.successors.values() for later, _ in those)


def thoughts(work: Work, keys: Collection[int]) -> dict[int, Thought]:
    """The thoughts of these keys."""
    if not keys:
        return {}
    found: Sequence[Thought] = work.session.exec(_thoughts(), params={"keys": list(keys)}).all()
    return {key_of(row): row for row in found}


@cache
def _thoughts() -> SelectOfScalar[Thought]:
    return select(Thought).where(col(Thought.id).in_(bindparam("keys", expanding=True)))


def newest_scopes(work: Work, topics: Collection[str]) -> dict[str, str]:
    """Of which day the newest living snapshot of each of these topics is; empty where it names none."""
    if not topics:
        return {}
    those = select(Thought.topic, func.max(Thought.temporal_scope)).group_by(Thought.topic)
    of_topics = (Thought.category == SNAPSHOT, col(Thought.topic).in_(topics))
    those = those.where(*of_topics, is_accepted(Thought), *is_living(work))
    return dict(work.session.exec(those).all())


def newest_snapshot(work: Work, topic: str, space: str = "") -> int | None:
    """The key of the newest living snapshot of a topic; in one space, if one is named."""
    newest = snapshots(work, topic)
    found = first(work, newest.where(Thought.space == space).limit(1) if space else newest.limit(1))
    return found[0] if found is not None else None


def snapshots(work: Work, topic: str) -> Any:
    """The keys of the living snapshots of a topic that wait for nobody, the newest first."""
    of_topic = (Thought.category == SNAPSHOT, Thought.topic == topic)
    those = select(Thought.id).where(*of_topic, is_accepted(Thought), *is_living(work))
    return those.order_by(col(Thought.temporal_scope).desc(), col(Thought.created_at).desc(), col(Thought.id).desc())
