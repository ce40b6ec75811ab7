import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { NearCopyList } from "@/lib/catalog/overlap/schema";
import { NearCopies } from "./near-copies";

const digest = "d".repeat(64);
const list: NearCopyList = {
  items: [
    {
      ...{ hash: "h1", differs: 12, entry: null },
      skill: {
        id: "s2",
        name: "tidy-notes",
        digest,
        number: 3,
        state: "approved",
        decidedAt: "2026-02-01T12:00:00.000Z",
      },
    },
    { hash: "h2", differs: 0, skill: null, entry: { id: "e1", name: "notes", source: "Acme" } },
  ],
  nextCursor: null,
};
const server = setupServer(
  http.get("*/api/skills/s1/versions/*/near-copies", () => HttpResponse.json(list)),
  http.get("*/api/skills/s1/versions/*/near-copies/h1", () =>
    HttpResponse.json({
      ...{ path: "SKILL.md", change: "changed", modeBefore: "644", modeAfter: "644" },
      hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-old words", "+new words"] }],
    }),
  ),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
afterEach(cleanup);

test("names each copy, how much it differs and since when it is approved; the difference is one click away", async () => {
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NearCopies of={{ skillId: "s1", digest }} />
    </QueryClientProvider>,
  );
  const link = await screen.findByRole("link", { name: "tidy-notes" });
  expect(link.getAttribute("href")).toBe(`/reviews/s2/${digest}`);
  expect(link.closest("p")?.textContent).toContain("12 % differs from tidy-notes, version 3, approved");
  expect(screen.getByRole("link", { name: "notes" }).closest("p")?.textContent).toContain(
    "Same words as notes in the catalog (Acme)",
  );
  await user.click(screen.getByRole("button", { name: "Show the difference from tidy-notes" }));
  expect(await screen.findByText("new words")).toBeTruthy();
});
