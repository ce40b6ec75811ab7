import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { OperationView } from "./operation-view";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("shows the successful answers of an operation without the common errors", () => {
  const answer = { description: "", content: { "application/json": { schema: { type: "object" } } } };
  const problem = { description: "" };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <OperationView
          origin="http://h"
          operation={{
            ...{
              tags: ["skills"],
              id: "get-skills",
              method: "GET",
              path: "/api/skills",
              summary: "Skills",
              parameters: [],
            },
            ...{ "x-access": "read", "x-agents": "open" },
            responses: { 200: answer, "4XX": problem, default: problem },
          }}
        />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  expect(screen.getByText("Answer 200")).toBeTruthy();
  expect(screen.queryByText(/4XX|default/)).toBeNull();
});

test("a read without parameters in its path can be tried, and shows its answer", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ status: "ok" }));
  const show = (path: string, method = "GET") =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <TooltipProvider>
          <OperationView
            origin="http://h"
            operation={{
              ...{ tags: ["instance"], id: path, method, path, summary: "State", parameters: [] },
              ...{ "x-access": "public", "x-agents": "closed" },
              responses: { 200: { content: { "application/json": { schema: { type: "object" } } } } },
            }}
          />
        </TooltipProvider>
      </QueryClientProvider>,
    );
  show("/api/skills/{id}");
  show("/api/skills", "DELETE");
  expect(screen.queryByRole("button", { name: "Try it" })).toBeNull();
  show("/api/health");
  await userEvent.click(screen.getByRole("button", { name: "Try it" }));
  // Once it is coloured, the text is spread over elements.
  await waitFor(() => expect(document.body.textContent).toContain('"status": "ok"'));
});
