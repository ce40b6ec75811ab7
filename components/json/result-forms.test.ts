import { describe, expect, it } from "vitest";
import { filesOf, textOf } from "./result-forms";
import { readDiff } from "./result-views";

const diff = [
  "diff --git a/app.py b/app.py",
  "--- a/app.py",
  "+++ b/app.py",
  "@@ -1,2 +1,2 @@",
  " import os",
  "-print(1)",
  "+print(2)",
  "",
].join("\n");

describe("textOf", () => {
  it.each([
    ["a report", "# Weekly report\n\nAll **good**.", "markdown"],
    ["a table in Markdown", "| a | b |\n|---|---|\n| 1 | 2 |", "markdown"],
    ["MCP content", { content: [{ type: "text", text: "# Title\n\n- one\n- two" }] }, "markdown"],
    ["a named text", { markdown: "plain" }, "markdown"],
    ["a diff", diff, "diff"],
    ["a diff in an object", { patch: diff, files: 1 }, "diff"],
    ["lines", "one\ntwo", "text"],
    ["a text with a media type", { mimeType: "text/plain; charset=utf-8", text: "one" }, "text"],
  ])("knows %s", (_, value, kind) => {
    expect(textOf(value)?.kind).toBe(kind);
  });

  it.each([["a word"], [3], [{ content: "no media type" }], [{ text: "no media type" }], [["a", "b"]], [null]])(
    "leaves %j to the tree",
    (value) => {
      expect(textOf(value)).toBeNull();
    },
  );

  it("does not take a log for Markdown", () => {
    expect(textOf("10:00 start * 3\n# exit\n10:01 - done")?.kind).toBe("text");
  });
});

describe("filesOf", () => {
  it.each([
    ["one file", { path: "notes.txt", content: "hi" }, ["notes.txt"]],
    [
      "a list",
      [
        { name: "a.csv", content: "x" },
        { filename: "b.bin", mimeType: "application/zip", data: "UEs=" },
      ],
      ["a.csv", "b.bin"],
    ],
    ["a property", { files: [{ path: "a", text: "x" }], total: 1 }, ["a"]],
    [
      "MCP resources",
      {
        content: [
          { type: "text", text: "see" },
          { type: "resource", resource: { uri: "file:///r.txt", text: "r" } },
        ],
      },
      ["file:///r.txt"],
    ],
  ])("finds %s", (_, value, names) => {
    expect(filesOf(value).map(({ name }) => name)).toEqual(names);
  });

  it.each([
    [{ path: "/var/log", lines: 3 }],
    [[{ name: "a", size: 3 }]],
    [{ name: "x", mimeType: "image/png", data: "iVBORw0KGgo=" }],
    ["text"],
  ])("finds none in %j", (value) => {
    expect(filesOf(value)).toEqual([]);
  });
});

describe("readDiff", () => {
  it("reads the files of a unified diff", () => {
    expect(readDiff(diff)).toMatchObject([{ path: "app.py", change: "changed", hunks: [{ oldStart: 1 }] }]);
    expect(readDiff(diff.replace("--- a/app.py", "--- /dev/null"))).toMatchObject([{ change: "added" }]);
  });

  it("gives null for a diff that is cut off", () => {
    expect(readDiff(diff.replace("+print(2)\n", ""))).toBeNull();
  });
});
