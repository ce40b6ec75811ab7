#!/usr/bin/env python3
"""Exit code 0 while the newest backup is young enough, 3 when it is too old, 2 when there is none."""
import json
import os
import sys
import time

args = json.load(sys.stdin)
folder = os.path.join(os.environ.get("BACKUP_ROOT", "/"), args["folder"])
limit = args.get("maxAgeHours", 26)

try:
    files = [entry for entry in os.scandir(folder) if entry.is_file()]
except OSError as error:
    sys.exit(f"cannot look into {folder}: {error.strerror}")
if not files:
    print(f"{folder} holds no backup", file=sys.stderr)
    sys.exit(2)

newest = max(files, key=lambda entry: entry.stat().st_mtime)
hours = (time.time() - newest.stat().st_mtime) / 3600
print(f"newest is {newest.name}, {hours:.1f} hours old", file=sys.stderr)
if hours > limit:
    print(f"too old: at most {limit} hours are allowed", file=sys.stderr)
    sys.exit(3)
json.dump({"newest": newest.name, "ageHours": round(hours, 1)}, sys.stdout)
