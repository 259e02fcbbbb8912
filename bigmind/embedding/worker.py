"""The embedder's own process: reads requests as lines of JSON, answers in lines of JSON, ends with its input.

A request is `{"id", "task", "model", "texts": [[head, text], …]}`. The task `query` is answered beside `documents` that
are being worked on, and before those that wait. Both are answered by `{"id", "pieces": [[[start, end, vector], …],
…]}`, the vector's bytes in base64. The task `models` is answered by `{"id", "models": […]}`. What fails is answered by
`{"id", "error"}`, and by `{"id", "error", "unloadable": true}` when the model cannot be loaded. Other tasks are
those that it is started with, in the order of the questions; what can be made for one before its turn is begun when it
is read.
"""

import json
import os
import sys
import threading
from base64 import b64encode
from collections.abc import Callable, Mapping
from functools import partial
from queue import SimpleQueue
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bigmind.core.plain_text import clean
from bigmind.embedding.models import MOST_LOADED

if TYPE_CHECKING:
    from bigmind.embedding.engine_interface import LoadedModel

Request = dict[str, Any]
Task = Callable[["LoadedModel", Request], Request]
"""Answers a request with a model that is loaded; what it raises is told as an error."""
Preparation = Callable[[Callable[[], "LoadedModel"], Request], None]
"""Begins something of a request on a thread of its own, with what loads the model: neither waits nor raises."""
NO_PREPARATIONS: Mapping[str, Preparation] = MappingProxyType({})

NICENESS = 10
"""Documents give way to whoever works at this machine."""
LONGEST_ERROR = 500


def serve(tasks: Mapping[str, Task], preparations: Mapping[str, Preparation] = NO_PREPARATIONS) -> int:
    """Serve until the input ends, which it does when the server that started this goes away, however it went.

    Args:
        tasks: what is answered beside the worker's own, by name.
        preparations: what is begun when a request is read, by its task's name.
    """
    answers = sys.stdout
    sys.stdout = sys.stderr  # no library may write between the answers
    serving = RequestLoop(answers, tasks)
    queues: dict[str, SimpleQueue[Request]] = {"query": SimpleQueue(), "documents": SimpleQueue()}
    for task, queue in queues.items():
        threading.Thread(target=serving.work, args=(queue, task), name=task, daemon=True).start()
    for line in sys.stdin:
        request: Request = json.loads(line)
        if (prepare := preparations.get(request["task"])) is not None:
            prepare(partial(serving.model, request["model"]), request)
        queues.get(request["task"], queues["query"]).put(request)
    os._exit(0)  # whatever is being worked on is wanted by nobody


class RequestLoop:
    """The models that are loaded, and the way back."""

    def __init__(self, answers: Any, tasks: Mapping[str, Task] | None = None) -> None:
        self._answers = answers
        self._tasks = tasks or {}
        self._speaking = threading.Lock()
        self._loading = threading.Lock()
        self._loaded: dict[str, LoadedModel] = {}

    def work(self, queue: "SimpleQueue[Request]", task: str) -> None:
        """Answer one kind of request, in order."""
        if task == "documents":
            give_way()
        while True:
            request = queue.get()
            self._say({"id": request["id"], **self._answer(request)})

    def _answer(self, request: Request) -> Request:
        try:
            if request["task"] == "models":
                from bigmind.embedding.available_models import offered  # noqa: PLC0415 - all of fastembed

                return {"models": offered()}
            try:
                model = self.model(request["model"])
            except Exception as error:  # noqa: BLE001 - libraries raise anything; the server decides and tells why
                return {"error": str(error)[:LONGEST_ERROR] or type(error).__name__, "unloadable": True}
            if (task := self._tasks.get(request["task"])) is not None:
                return task(model, request)
            return {"pieces": pieces(model, request)}
        except Exception as error:  # noqa: BLE001 - as above
            return {"error": f"{type(error).__name__}: {error}"[:LONGEST_ERROR]}

    def model(self, name: str) -> "LoadedModel":
        """The model of that name, loaded if it is not; raises what its library does where it cannot be."""
        from bigmind.embedding.loader import load  # noqa: PLC0415 - numpy; what is missing is told as an answer

        with self._loading:
            found = self._loaded.pop(name, None) or load(name)
            while len(self._loaded) >= MOST_LOADED:
                del self._loaded[next(iter(self._loaded))]
            self._loaded[name] = found
            return found

    def _say(self, answer: Request) -> None:
        line = json.dumps(answer)
        with self._speaking:
            self._answers.write(line + "\n")
            self._answers.flush()


def pieces(model: "LoadedModel", request: Request) -> list[list[tuple[int, int, str]]]:
    """The pieces of each text of a request."""
    texts = [(clean(head), clean(text)) for head, text in request["texts"]]
    if request["task"] == "query":
        return [[(0, len(text), written(model.query(text)))] for _, text in texts]
    return [[(start, end, written(vector)) for start, end, vector in found] for found in model.documents(texts)]


def give_way() -> None:
    """Lower the priority of this thread, where a thread has one of its own."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


def written(vector: bytes) -> str:
    """Bytes as JSON holds them."""
    return b64encode(vector).decode("ascii")
