"""The embedder's process: starts when it is needed, ends when it is not, and fails in words."""

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import psutil
import pytest

from bigmind.embedding.embedder import MOST_CRASHES, CannotLoadError, Embedder, EmbeddingError, State
from bigmind.embedding.environment import downloading_environment, offline_environment
from bigmind.embedding.meaning import Meaning
from bigmind.embedding.models import DEFAULT
from bigmind.local.program import embedder_command
from bigmind.store.sqlite.vectors import SqliteVectors
from tests.search.embedding.conftest import its_process, its_processes
from tests.waiting_gate import Gate

SECONDS = 60
ENDED = "was ended by signal 9" if os.name == "posix" else "ended .exit code 15"
LONG = "The quick brown fox jumps over the lazy dog. " * 6_000


def program(folder: Path, body: str) -> list[str]:
    """The command of an embedder that notes each start of its process, and then does `body` with each request."""
    file = folder / "embedder.py"
    file.write_text(
        f"import json, sys, os\nopen({str(folder / 'starts')!r}, 'a').write('started\\n')\n"
        f"for line in sys.stdin:\n    request = json.loads(line)\n    {body}\n"
    )
    return [sys.executable, str(file)]


@pytest.fixture
def made() -> Iterator[Callable[..., Embedder]]:
    """Makes embedders, and closes them."""
    with ExitStack() as stack:

        def make(*arguments: Any, **named: Any) -> Embedder:
            return stack.enter_context(closing(Embedder(*arguments, **named)))

        yield make


Made = Callable[..., Embedder]


def starts(folder: Path) -> int:
    return (folder / "starts").read_text().count("started")


ANSWER = "print(json.dumps({'id': request['id'], 'pieces': [[[0, 1, 'AQID']]]}), flush=True)"


def test_nothing_is_started_before_a_vector_is_wanted(embedder: Embedder) -> None:
    assert embedder.state is State.OFF
    assert its_processes() == []


def test_a_process_that_is_killed_fails_what_waits_in_words_and_the_next_request_starts_another(
    embedder: Embedder,
) -> None:
    first = embedder.query(DEFAULT, "one").result(SECONDS)
    killed = its_process()
    waiting = [embedder.documents(DEFAULT, [("", LONG)]), embedder.documents(DEFAULT, [("", LONG)])]
    killed.kill()
    for each in waiting:
        with pytest.raises(EmbeddingError, match=ENDED):
            each.result(SECONDS)
    assert embedder.state is State.FAILED
    assert embedder.query(DEFAULT, "another").result(SECONDS) != first
    assert embedder.state is State.READY
    assert its_process() != killed


@pytest.mark.parametrize(
    "said",
    [
        "print('what?', flush=True)",
        "print('[1, 2]', flush=True)",
        "print(json.dumps({'pieces': []}), flush=True)",
        "print(json.dumps({'id': request['id'], 'pieces': []}), flush=True)",
        "print(json.dumps({'id': request['id'], 'pieces': [[['a', None]]]}), flush=True)",
        "print(json.dumps({'id': request['id'], 'pieces': [[[0, 1, '*']]]}), flush=True)",
        "print(json.dumps({'id': request['id']}), flush=True)",
        "sys.exit(5)",
        "os.close(1); sys.stdin.read()",
    ],
)
def test_an_answer_that_is_none_fails_in_words(made: Made, tmp_path: Path, said: str) -> None:
    embedder = made(program(tmp_path, said), tmp_path)
    with pytest.raises(EmbeddingError, match=r"no answer|no sense|ended"):
        embedder.query("a model", "a question").result(SECONDS)


def test_a_command_that_is_not_there_fails_in_words(made: Made, tmp_path: Path) -> None:
    embedder = made([str(tmp_path / "nothing")], tmp_path)
    with pytest.raises(EmbeddingError, match="cannot be started"):
        embedder.query("a model", "a question").result(SECONDS)
    embedder.close()


def test_a_process_that_always_ends_at_once_is_soon_not_started_for_every_search(made: Made, tmp_path: Path) -> None:
    embedder = made(program(tmp_path, "sys.exit(7)"), tmp_path)
    for number in range(20):
        with pytest.raises(EmbeddingError, match="exit code 7"):
            embedder.query("a model", f"question {number}").result(SECONDS)
    embedder.close()
    assert starts(tmp_path) == MOST_CRASHES


