#!/usr/bin/env bash
# Pins every dependency by hash, for every supported Python and system, without the address it came from.
# Pins keep their extras: an older pip takes `coverage==7` for no pin of the `coverage[toml]` that a package asks for, and
# refuses to install anything on the day of coverage's next release.
# Run by hand after a change of pyproject.toml; needs `pip install uv`.
set -eu
cd "$(dirname "$0")/.."
pin() { uv pip compile --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header --quiet "$@"; }
pin --group build -o packaging/requirements/build.txt
pin pyproject.toml -o packaging/requirements/runtime.txt
pin pyproject.toml --extra desktop -c packaging/requirements/runtime.txt -o packaging/requirements/desktop.txt
pin --group node -o packaging/requirements/node.txt
pin --group bundle -c packaging/requirements/desktop.txt -o packaging/requirements/bundle.txt
pin --group test -c packaging/requirements/desktop.txt -o packaging/requirements/test.txt
