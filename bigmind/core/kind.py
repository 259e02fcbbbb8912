"""What is remembered, declared: one frozen record per kind, which every list of kinds in BigMind is a loop over.

A feature declares its kinds in its own `kinds.py`, `bigmind/registry.py` lists them, and the store hands them to each
unit of work (`work.kinds`): search, upkeep and backups need to know no feature. `bigmind/kinds.py` writes their rows.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from bigmind.core.past_mapper import table_of_row

Operator = Literal["=", ">=", "IS", "!="]


class LabeledText(NamedTuple):
    """One text of a row, and what it is to the row."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A column that holds words, or a list of texts.

    Attributes:
        label: what it is to the row, in words.
        column: its name.
        weight: what a word in it counts in the full-text ranking; 0 where it is not searched. What is searched is also
            embedded, and looked through for pieces of words.
        is_shown: whether a hit's excerpt is taken from it.
        is_cautioned: whether it is looked through for what instructs a later reader.
        is_masked: whether the scan for secrets reads it.
        is_embedded: whether it is embedded, where it is searched; not what only names what the others are about.
        is_list: whether each line is a text of its own: a hit shows the one that answers.
    """

    label: str
    column: str
    weight: float = 0.0
    is_shown: bool = True
    is_cautioned: bool = True
    is_masked: bool = True
    is_embedded: bool = True
    is_list: bool = False


ORIGIN = (Text("project", "project"), Text("client", "client"))
"""Where a thing comes from: names that a client gives itself, or its workspace, stand in the context too."""


class Detail(NamedTuple):
    """A child table with texts: of whom its rows are (`parent`), its own key, and the columns of its texts."""

    table: Any
    parent: str
    key: str
    columns: tuple[str, ...]


class Echo(NamedTuple):
    """Rows that repeat the words of a thing: of which table, the column that holds the thing's id, those with words."""

    table: str
    column: str
    words: tuple[str, ...]


class ContextItem(NamedTuple):
    """A thing that stands in the context that a conversation starts with, as far as its line tells it.

    Attributes:
        id, text: as it is told; all of it.
        category, topic: of its kind, and what it is about; empty where nobody said.
        project: the project that it was stored for, if any.
        client: which client stored it.
        person: the user name of its user, where that is another person than the reader; else empty.
        at: when it was written.
        is_read: whether anybody read it yet.
    """

    id: str
    text: str
    category: str
    topic: str
    project: str | None
    client: str
    person: str
    at: datetime
    is_read: bool = True


class BrainEntry(NamedTuple):
    """What an agent puts to the brain: its words, whether it only asks, and the flags of what it contributes."""

    text: str
    is_question: bool
    flags: tuple[str, ...] = ()
    is_shared: bool = True


class BrainNote(NamedTuple):
    """What is said beside the brain's answer: for which things of its asker the entry counts, and a few sentences."""

    counts_for: tuple[str, ...]
    told: tuple[str, ...]


class CurrentItem(NamedTuple):
    """A thing that an agent is at work on, or that waits for it, as the context names it.

    Attributes:
        id: its own.
        slug: by which tools are told of it.
        title: as it is stored.
        stand: where it stands, in a few words of ours.
        step: what leads on from there, and what that lacks, in a sentence of ours.
        tool: what tells all of it.
        project: the project that it is of, if any.
        client: which client made it.
        at: when it was changed last.
    """

    id: str
    slug: str
    title: str
    stand: str
    step: str
    tool: str
    project: str | None
    client: str
    at: datetime


class GuideSection(NamedTuple):
    """What the guide says of a kind to who is offered that tool: a heading, and lines of markdown."""

    tool: str
    heading: str
    lines: tuple[str, ...]


class Where(NamedTuple):
    """What a row must hold. `IS` compares with NULL too."""

    column: str
    value: Any
    operator: Operator = "="

    def holds(self, row: Any) -> bool:
        """Whether it does."""
        value = getattr(row, self.column)
        match self.operator:
            case "!=":
                return value != self.value
            case ">=":
                return value >= self.value
            case "=" | "IS":
                return value == self.value

    def over(self, table: Any) -> Any:
        """As an expression over the table's model."""
        column = getattr(table, self.column)
        match self.operator:
            case "IS":
                return column.is_(self.value)
            case "!=":
                return column != self.value
            case ">=":
                return column >= self.value
            case "=":
                return column == self.value


