import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { TooltipProvider } from "@/components/ui/tooltip";
import { WebhookSection } from "./webhook-section";

const address = "https://skills.example/api/webhooks/s1";
let isSet = false;
const stored = () => ({ isSet, url: address, setAt: null, setBy: null });
const server = setupServer(
  http.get("*/api/admin/catalog-sources/s1/webhook", () => HttpResponse.json(stored())),
  http.post("*/api/admin/catalog-sources/s1/webhook", () => {
    isSet = true;
    return HttpResponse.json({ ...stored(), secret: "shown-once" }, { status: 201 });
  }),
  http.delete("*/api/admin/catalog-sources/s1/webhook", () => {
    isSet = false;
    return new HttpResponse(null, { status: 204 });
  }),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
afterEach(() => {
  cleanup();
  isSet = false;
});

const show = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <WebhookSection source={{ id: "s1", label: "Acme", kind: "gitlab" }} />
      </TooltipProvider>
    </QueryClientProvider>,
  );

it("shows the address, and the secret under the name of the host’s own field, once", async () => {
  const { unmount } = show();
  await userEvent.click(await screen.findByRole("button", { name: "Set up webhook" }));
  expect(await screen.findByText("shown-once")).toBeTruthy();
  expect(screen.getByText("Secret token")).toBeTruthy();
  expect(screen.getByText(address)).toBeTruthy();
  unmount();
  show();
  expect(await screen.findByText("Stored, shown once")).toBeTruthy();
  expect(screen.queryByText("shown-once")).toBeNull();
});

it("asks before it removes the webhook", async () => {
  isSet = true;
  show();
  await userEvent.click(await screen.findByRole("button", { name: "Remove webhook" }));
  const dialog = await screen.findByRole("alertdialog", { name: "Remove the webhook of Acme?" });
  expect(isSet).toBe(true);
  await userEvent.click(within(dialog).getByRole("button", { name: "Remove webhook" }));
  await waitFor(() => expect(isSet).toBe(false));
  expect(await screen.findByRole("button", { name: "Set up webhook" })).toBeTruthy();
});
