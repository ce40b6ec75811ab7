import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { DecidedReview } from "@/lib/review/schema";
import { DecidedList } from "./decided-list";

vi.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(window.location.search) }));

const [mara, ben] = [
  { id: "u1", name: "Mara" },
  { id: "u2", name: "Ben" },
];
const decided = (id: string, more: Partial<DecidedReview>): DecidedReview => ({
  ...{ id, decision: "approve", comment: "", class: "safe", soloMode: false, digest: "d".repeat(64), number: 1 },
  ...{ state: "approved", by: mara, at: "2026-02-01T12:00:00.000Z" },
  skill: { id: "s1", name: "tidy", label: "Tidy notes" },
  ...more,
});
const all = [
  decided("2", { decision: "reject", class: null, by: ben, comment: "Pipes a download into a shell." }),
  decided("1", { class: "dangerous" }),
];
const asked: string[] = [];
const server = setupServer(
  http.get("*/api/reviews/decided", ({ request }) => {
    const { searchParams } = new URL(request.url);
    asked.push(searchParams.toString());
    const wanted = searchParams.get("decision");
    const items = all.filter(({ decision }) => wanted === null || decision === wanted);
    return HttpResponse.json({ items, nextCursor: null, people: [ben, mara] });
  }),
);
beforeAll(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
afterEach(cleanup);

function show(query: string) {
  asked.length = 0;
  window.history.replaceState(null, "", `/reviews?show=decided${query}`);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DecidedList />
    </QueryClientProvider>,
  );
  return userEvent.setup({ pointerEventsCheck: 0 });
}

test("lists what was decided, by whom and why", async () => {
  show("");
  const rows = within(await screen.findByRole("table", { name: "Decisions on versions" })).getAllByRole("row");
  expect(rows.slice(1).map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Tidy notes version 1.*Pipes a download into a shell\..*Rejected.*Ben/),
    expect.stringMatching(/Tidy notes version 1.*Approved.*dangerous.*Mara/),
  ]);
  expect(screen.getAllByRole("link")[0]?.getAttribute("href")).toBe(`/reviews/s1/${"d".repeat(64)}`);
  await screen.findByRole("option", { name: "Ben" });
});

test("the address holds the filter", async () => {
  const user = show("&decision=approve");
  expect(await screen.findAllByRole("row")).toHaveLength(2);
  expect(asked).toEqual(["decision=approve&limit=50"]);
  await user.selectOptions(screen.getByLabelText("Reviewer"), "Ben");
  expect(window.location.search).toBe("?show=decided&decision=approve&by=u2");
});

test("says that the filter matches nothing, and keeps its fields", async () => {
  show("&decision=revoke");
  expect(await screen.findByText("No decision matches the filter.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Clear" })).toBeTruthy();
});
