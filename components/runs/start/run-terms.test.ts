import { describe, expect, it } from "vitest";
import { describeIsolation, describeTerms, type RunTerms } from "./run-terms";

const wordsOf = (terms: RunTerms) =>
  Object.fromEntries(describeTerms(terms).map(({ term, text: words }) => [term, words]));

describe("describeTerms", () => {
  it("says what a run with nothing granted may not do either", () => {
    expect(wordsOf({ class: "safe", grants: {}, timeoutSeconds: 5 })).toEqual({
      Class: "Only reads",
      Network: "None",
      Files: "Its own folder, read only",
      Environment: "No variables",
      "Time limit": "5 s",
    });
  });

  it("names all that was granted, and says it loud where it reaches out", () => {
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
    expect(wordsOf(terms)).toEqual({
      Class: "May do harm that cannot be undone",
      Network: "Only api.example.org",
      Files: "Its own folder, read only; /var/log, read only; /srv/data, and changes it",
      Environment: "PATH, LANG",
      Credentials: "github as GITHUB_TOKEN",
      "Host namespaces": "net",
      Capabilities: "CAP_NET_RAW",
      "Time limit": "60 s",
    });
    const loud = describeTerms(terms).filter((line) => line.highlighted);
    expect(loud.map(({ term }) => term)).toEqual([
      "Class",
      "Network",
      "Files",
      "Credentials",
      "Host namespaces",
      "Capabilities",
    ]);
  });
});

describe("describePlace", () => {
  it.each([
    ["sandbox", 1, "In a sandbox"],
    ["process", 1, "As a separate user, not in a sandbox"],
    ["none", 2, "Not isolated from its host"],
    ["none", 0, "No worker is online; the run waits until one is"],
    ["sandbox", 0, "No worker is online; the run waits until one is"],
  ] as const)("tells %s with %i workers", (isolation, workers, words) => {
    expect(describeIsolation(isolation, workers)?.text).toBe(words);
  });

  it("says nothing before it knows", () => {
    expect(describeIsolation(undefined, undefined)).toBeNull();
  });
});
