import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { versionDiffQuery } from "@/lib/client/versions";
import type { Version, VersionDiff } from "@/lib/skills/versions/schema";
import { useReviewState } from "./use-review-state";

vi.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));
afterEach(cleanup);

const file = (path: string) => ({ path, mode: "644", sha256: path, size: 1, isText: true });
const version = {
  ...{ skillId: "s1", digest: "b".repeat(64), findings: [], diagnostics: [] },
  files: [file("SKILL.md"), file("run.sh"), file("same.md")],
} as unknown as Version;
const change = (path: string, kind: "changed" | "removed") => ({
  ...{ path, change: kind, modeBefore: "644", modeAfter: kind === "removed" ? null : "644", hunks: [] },
});
const diff = { files: [change("SKILL.md", "changed"), change("gone.md", "removed"), change("run.sh", "changed")] };

function open(address: string, isUpdate: boolean, known: object | null = diff) {
  window.history.replaceState(null, "", `/reviews/s1/b${address}`);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, enabled: false } } });
  if (known) client.setQueryData(versionDiffQuery("s1", version.digest).queryKey, known as VersionDiff);
  const { result, rerender } = renderHook(() => useReviewState(version, isUpdate), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  const does = (action: (state: ReturnType<typeof useReviewState>) => void) => {
    act(() => action(result.current));
    rerender();
  };
  const unread = () => result.current.unread.map(({ path, kind }) => `${kind} ${path}`);
  return { state: () => result.current, does, unread };
}

it("opens a new version on its source, and every file has to be opened", () => {
  const { state, does, unread } = open("", false);
  expect(state().view).toBe("source");
  expect(unread()).toEqual(["file run.sh", "file same.md"]);
  does(({ open }) => open("run.sh"));
  does(({ moveFile }) => moveFile(1));
  expect(unread()).toEqual([]);
});

it("opens an update on its changes, none of which counts as read", () => {
  const { state, unread } = open("", true);
  expect(state().view).toBe("changes");
  expect(unread()).toEqual(["changed SKILL.md", "removed gone.md", "changed run.sh"]);
});

it("counts a change as read at its end or with its source, and leaves unchanged files out", () => {
  const { state, does, unread } = open("", true);
  does(({ markRead }) => markRead("SKILL.md"));
  expect(unread()).toEqual(["removed gone.md", "changed run.sh"]);
  does(({ openFile }) => openFile("run.sh"));
  expect(state().view).toBe("source");
  expect(unread()).toEqual(["removed gone.md"]);
  does(({ openUnread }) => openUnread({ path: "gone.md", kind: "removed" }));
  expect([state().view, state().shownChange?.path]).toEqual(["changes", "gone.md"]);
  expect([state().toRead, unread()]).toEqual([3, ["removed gone.md"]]);
});

it("counts every file as unread while the changes are unknown", () => {
  expect(open("", true, null).unread()).toEqual(["file SKILL.md", "file run.sh", "file same.md"]);
});

it("opens the source when the address names a file, and the changes of a new version do not exist", () => {
  expect(open("?path=run.sh", true).state().view).toBe("source");
  expect(open("?path=run.sh&show=changes", true).state().view).toBe("changes");
  expect(open("?show=changes", false).state().view).toBe("source");
});
