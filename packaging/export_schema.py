"""Writes assets/export.schema.json: the published schema of an export, made from the records themselves.

Run by hand with the environment, `.venv/bin/python packaging/export_schema.py`; the file is committed, and a test holds
it against the records.
"""

import json
from pathlib import Path

from bigmind.portable.format.document import export_schema
from bigmind.registry import KINDS

TARGET = Path(__file__).resolve().parent.parent / "assets" / "export.schema.json"


def main() -> None:
    """Write the schema."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(export_schema(KINDS), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
