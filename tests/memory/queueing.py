"""What tests of the embedding queue share: a queue that is emptied step by step and looked into."""

from sqlmodel import col, select

from bigmind.core.ids import new_id
from bigmind.embedding.models import DEFAULT
from bigmind.memory.tables import Chunk, Profile
from bigmind.people.service import NOBODY
from bigmind.protocol.tables import ProtocolRun
from bigmind.registry import KINDS
from bigmind.search.documents import embedded
from bigmind.search.indexer import Indexer
from bigmind.search.model_state import LEFT_OVER, NEXT, active_model, change_model, wanted_model
from bigmind.store.sqlite.vectors import SqliteVectors
from bigmind.store.tables import Embedding, EmbeddingQueue, StoreProperty
from bigmind.work.tables import WorkItem
from tests.memory.living import Memory
from tests.memory.rows import START, entry, fact, hypothesis, session, thought
from tests.memory.tiny_embedder import Tiny, digest


class Queue:
    """The queue of a memory, emptied step by step, and looked into."""

    def __init__(self, memory: Memory, tiny_embedder: Tiny) -> None:
        self.memory = memory
        self.tiny = tiny_embedder
        self.store = memory.mind.store
        self.vectors = SqliteVectors()
        self.indexer = self.with_embedder(tiny_embedder)

    def with_embedder(self, other: Tiny) -> Indexer:
        return Indexer(self.store, other.embedder, tried_again_seconds=0.01)

    def empty(self) -> None:
        while self.indexer.step():
            pass

    def waiting(self) -> list[tuple[str, int]]:
        """In the order in which they are taken."""
        with self.store.read(NOBODY, "test") as work:
            rows = work.session.exec(select(EmbeddingQueue).order_by(col(EmbeddingQueue.id).desc())).all()
            return [(row.kind, row.item) for row in rows]

    def failures(self) -> list[str]:
        with self.store.read(NOBODY, "test") as work:
            return list(work.session.exec(select(EmbeddingQueue.failure).where(EmbeddingQueue.failure != "")).all())

    def vectors_of(self, model: str) -> dict[tuple[str, int], bytes]:
        with self.store.read(NOBODY, "test") as work:
            rows = work.session.exec(select(Embedding).where(Embedding.model == model)).all()
            assert all(row.piece == 0 for row in rows)
            return {(row.kind, row.item): row.vector for row in rows}

    def right_vectors(self) -> dict[tuple[str, int], bytes]:
        """What should be there, made from what is stored."""
        right: dict[tuple[str, int], bytes] = {}
        with self.store.read(NOBODY, "test") as work:
            for kind, table in ((each.name, each.table) for each in KINDS.searched):
                keys = list(work.session.exec(select(table.id)).all())
                found = embedded(work, kind, keys)
                right |= {(kind, key): digest(each.head + each.text) for key, each in found.items()}
        return right

    def is_sound(self, model: str = DEFAULT) -> bool:
        """Whether no vector is of something else than it should be, and everything that lacks one waits for it."""
        there, right = self.vectors_of(model), self.right_vectors()
        assert there.items() <= right.items()
        assert right.keys() - there.keys() <= set(self.waiting())
        return True

    def is_complete(self, model: str = DEFAULT) -> bool:
        return self.vectors_of(model) == self.right_vectors() and not self.waiting()


def facts(memory: Memory, *texts: str) -> None:
    memory.insert(*(fact(START, text) for text in texts))


def one_of_each(memory: Memory) -> None:
    memory.insert(session(START, id=1, one_liner="A headline", has_detail=True, project="loom"))
    memory.insert(
        Chunk(
            uid=new_id(), user_id=1, session_id=1, client="tester", role="user", content="A moment", flag_reason="why",
            seq=1, created_at=START,
        ),
        fact(START, "A fact", id=1),
        hypothesis(START, "A belief", id=1),
        entry(START, "A rule", id=1),
        Profile(user_id=1, role="A role", updated_at=START),
        *thought(START, 1, "An insight"),
        WorkItem(
            id=1, uid=new_id(), slug="work", user_id=1, client="tester", process="task", state="pending", role="pdsa",
            title="A task", created_at=START, updated_at=START, entered_at=START,
        ),
        ProtocolRun(
            id=1, uid=new_id(), name="2026-03-01-session-01", day="2026-03-01", number=1, user_id=1, client="tester",
            agent="tester", objective="An objective", created_at=START, updated_at=START,
        ),
    )  # fmt: skip


def change_to(queue: Queue, model: str) -> None:
    with queue.store.write(queue.memory.caller, "test") as work:
        change_model(work, model)


def models(queue: Queue) -> tuple[str, str]:
    with queue.store.read(NOBODY, "test") as work:
        return active_model(work), wanted_model(work)


def properties(queue: Queue) -> dict[str, str]:
    names = ("embedding_model", NEXT, LEFT_OVER)
    with queue.store.read(NOBODY, "test") as work:
        found = work.session.exec(select(StoreProperty).where(col(StoreProperty.name).in_(names))).all()
        return {each.name: each.value for each in found}
