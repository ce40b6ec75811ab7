import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { SshKeys } from "./ssh-keys";

const key = {
  ...{ id: "k1", name: "Laptop", publicKey: "ssh-ed25519 AAAA", fingerprint: "SHA256:one" },
  createdAt: "2026-02-01T12:00:00.000Z",
};

configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("lists the keys, and adds one by a signature over the person's id", async () => {
  const sent: [string, unknown][] = [];
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path.endsWith("/api/me")) return Response.json({ user: { id: "mara-id", name: "Mara", role: "reviewer" } });
    if (init?.method === undefined || init.method === "GET") return Response.json({ items: [key] });
    sent.push([`${init.method} ${path}`, JSON.parse(String(init.body))]);
    return Response.json(key, { status: 201 });
  });
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SshKeys />
    </QueryClientProvider>,
  );
  expect(await screen.findByText("Laptop")).toBeTruthy();
  expect(screen.getByText("SHA256:one")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Add SSH key" }));
  expect(
    await screen.findByText("printf %s mara-id | ssh-keygen -Y sign -n skillgate-key -f ~/.ssh/id_ed25519"),
  ).toBeTruthy();
  await user.type(screen.getByLabelText("Name"), "Desk");
  await user.type(screen.getByLabelText("Signature"), "armoured");
  await user.click(screen.getByRole("button", { name: "Add key" }));
  await vi.waitFor(() => expect(sent).toEqual([["POST /api/me/ssh-keys", { name: "Desk", proof: "armoured" }]]));
});
