#!/usr/bin/env python3
"""Counts levels and repeated messages at the end of a log file."""
import collections
import json
import os
import re
import sys

LEVEL = re.compile(r"\b(error|warn|info|debug)(?:ing)?\b", re.IGNORECASE)
NUMBERS = re.compile(r"0x[0-9a-f]+|\d+", re.IGNORECASE)

args = json.load(sys.stdin)
path = os.path.join(os.environ.get("LOG_ROOT", "/"), args["path"])
with open(path, encoding="utf-8", errors="replace") as log:
    tail = collections.deque(log, maxlen=args.get("lines", 2000))
print(f"{len(tail)} lines of {path}", file=sys.stderr)

levels = collections.Counter()
messages = collections.Counter()
wanted = set(args.get("levels", ["error", "warn"]))
for line in tail:
    found = LEVEL.search(line)
    level = found.group(1).lower() if found else "none"
    levels[level] += 1
    if level in wanted:
        messages[NUMBERS.sub("#", line.strip())[:200]] += 1

top = [{"message": message, "count": count} for message, count in messages.most_common(10)]
json.dump({"lines": len(tail), "levels": dict(levels), "top": top}, sys.stdout)
