import { expect, test } from "vitest";
import type { AuditEvent } from "@/lib/audit/schema";
import { foldReleases, releaseSummary } from "./fold-releases";

let seq = 1000;
const event = (action: string, actor = { kind: "system", name: "Skillgate 0.1.0" }): AuditEvent => {
  seq -= 1;
  return { seq, at: "2026-11-23T10:00:00.000Z", action, actor, outcome: "ok" } as AuditEvent;
};
const release = (skills: number) =>
  Array.from({ length: skills }, () => [event("skill.enable"), event("version.approve")]).flat();
const shape = (events: AuditEvent[], open = new Set<string>()) =>
  foldReleases(events, open).map((row) => ("event" in row ? row.event.action : row.folded.length));

test("folds the events of a release between others into one line, and keeps the order", () => {
  const mara = { kind: "user", name: "Mara" };
  expect(shape([event("skill.enable", mara), ...release(24), event("setup.open")])).toEqual([
    "skill.enable",
    48,
    "setup.open",
  ]);
});

test("folds the skills that one worker brings", () => {
  const bring = (name: string) => Array.from({ length: 6 }, () => event("version.import", { kind: "worker", name }));
  const events = [...bring("local"), ...bring("workshop")];
  expect(shape(events)).toEqual([6, 6]);
  expect(releaseSummary(events.slice(0, 6))).toBe("imported 6 skills");
});

test("folds the files that a worker sends with the skills", () => {
  const worker = { kind: "worker", name: "local" };
  const files = Array.from({ length: 8 }, () => event("worker.file", worker));
  expect(shape([event("version.import", worker), ...files])).toEqual([9]);
  expect(releaseSummary([event("version.import", worker), ...files])).toBe("imported 1 skill");
  expect(releaseSummary(files)).toBe("sent 8 files of skills");
});

test("an open fold is followed by its events", () => {
  const events = release(3);
  const [fold] = foldReleases(events, new Set());
  expect(shape(events, new Set([fold?.id ?? ""]))).toEqual([6, ...events.map(({ action }) => action)]);
});

test("few events, events of people, refused ones and those of another release stay apart", () => {
  expect(shape(release(2))).toHaveLength(4);
  const people = Array.from({ length: 9 }, () => event("skill.enable", { kind: "user", name: "Mara" }));
  expect(shape(people)).toHaveLength(9);
  const refused = Array.from({ length: 9 }, () => ({ ...event("skill.enable"), outcome: "refused" as const }));
  expect(shape(refused)).toHaveLength(9);
  const next = Array.from({ length: 6 }, () => event("skill.enable", { kind: "system", name: "Skillgate 0.2.0" }));
  expect(shape([...next, ...release(3)])).toEqual([6, 6]);
});

test.each([
  [release(24), "approved and switched on 24 built-in skills"],
  [[event("version.approve")], "approved 1 built-in skill"],
  [[event("skill.enable"), event("skill.enable")], "switched on 2 built-in skills"],
  [[...release(2), event("version.approve")], "approved 3 built-in skills and switched on 2"],
])("summarises them", (events, summary) => {
  expect(releaseSummary(events)).toBe(summary);
});
