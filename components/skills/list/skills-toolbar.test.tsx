import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { useSkillFilters } from "./skill-filters";
import { BuiltinChip } from "./skills-toolbar";

const address = vi.hoisted(() => ({ query: "" }));
vi.mock("next/navigation", () => ({ useSearchParams: () => new URLSearchParams(address.query) }));

let asked: URLSearchParams[] = [];
const server = setupServer(
  http.get("*/api/skills", ({ request }) => {
    asked.push(new URL(request.url).searchParams);
    return HttpResponse.json({ items: [], nextCursor: null });
  }),
);
beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterAll(() => server.close());
beforeEach(() => {
  asked = [];
  window.history.replaceState(null, "", "/skills");
});
afterEach(cleanup);

function Shown() {
  const view = useSkillFilters();
  return (
    <>
      <output>{JSON.stringify(view.filters)}</output>
      <BuiltinChip view={view} />
    </>
  );
}

function show(query: string) {
  address.query = query;
  window.history.replaceState(null, "", `/skills?${query}`);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Shown />
    </QueryClientProvider>,
  );
  return JSON.parse(screen.getByRole("status").textContent ?? "");
}

it("lists built-ins only when the address asks for them, and counts the matching ones", async () => {
  expect(show("q=http&class=safe")).toEqual({ q: "http", class: "safe", builtin: false });
  await waitFor(() => expect(asked).toHaveLength(1));
  expect(asked[0]?.toString()).toBe("q=http&class=safe&builtin=true&limit=50");
  expect(screen.queryByRole("button")).toBeNull();
});

it("stays visible while active without matches, and removes itself from the address", async () => {
  expect(show("q=http&builtin=true")).toEqual({ q: "http", builtin: true });
  const chip = screen.getByRole("button", { name: "Built-in", pressed: true });
  await userEvent.click(chip);
  expect(window.location.search).toBe("?q=http");
});