def test_a_model_that_cannot_be_loaded_is_not_tried_for_every_search(made: Made, tmp_path: Path) -> None:
    unloadable = "print(json.dumps({'id': request['id'], 'error': 'no file', 'unloadable': True}), flush=True)"
    embedder = made(program(tmp_path, unloadable), tmp_path)
    for number in range(20):
        with pytest.raises(CannotLoadError, match="no file"):
            embedder.query("a model", f"question {number}").result(SECONDS)
    assert starts(tmp_path) == 1
    embedder.try_again()
    with pytest.raises(CannotLoadError, match="no file"):
        embedder.query("a model", "one more").result(SECONDS)
    embedder.close()
    assert starts(tmp_path) == 2


def test_it_is_tried_again_after_a_while(made: Made, tmp_path: Path) -> None:
    embedder = made(program(tmp_path, "sys.exit(7)"), tmp_path, remembered_seconds=0)
    for number in range(MOST_CRASHES + 2):
        with pytest.raises(EmbeddingError, match="exit code 7"):
            embedder.query("a model", f"question {number}").result(SECONDS)
    embedder.close()
    assert starts(tmp_path) == MOST_CRASHES + 2


def test_search_says_in_words_why_it_goes_by_words(made: Made, tmp_path: Path) -> None:
    embedder = made(embedder_command(), tmp_path)
    with pytest.raises(EmbeddingError):  # a search does not wait for the process to be loaded
        embedder.query("BAAI/bge-small-en-v1.5", "anything").result(SECONDS)
    vector, why_not = Meaning(embedder, SqliteVectors()).ask("BAAI/bge-small-en-v1.5", "anything").vector()
    embedder.close()
    assert vector is None
    assert why_not == (
        "the embedding model does not work (BAAI/bge-small-en-v1.5 is not on this machine; choose it again to "
        "download it: bigmind memory use-model BAAI/bge-small-en-v1.5 --download)"
    )


def test_after_an_idle_time_its_process_ends_and_the_next_question_starts_another(made: Made, tmp_path: Path) -> None:
    embedder = made(program(tmp_path, ANSWER), tmp_path, idle_seconds=0.2)
    assert embedder.query("a model", "one").result(SECONDS) == b"\1\2\3"
    process = its_process()
    process.wait(SECONDS)
    assert embedder.state is State.OFF
    assert embedder.query("a model", "two").result(SECONDS) == b"\1\2\3"
    embedder.close()
    assert starts(tmp_path) == 2


@pytest.fixture
def gate() -> Iterator[Gate]:
    """Where a process waits with a request."""
    with closing(Gate()) as opened:
        yield opened


def test_it_is_not_idle_while_it_works(made: Made, gate: Gate, tmp_path: Path) -> None:
    embedder = made(program(tmp_path, f"{gate.passing}; {ANSWER}"), tmp_path, idle_seconds=0.05)
    asked = embedder.query("a model", "one")
    with gate.reached(), pytest.raises(psutil.TimeoutExpired):
        its_process().wait(1.3)  # longer than idle, and looked at again in between
    assert asked.result(SECONDS) == b"\1\2\3"
    embedder.close()


def test_closing_while_the_model_is_loaded_ends_the_process_and_fails_what_waits(embedder: Embedder) -> None:
    waiting = [embedder.query(DEFAULT, "one"), embedder.documents(DEFAULT, [("", "two")])]
    embedder.close()
    assert its_processes() == []
    for each in waiting:
        with pytest.raises(EmbeddingError):
            each.result(SECONDS)
    with pytest.raises(EmbeddingError, match="the server is ending"):
        embedder.query(DEFAULT, "three").result(SECONDS)


def test_a_process_that_does_not_listen_is_killed(made: Made, tmp_path: Path) -> None:
    deaf = [sys.executable, "-c", "import threading; threading.Event().wait()  # embedder"]
    embedder = made(deaf, tmp_path)
    waiting = embedder.documents("a model", [("", LONG)] * 30)  # more than a pipe holds
    embedder.close()
    assert its_processes() == []
    with pytest.raises(EmbeddingError):
        waiting.result(SECONDS)


