import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { QuotaDialog } from "@/components/settings/person-menu";
import { ToastProvider } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { QuotaUsage } from "@/lib/settings/quotas/schema";

const quota = (key: QuotaUsage["key"], more: Partial<QuotaUsage>): QuotaUsage => ({
  ...{ key, unit: "runs", windowSeconds: 3600, limit: null, own: false, used: 0, freesAt: null },
  ...more,
});
const list = {
  items: [quota("runsPerHour", { limit: 50, own: true, used: 7 }), quota("runsPerDay", { limit: 400, used: 12 })],
  nextCursor: null,
};
const fetchMock = vi.fn<typeof fetch>(async () => Response.json(list));
const onOpenChange = vi.fn();

beforeEach(() => vi.stubGlobal("fetch", fetchMock));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

async function open() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <ToastProvider>
          <QuotaDialog person={{ id: "u1", name: "Ann" }} open onOpenChange={onOpenChange} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return { user: userEvent.setup(), hour: await screen.findByLabelText("Runs per hour") };
}

const sent = () => fetchMock.mock.calls.filter(([, init]) => init?.method === "PATCH");

test("shows own limits and server settings, and sends changed values", async () => {
  const { user, hour } = await open();
  expect((hour as HTMLInputElement).value).toBe("50");
  expect(screen.getByText("7 used. Limit for this person: 50 runs.")).toBeTruthy();
  expect(screen.getByText("12 used. Server setting: 400 runs.")).toBeTruthy();
  await user.clear(hour);
  await user.type(screen.getByLabelText("Runs per 24 hours"), "5");
  await user.click(screen.getByRole("button", { name: "Save quotas" }));
  await vi.waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  expect(sent().map(([path, init]) => [path, JSON.parse(String(init?.body))])).toEqual([
    ["/api/admin/users/u1/quotas", { runsPerHour: null, runsPerDay: 5 }],
  ]);
});

test("does not send a value that is not a number", async () => {
  const { user, hour } = await open();
  await user.type(hour, "x{Enter}");
  expect(screen.getByText("Enter a whole number, or leave the field empty.")).toBeTruthy();
  expect(sent()).toEqual([]);
});
