#!/bin/sh
# Before files of an installed BigMind are replaced or removed, and once more when they are: the programs of it that run
# are asked to end, whoever's they are. They finish what they write; a program whose files are replaced under it could
# load no part of itself any more, and an assistant that works meanwhile has started one of the old files or of both. The
# bridges of IDEs go on: they have loaded what they need, and start the new server when they are asked next.
set -e
program=/usr/lib/bigmind/bigmind

running() {
  for folder in /proc/[0-9]*; do
    case "$(readlink "$folder/exe" 2>/dev/null)" in
      "$program" | "$program (deleted)") ;;
      *) continue ;;
    esac
    case "$(tr '\0' ' ' <"$folder/cmdline" 2>/dev/null)" in
      *" mcp "* | *" hook "*) ;;
      *) echo "${folder#/proc/}" ;;
    esac
  done
}

end_running() {
  found="$(running)"
  [ -n "$found" ] || return 0
  echo "BigMind is asked to end …"
  # shellcheck disable=SC2086 - a list of numbers
  kill -TERM $found 2>/dev/null || true
  tries=0
  while [ -n "$(running)" ] && [ "$tries" -lt 60 ]; do
    sleep 0.5
    tries=$((tries + 1))
  done
  found="$(running)"
  # shellcheck disable=SC2086 - a list of numbers
  [ -z "$found" ] || kill -KILL $found 2>/dev/null || true
}

end_running
