"""Makes `.venv` ready for running or testing BigMind, from a fresh clone, with only Python's standard library.

Usage: python3 packaging/environment.py run|test|node|bundle|smoke [--whatever-is-missing]
Does nothing when the environment already fits the requirement files. To run it where there is a desktop, its window is
installed too; `node` is only what packaging/node_tools.py needs; `bundle` makes `build/bundle-venv`, of which bundles
are built: it holds nothing that tests need; `smoke` is what tests need, and asks for the programs that try a bundle.
What is missing of the system is named first, and stops it; not with the option, while it is installed.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OF_BUNDLES = ROOT / "build" / "bundle-venv"
LISTS = {
    "run": ["build", "runtime"],
    "run with its window": ["build", "runtime", "desktop"],
    "node": ["node"],
    "test": ["build", "runtime", "desktop", "node", "test"],
    "bundle": ["build", "runtime", "desktop", "bundle"],
}
ANYWAY = "--whatever-is-missing"
SLOW = """This Python was built without optimizations, as pyenv builds it: BigMind takes a quarter longer with it.
For a bundle take the system's, or that of python.org. Try: make PYTHON=/usr/bin/python3 bundle"""


def main() -> None:
    """Create or update the environment; exits with the command to run when the system lacks something."""
    purpose, *options = sys.argv[1:] or [""]
    if purpose not in {"run", "test", "node", "bundle", "smoke"} or options not in ([], [ANYWAY]):
        sys.exit(__doc__)
    if not options:
        check_system(purpose)
    if purpose == "smoke":
        purpose = "test"
    if purpose == "run" and has_desktop():
        purpose = "run with its window"
    files, venv = pinned(purpose), OF_BUNDLES if purpose == "bundle" else VENV
    stamp = venv / f".ready-{purpose.replace(' ', '-')}"
    wanted = fingerprint([*files, ROOT / "pyproject.toml"])
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    print(f"Setting up {venv.name} for BigMind, to {purpose} (once; a minute or so) …", file=sys.stderr, flush=True)
    if purpose == "bundle" and not is_optimized():
        print(SLOW, file=sys.stderr, flush=True)
    if not python(venv).exists():
        subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    pip(venv, "--require-hashes", *[word for file in files for word in ("-r", str(file))])
    if venv == VENV and "build" in LISTS[purpose]:
        pip(venv, "--no-deps", "--no-build-isolation", "--editable", str(ROOT))
    stamp.write_text(wanted)


def pinned(purpose: str) -> list[Path]:
    """The requirement files of one of `LISTS`, in the order in which pip reads them."""
    return [ROOT / "packaging" / "requirements" / f"{name}.txt" for name in LISTS[purpose]]


def has_desktop() -> bool:
    """Whether a window could be shown."""
    return sys.platform != "linux" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def check_system(purpose: str) -> None:
    """Name what is missing, and the command that installs it."""
    if not (3, 11) <= sys.version_info[:2] <= (3, 14):
        sys.exit(
            f"BigMind needs Python 3.11 to 3.14; this is {sys.version.split()[0]}. Try: make PYTHON=python3.12 run"
        )
    if importlib.util.find_spec("ensurepip") is None or importlib.util.find_spec("venv") is None:
        sys.exit("Python's venv module is missing. Debian, Ubuntu: sudo apt-get install python3-venv")
    if purpose == "test" or (purpose in {"bundle", "smoke"} and sys.platform == "linux"):
        from system_packages import what_is_missing  # noqa: PLC0415 - it does not start under an older Python

        bundles = {"of_bundles": True, "to_try": purpose == "smoke"}
        if told := what_is_missing() if purpose == "test" else what_is_missing("Bundles", **bundles):
            sys.exit(told)


def is_optimized() -> bool:
    """Whether this Python was built with profile-guided optimizations, as python.org and distributions build theirs.

    What pyenv compiles by its defaults was not. Debian's does not say so; it is told by a scheme of its folders.
    """
    options = sysconfig.get_config_var("CONFIG_ARGS") or ""
    return os.name == "nt" or "--enable-optimizations" in options or "deb_system" in sysconfig.get_scheme_names()


def python(venv: Path) -> Path:
    """An environment's interpreter."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def pip(venv: Path, *arguments: str) -> None:
    """Run an environment's pip; its own words go to standard error only when it fails."""
    command = [str(python(venv)), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, check=False, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"pip could not install what BigMind needs:\n{done.stderr}")


def fingerprint(files: list[Path]) -> str:
    """A SHA-256 over the files and the interpreter, so that a change of either sets up again."""
    digest = hashlib.sha256(f"{sys.version} {ROOT}".encode())
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