def test_many_questions_at_once_start_one_process(made: Made, tmp_path: Path) -> None:
    embedder = made(program(tmp_path, ANSWER), tmp_path)
    together = threading.Barrier(8)

    def ask(number: int) -> None:
        together.wait()
        for each in range(5):
            assert embedder.query("a model", f"{number} {each}").result(SECONDS) == b"\1\2\3"

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    embedder.close()
    assert starts(tmp_path) == 1


def test_there_are_never_two_processes(made: Made, tmp_path: Path) -> None:
    body = f"open({str(tmp_path / 'alone')!r}, 'x').close(); {ANSWER}; os.remove({str(tmp_path / 'alone')!r})"
    embedder = made(program(tmp_path, body), tmp_path, idle_seconds=0)  # rests after every answer
    for number in range(20):
        assert embedder.query("a model", f"question {number}").result(SECONDS) == b"\1\2\3"
    embedder.close()
    assert its_processes() == []


def test_a_question_is_answered_before_megabytes_of_documents(embedder: Embedder) -> None:
    embedder.query(DEFAULT, "so that it is loaded").result(SECONDS)
    documents = embedder.documents(DEFAULT, [("", LONG)] * 20)
    answers = [embedder.query(DEFAULT, f"question {number}").result(SECONDS) for number in range(3)]
    assert len(set(answers)) == 3
    assert not documents.done()
    embedder.close()


def test_it_ends_with_its_input(tmp_path: Path) -> None:
    with psutil.Popen(embedder_command(), stdin=-1, stdout=-1, env=offline_environment(tmp_path), text=True) as process:
        request = {"id": 1, "task": "documents", "model": DEFAULT, "texts": [["", LONG[:250_000]]]}
        process.stdin.write(f"{request}\n".replace("'", '"'))
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert process.stdout.read() == ""


def test_nothing_of_the_server_is_passed_on_to_it(made: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = ("BIGMIND_HOME", "HF_TOKEN", "HF_ENDPOINT", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "https_proxy")
    for name in secret:
        monkeypatch.setenv(name, "a-secret")
    for name in ("LC_ALL", "PYTHONUTF8"):
        monkeypatch.setenv(name, os.environ.get(name, "1" if name == "PYTHONUTF8" else "C.UTF-8"))
    with (tmp_path / "lock").open("w"), socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        embedder = made(program(tmp_path, ANSWER), tmp_path)
        embedder.query("a model", "one").result(SECONDS)
        process = its_process()
        told = " ".join([*process.cmdline(), *(f"{name}={value}" for name, value in process.environ().items())])
        opened = [file.path for file in process.open_files()]
        sockets = process.net_connections()
        embedder.close()
    assert "a-secret" not in told
    for needed in (
        "HF_HUB_OFFLINE=1",
        "ORT_DISABLE_TELEMETRY=1",
        f"PATH={os.environ['PATH']}",
        "LC_ALL=",
        "PYTHONUTF8=",
    ):
        assert needed in told
    assert opened == []
    assert sockets == []


def test_a_download_gets_the_way_to_the_network_and_nobodys_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", "a-proxy")
    monkeypatch.setenv("HF_ENDPOINT", "a-mirror")
    monkeypatch.setenv("HF_TOKEN", "a-secret")
    told = downloading_environment(tmp_path)
    told = {name.lower(): value for name, value in told.items()}  # Windows writes all of them large
    assert (told["https_proxy"], told["hf_endpoint"], told["hf_hub_offline"]) == ("a-proxy", "a-mirror", "0")
    assert told["ort_disable_telemetry"] == "1"
    assert "a-secret" not in told.values()


def test_no_name_or_text_makes_it_end(embedder: Embedder) -> None:
    for text in ("", " ", "\0", "\ud800 half a character", "\U0010ffff", "a" * 100_000, "\n\n\n"):
        assert len(embedder.query(DEFAULT, text).result(SECONDS)) == 384
        assert all(embedder.documents(DEFAULT, [("head ", text), ("", "another")]).result(SECONDS))
    for name in ("", "../../etc/passwd", "\0", "no such model"):
        with pytest.raises(CannotLoadError):
            embedder.query(name, "a question").result(SECONDS)
    assert embedder.documents(DEFAULT, []).result(SECONDS) == []
    assert len(embedder.query(DEFAULT, "and works on").result(SECONDS)) == 384
