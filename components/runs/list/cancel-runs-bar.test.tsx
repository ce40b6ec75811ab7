import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { Run } from "@/lib/runner/schema";
import { CancelRunsBar } from "./cancel-runs-bar";

const runs = ["a", "b"].map(
  (id) => ({ id, state: "queued", skill: { name: `skill_${id}`, label: null }, caller: { name: "Uma" } }) as Run,
);
const selection = {
  ...{ chosen: runs, choosable: runs, setAll: vi.fn() },
  ...{ isChosen: () => true, isChoosable: () => true, toggle: vi.fn() },
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("CancelRunsBar", () => {
  it("confirms once, sends the reason, and lists the runs that were not cancelled", async () => {
    const problem = { code: "conflict", detail: "This run has already ended: it succeeded." };
    const fetch = vi.fn(async () =>
      Response.json({
        results: [
          { id: "a", ok: false, problem },
          { id: "b", ok: false, problem },
        ],
      }),
    );
    vi.stubGlobal("fetch", fetch);
    const onRefused = vi.fn();
    render(
      <QueryClientProvider client={new QueryClient()}>
        <TooltipProvider>
          <ToastProvider>
            <CancelRunsBar selection={selection} onRefused={onRefused} />
          </ToastProvider>
        </TooltipProvider>
      </QueryClientProvider>,
    );
    fireEvent.click(screen.getByRole("button", { name: "Cancel 2 runs" }));
    expect(fetch).not.toHaveBeenCalled();
    fireEvent.change(screen.getByLabelText("Reason"), { target: { value: "wrong disk" } });
    fireEvent.click(screen.getAllByRole("button", { name: "Cancel 2 runs" }).at(-1) as HTMLElement);
    await vi.waitFor(() => expect(onRefused).toHaveBeenCalled());

    expect(fetch).toHaveBeenCalledExactlyOnceWith(
      "/api/runs/cancel",
      expect.objectContaining({ method: "POST", body: JSON.stringify({ ids: ["a", "b"], reason: "wrong disk" }) }),
    );
    expect(onRefused).toHaveBeenCalledWith(runs.map((run) => ({ run, why: problem.detail })));
    expect(selection.setAll).toHaveBeenCalledWith(false);
  });
});
