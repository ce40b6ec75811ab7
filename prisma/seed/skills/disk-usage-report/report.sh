#!/bin/sh
# Arguments come as one JSON object on stdin. The schema keeps quotes and backslashes out of the path, so that plain
# text tools can read it.
set -eu
args=$(cat)
number() { printf '%s' "$args" | sed -n "s/.*\"$1\" *: *\([0-9][0-9]*\).*/\1/p"; }
path=$(printf '%s' "$args" | sed -n 's/.*"path" *: *"\([^"]*\)".*/\1/p')
depth=$(number depth)
top=$(number top)

[ -d "$path" ] || { echo "$path is not a folder on this worker" >&2; exit 2; }
echo "measuring $path" >&2
# Folders that may not be entered are named on stderr and left out.
{ du -k -d "${depth:-1}" "$path" || true; } | sort -rn | head -n "${top:-10}" | awk '
  BEGIN { printf "{\"folders\":[" }
  {
    size = $1; sub(/^[0-9]+[ \t]+/, ""); gsub(/["\\]/, "_")
    printf "%s{\"path\":\"%s\",\"kib\":%d}", (NR > 1 ? "," : ""), $0, size
  }
  END { printf "]}" }'
