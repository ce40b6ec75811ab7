import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, configure, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ToastProvider } from "@/components/ui/toast";
import { skillsQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { useSkillSwitch } from "./skill-switch";

const push = vi.hoisted(() => vi.fn());
vi.mock("next/navigation", () => ({ useRouter: () => ({ push }) }));

const digest = "a".repeat(64);
const skill = {
  ...{ id: "s1", name: "tidy-notes", slug: "tidy-notes", toolName: "tidy_notes", description: "Tidies.", label: null },
  ...{ class: "safe", scope: "manager", category: "external", source: "imported", visibility: "private" },
  ...{
    whenToUse: null,
    resultPreview: null,
    schema: null,
    callSchema: null,
    author: null,
    version: null,
    license: null,
    homepage: null,
  },
  ...{
    depends: [],
    tags: [],
    recentRuns: [],
    allowedTools: null,
    compatibility: null,
    sourceId: null,
    sourceVersion: null,
    builtin: false,
    offered: null,
    trust: { tier: "unreviewed", signature: "unsigned", problem: null },
    publisher: { handle: "org", name: "Organisation", verified: false },
    stars: 0,
    starred: false,
    installs: 0,
    deprecated: null,
  },
  ...{ listed: true, lifecycle: "active", lastUsedAt: null, nameScope: "personal", adopted: false },
  ...{ shadowedBy: null, shadows: [] },
  ...{ userInvocable: true, enabled: false, pinned: false, runnable: false, contextFork: false, always: false },
  ...{ owner: { kind: "user", id: "u1", name: "Mara" }, requires: {}, meta: {}, currentVersion: null },
  pendingVersion: { digest, number: 1, state: "pending" },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
} as Skill;

let stored = skill;
let refusal: { status: number; code: string; detail: string } | null = null;
let release: () => void = () => {};
let held: Promise<void> = Promise.resolve();

const server = setupServer(
  http.patch("*/api/skills/s1", async ({ request }) => {
    const patch = (await request.json()) as { enabled: boolean };
    await held;
    if (refusal) {
      return HttpResponse.json(
        { type: "about:blank", title: "Refused", ...refusal },
        { status: refusal.status, headers: { "content-type": "application/problem+json" } },
      );
    }
    stored = { ...stored, ...patch };
    return HttpResponse.json(stored);
  }),
);
beforeAll(() => {
  configure({ asyncUtilTimeout: 10_000 });
  server.listen({ onUnhandledRequest: "error" });
  // jsdom has no pointer capture, which toasts need when they are pressed.
  Element.prototype.hasPointerCapture = () => false;
});
afterAll(() => server.close());
beforeEach(() => {
  stored = skill;
  refusal = null;
  held = Promise.resolve();
});
afterEach(cleanup);

const listKey = skillsQuery({}).queryKey;

function SwitchOn() {
  const change = useSkillSwitch();
  return (
    <button type="button" onClick={() => change({ skill, enabled: true })}>
      switch
    </button>
  );
}

function show() {
  const queryClient = new QueryClient();
  queryClient.setQueryData(listKey, { pages: [{ items: [skill], nextCursor: null }], pageParams: [null] });
  const isOn = () => queryClient.getQueryData(listKey)?.pages[0]?.items[0]?.enabled;
  render(
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <SwitchOn />
      </ToastProvider>
    </QueryClientProvider>,
  );
  return { isOn, user: userEvent.setup() };
}

/** Keeps the server from answering until `release`. */
function hold() {
  held = new Promise((resolve) => {
    release = resolve;
  });
}

describe("useSkillSwitch", () => {
  it("shows the new state before the server responds", async () => {
    hold();
    const { isOn, user } = show();
    await user.click(screen.getByRole("button", { name: "switch" }));
    await waitFor(() => expect(isOn()).toBe(true));
    expect(stored.enabled).toBe(false);
    await act(async () => release());
    await screen.findByText("tidy-notes is on.");
    expect(stored.enabled).toBe(true);
  });

  it("reverts on Undo", async () => {
    const { isOn, user } = show();
    await user.click(screen.getByRole("button", { name: "switch" }));
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(stored.enabled).toBe(false));
    expect(isOn()).toBe(false);
  });

  it("reverts without an approved version, with the reason and a link to the review", async () => {
    hold();
    refusal = { status: 409, code: "not_approved", detail: "“tidy-notes” has no approved version." };
    const { isOn, user } = show();
    await user.click(screen.getByRole("button", { name: "switch" }));
    await waitFor(() => expect(isOn()).toBe(true));
    await act(async () => release());
    await screen.findByText("tidy-notes stays off.");
    expect(isOn()).toBe(false);
    expect(screen.getByText("“tidy-notes” has no approved version.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Open review" }));
    expect(push).toHaveBeenCalledWith(`/reviews/s1/${digest}`);
  });
});
