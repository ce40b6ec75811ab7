import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { OperationView } from "./operation-view";

test("shows the successful answers of an operation without the common errors", () => {
  const answer = { description: "", content: { "application/json": { schema: { type: "object" } } } };
  const problem = { description: "" };
  render(
    <TooltipProvider>
      <OperationView
        origin="http://h"
        operation={{
          ...{ id: "get-skills", method: "GET", path: "/api/skills", summary: "Skills", parameters: [] },
          ...{ "x-access": "read", "x-agents": "open" },
          responses: { 200: answer, "4XX": problem, default: problem },
        }}
      />
    </TooltipProvider>,
  );
  expect(screen.getByText("Answer 200")).toBeTruthy();
  expect(screen.queryByText(/4XX|default/)).toBeNull();
});
