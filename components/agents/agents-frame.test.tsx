import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { CrumbsProvider, PageBreadcrumb } from "@/components/shell/crumbs";
import { AgentsFrame } from "./agents-frame";

vi.mock("next/navigation", () => ({ usePathname: () => "/agents/view" }));

it("shows the label of a tab in the breadcrumb", () => {
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
      <CrumbsProvider>
        <PageBreadcrumb />
        <AgentsFrame>content</AgentsFrame>
      </CrumbsProvider>
    </QueryClientProvider>,
  );
  const trail = screen.getByRole("navigation", { name: /breadcrumb/i });
  expect(within(trail).getByText("Agent view")).toBeDefined();
  expect(within(trail).getByText("Agents").closest("a")?.getAttribute("href")).toBe("/agents");
});