class Words(NamedTuple):
    """How people call one thing of a kind, and several."""

    one: str
    many: str


@dataclass(frozen=True, slots=True, eq=False)
class Kind:
    """A kind of remembered thing.

    Attributes:
        name: in events, addresses and indexes; the name of its table.
        plural: of its counts.
        words: how people call it, in a sentence.
        table: its model, with the columns `caution` and `accepted_at`; unless `is_single`, also `id`, `uid`, `client`.
        texts: its columns with words; first those with a weight, as in the full-text index, which ends with `terms`.
        owner: the column of its user; of what `is_everybodys`, of who brought it in.
        time: the column of when it was.
        changed: the column of when it was written last; empty where it is never changed.
        is_everybodys: whether all users may find it, and curators judge it.
        shared_when: what makes one of them everybody's to find, and a curator's to judge, beside its owner's.
        is_single: whether each user has one at most: its key is its owner, its id its name; both computed too.
        found_when: what must hold for it to be found, beside its owner.
        waits_when: what must hold for something flagged to wait for a person.
        told_held: the one column that assistants are told of what waits; if none is named, its texts with a warning.
        is_dated: whether its date stands before it when it is embedded.
        vector_time: the column of the time of its vectors, where that is another one.
        summary: the columns by which a person recognizes it; its first text, where none are named.
        beginning: the column whose first characters are looked at for speakers, questions and times; else its first.
        owner_index: the database's index that covers its owner: a search then reads no row to check that.
        read: its texts as a person reads them, where they stand in more tables than its own: of the unit of work, row.
        derived: a column that is derived beside `terms`, and how: of the unit of work, row.
        details: child tables with texts.
        echoes: what repeats its words elsewhere; forgetting takes them there too, and leaves those rows.
        leaves_row: forgetting takes its words alone, because others rest on the row.
        before_forgetting: what is written down before one of its things is forgotten: of the unit of work, row.
        before_erasing: the same where a database is only cleaned, as a backup: of the driver's connection, the id.
        in_context: what of it stands in the context that a conversation starts with: of the unit of work, the project,
            the topics, and how many at most; the best first.
        superseded: of some of its rows the ids of those that others took the place of, each with that one's: of the
            unit of work, rows; none of what the caller may not read, or of what waits for a person.
        current: what of it the caller is at work on, or what waits for it: of the unit of work, project, tools offered.
        against_edit: why an agent may not change a file (empty: it may; None: no say): of the unit of work, tools, file
        guide: what the guide says of it, beyond what keeps it; asked for by the guide alone.
        beside_brain: what is said of it beside an answer of the brain, if anything: of the unit of work, the entry.
        label: how people call it in a filter, where that is another word than its name.
        part_of: the kind that its rows go with; of such a kind there are many, and search looks there first.
        page: the address of its pages; empty where it is shown on another kind's.
        review: where it stands among what waits for a person, the first 0.
        section: of an export; its plural, where none is named.
        ledger_name: of what stands in a process, the column by which the ledger's faults name one; else empty.
        toolsets: whose things they are: a token that is limited to others is told of none.
        work_roles: the work roles in which its things are moved: of the unit of work.
        untold: columns that no export tells, because they mean something in this store alone.
        brought: what an import writes into these, and what it says otherwise than the file: of the columns told.
        left_out: what of all this it has not, and why; a test asks for it.
    """

    name: str
    plural: str
    words: Words
    table: Any
    texts: tuple[Text, ...]
    owner: str = "user_id"
    time: str = "created_at"
    changed: str = "updated_at"
    is_everybodys: bool = False
    shared_when: Where | None = None
    is_single: bool = False
    found_when: tuple[Where, ...] = ()
    waits_when: tuple[Where, ...] = ()
    told_held: str = ""
    is_dated: bool = False
    vector_time: str = ""
    summary: tuple[str, ...] = ()
    beginning: str = ""
    owner_index: str = ""
    read: Callable[[Any, Any], Sequence[LabeledText]] | None = None
    derived: tuple[str, Callable[[Any, Any], str]] | None = None
    details: tuple[Detail, ...] = ()
    echoes: tuple[Echo, ...] = ()
    leaves_row: bool = False
    before_forgetting: Callable[[Any, Any], None] | None = None
    before_erasing: Callable[[Any, str], None] | None = None
    in_context: Callable[[Any, str | None, Sequence[str], int], Sequence[ContextItem]] | None = None
    superseded: Callable[[Any, Sequence[Any]], Mapping[str, str]] | None = None
    current: Callable[[Any, str | None, frozenset[str] | None], CurrentItem | None] | None = None
    against_edit: Callable[[Any, frozenset[str] | None, str], str | None] | None = None
    guide: Callable[[], Sequence[GuideSection]] | None = None
    beside_brain: Callable[[Any, BrainEntry], BrainNote | None] | None = None
    part_of: str = ""
    label: str = ""
    page: str = ""
    review: int = 9
    section: str = ""
    ledger_name: str = ""
    toolsets: frozenset[str] = frozenset({"memory"})
    work_roles: Callable[[Any], Sequence[str]] | None = None
    untold: tuple[str, ...] = ()
    brought: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def exported_as(self) -> str:
        """Its section of an export."""
        return self.section or self.plural

    @property
    def is_exported(self) -> bool:
        """Whether exports have it."""
        return "export" not in dict(self.left_out)

    @property
    def called(self) -> str:
        """How people call it in a filter."""
        return self.label or self.name

    @property
    def owners(self) -> Any:
        """The column of its user, of the model."""
        return getattr(self.table, self.owner)

    @property
    def times(self) -> Any:
        """The column of when it was, of the model."""
        return getattr(self.table, self.time)

    @property
    def recognized_by(self) -> tuple[str, ...]:
        """The columns by which a person recognizes it."""
        return self.summary or (self.texts[0].column,)

    @property
    def key(self) -> str:
        """The column that numbers its rows."""
        return self.owner if self.is_single else "id"

    @property
    def keys(self) -> Any:
        """That column of the model."""
        return getattr(self.table, self.key)

    @property
    def is_searched(self) -> bool:
        """Whether it is found by words and by meaning."""
        return bool(self.searched)

    @property
    def embedded(self) -> tuple[str, ...]:
        """The columns that are embedded, in their order."""
        return tuple(each.column for each in self.texts if each.weight and each.is_embedded)

    @property
    def searched(self) -> tuple[str, ...]:
        """The columns that are searched, in the order of the full-text index, without the derived terms."""
        return tuple(each.column for each in self.texts if each.weight)

    @property
    def begins(self) -> str:
        """The column whose first characters are looked at for speakers, questions and times."""
        return self.beginning or self.searched[0]

    @property
    def masked(self) -> tuple[str, ...]:
        """The columns that the scan for secrets reads."""
        return tuple(each.column for each in self.texts if each.is_masked)

    def id_of(self, row: Any) -> str:
        """The id of a row, as it is told."""
        return self.name if self.is_single else row.uid

    def is_shared(self, row: Any) -> bool:
        """Whether every user may find a row, where it may be found."""
        return self.is_everybodys or (self.shared_when is not None and self.shared_when.holds(row))

    def is_found(self, row: Any) -> bool:
        """Whether a row may be found by whoever may read it."""
        return all(each.holds(row) for each in self.found_when)


class Kinds:
    """The kinds of a store, in their order; by name, and by row."""

    def __init__(self, *kinds: Kind) -> None:
        """Take them in."""
        self.searched = tuple(sorted((each for each in kinds if each.is_searched), key=lambda each: not each.part_of))
        """Those that are found by words and by meaning."""
        self.with_ids = tuple(each for each in kinds if not each.is_single)
        """Those whose things have ids of their own."""
        self.owned = tuple(each for each in kinds if not each.is_everybodys)
        """Those whose rows belong to one user."""
        self._all = kinds
        self._by_name = {each.name: each for each in kinds}
        self._by_table = {each.table: each for each in kinds}

    def __iter__(self) -> Iterator[Kind]:
        """All of them, in their order."""
        return iter(self._all)

    def __getitem__(self, name: str) -> Kind:
        """The kind of that name."""
        return self._by_name[name]

    def __contains__(self, name: str) -> bool:
        """Whether there is a kind of that name."""
        return name in self._by_name

    def of(self, row: Any) -> Kind:
        """The kind of a row, or of a table."""
        return self._by_table[row if isinstance(row, type) else table_of_row(row)]


NO_KINDS = Kinds()
"""Of a store that is opened for its rows alone."""
