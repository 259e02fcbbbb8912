#!/usr/bin/env bash
# Pins every dependency by hash, for every supported Python and system, without the address it came from.
# Run by hand after a change of pyproject.toml; needs `pip install uv`.
set -eu
cd "$(dirname "$0")/.."
pin() { uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet "$@"; }
pin --group build -o requirements/build.txt
pin pyproject.toml -o requirements/runtime.txt
pin pyproject.toml --extra desktop -c requirements/runtime.txt -o requirements/desktop.txt
pin --group node -o requirements/node.txt
pin --group test -c requirements/desktop.txt -o requirements/test.txt
