import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import type { CatalogSourceStatus } from "@/lib/catalog/schema";
import { meQuery } from "@/lib/client/me";
import { FailedSources, NoSources } from "./no-sources";

const reason = "GitHub could not be reached (api.github.com: name not found). Check the server’s network.";
const failed: CatalogSourceStatus = { id: "s1", label: "acme/skills", syncedAt: null, error: reason };
const read: CatalogSourceStatus = { id: "s2", label: "acme/more", syncedAt: "2026-11-23T10:00:00.000Z", error: null };

function show(sources: CatalogSourceStatus[], role = "admin") {
  const client = new QueryClient();
  client.setQueryData(meQuery.queryKey, { user: { role } } as never);
  render(
    <QueryClientProvider client={client}>
      <ToastProvider>
        <NoSources sources={sources} />
      </ToastProvider>
    </QueryClientProvider>,
  );
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("an empty catalog after a failed sync says what could not be read and why, and syncs again", async () => {
  const sent: string[] = [];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (init?.method === "POST") sent.push(path);
    return Response.json({ jobId: "j" }, { status: 202 });
  });
  show([failed, read]);
  screen.getByText("1 of 2 sources could not be read");
  screen.getByText(`: ${reason}`, { exact: false });
  expect(screen.queryByText(/no skills/i)).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Sync again" }));
  await waitFor(() => expect(sent).toEqual(["/api/admin/catalog-sources/s1/sync"]));
});

test("people who are no admins see the reason and whom to ask", () => {
  show([failed], "user");
  screen.getByText("The source could not be read");
  screen.getByText("Ask an admin of this server to check the source.");
  expect(screen.queryByRole("button")).toBeNull();
});

test("a first sync that has not ended is not an empty source", () => {
  show([{ ...failed, error: null }]);
  screen.getByText("The first sync is running");
});

test("sources that were read and hold nothing are named so", () => {
  show([read]);
  screen.getByText("The sources contain no skills yet");
});

test("names failed sources above the skills that were read before", () => {
  render(<FailedSources sources={[failed, read]} />);
  screen.getByText("A source could not be read. Its skills may be out of date.");
  expect(screen.queryByText("acme/more")).toBeNull();
});
