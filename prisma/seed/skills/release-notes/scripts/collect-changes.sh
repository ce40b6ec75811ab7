#!/bin/sh
# Prints the subjects of all commits since the newest tag, oldest first, without merges.
set -eu
last=$(git describe --tags --abbrev=0 2>/dev/null || true)
git log --reverse --no-merges --format='%h %s' ${last:+"$last..HEAD"}
