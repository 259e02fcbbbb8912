"""What the check without the server knows of a run on this machine: a small file per run in BigMind's home.

Derived: without it, the check judges from the log, the files and git alone.
"""

import json
import logging
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError
from bigmind.core.shapes import as_object, is_list
from bigmind.disk import open_files
from bigmind.paths import make_private_folder, read_private_file, write_private_file
from bigmind.protocol.document.built_in import built_in
from bigmind.protocol.document.protocol_document import read_protocol
from bigmind.protocol.document.protocol_record import BUILT_IN, Phase, Protocol
from bigmind.protocol.judging.run_record import Beginning, CheckOutcome, RunRecord, ShownEvidence

log = logging.getLogger(__name__)

LARGEST = 4_000_000
FOLDER = "runs"


def receipt_file(home: Path, root: Path, run: str) -> Path:
    """Where the receipt of a run is kept: by its workspace and its name."""
    return home / FOLDER / sha256(str(root).encode()).hexdigest()[:16] / f"{run}.json"


def write_receipt(home: Path, root: Path, record: RunRecord, kept: Mapping[str, Any]) -> None:
    """Write the receipt of a run; a failure is logged, for nothing but the check without the server needs it.

    Args:
        home: BigMind's data folder.
        root: the workspace.
        record: of the run.
        kept: the digests of its evidence as it ended; empty while it is open.
    """
    protocol = record.protocol
    told = {
        "run": record.name,
        "workspace": str(root),
        "source": protocol.source,
        "text": "" if protocol.source == BUILT_IN else protocol.text,
        "starting_commit": record.starting_commit,
        "beginning": record.beginning.as_json(),
        "shown": [asdict(each) for each in record.shown],
        "checks": [{**asdict(each), "output": ""} for each in record.checks],
        "has_memory": record.has_memory,
        "is_approved": record.is_approved,
        "skips_qa": record.skips_qa,
        "kept": dict(kept),
    }
    path = receipt_file(home, root, record.name)
    try:
        make_private_folder(home / FOLDER)
        make_private_folder(path.parent)
        write_private_file(path, json.dumps(told, ensure_ascii=False))
    except OSError as error:
        log.warning("the receipt of %s could not be written: %s", record.name, error)


def remove_receipt(home: Path, root: Path, run: str) -> None:
    """Remove the receipt of a run that is forgotten, and the folder of a workspace that has no other.

    Raises:
        OSError: when it cannot be removed.
    """
    file = receipt_file(home, root, run)
    open_files.remove(file)
    with suppress(OSError):  # others are there
        file.parent.rmdir()


def read_receipt(home: Path, root: Path, run: str) -> tuple[RunRecord, dict[str, Any]] | None:
    """The receipt of a run, with the digests as it ended; None where there is none that can be read."""
    try:
        told = as_object(json.loads(read_private_file(receipt_file(home, root, run), LARGEST)))
        source = str(told["source"])
        protocol = built_in() if source == BUILT_IN else read_protocol(str(told["text"]), source)
        return _record(told, protocol), as_object(told.get("kept"))
    except (OSError, ValueError, KeyError, TypeError, BigMindError):
        return None


def _record(told: Mapping[str, Any], protocol: Protocol) -> RunRecord:
    shown = [as_object(each) for each in told["shown"]] if is_list(told.get("shown")) else []
    checks = [as_object(each) for each in told["checks"]] if is_list(told.get("checks")) else []
    return RunRecord(
        name=str(told["run"]),
        protocol=protocol,
        starting_commit=str(told["starting_commit"]),
        beginning=Beginning.from_json(as_object(told.get("beginning"))),
        shown=tuple(map(_shown, shown)),
        checks=tuple(map(_check, checks)),
        has_memory=told.get("has_memory"),
        is_approved=told.get("is_approved"),
        skips_qa=bool(told.get("skips_qa")),
    )


def _shown(told: Mapping[str, Any]) -> ShownEvidence:
    words = (str(told["type"]), str(told["name"]), str(told["digest"]))
    return ShownEvidence(Phase(str(told["phase"])), *words, is_verified=bool(told["is_verified"]))


def _check(told: Mapping[str, Any]) -> CheckOutcome:
    code = told["exit_code"]
    changed = tuple(map(str, told["changed"])) if is_list(told.get("changed")) else ()
    ended = int(code) if code is not None else None
    return CheckOutcome(str(told["name"]), str(told["tree"]), ended, str(told["fault"]), changed=changed)
