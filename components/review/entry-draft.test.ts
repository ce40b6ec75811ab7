import { expect, test } from "vitest";
import { proposeEntry } from "@/lib/skill-format/entry/propose-entry";
import { exampleCommand, rowsOf, withRows } from "./entry-draft";

const { entry } = proposeEntry(
  "scripts/count.py",
  `import argparse, sys
p = argparse.ArgumentParser()
p.add_argument("words", nargs="+", help="What is counted")
p.add_argument("--mark", default="it's")
p.add_argument("--level", type=int, choices=[1, 2])
p.add_argument("--loud", action="store_true")
p.parse_args(); sys.stdin.read()
`,
);

test("a form without changes returns the entry unchanged", () => {
  expect(withRows(entry, rowsOf(entry))).toEqual(entry);
});

test("a parameter's name, flag and required state change in call and schema", () => {
  const rows = rowsOf(entry).map((row) =>
    row.name === "mark" ? { ...row, name: "sign", flag: "-m", isRequired: true, default: "" } : row,
  );
  const changed = withRows(entry, rows);
  expect(changed.call).toMatchObject({
    params: expect.arrayContaining([{ name: "sign", kind: "option", flag: "-m" }]),
  });
  expect(changed.schema).toMatchObject({ properties: { sign: { type: "string" } }, required: ["words", "sign"] });
  expect(changed.schema.properties).not.toHaveProperty("mark");
});

test("a default of the wrong type is omitted", () => {
  const rows = rowsOf(entry).map((row) => (row.name === "level" ? { ...row, default: "much" } : row));
  expect(withRows(entry, rows).schema.properties).toMatchObject({ level: { type: "integer", enum: [1, 2] } });
  expect(withRows(entry, rows).schema.properties).not.toHaveProperty("level.default");
});

test("the example shows the shell-quoted command", () => {
  expect(exampleCommand(entry, ["/usr/bin/env", "python3"])).toBe(
    "/usr/bin/env python3 scripts/count.py --mark 'it'\\''s' --level 1 --loud WORDS < input",
  );
  const json = { ...entry, call: { style: "stdin-json" as const } };
  expect(exampleCommand(json, ["/bin/sh"])).toBe("/bin/sh scripts/count.py < arguments.json");
});
