import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { versionDiffQuery } from "@/lib/client/versions";
import type { VersionDiff } from "@/lib/skills/versions/schema";
import { VersionComparison } from "./version-comparison";

type Seen = (entries: { isIntersecting: boolean }[]) => void;
const observed = new Map<Element, Seen>();
class Observer {
  private readonly seen: Seen;
  constructor(seen: Seen) {
    this.seen = seen;
  }
  observe(element: Element) {
    observed.set(element, this.seen);
  }
  disconnect() {}
}

beforeEach(() => {
  observed.clear();
  vi.stubGlobal("IntersectionObserver", Observer);
});
afterEach(cleanup);

const file = (path: string) => ({ path, change: "changed" as const, modeBefore: "644", modeAfter: "644", hunks: [] });
const diff = {
  ...{ digest: "b", against: "a".repeat(64), files: [file("one.md"), file("two.md")], changes: [], newHosts: [] },
  ...{ newExecutables: [], findings: null, class: { before: "safe", after: "safe", changed: false } },
  grants: [{ field: "env", before: [], after: ["LOG_ROOT"] }],
} as VersionDiff;

function show(known: VersionDiff, onRead?: (path: string) => void) {
  const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  client.setQueryData(versionDiffQuery("s1", "b").queryKey, known);
  render(
    <QueryClientProvider client={client}>
      <VersionComparison skillId="s1" digest="b" {...(onRead ? { onRead } : {})} />
    </QueryClientProvider>,
  );
}

test("says the permissions before the files", () => {
  show(diff);
  const [permissions, files] = screen.getAllByRole("heading").map(({ textContent }) => textContent);
  expect([permissions, files]).toEqual(["Permissions, limits and programs", "2 files changed"]);
  expect(screen.getByText("May now read the variable LOG_ROOT")).toBeTruthy();
  expect(screen.getByText(/findings are not compared yet/)).toBeTruthy();
  expect(observed.size).toBe(0);
});

test("says so when no permission, limit or program changed", () => {
  show({ ...diff, grants: [], findings: { added: [], removed: [] } });
  expect(screen.getByText("No permission, limit or program changed.")).toBeTruthy();
});

test("the changes of a file are read when their end comes into view, once", () => {
  const onRead = vi.fn();
  show(diff, onRead);
  const [, second] = [...observed];
  act(() => second?.[1]([{ isIntersecting: false }]));
  expect(onRead).not.toHaveBeenCalled();
  act(() => second?.[1]([{ isIntersecting: true }]));
  expect(onRead.mock.calls).toEqual([["two.md"]]);
});
