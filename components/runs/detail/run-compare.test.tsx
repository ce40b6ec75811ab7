import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { someRun } from "@/components/runs/testing/some-run";
import { TooltipProvider } from "@/components/ui/tooltip";
import { newestRunsQuery, runQuery } from "@/lib/client/runs";
import type { Run } from "@/lib/runner/schema";
import { RunCompare } from "./run-compare";

const before = someRun({ id: "before", args: { path: "/a" }, result: { rows: 1 } });
const after = someRun({ id: "after", args: { path: "/b" }, result: { rows: 1 }, state: "failed", exitCode: 3 });

function show(otherId: string, onChoose = vi.fn()) {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchInterval: false } },
  });
  queries.setQueryData(runQuery(before.id).queryKey, before);
  queries.setQueryData(newestRunsQuery({ skill: after.skill.id }, 30).queryKey, {
    items: [after, before],
    nextCursor: null,
  });
  render(
    <QueryClientProvider client={queries}>
      <TooltipProvider>
        <RunCompare run={after} otherId={otherId} onChoose={onChoose} />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return onChoose;
}

beforeEach(() => {
  vi.stubGlobal(
    "fetch",
    vi.fn(() => new Promise<Run>(() => {})),
  );
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("RunCompare", () => {
  it("shows arguments and results of two runs with their differences", () => {
    show(before.id);
    const args = within(screen.getByRole("region", { name: "Arguments" }));
    expect(args.getByText("$.path")).toBeTruthy();
    expect(args.getByText('"/a"')).toBeTruthy();
    expect(args.getByText('"/b"')).toBeTruthy();
    expect(within(screen.getByRole("region", { name: "Result" })).getByText("No differences")).toBeTruthy();
    const state = screen.getByRole("row", { name: /^State, different/ });
    expect(state.textContent).toContain("Succeeded");
    expect(state.textContent).toContain("Failed");
    expect(screen.getByRole("row", { name: /^Version(?!, not the same)/ })).toBeTruthy();
  });

  it("asks for a run first, and never offers the run itself", () => {
    const onChoose = show("");
    const picker = screen.getByLabelText("Run to compare with");
    expect(within(picker).getAllByRole("option")).toHaveLength(2);
    fireEvent.change(picker, { target: { value: before.id } });
    expect(onChoose).toHaveBeenCalledWith(before.id);
    fireEvent.click(screen.getByRole("button", { name: "Close comparison" }));
    expect(onChoose).toHaveBeenLastCalledWith(null);
  });
});
