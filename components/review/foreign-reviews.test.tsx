import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { ForeignReview } from "@/lib/review/bundles/schema";
import { ForeignReviews } from "./foreign-reviews";

const at = "2026-02-01T12:00:00.000Z";
const digest = "d".repeat(64);
const review = (more: Partial<ForeignReview> = {}): ForeignReview => ({
  instance: { keyId: "abcdef0".padEnd(64, "0"), name: "Head office", trusted: false },
  bundle: { digest, exportedAt: at, exportedBy: "Cleo", importedAt: at, importedBy: { id: "u1", name: "Dana" } },
  ...{ state: "approved", active: true, class: "safe", grants: {} },
  decisions: [
    ...[{ id: "1", decision: "approve" as const, comment: "Read it all.", by: "Ben", at, class: "safe" as const }],
  ].map((decision) => ({ ...decision, soloMode: false, standing: "counts" as const, signed: true })),
  ...{ analyses: [], counts: false, whyNot: "It does not count here: no admin trusts this instance." },
  ...more,
});
let shown: ForeignReview[] = [];
const server = setupServer(
  http.get("*/api/skills/s1/versions/*/foreign-reviews", () => HttpResponse.json({ items: shown, nextCursor: null })),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
afterEach(cleanup);

function show(items: ForeignReview[]) {
  shown = items;
  const client = new QueryClient();
  render(
    <QueryClientProvider client={client}>
      <ForeignReviews skillId="s1" digest={digest} />
    </QueryClientProvider>,
  );
  return client;
}

test("names instance, key, people and why it does not count", async () => {
  show([review()]);
  expect(await screen.findByText("Head office")).toBeTruthy();
  expect(screen.getByText(/Ben approved there/)).toBeTruthy();
  expect(screen.getByText("Read it all.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Copy key fingerprint abcdef0" })).toBeTruthy();
  expect(screen.getByText("It does not count here: no admin trusts this instance.")).toBeTruthy();
  expect(screen.getByText(/Exported by Cleo/).textContent).toContain("imported by Dana");
});

test("says when it counts, and names hostile dry runs and hidden characters", async () => {
  const analyses = [{ id: "a", finishedAt: at, worker: "w", requestedBy: "Ben", hostile: true }];
  show([
    review({
      counts: true,
      whyNot: null,
      analyses,
      instance: { keyId: "k".repeat(64), name: "A\u200bB", trusted: true },
    }),
  ]);
  expect(await screen.findByText("It counts here: an admin trusts this instance.")).toBeTruthy();
  expect(screen.getByText(/hostile acts observed/)).toBeTruthy();
  expect(document.body.textContent).toContain("U+200B");
});

test("shows nothing for a version that no bundle brought", async () => {
  const client = show([]);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(document.body.textContent).toBe("");
});
