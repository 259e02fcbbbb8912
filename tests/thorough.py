"""How often something is done: in full by `make thorough`, in part in the gate, which is to stay under ten minutes."""

import os

THOROUGH = os.environ.get("THOROUGH") == "1"


def often(full: int, gate: int) -> int:
    """`full` in a thorough run, `gate` else: a number of times, or a step."""
    return full if THOROUGH else gate
