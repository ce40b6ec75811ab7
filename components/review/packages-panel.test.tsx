import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { ListedPackage, PackageList } from "@/lib/review/bill/schema";
import { PackagesPanel } from "./packages-panel";

const named = (name: string, version: string | null, more: Partial<ListedPackage> = {}): ListedPackage => ({
  ...{ ecosystem: "PyPI", name, version, asked: name, path: "requirements.txt", line: 3, purl: `pkg:pypi/${name}` },
  ...{ advisories: [], ...more },
});
const advisory = { id: "GHSA-1", summary: "Reads any file.", affected: "yes" as const, fixedIn: "5.4" };
const facts = {
  records: 2,
  sha256: "s",
  uploadedAt: "2026-02-01T12:00:00.000Z",
  uploadedBy: { id: "u", name: "Mara" },
};

let shown: PackageList;
const server = setupServer(http.get("*/api/skills/s1/versions/*/packages", () => HttpResponse.json(shown)));
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(cleanup);
afterAll(() => server.close());

function show(list: Partial<PackageList>) {
  shown = { items: [], nextCursor: null, advisories: null, ...list };
  const onOpen = vi.fn();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <PackagesPanel skillId="s1" digest={"d".repeat(64)} onOpen={onOpen} />
    </QueryClientProvider>,
  );
  return onOpen;
}

test("vulnerable and unpinned packages are listed with their place, the others are folded", async () => {
  const items = [named("pyyaml", "5.3", { advisories: [advisory] }), named("requests", null), named("httpx", "0.27.0")];
  const onOpen = show({ items, advisories: facts });
  expect((await screen.findByText(/Affected by/)).textContent).toBe(
    "Affected by GHSA-1: Reads any file. Fixed in 5.4.",
  );
  expect(screen.getByText(/not pinned/)).toBeTruthy();
  expect(screen.getByText("1 pinned package without an advisory")).toBeTruthy();
  expect(screen.getByText(/Compared with 2 OSV records/)).toBeTruthy();
  await userEvent.click(screen.getAllByRole("button", { name: "requirements.txt:3" })[0] as HTMLElement);
  expect(onOpen).toHaveBeenCalledWith("requirements.txt", 3);
});

test("without a file of advisories the panel says so; without packages too", async () => {
  show({
    items: [
      named("requests", null, { advisories: [{ ...advisory, affected: "maybe", summary: null, fixedIn: null }] }),
    ],
  });
  expect(await screen.findByText(/No advisories are stored/)).toBeTruthy();
  expect(screen.getByText(/May be affected by/).textContent?.trim()).toBe("May be affected by GHSA-1");
  cleanup();
  show({});
  expect(await screen.findByText("The files name no packages.")).toBeTruthy();
});
