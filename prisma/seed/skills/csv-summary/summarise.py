#!/usr/bin/env python3
"""Summarises one CSV table. Arguments as a JSON object on stdin, the summary as JSON on stdout, progress on stderr."""
import csv
import io
import json
import statistics
import sys

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|"}
DECIMALS = {"point": ".", "comma": ","}


def open_table(source):
    if source["kind"] == "text":
        return io.StringIO(source["text"])
    return open(source["path"], newline="", encoding="utf-8-sig")


def to_number(text, decimal):
    try:
        return float(text.replace(decimal, "."))
    except ValueError:
        return None


def describe(name, values, wanted, decimal):
    present = [value for value in values if value.strip()]
    numbers = [to_number(value, decimal) for value in present]
    column = {"name": name, "type": "text", "missing": len(values) - len(present)}
    if present and all(number is not None for number in numbers):
        known = {"min": min, "max": max, "mean": statistics.fmean, "median": statistics.median}
        column["type"] = "number"
        column.update({key: round(known[key](numbers), 4) for key in wanted})
    else:
        column["distinct"] = len(set(present))
    return column


def main():
    args = json.load(sys.stdin)
    layout = args.get("format", {})
    decimal = DECIMALS[layout.get("decimal", "point")]
    limit = args.get("maxRows", 10000)
    with open_table(args["source"]) as table:
        reader = csv.DictReader(table, delimiter=DELIMITERS[layout.get("delimiter", "comma")])
        rows = []
        for row in reader:
            row.pop(None, None)  # Cells beyond the header.
            if layout.get("skipEmptyRows", True) and not any((value or "").strip() for value in row.values()):
                continue
            rows.append(row)
            if len(rows) == limit:
                break
        names = reader.fieldnames or []
    print(f"read {len(rows)} rows and {len(names)} columns", file=sys.stderr)
    wanted = args.get("statistics", ["min", "max", "mean"])
    columns = [describe(name, [row.get(name) or "" for row in rows], wanted, decimal) for name in names]
    types = {column["name"]: column["type"] for column in columns}
    problems = [
        f"{item['name']}: " + ("missing" if item["name"] not in types else f"is {types[item['name']]}")
        for item in args.get("expect", [])
        if item["name"] not in types or types[item["name"]] != item.get("type", types[item["name"]])
    ]
    json.dump({"rows": len(rows), "columns": columns, "problems": problems}, sys.stdout)


main()
