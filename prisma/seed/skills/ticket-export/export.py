#!/usr/bin/env python3
"""Lists tickets of one team from the nightly export."""
import json
import os
import sys

args = json.load(sys.stdin)
with open(os.environ.get("TICKETS_FILE", "tickets.json"), encoding="utf-8") as file:
    tickets = json.load(file)
state = args.get("state", "open")
chosen = [ticket for ticket in tickets if ticket["team"] == args["team"] and state in ("any", ticket["state"])]
json.dump({"tickets": chosen}, sys.stdout)
