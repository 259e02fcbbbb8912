"""The process that downloads a model, after somebody said yes; the only one of BigMind's that reaches the network.

Writes lines of JSON: `{"percent"}` now and then, and at last `{"done": true}` or `{"error"}`; it ends with its input.
"""

import json
import os
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

EVERY_SECONDS = 0.5
NEARLY = 99
LONGEST_ERROR = 300
FALLING_BACK = "Falling back to other sources."
"""What fastembed adds to its reason, where there is no other source."""


def main(name: str) -> int:
    """Download the model of that name into `FASTEMBED_CACHE_PATH`; what an earlier try left is gone on with."""
    answers = sys.stdout
    sys.stdout = sys.stderr  # no library may write between the answers
    threading.Thread(target=_end_with_input, name="input", daemon=True).start()

    def say(answer: dict[str, Any]) -> None:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()

    try:
        _download(name, say)
    except Exception as error:  # noqa: BLE001 - libraries raise anything; a person is told
        say({"error": str(error)[:LONGEST_ERROR] or type(error).__name__})
        return 1
    say({"done": True})
    return 0


def _end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


def _download(name: str, say: Any) -> None:
    from fastembed.common.model_management import ModelManagement  # noqa: PLC0415 - missing is told as an answer
    from loguru import logger  # noqa: PLC0415 - where fastembed says why

    from bigmind.embedding.engine_fastembed import described, is_here  # noqa: PLC0415

    found = described(name)
    folder = Path(os.environ["FASTEMBED_CACHE_PATH"])
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    already, expected = size(folder), max(1, int(found.size_in_GB * 1e9))
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(EVERY_SECONDS):
            say({"percent": min(NEARLY, 100 * (size(folder) - already) // expected)})

    watching = threading.Thread(target=watch, name="progress", daemon=True)
    watching.start()
    reasons: list[str] = []
    logger.add(lambda message: reasons.append(message.record["message"]), level="ERROR")
    try:
        manage: Any = ModelManagement  # loosely typed
        manage.download_model(found, str(folder), retries=1)
    except ValueError as error:
        raise RuntimeError(reasons[0].removesuffix(FALLING_BACK) if reasons else str(error)) from error
    finally:
        ended.set()
        watching.join()
    if not is_here(found):
        raise FileNotFoundError(f"files of {found.model} are missing after its download")


def size(folder: Path) -> int:
    """The bytes of the files in a folder; a link counts nothing."""
    return sum(_bytes(Path(path) / name for path, _, names in os.walk(folder) for name in names))


def _bytes(files: Iterable[Path]) -> Iterable[int]:
    for file in files:
        try:
            yield file.lstat().st_size if not file.is_symlink() else 0
        except FileNotFoundError:  # renamed meanwhile
            continue
