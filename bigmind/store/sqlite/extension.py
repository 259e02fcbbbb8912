"""sqlite-vec, loaded into a connection."""

import importlib.util
import logging
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

WHY_NO_VECTORS = "why_no_vectors"
"""Where a connection's `info` has the answer of `load_vectors`."""


def load_vectors(connection: Any) -> str:
    """Give a driver's connection sqlite-vec's functions; answers why it could not, or nothing.

    The package is not imported, only found: importing it would load Python's own SQLite beside the driver's.
    """
    found = importlib.util.find_spec("sqlite_vec")
    if found is None or found.origin is None:
        return "sqlite-vec is not installed (it has no build for this system)"
    if not hasattr(connection, "enable_load_extension"):
        return "this Python's SQLite loads no extensions"
    connection.enable_load_extension(True)
    try:
        connection.load_extension(str(Path(found.origin).parent / "vec0"))
    except Exception as error:  # noqa: BLE001 - the drivers' own errors have no common base but this
        log.warning("sqlite-vec does not load: %s", error)
        return f"sqlite-vec does not load: {error}"
    finally:
        connection.enable_load_extension(False)
    return ""
