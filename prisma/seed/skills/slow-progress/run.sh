#!/bin/sh
set -eu
args=$(cat)
number() { printf '%s' "$args" | sed -n "s/.*\"$1\" *: *\([0-9][0-9]*\).*/\1/p"; }
steps=$(number steps)
pause=$(number pause)
: "${steps:=10}" "${pause:=1}"

step=1
while [ "$step" -le "$steps" ]; do
  echo "step $step of $steps" >&2
  sleep "$pause"
  step=$((step + 1))
done
printf '{"steps":%d}' "$steps"
