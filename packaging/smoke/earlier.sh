#!/bin/sh
# Builds the .deb of the last commit but one, for `make smoke` to upgrade from, and prints its path; nothing where that
# commit knew no bundles. It is compressed quickly: nobody downloads it.
set -eu
cd "$(dirname "$0")/../.."
work="$PWD/build/earlier"
git worktree remove --force "$work" 2>/dev/null || rm -rf "$work"
git worktree prune
git worktree add --quiet --detach "$work" HEAD~2
if [ -e "$work/packaging/linux/packages.py" ]; then
  for script in bundle/build.py linux/packages.py; do
    BIGMIND_QUICK=1 build/bundle-venv/bin/python "$work/packaging/$script" window >"$work/log" 2>&1 || {
      cat "$work/log" >&2
      exit 1
    }
  done
  mkdir -p build/earlier-packages
  rm -f build/earlier-packages/*
  mv "$work"/dist/*.deb build/earlier-packages/
  echo build/earlier-packages/*.deb
fi
git worktree remove --force "$work"
