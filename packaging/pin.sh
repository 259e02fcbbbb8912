#!/usr/bin/env bash
# Pins every dependency by hash, for every supported Python and system, without the address it came from.
# Run by hand after a change of pyproject.toml; needs `pip install uv`.
set -eu
cd "$(dirname "$0")/.."
pin() { uv pip compile --universal --python-version 3.11 --generate-hashes --no-header --quiet "$@"; }
pin --group build -o packaging/requirements/build.txt
pin pyproject.toml -o packaging/requirements/runtime.txt
pin pyproject.toml --extra desktop -c packaging/requirements/runtime.txt -o packaging/requirements/desktop.txt
pin --group node -o packaging/requirements/node.txt
pin --group test -c packaging/requirements/desktop.txt -o packaging/requirements/test.txt
