import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { DependencyTree as Tree } from "@/lib/catalog/install/schema";
import { DependencyTree } from "./dependency-tree";

let tree: Tree = { dependencies: [], problems: [] };
const server = setupServer(http.get("*/api/catalog/e1/dependencies", () => HttpResponse.json(tree)));
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
afterEach(cleanup);

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DependencyTree entryId="e1" />
    </QueryClientProvider>,
  );
const needed = { entryId: null, skillId: null, note: null };

it("names each needed skill with its state, links those that exist, and says why they cannot be installed", async () => {
  tree = {
    dependencies: [
      { ...needed, name: "charts", depth: 1, state: "listed", entryId: "e2" },
      { ...needed, name: "colours", depth: 2, state: "installed", skillId: "k1" },
      { ...needed, name: "fonts", depth: 2, state: "missing", note: "No source has it." },
      { ...needed, name: "charts", depth: 3, state: "cycle" },
    ],
    problems: ["fonts is in no source."],
  };
  show();
  const items = await screen.findAllByRole("listitem");
  expect(items.map((item) => item.textContent)).toEqual([
    "chartsInstalled together",
    "coloursInstalled",
    "fontsMissingNo source has it.",
    "chartsCycle",
  ]);
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual(["/catalog/e2", "/skills/k1"]);
  expect(screen.getByText("fonts is in no source.")).toBeTruthy();
});

it("shows the characters of a hostile name that are not visible", async () => {
  tree = { dependencies: [{ ...needed, name: "pdf\u202ecsv", depth: 1, state: "missing" }], problems: [] };
  show();
  const [item] = await screen.findAllByRole("listitem");
  expect(item?.textContent).not.toContain("\u202e");
  expect(item?.textContent).toMatch(/pdf.*202E.*csv/i);
});
