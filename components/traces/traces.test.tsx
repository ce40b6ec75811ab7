import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { TraceDetail } from "@/lib/agent/traces/schema";
import { SkillUsage } from "./skill-usage";
import { TraceDrawer } from "./trace-drawer";
import { TraceTable } from "./trace-list";

const trace: TraceDetail = {
  ...{
    id: "t1",
    at: "2026-11-20T10:00:00.000Z",
    skill: { id: "s1", name: "csv-summary", label: "CSV summary" },
    source: "imported",
  },
  ...{ kind: "executable", versionDigest: "a".repeat(64), versionNumber: 2, surface: "mcp", outcome: "failed" },
  ...{ detail: "no such file", durationMs: 1200, person: { id: "u1", name: "Aiko" }, runId: "r1", sessionId: "a1" },
  ...{ rating: 0, ratedBy: null, mayRate: true },
  input: { text: '{"file":"x"}', bytes: 20_000, digest: "b".repeat(64) },
  output: null,
};
const fetchMock = vi.fn<typeof fetch>();
const sent = () =>
  fetchMock.mock.calls
    .filter(([, init]) => init?.method === "PUT")
    .map(([path, init]) => [String(path), JSON.parse(String(init?.body))]);

class Observer {
  observe() {}
  disconnect() {}
}

beforeEach(() => {
  vi.stubGlobal("fetch", fetchMock);
  vi.stubGlobal("ResizeObserver", Observer);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

function Around({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <TooltipProvider>
        <ToastProvider>{children}</ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>
  );
}

test("shows use, surface and outcome in a row; sends a rating and undoes it", async () => {
  fetchMock.mockImplementation(async () => Response.json({ ...trace, rating: 1 }));
  const onOpen = vi.fn();
  render(<TraceTable traces={[trace]} active={-1} onOpen={onOpen} />, { wrapper: Around });
  const row = screen.getAllByRole("row")[1];
  if (!row) throw new Error("no trace row");
  for (const word of ["MCP", "Failed", "1.2 s", "Version 2 · No such file"]) {
    expect(within(row).getAllByText(word).length, word).toBeGreaterThan(0);
  }
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "CSV summary" }));
  expect(onOpen).toHaveBeenCalledWith("t1");
  await user.click(screen.getByRole("button", { name: "Useful" }));
  // Not with a pointer: the toast needs pointer capture, which jsdom does not have.
  fireEvent.click(await screen.findByRole("button", { name: "Undo" }));
  await vi.waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()).toEqual([
    ["/api/traces/t1/rating", { rating: 1 }],
    ["/api/traces/t1/rating", { rating: 0 }],
  ]);
});

test("removes a rating when it is pressed again; disables it for people who may not rate", async () => {
  fetchMock.mockImplementation(async () => Response.json(trace));
  const others = { ...trace, id: "t2", mayRate: false };
  render(<TraceTable traces={[{ ...trace, rating: -1 }, others]} active={-1} onOpen={() => {}} />, { wrapper: Around });
  const [own, foreign] = screen.getAllByRole("button", { name: "Not useful" });
  expect(own?.getAttribute("aria-pressed")).toBe("true");
  expect((foreign as HTMLButtonElement).disabled).toBe(true);
  await userEvent.setup().click(own as HTMLElement);
  await vi.waitFor(() => expect(sent()).toEqual([["/api/traces/t1/rating", { rating: 0 }]]));
});

test("shows the input of a trace, its truncation, and links to run and session", async () => {
  fetchMock.mockImplementation(async () => Response.json(trace));
  render(<TraceDrawer id="t1" onClose={() => {}} />, { wrapper: Around });
  expect(await screen.findByText('{"file":"x"}')).toBeTruthy();
  expect(screen.getByText(/The first 8 KiB of/)).toBeTruthy();
  expect(screen.getByText("Not recorded")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open run" }).getAttribute("href")).toBe("/runs/r1");
  expect(screen.getByRole("link", { name: "Open session" }).getAttribute("href")).toBe("/agents/a1");
});

test("shows the usage of each version", async () => {
  const item = {
    skill: { id: "s1", name: "csv-summary", label: "CSV summary" },
    versionDigest: "a".repeat(64),
    versionNumber: 2,
  };
  const figures = { uses: 3, okShare: 2 / 3, medianMs: 1200, up: 1, down: 0 };
  fetchMock.mockImplementation(async () =>
    Response.json({ items: [{ ...item, ...figures }], days: 30, isPartial: false }),
  );
  render(<SkillUsage skillId="s1" />, { wrapper: Around });
  const row = (await screen.findByText("Version 2")).closest("tr");
  expect(row?.textContent).toContain("367 %1.2 s");
  expect(screen.getByText("1 up, 0 down")).toBeTruthy();
});
