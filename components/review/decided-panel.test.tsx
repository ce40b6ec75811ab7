import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { DecidedPanel } from "./decided-panel";

const client = vi.hoisted(() => ({ decideVersion: vi.fn(), activateVersion: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => ({ push: vi.fn() }) }));
vi.mock("@/components/state/use-me", () => ({ useMe: () => ({ user: { id: "u1", role: "admin" } }) }));
vi.mock("@/lib/client/reviews", async (original) => ({
  ...(await original<object>()),
  decideVersion: client.decideVersion,
}));
vi.mock("@/lib/client/versions", async (original) => ({
  ...(await original<object>()),
  activateVersion: client.activateVersion,
}));

configure({ asyncUtilTimeout: 10_000 });
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const [old, now] = ["a".repeat(64), "b".repeat(64)];
const on = {
  ...{ id: "s1", name: "tidy-notes", label: null, enabled: true, owner: { kind: "user", id: "u2", name: "Mara" } },
  currentVersion: { digest: now, number: 2, state: "approved" },
} as Skill;
const you = { mayApprove: false, mayRevoke: true, mayActivate: false, whyNotActivate: null } as Version["you"];
const version = {
  ...{ digest: now, number: 2, state: "approved", active: true, you, decisions: [] },
  activatable: [{ digest: old, number: 1, state: "approved" }],
} as unknown as Version;

function show(shown: Version, skill: Skill = on) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <DecidedPanel skill={skill} version={shown} onChangeTerms={() => {}} />
      </ToastProvider>
    </QueryClientProvider>,
  );
  return userEvent.setup({ pointerEventsCheck: 0 });
}

it.each([
  ["none", {}],
  ["Version 1 (aaaaaaa)", { activate: old }],
])("revoking the active version offers what takes its place: %s", async (choice, more) => {
  client.decideVersion.mockResolvedValue({ ...version, state: "revoked", active: false });
  const user = show(version);
  await user.click(screen.getByRole("button", { name: "Revoke" }));
  const dialog = within(screen.getByRole("alertdialog"));
  if (choice !== "none") await user.selectOptions(dialog.getByLabelText("New active version"), choice);
  await user.click(dialog.getByRole("button", { name: "Revoke version" }));
  const decision = { decision: "revoke", comment: "", ...more };
  await waitFor(() => expect(client.decideVersion).toHaveBeenCalledWith("s1", now, decision));
});

it("activating an approved version expects the shown active version", async () => {
  client.activateVersion.mockResolvedValue(on);
  const older = { ...version, digest: old, number: 1, active: false, you: { ...you, mayActivate: true } };
  const user = show(older);
  expect(screen.getByText(/This version is not active\./)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Activate version" }));
  const dialog = within(screen.getByRole("alertdialog"));
  expect(dialog.getByText(/It immediately replaces version 2/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Activate version" }));
  await waitFor(() => expect(client.activateVersion).toHaveBeenCalledWith("s1", old, { comment: "", expects: now }));
});

it("gives the reason why the user cannot activate it", () => {
  show({ ...version, active: false, you: { ...you, whyNotActivate: "Only a reviewer may make it active." } });
  expect(screen.queryByRole("button", { name: "Activate version" })).toBeNull();
  expect(screen.getByText("You cannot activate this version. Only a reviewer may make it active.")).toBeTruthy();
});

it("offers one next step: to switch the skill on, then to run it or go on reviewing", () => {
  show(version, { ...on, enabled: false });
  expect(screen.getByRole("status").textContent).toBe("This version is approved. The skill is switched off.");
  expect(screen.getAllByRole("button", { name: /switch/i }).map(({ textContent }) => textContent)).toEqual([
    "Switch on",
  ]);
  cleanup();
  show(version);
  expect(screen.queryByRole("button", { name: /switch/i })).toBeNull();
  expect(screen.getByRole("link", { name: "Reviews" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Run" })).toBeNull();
  cleanup();
  show(version, { ...on, runnable: true, userInvocable: true });
  expect(screen.getByRole("link", { name: "Run" }).getAttribute("href")).toBe("/skills/s1/run");
});
