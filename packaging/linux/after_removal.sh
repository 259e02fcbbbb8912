#!/bin/sh
# After the package was removed: what was remembered stays, and whoever removes it is told where. Nothing of anybody's is
# asked for or removed, by `purge` either: a memory is its person's, and no file of the package.
set -e
case "$1" in
  remove | 0)
    echo "BigMind is removed. What it remembers stays in each person's folder ~/.local/share/BigMind;"
    echo "who does not want it any more removes that folder. Entries in IDEs' settings are taken back by"
    echo "\`bigmind clients remove\`, which has to run before."
    ;;
esac
