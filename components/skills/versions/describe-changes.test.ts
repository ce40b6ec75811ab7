import { describe, expect, it } from "vitest";
import type { VersionDiff } from "@/lib/skills/versions/schema";
import { describeChanges, describeDeclared } from "./describe-changes";

const none: VersionDiff = {
  ...{ digest: "b", against: "a", files: [], changes: [], grants: [], newHosts: [], newExecutables: [] },
  class: { before: "safe", after: "safe", changed: false },
  findings: { added: [], removed: [] },
};
const textsOf = (diff: Partial<VersionDiff>) => describeChanges({ ...none, ...diff }).map(({ text }) => text);
const tonesOf = (diff: Partial<VersionDiff>) => describeChanges({ ...none, ...diff }).map(({ tone }) => tone);
const granted = (field: string, before: unknown, after: unknown) => textsOf({ grants: [{ field, before, after }] });

describe("describeChanges", () => {
  it("is empty when nothing changed", () => {
    expect(describeChanges(none)).toEqual([]);
  });

  it.each([
    ["env", [], ["LOG_ROOT"], ["May now read the variable LOG_ROOT"]],
    ["env", ["TZ", "KEY"], ["TZ"], ["No longer reads the variable KEY"]],
    ["timeoutSeconds", 30, 90, ["Time limit 30 s → 90 s"]],
    ["network", false, true, ["May now reach any address that the worker’s operator allows"]],
    ["network", ["a.example"], ["a.example", "b.example"], ["May now reach the host b.example"]],
    ["network", true, null, ["Has no network any more"]],
    ["network", true, ["a.example"], ["Reaches only a.example now"]],
    ["scripts", null, true, ["Agents may now run its scripts"]],
    ["paths", null, [{ path: "/srv", mode: "rw" }], ["May now read and write /srv on the host"]],
    ["namespaces", ["net"], null, ["No longer shares the host’s net namespace"]],
    ["capabilities", [], ["CAP_NET_RAW"], ["Now has the Linux capability CAP_NET_RAW"]],
    [
      "credentials",
      null,
      [{ slot: "key", credential: "github", as: "env", name: "GITHUB_TOKEN" }],
      ["Now gets the credential github as the variable GITHUB_TOKEN"],
    ],
    ["tools", ["Read"], ["Read", "Bash"], ["Runs any shell command without asking (Bash)"]],
  ])("says what changed in the grant %s: %j to %j", (field, before, after, texts) => {
    expect(granted(field, before, after)).toEqual(texts);
  });

  it("puts what allows more first, and only that stands out", () => {
    const diff = {
      class: { before: "safe", after: "dangerous", changed: true } as const,
      grants: [{ field: "timeoutSeconds", before: 90, after: 30 }],
      newHosts: [{ host: "new.example", path: "run.sh", line: 2 }],
    };
    expect(textsOf(diff)).toEqual([
      "Class safe → dangerous",
      "Names the new host new.example",
      "Time limit 90 s → 30 s",
    ]);
    expect(tonesOf(diff)).toEqual(["danger", "warning", "neutral"]);
  });

  it("tells a new program from one whose content changed", () => {
    const file = { path: "run.sh", modeBefore: "755", modeAfter: "755" } as const;
    const changed = { path: "run.sh", line: null, why: "was changed and is executable" };
    const known = { files: [{ ...file, change: "changed" as const, hunks: [] }], newExecutables: [changed] };
    expect(tonesOf(known)).toEqual(["neutral"]);
    const added = { path: "run.sh", line: null, why: "is new and executable" };
    const fresh = { ...file, change: "added" as const, modeBefore: null, hunks: [] };
    expect(describeChanges({ ...none, files: [fresh], newExecutables: [added] })).toEqual([
      { text: "run.sh is new and executable", tone: "warning" },
    ]);
  });

  it("says a change once when the files declare what is granted", () => {
    const change = { before: [], after: ["LOG_ROOT"] };
    const both = { grants: [{ field: "env", ...change }], changes: [{ field: "envAllow", ...change }] };
    expect(textsOf(both)).toEqual(["May now read the variable LOG_ROOT"]);
  });
});

it("says what files declare differently, in an update that is no version yet", () => {
  const changes = [
    { field: "description", before: "a", after: "b" },
    { field: "allowedTools", before: ["Read"], after: ["Read", "Write"] },
    { field: "timeoutSeconds", before: null, after: 90 },
  ];
  expect(describeDeclared(changes).map(({ text }) => text)).toEqual([
    "Writes and changes any file without asking (Write)",
    "Time limit the default → 90 s",
    "Its description changed: agents choose the skill by it",
  ]);
});
