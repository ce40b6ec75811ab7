import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import type { SshSignature } from "@/lib/review/attest/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { SshSignatures } from "./ssh-signatures";

const at = "2026-02-01T12:00:00.000Z";
const signed: SshSignature = {
  ...{ signer: { id: "mara", name: "Mara" }, at, publicKey: "ssh-ed25519 AAAA" },
  ...{ fingerprint: "SHA256:of-mara", signature: "text" },
};
const decision = (id: string) => ({ decision: "approve", standing: "counts", actor: { id, name: id } });
const version = { skillId: "s1", digest: "d".repeat(64), decisions: ["mara", "ben"].map(decision) };
const sent = vi.fn<(body: unknown) => void>();

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sent.mockClear();
});

function show(me: string, items: SshSignature[], refusal?: string) {
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path.endsWith("/api/me")) return Response.json({ user: { id: me, name: me, role: "reviewer" } });
    if (init?.method !== "POST") return Response.json({ items, nextCursor: null });
    sent(JSON.parse(String(init.body)));
    const errors = [{ path: "signature", message: refusal }];
    if (refusal) return Response.json({ code: "invalid", detail: "x", errors }, { status: 422 });
    return Response.json(signed, { status: 201 });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <SshSignatures version={version as unknown as Version} />
    </QueryClientProvider>,
  );
  return client;
}

test("an approver without a signature may add one, and sees why it does not count at its field", async () => {
  const user = userEvent.setup();
  show("ben", [signed], "it does not verify for these bytes");
  expect((await screen.findByText(/signed the approval with an SSH key/)).textContent).toContain("SHA256:of-mara");
  await user.click(await screen.findByRole("button", { name: "Add your signature" }));
  expect((await screen.findByText(/ssh-keygen -Y sign -n skillgate-approval/)).textContent).toContain(
    "dddddddddddd.bin",
  );
  const link = screen.getByRole("link", { name: "Download the bytes to sign" });
  expect(link.getAttribute("href")).toBe(`/api/skills/s1/versions/${version.digest}/attestation/signed-bytes`);
  await user.type(screen.getByLabelText("Signature"), "armoured");
  await user.click(screen.getByRole("button", { name: "Add signature" }));
  expect(await screen.findByText("it does not verify for these bytes")).toBeTruthy();
  expect(sent).toHaveBeenCalledWith({ signature: "armoured" });
});

test.each([
  ["who has signed already", "mara", [signed], true],
  ["who did not approve", "zoe", [signed], true],
  ["who did not approve, without signatures", "zoe", [], false],
] as const)("offers nothing to a person %s", async (_what, me, items, isShown) => {
  const client = show(me, [...items]);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(screen.queryByRole("button", { name: "Add your signature" })).toBeNull();
  expect(screen.queryByText("Mara") !== null || document.body.textContent !== "").toBe(isShown);
});
