"""Writes assets/process.schema.json: the published schema of a process document, made from what reads one.

Run by hand with the environment, `.venv/bin/python packaging/process_schema.py`; the file is committed, and a test
holds it against the reader.
"""

import json
from pathlib import Path

from bigmind.flow.process_document import schema

TARGET = Path(__file__).resolve().parent.parent / "assets" / "process.schema.json"


def main() -> None:
    """Write the schema."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
