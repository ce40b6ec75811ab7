import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import type { ForeignInstance } from "@/lib/review/bundles/schema";
import { InstanceTrustSection } from "./instance-trust-section";

const at = "2026-02-01T12:00:00.000Z";
const keyId = "a".repeat(64);
let instance: ForeignInstance;
const sent: unknown[] = [];
const server = setupServer(
  http.get("*/api/admin/foreign-instances", () => HttpResponse.json({ items: [instance], nextCursor: null })),
  http.patch(`*/api/admin/foreign-instances/${keyId}`, async ({ request }) => {
    const body = (await request.json()) as { trusted: boolean };
    sent.push(body);
    instance = { ...instance, counting: 2, trusted: body.trusted ? { by: { id: "u1", name: "Dana" }, at } : null };
    return HttpResponse.json(instance);
  }),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
});
afterAll(() => server.close());
afterEach(cleanup);

test("an admin trusts an instance after seeing its whole key, and withdraws the trust", async () => {
  instance = {
    keyId,
    name: "Head office",
    publicKey: "",
    firstSeenAt: at,
    lastExportAt: at,
    versions: 4,
    counting: 0,
    trusted: null,
  };
  const user = userEvent.setup({ pointerEventsCheck: 0 });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <InstanceTrustSection />
      </ToastProvider>
    </QueryClientProvider>,
  );
  await user.click(await screen.findByRole("button", { name: "Trust Head office" }));
  expect(await screen.findByText(/Compare the key below/)).toBeTruthy();
  expect(screen.getAllByText(keyId)).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Trust instance" }));
  await user.click(await screen.findByRole("button", { name: "Withdraw trust in Head office" }));
  expect(await screen.findByText(/2 versions that only it approved return to review/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Withdraw trust" }));
  expect(await screen.findByRole("button", { name: "Trust Head office" })).toBeTruthy();
  expect(sent).toEqual([{ trusted: true }, { trusted: false }]);
});
