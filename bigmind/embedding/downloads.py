"""The server's end of a download: one at a time, in a process of its own, after somebody said yes."""

import json
import subprocess
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bigmind.embedding.environment import downloading_environment
from bigmind.local.apart import no_window
from bigmind.paths import make_private_folder

ENDING_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Download:
    """How a download goes, or went.

    Attributes:
        model: what is downloaded.
        percent: of it, by its size on the disk.
        is_over: whether it has ended.
        failure: why it failed; empty when it did not.
    """

    model: str
    percent: int = 0
    is_over: bool = False
    failure: str = ""


class Downloads:
    """Downloads models.

    Attributes:
        last: the download that runs, or the last one; None when there was none since the start.
    """

    def __init__(self, command: Sequence[str], folder: Path) -> None:
        """Prepare it; nothing is started.

        Args:
            command: starts `downloading.main`; the model's name follows.
            folder: where models are kept.
        """
        self._command = list(command)
        self._folder = folder
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._is_closed = False
        self.last: Download | None = None

    def start(self, model: str, then: Callable[[], object]) -> bool:
        """Begin to download a model; False when another one is being downloaded, or the server ends.

        Args:
            model: of fastembed's.
            then: called after it is here, on a thread of its own; when it raises, the download counts as failed.
        """
        with self._lock:
            if self._is_closed or (self.last is not None and not self.last.is_over):
                return False
            self.last = Download(model)
        threading.Thread(target=self._run, args=(model, then), name="download", daemon=True).start()
        return True

    def close(self) -> None:
        """End what is being downloaded; it is gone on with when it is asked for again."""
        with self._lock:
            self._is_closed = True
            process = self._process
        if process is not None:
            process.kill()

    def _run(self, model: str, then: Callable[[], object]) -> None:
        failure = "the server is ending"
        try:
            if (process := self._started(model)) is not None:
                with process:
                    failure = self._followed(process, model)
            if not failure:
                then()
        except Exception as error:  # noqa: BLE001 - on a thread of its own nobody else would hear of it
            failure = str(error) or type(error).__name__
        self.last = Download(model, 0 if failure else 100, is_over=True, failure=failure)

    def _started(self, model: str) -> "subprocess.Popen[str] | None":
        with self._lock:
            if self._is_closed:
                return None
            make_private_folder(self._folder)
            self._process = subprocess.Popen(
                [*self._command, model],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                env=downloading_environment(self._folder),
                creationflags=no_window(),
            )
            return self._process

    def _followed(self, process: "subprocess.Popen[str]", model: str) -> str:
        """Take note of what it says until it ends; why it failed, if it did."""
        for line in process.stdout or ():
            said: dict[str, Any] = json.loads(line)
            if "error" in said:
                return said["error"]
            if "done" in said:
                return ""
            self.last = Download(model, said["percent"])
        return f"its process ended (exit code {process.wait(ENDING_SECONDS)})"
