"""The Info.plist of BigMind.app, for bundle.spec. Run as a program, it prints it; with `--version`, the version."""

import plistlib
import re
import sys
from pathlib import Path
from typing import Any

VERSION = re.search(
    r'VERSION = "([^"]+)"',
    (Path(__file__).resolve().parents[2] / "bigmind" / "__init__.py").read_text(encoding="utf-8"),
)[1]  # pyright: ignore[reportOptionalSubscript] - it stands there

PROPERTIES: dict[str, Any] = {
    "CFBundleIdentifier": "app.bigmind",
    "CFBundleName": "BigMind",
    "CFBundleDisplayName": "BigMind",
    "CFBundleExecutable": "bigmind-app",
    "CFBundleIconFile": "bigmind.icns",
    "CFBundlePackageType": "APPL",
    "CFBundleShortVersionString": VERSION,
    "CFBundleVersion": VERSION,
    "CFBundleInfoDictionaryVersion": "6.0",
    "CFBundleDevelopmentRegion": "en",
    # The oldest system that wheels of all that BigMind brings are made for; packaging/wheels.py asks the index.
    "LSMinimumSystemVersion": "14.0",
    "LSApplicationCategoryType": "public.app-category.developer-tools",
    "NSHighResolutionCapable": True,
    # An icon in the menu bar; the Dock has one while a window is open, which asks for it (pywebview).
    "LSUIElement": True,
    "NSHumanReadableCopyright": "Apache-2.0",
    # The pages come from this machine alone.
    "NSAppTransportSecurity": {"NSAllowsLocalNetworking": True},
}

if __name__ == "__main__":
    if sys.argv[1:] == ["--version"]:
        sys.exit(print(VERSION))
    sys.stdout.buffer.write(plistlib.dumps(PROPERTIES))
