#!/usr/bin/env python3
"""Deletes old local tags of one repository. Nothing is pushed."""
import json
import subprocess
import sys

args = json.load(sys.stdin)
git = ["git", "-C", args["repository"]]
pattern = args.get("pattern", "nightly-*")

listed = subprocess.run(
    [*git, "tag", "--list", "--sort=-creatordate", "--", pattern], capture_output=True, text=True, check=False
)
if listed.returncode != 0:
    sys.exit(listed.stderr.strip())
old = listed.stdout.split()[args.get("keep", 10) :]
print(f"{len(old)} tags match {pattern} and are old", file=sys.stderr)

if not args.get("dryRun", True):
    for tag in old:
        subprocess.run([*git, "tag", "--delete", "--", tag], stdout=subprocess.DEVNULL, check=True)
        print(f"deleted {tag}", file=sys.stderr)

json.dump({"tags": old, "deleted": not args.get("dryRun", True)}, sys.stdout)
