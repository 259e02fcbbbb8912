"""Makes the installer of Windows of a bundle: `python packaging/windows/make_installer.py [PAYLOAD [TARGET]]`.

By NSIS. The variable SIGN holds the command that signs a file, whose path follows it; without one nothing is signed,
and that is said.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = Path(__file__).with_name("bigmind.nsi")


def main() -> None:
    """Compile it; ends with the compiler's own words when it does not."""
    version = re.search(r'VERSION = "([^"]+)"', (ROOT / "bigmind" / "__init__.py").read_text(encoding="utf-8"))
    number = version[1] if version else "0.0.0"
    payload = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist" / "window" / "bigmind").resolve()
    chosen = sys.argv[2] if len(sys.argv) > 2 else ROOT / "dist" / f"bigmind-{number}-windows-x86_64.exe"  # noqa: PLR2004
    told = {
        "VERSION": number,
        "PAYLOAD": str(payload),
        "SEPARATOR": os.sep,
        "ICON": str(ROOT / "assets" / "icons" / "bigmind.ico"),
        "OUTPUT": str(Path(chosen).resolve()),
    }
    if sign := os.environ.get("SIGN"):
        told["SIGN"] = sign
    else:
        print("NOT SIGNED: SIGN is not set.")
    compiler = which("makensis") or r"C:\Program Files (x86)\NSIS\makensis.exe"
    command = [compiler, "-V3", "-WX", *(f"-D{name}={value}" for name, value in told.items()), str(SCRIPT)]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout)
    print(f"{told['OUTPUT']}: {Path(told['OUTPUT']).stat().st_size / 1_000_000:.1f} MB")


if __name__ == "__main__":
    main()
