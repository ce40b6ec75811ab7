import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { someRun } from "@/components/runs/testing/some-run";
import type { Run } from "@/lib/runner/schema";
import { useComparePrevious } from "./run-page";

const earlier = someRun({ id: "earlier", queuedAt: "2026-11-20T09:00:00.000Z" });
const run = someRun({ id: "run", queuedAt: "2026-11-20T10:00:00.000Z" });
const later = someRun({ id: "later", queuedAt: "2026-11-20T11:00:00.000Z" });

let answerList: (response: Response) => void = () => {};

beforeEach(() => {
  const list = new Promise<Response>((resolve) => {
    answerList = resolve;
  });
  vi.stubGlobal("fetch", () => list);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Press({ of, onCompare }: { of: Run; onCompare: (id: string) => void }) {
  const compare = useComparePrevious(of, onCompare, { enabled: true });
  return (
    <button type="button" onClick={compare}>
      Compare
    </button>
  );
}

function show() {
  const onCompare = vi.fn();
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const tree = (of: Run) => (
    <QueryClientProvider client={queries}>
      <Press of={of} onCompare={onCompare} />
    </QueryClientProvider>
  );
  const { rerender } = render(tree(run));
  fireEvent.click(screen.getByRole("button"));
  return { onCompare, showOther: () => rerender(tree(later)) };
}

const answer = (items: Run[]) => act(async () => answerList(Response.json({ items, nextCursor: null })));

describe("useComparePrevious", () => {
  it("compares with the previous run when the list loads after the click", async () => {
    const { onCompare } = show();
    expect(onCompare).not.toHaveBeenCalled();
    await answer([later, run, earlier]);
    await vi.waitFor(() => expect(onCompare.mock.calls).toEqual([["earlier"]]));
  });

  it("opens the picker when there is no previous run or the list fails to load", async () => {
    const first = show();
    await answer([later, run]);
    await vi.waitFor(() => expect(first.onCompare.mock.calls).toEqual([["choose"]]));
    cleanup();
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("no network")));
    const second = show();
    await vi.waitFor(() => expect(second.onCompare.mock.calls).toEqual([["choose"]]));
  });

  it("does nothing when the user has opened another run", async () => {
    const { onCompare, showOther } = show();
    showOther();
    await answer([later, run, earlier]);
    fireEvent.click(screen.getByRole("button"));
    await vi.waitFor(() => expect(onCompare.mock.calls).toEqual([["run"]]));
  });
});
