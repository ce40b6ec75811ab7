import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { TooltipProvider } from "@/components/ui/tooltip";
import type { UpdateItem } from "@/lib/catalog/update/schema";
import { UpdatesPage } from "./updates-page";

vi.mock("next/navigation", () => ({
  usePathname: () => "/catalog/updates",
  useSearchParams: () => new URLSearchParams(),
}));

const item = (skillName: string, more: Partial<UpdateItem> = {}): UpdateItem => ({
  ...{ skillId: skillName, skillName, slug: skillName, entryId: "e", sourceId: "s", sourceLabel: "Acme" },
  ...{ repository: "acme/skills", ref: "main", folder: `skills/${skillName}`, state: "available", blocked: null },
  from: { commit: "a".repeat(40), treeSha: "b".repeat(40), digest: "c".repeat(64) },
  to: { commit: "d".repeat(40), treeSha: "e".repeat(40) },
  files: [{ path: "SKILL.md", change: "changed" }],
  changedAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

let items: UpdateItem[] = [];
const taken: string[][] = [];

const server = setupServer(
  http.get("*/api/catalog/updates", () => HttpResponse.json({ items, nextCursor: null })),
  http.post("*/api/catalog/updates", async ({ request }) => {
    const { skillIds } = (await request.json()) as { skillIds: string[] };
    taken.push(skillIds);
    items = items.map((one) => (one.skillId === "pdf" ? { ...one, state: "pending" as const } : one));
    return HttpResponse.json({
      updated: [{ skillId: "pdf", digest: "f".repeat(64) }],
      failed: [{ skillId: "notes", code: "unavailable", message: "GitHub did not answer within 10 seconds." }],
    });
  }),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
beforeEach(() => {
  taken.length = 0;
});
afterEach(cleanup);

function show() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <ToastProvider>
          <UpdatesPage />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

describe("UpdatesPage", () => {
  it("imports the selected updates after a confirmation and shows each failure", async () => {
    items = [item("pdf"), item("notes"), item("gone", { state: "removed", to: null, files: [] })];
    show();
    await userEvent.click(await screen.findByRole("checkbox", { name: "Select pdf" }));
    await userEvent.click(screen.getByRole("button", { name: "Select all 2" }));
    await userEvent.click(screen.getByRole("button", { name: "Import 2 updates" }));
    expect(taken).toEqual([]);
    const dialog = screen.getByRole("alertdialog");
    await userEvent.click(within(dialog).getByRole("button", { name: "Import 2 updates" }));
    await screen.findByText("GitHub did not answer within 10 seconds.");
    expect(taken).toEqual([["pdf", "notes"]]);
    expect(await screen.findByRole("heading", { name: "Pending review 1" })).toBeTruthy();
    expect(screen.getByRole("checkbox", { name: "Select notes", checked: true })).toBeTruthy();
  });

  it("offers no import of removed, pending or blocked updates", async () => {
    const blocked = { code: "submodule", reason: "It has a submodule." };
    items = [item("gone", { state: "removed" }), item("waits", { state: "pending" }), item("bad", { blocked })];
    show();
    await screen.findByText("Not importable");
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
  });

  it("shows that all skills are up to date", async () => {
    items = [];
    show();
    await screen.findByText("All skills are up to date");
  });
});
