"""How long a bundle takes to start, beside an installed package: `start_times.py BUNDLE BIGMIND [TURNS]`.

BUNDLE is the folder of a bundle, BIGMIND the command of the same version as pip installs it. In turns, on an X server
without a screen; medians, and their ratio. Run by hand with the tests' environment, when nothing else runs:

    .venv/bin/python packaging/smoke/start_times.py dist/window/bigmind ~/.local/bin/bigmind
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT))

from installed import Installed  # noqa: E402 - beside it

from tests.desktop.display import window_manager, x_server  # noqa: E402

TURNS = 9
TARGETS = {"page": 1.1, "bridge": 1.2, "bridge that starts the server": 1.2, "hook": 1.2}


def main() -> None:
    """Print the table; ends with 1 where a bound is missed."""
    bundle, command = sys.argv[1:3]
    turns = int(sys.argv[3]) if len(sys.argv) > 3 else TURNS  # noqa: PLR2004
    times: dict[str, dict[str, list[float]]] = {name: {"source": [], "bundle": []} for name in TARGETS}
    programs = {"source": command, "bundle": str(Path(bundle).resolve() / "bigmind")}
    with tempfile.TemporaryDirectory() as scratch, x_server() as display, window_manager(display):
        around = {"DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": "", "BIGMIND_MEANING": "off"}
        around |= {"QTWEBENGINE_DISABLE_SANDBOX": "1", "XDG_RUNTIME_DIR": scratch} if os.geteuid() == 0 else {}
        for name in programs:
            Path(scratch, name).mkdir()
        for turn in range(turns + 1):
            for name, program in programs.items():
                for what, seconds in one_turn(Installed([program], Path(scratch, name), around=around)).items():
                    if turn:  # the first warms the disk's cache
                        times[what][name].append(seconds)
    missed = report(times)
    if missed:
        sys.exit(f"Slower than it may be: {', '.join(missed)}")


def one_turn(installed: Installed) -> dict[str, float]:
    """Each start once."""
    found = {}
    found["bridge that starts the server"] = timed(
        lambda: spoken(replace(installed, around={**installed.around, "DISPLAY": ""}))
    )
    found["bridge"] = timed(lambda: spoken(installed))
    found["hook"] = timed(
        lambda: subprocess.run(
            [*installed.command, "hook"],
            env=installed.environment(),
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
    )
    installed.run("stop")
    begun = perf_counter()
    app = subprocess.Popen(
        [*installed.command, "app"],
        env=installed.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert app.stdout is not None
    app.stdout.readline()  # said once the first page is shown
    found["page"] = perf_counter() - begun
    app.terminate()
    app.wait(60)
    app.stdout.close()
    return found


def spoken(installed: Installed) -> None:
    """The handshake over the bridge, and its end."""
    with installed.bridge():
        pass


def timed(work: Callable[[], object]) -> float:
    """How many seconds it takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def report(times: dict[str, dict[str, list[float]]]) -> list[str]:
    """Print the medians; what misses its bound."""
    missed = []
    print("| start | source s | bundle s | ratio | at most |", "| --- | --- | --- | --- | --- |", sep="\n")
    for what, of in times.items():
        source, bundle = median(of["source"]), median(of["bundle"])
        ratio = bundle / source
        print(f"| {what} | {source:.3f} | {bundle:.3f} | {ratio:.2f} × | {TARGETS[what]} × |")
        if ratio > TARGETS[what]:
            missed.append(what)
    return missed


if __name__ == "__main__":
    main()
