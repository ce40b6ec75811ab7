import { expect, it } from "vitest";
import { PlaygroundLimits } from "@/lib/agent/playground/schema";
import {
  defaultLimits,
  playgroundHref,
  limitRanges as ranges,
  readChoice,
  tryHref,
  versionChoices,
  writeChoice,
} from "./choice";

function there(choice: ReturnType<typeof readChoice>): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(writeChoice(choice))) {
    for (const item of Array.isArray(value) ? value : value === null ? [] : [value]) params.append(key, item);
  }
  return params;
}

it("writes choices to the address and leaves out defaults", () => {
  const choice = {
    endpointId: "e1",
    model: "big/model@2",
    personaId: "p1",
    skills: [
      { skillId: "s1", versionDigest: null },
      { skillId: "s2", versionDigest: "abc" },
    ],
    limits: { steps: 3, tokens: 500, seconds: 30 },
  };
  expect(readChoice(there(choice))).toEqual(choice);
  const bare = { endpointId: null, model: null, personaId: null, skills: [], limits: defaultLimits };
  expect(String(there(bare))).toBe("");
});

it("replaces invalid limits with the defaults", () => {
  const choice = readChoice(new URLSearchParams("steps=0&tokens=many&seconds=1e9"));
  expect(choice.limits).toEqual(defaultLimits);
});

it("has the defaults and the bounds of the server", () => {
  expect(PlaygroundLimits.parse({})).toEqual(defaultLimits);
  for (const [key, { min, max }] of Object.entries(ranges)) {
    const isTaken = (value: number) => PlaygroundLimits.safeParse({ ...defaultLimits, [key]: value }).success;
    expect([min - 1, min, max, max + 1].map(isTaken), key).toEqual([false, true, true, false]);
  }
});

it("adds the version to the address when it is not active", () => {
  expect(playgroundHref("s1", null)).toBe("/playground?skill=s1");
  expect(readChoice(new URL(`http://x${playgroundHref("s1", "d1")}`).searchParams).skills).toEqual([
    { skillId: "s1", versionDigest: "d1" },
  ]);
});

it("chooses the active version, else the pending one, else the approved one", () => {
  const version = (digest: string) => ({ digest, number: 1, state: "approved" as const });
  const [currentVersion, pendingVersion] = [version("c"), version("p")];
  const tried = (enabled: boolean, versions: object) =>
    tryHref({ id: "s", enabled, currentVersion: null, pendingVersion: null, ...versions }).split("skill=")[1];
  expect(tried(true, { currentVersion, pendingVersion })).toBe("s");
  expect(tried(false, { currentVersion, pendingVersion })).toBe("s%40p");
  expect(tried(false, { currentVersion })).toBe("s%40c");
});

const currentVersion = { digest: "one", number: 1, state: "approved" as const };
const versions = (["approved", "pending", "draft", "changes_requested", "rejected", "revoked"] as const).map(
  (state, index) => ({ digest: state, number: index + 1, state }),
);
const labels = (...given: Parameters<typeof versionChoices>) => versionChoices(...given).map(({ label }) => label);

it("offers the active version to every user, and pending ones to reviewers and managers", () => {
  const skill = { enabled: true, currentVersion };
  expect(labels(skill, versions, false)).toEqual(["Version 1, active"]);
  expect(labels(skill, versions, true)).toEqual([
    "Version 1, active",
    "Version 1, approved, not active",
    "Version 2, pending review",
    "Version 3, draft",
    "Version 4, changes requested",
  ]);
});

it("offers approved versions of a disabled skill to its managers, as playbooks", () => {
  const offered = versionChoices({ enabled: false, currentVersion }, [currentVersion], true);
  expect(offered).toEqual([{ digest: "one", label: "Version 1, approved, not active", isPending: true }]);
});

it("offers other people no version of a disabled or unapproved skill", () => {
  expect(labels({ enabled: false, currentVersion }, versions, false)).toEqual([]);
  expect(labels({ enabled: false, currentVersion: null }, [], true)).toEqual([]);
});
