"""The server has of uvicorn what it uses."""

import subprocess
import sys

LOADED = """
import sys
from app.web_server.serving import ServerThread
import uvicorn.lifespan.on
print(sorted({"click", "multiprocessing", "uvicorn.main"} & set(sys.modules)))
from uvicorn import Config
from app.web_server.uvicorn_parts import Config as ours
print(Config is ours)
"""


def test_a_server_carries_no_command_line_of_uvicorn() -> None:
    """It was two megabytes of every server."""
    told = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    assert told.split("\n") == ["[]", "True", ""]
