import { expect, it } from "vitest";
import { findWordProblems } from "./word-rules.mjs";

const problemsOf = (text, allowed = []) => findWordProblems(new Map([["lib/a.ts", text]]), allowed);

it.each([
  ["// Whoever asks waits.", "whoever"],
  ["// No one is told.", "no one"],
  ["// There is room for two.", "room"],
  ["the gate of a process", "gate"],
  ["const door = 1;", "door"],
  ["tx.doorSighting.upsert()", "sighting"],
  ["function obeyServer() {}", "obey"],
  ['"door-archives"', "door"],
  ["giveUpRuns(ids)", "give up"],
  ["lookAtProcess()", "look at"],
])("%s is found", (text, word) => {
  expect(problemsOf(`first line\n${text}`)).toContainEqual(
    expect.stringMatching(new RegExp(`^lib/a\\.ts:2 “${word}” in: `)),
  );
});

it.each([
  "playground, background, headroom, stirrup, indoors, investigate",
  "gateRun(definition), the gate-run, a gateRun",
  "The server gives up after 30 seconds. Look at the log, [as here](#what-to-look-at).",
  "// everyone, none, any person",
])("%s is fine", (text) => {
  expect(problemsOf(text)).toEqual([]);
});

it("a word in the name of a file is found too", () => {
  expect(findWordProblems(new Map([["lib/doors/open.ts", ""]]), [])).toHaveLength(1);
});

it("an allowed word is not reported, one of another file and one without a place are", () => {
  const entry = { file: "lib/a.ts", word: "door", reason: "a column of the database" };
  expect(problemsOf("door: doors", [entry])).toEqual([]);
  expect(problemsOf("room", [entry])).toEqual([
    expect.stringContaining("lib/a.ts:1 “room” in: room"),
    expect.stringContaining("allows “door” in lib/a.ts"),
  ]);
});
