"""Searches in the process that embeds, which holds the model, and reads the store's file beside the server.

It does what `engine.find` does in a server that has no such process, by the same code, and writes nothing. The server
looks at what it finds in its own snapshot (`bigmind/search/finding.py`), reads the rows and writes the answer.
"""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bigmind.core.plain_text import clean
from bigmind.embedding.meaning import QuestionEmbedding

if TYPE_CHECKING:
    from bigmind.core.past_mapper import Snapshot
    from bigmind.embedding.engine_interface import LoadedModel
    from bigmind.search.process.search_messages import SearchRequest
    from bigmind.store.search_process.search_file import SearchFile

log = logging.getLogger(__name__)

MOST_QUESTION = 2_000
"""Characters of a question that are embedded: the model's window holds no more."""
KEPT_VECTORS = 256
LONGEST_REASON = 300

Message = dict[str, Any]
Result = TypeVar("Result")


class Searcher:
    """Searches a store's file. One question at a time.

    Its vector is made beside the search of the question before it, and beside its own by words. So is what is near it
    looked for, which ends sooner; not where the process has anything else to do, for it costs more of the processor.
    """

    def __init__(self) -> None:
        """Prepare it; nothing is opened."""
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="question")
        self._vectors: OrderedDict[tuple[str, str], Future[bytes]] = OrderedDict()
        self._lock = threading.Lock()
        self._opened: tuple[str, SearchFile] | None = None
        self._measurings = 0
        self._looking: Future[Any] | None = None

    def prepare(self, load: "Callable[[], LoadedModel]", request: Message) -> None:
        """Begin the vector of a question that was just read; what goes wrong is told with its answer."""
        self._vector(load, request["model"], self._wanted(request).wanted.query)

    def answer(self, model: "LoadedModel", request: Message) -> Message:
        """What is found; or, as `unsearchable`, why nothing can be looked for here."""
        from bigmind.store.search_process.search_file import file_errors  # noqa: PLC0415 - embedding needs none of it

        try:
            return self._found(model, request["model"], self._wanted(request), is_busy=request.get("is_busy", False))
        except file_errors() as error:
            self._let_go()
            log.warning("The store cannot be searched here: %s", error)
            return {"unsearchable": f"{type(error).__name__}: {error}"[:LONGEST_REASON]}

    def _found(self, model: "LoadedModel", name: str, wanted: "SearchRequest", *, is_busy: bool) -> Message:
        from bigmind.search.engine import find  # noqa: PLC0415 - as above
        from bigmind.search.grouping import of_first_groups  # noqa: PLC0415
        from bigmind.search.process.search_messages import answer_of  # noqa: PLC0415
        from bigmind.search.scope import SearchSource  # noqa: PLC0415

        def question(query: str) -> QuestionEmbedding:
            return QuestionEmbedding(name, self._vector(lambda: model, name, query))

        def aside(look: "Callable[[Snapshot], Result]") -> Future[Result]:
            self._looking = looking = self._beside.submit(file.look_beside, look)
            return looking

        file, kinds = self._file(wanted.file, wanted.measurings), wanted.searchable()
        with self._all_looked(), file.snapshot() as snapshot:
            source = SearchSource(
                snapshot=snapshot,
                text=file.text,
                rows=file.rows,
                vectors=file.vectors,
                kinds=kinds,
                user_id=wanted.user_id,
                now=wanted.now,
                model=name,
                question=question,
                aside=None if is_busy else aside,
            )
            found = find(source, wanted.wanted, list(kinds), wanted.weights, every=wanted.every, groups=wanted.groups)
            if wanted.groups:
                found = replace(found, hits=of_first_groups(found.hits, wanted.groups))
            return answer_of(found)

    def _wanted(self, request: Message) -> "SearchRequest":
        """The search of a request, which is read once and stays in it."""
        from bigmind.search.process.search_messages import request_of  # noqa: PLC0415 - as above

        if "search" not in request:
            request["search"] = request_of(request["wanted"])
        return request["search"]

    @contextmanager
    def _all_looked(self) -> Generator[None]:
        """Leave no look at the file going on, also after an error of the one beside it."""
        try:
            yield
        finally:
            if self._looking is not None:
                wait([self._looking])
                self._looking = None

    def _vector(self, load: "Callable[[], LoadedModel]", name: str, query: str) -> "Future[bytes]":
        """A question's vector, to come; made once for all who ask the same, and anew where that failed."""
        key = name, clean(query[:MOST_QUESTION])
        with self._lock:
            known = self._vectors.pop(key, None)
            if known is None or (known.done() and known.exception() is not None):
                known = self._beside.submit(lambda: load().query(key[1]))
            self._vectors[key] = known
            if len(self._vectors) > KEPT_VECTORS:
                self._vectors.popitem(last=False)
        return known

    def _file(self, path: str, measurings: int) -> "SearchFile":
        from bigmind.store.search_process.search_file import SearchFile  # noqa: PLC0415 - as above

        if self._opened is None or self._opened[0] != path:
            self._let_go()
            self._opened = path, SearchFile(Path(path))
        elif measurings != self._measurings:
            self._opened[1].open_anew()
        self._measurings = measurings
        return self._opened[1]

    def _let_go(self) -> None:
        if self._opened is not None:
            self._opened[1].close()
            self._opened = None
