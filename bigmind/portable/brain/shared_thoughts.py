"""What others share already: a thought of a document that says it once more is not stored again."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import Session, col, or_, select

from bigmind.brain.tables import Thought
from bigmind.core.operation import Space


class SharedThoughts:
    """What other users of a store share, and everybody reads: by its ids, and by its words, which are read once."""

    def __init__(self) -> None:
        self._words: dict[int, int] | None = None

    def among(self, session: Session, user: int | None, uids: Sequence[str]) -> set[str]:
        """Those of the ids that are of such thoughts of others than this user."""
        return set(session.exec(select(Thought.uid).where(col(Thought.uid).in_(uids), *_of_others(user))))

    def saying(self, session: Session, user: int | None, words: str) -> int | None:
        """The key of the first of them that says just that."""
        if self._words is None:
            query = select(Thought.content, Thought.id).where(*_of_others(user)).order_by(col(Thought.id).desc())
            told = session.exec(query.execution_options(yield_per=500))
            self._words = {hash(text): key or 0 for text, key in told}
        return self._words.get(hash(words))


def _of_others(user: int | None) -> list[Any]:
    is_read = or_(col(Thought.caution) == "", col(Thought.accepted_at).is_not(None))
    return [Thought.space == Space.SHARED, Thought.user_id != user, is_read]
