#!/usr/bin/env python3
"""A table with one column for each key, in the order in which the keys first occur."""
import csv
import io
import json
import sys

args = json.load(sys.stdin)
columns = list(dict.fromkeys(key for item in args["items"] for key in item))
rows = [[item.get(column, "") for column in columns] for item in args["items"]]

if args.get("format") == "csv":
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([columns, *rows])
    table = out.getvalue()
else:
    cells = [columns, ["---"] * len(columns), *rows]
    table = "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in cells)

json.dump({"table": table, "rows": len(rows), "columns": columns}, sys.stdout)
