import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Skill } from "@/lib/skills/schema";
import { GetStarted, getStartedSteps } from "./get-started";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Known = Parameters<typeof getStartedSteps>[0];

const empty: Known = { role: "admin", sources: 0, skills: [], hasClient: false };
const version = { digest: "d", number: 1, state: "approved" } as const;
const done = (known: Partial<Known>) =>
  getStartedSteps({ ...empty, ...known })
    .filter(({ isDone }) => isDone)
    .map(({ id }) => id);

test("an empty server leads an admin from a source to a connected agent", () => {
  expect(getStartedSteps(empty).map(({ id }) => id)).toEqual(["source", "import", "review", "switch-on", "connect"]);
  expect(done({})).toEqual([]);
});

test("ticks off what is done", () => {
  expect(done({ sources: 1 })).toEqual(["source"]);
  expect(done({ skills: [{ enabled: false, currentVersion: null }] })).toEqual(["import"]);
  expect(done({ skills: [{ enabled: false, currentVersion: version }] })).toEqual(["import", "review"]);
  expect(done({ skills: [{ enabled: true, currentVersion: version }] })).toEqual(["import", "review", "switch-on"]);
});

test("leads to the catalog once there is a source, and people who cannot review to nobody's page", () => {
  const hrefs = (known: Partial<Known>) =>
    Object.fromEntries(getStartedSteps({ ...empty, ...known }).map(({ id, href }) => [id, href]));
  expect(hrefs({}).import).toBeNull();
  expect(hrefs({ sources: 1 }).import).toBe("/catalog");
  const skills = [{ enabled: false, currentVersion: null }];
  expect(hrefs({ skills }).review).toBe("/reviews");
  expect(hrefs({ skills, role: "user" }).review).toBeNull();
  expect(hrefs({ role: "user" })).not.toHaveProperty("source");
});

test("is gone when it is done, with many skills, and while something is unknown", () => {
  const skills = [{ enabled: true, currentVersion: version }];
  expect(getStartedSteps({ ...empty, skills, hasClient: true })).toEqual([]);
  expect(getStartedSteps({ ...empty, skills: [...skills, ...skills, ...skills, ...skills] })).toEqual([]);
  expect(getStartedSteps({ ...empty, sources: undefined })).toEqual([]);
  expect(getStartedSteps({ ...empty, hasClient: undefined })).toEqual([]);
});

test("keeps its place while it loads, where its steps are certain", () => {
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  const show = (skills: readonly Partial<Skill>[]) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <GetStarted skills={skills as Skill[]} onImport={() => {}} onCreate={() => {}} />
      </QueryClientProvider>,
    );
  const { unmount } = show([{ enabled: true, currentVersion: null }]);
  expect(screen.getByRole("status").textContent).toBe("Loading the first steps");
  unmount();
  show([{ enabled: true, currentVersion: version }]);
  expect(screen.queryByRole("status")).toBeNull();
});
