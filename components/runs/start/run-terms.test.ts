import { describe, expect, it, test } from "vitest";
import type { Me } from "@/lib/auth/schema";
import { describeIsolation, describeTerms, type RunTerms, startOutcome, startText } from "./run-terms";

const textsOf = (terms: RunTerms) => Object.fromEntries(describeTerms(terms).map(({ term, text }) => [term, text]));

describe("describeTerms", () => {
  it("includes absent permissions", () => {
    expect(textsOf({ class: "safe", grants: {}, timeoutSeconds: 5 })).toEqual({
      Class: "Safe: only reads",
      Network: "None",
      Files: "Skill folder (read-only)",
      "Environment variables": "None",
      "Time limit": "5 s",
    });
  });

  it("lists all grants and highlights those beyond the usual ones", () => {
    const grants = {
      network: ["api.example.org"],
      paths: [
        { path: "/var/log", mode: "ro" as const },
        { path: "/srv/data", mode: "rw" as const },
      ],
      env: ["PATH", "LANG"],
      namespaces: ["net" as const],
      capabilities: ["CAP_NET_RAW"],
      credentials: [{ slot: "key", credential: "github", as: "env" as const, name: "GITHUB_TOKEN" }],
    };
    const terms: RunTerms = { class: "dangerous", grants, timeoutSeconds: 60 };
    expect(textsOf(terms)).toEqual({
      Class: "Dangerous: may do irreversible harm",
      Network: "Only api.example.org",
      Files: "Skill folder (read-only); /var/log (read-only); /srv/data (read and write)",
      "Environment variables": "PATH, LANG",
      Credentials: "github as GITHUB_TOKEN",
      "Host namespaces": "net",
      "Linux capabilities": "CAP_NET_RAW",
      "Time limit": "60 s",
    });
    const highlighted = describeTerms(terms).filter((line) => line.highlighted);
    expect(highlighted.map(({ term }) => term)).toEqual([
      "Class",
      "Network",
      "Files",
      "Credentials",
      "Host namespaces",
      "Linux capabilities",
    ]);
  });
});

describe("describeIsolation", () => {
  it.each([
    ["sandbox", 1, "Sandbox"],
    ["process", 1, "Separate user, no sandbox"],
    ["none", 2, "No isolation from the host"],
    ["none", 0, "No worker is online. The run waits for one."],
    ["sandbox", 0, "No worker is online. The run waits for one."],
  ] as const)("tells %s with %i workers", (isolation, workers, words) => {
    expect(describeIsolation(isolation, workers)?.text).toBe(words);
  });

  it("returns nothing while loading", () => {
    expect(describeIsolation(undefined, undefined)).toBeNull();
  });
});

type Runs = NonNullable<Me["rights"]>["runs"];

const runs: Runs = {
  safe: { outcome: "start", rule: "safe-starts", reason: "" },
  mutating: { outcome: "confirm", rule: "mutating-needs-confirmation", reason: "" },
  dangerous: { outcome: "park", rule: "dangerous-needs-two-others", reason: "" },
};
const me = (other: Partial<Runs> = {}) =>
  ({ rights: { via: "session", scopes: [], persona: null, runs: { ...runs, ...other } } }) as unknown as Me;

test.each([
  ["safe", "Runs immediately."],
  ["mutating", "Asks you to confirm the arguments first."],
  ["dangerous", "Waits for two other people to approve it, then starts automatically."],
] as const)("a %s skill: “%s”", (runClass, words) => {
  expect(startText(me(), runClass)).toBe(words);
});

test("a refusal gives its reason, and nothing is shown while loading", () => {
  const mutating = { outcome: "refuse" as const, rule: "persona-mode", reason: "the persona is read-only." };
  expect(startText(me({ mutating }), "mutating")).toBe("Refused: the persona is read-only.");
  expect(startText(undefined, "safe")).toBeNull();
  expect(startOutcome(undefined, "safe")).toBeNull();
});
