import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef } from "react";
import { afterEach, expect, it, vi } from "vitest";
import type { Skill } from "@/lib/skills/schema";
import type { Version } from "@/lib/skills/versions/schema";
import { DecisionForm } from "./decision-form";
import type { Terms } from "./terms";
import type { Unread } from "./use-review-state";

const decideVersion = vi.hoisted(() => vi.fn());
vi.mock("@/components/state/use-me", () => ({ useMe: () => ({ user: { id: "u1" }, soloMode: false }) }));
vi.mock("@/lib/client/reviews", async (original) => ({ ...(await original<object>()), decideVersion }));

configure({ asyncUtilTimeout: 10_000 });
afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

const people = (...names: string[]) => names.map((name) => ({ id: name, name }));
const version = {
  ...{ skillId: "s1", digest: "d".repeat(64), number: 2, state: "pending", proposedClass: "safe", class: null },
  ...{ proposedClassReason: "declared by its author", grants: null, entry: null },
  approvals: { given: 0, needed: 1, by: [], terms: null, maySign: people("Ben", "Mara") },
  you: { mayApprove: true, mayRefuse: true, whyNot: null, forOwnUse: false },
} as unknown as Version;
const skill = { id: "s1", name: "tidy", label: null, enabled: false } as Skill;

function show(unread: Unread[], terms: Partial<Terms> = {}) {
  decideVersion.mockResolvedValue({ ...version, state: "approved" });
  const onUnread = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <DecisionForm
        skill={skill}
        version={version}
        terms={{ class: "safe", grants: {}, entry: null, ...terms }}
        areGrantsChosen={false}
        onClass={() => {}}
        unread={unread}
        onUnread={onUnread}
        commentRef={createRef()}
        approveRef={createRef()}
        rejectRef={createRef()}
      />
    </QueryClientProvider>,
  );
  return { user: userEvent.setup({ pointerEventsCheck: 0 }), onUnread };
}

const changes: Unread[] = [
  { path: "run.sh", kind: "changed" },
  { path: "old.py", kind: "removed" },
];

it("approves at once when everything was opened", async () => {
  const { user } = show([]);
  expect(screen.queryByText("Not opened yet")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Approve version" }));
  await waitFor(() => expect(decideVersion).toHaveBeenCalledOnce());
});

it("lists what was not opened at the button, and asks once more before it approves", async () => {
  const { user, onUnread } = show(changes);
  await user.click(screen.getByRole("button", { name: "old.py" }));
  expect(onUnread).toHaveBeenCalledWith(changes[1]);
  await user.click(screen.getByRole("button", { name: "Approve version" }));
  expect(decideVersion).not.toHaveBeenCalled();
  const dialog = within(await screen.findByRole("alertdialog", { name: "Approve with 2 files unread?" }));
  expect(dialog.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "run.sh changed",
    "old.py removed",
  ]);
  await user.click(dialog.getByRole("button", { name: "Go back" }));
  expect(decideVersion).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Approve version" }));
  await user.click(await screen.findByRole("button", { name: "Approve anyway" }));
  await waitFor(() => expect(decideVersion).toHaveBeenCalledOnce());
  expect(decideVersion.mock.calls[0]?.[2]).toMatchObject({ decision: "approve", class: "safe", expects: "pending" });
});

it("refuses unread changes without a question", async () => {
  const { user } = show(changes);
  await user.type(screen.getByLabelText("Comment"), "Too broad");
  await user.click(screen.getByRole("button", { name: "Reject" }));
  await waitFor(() => expect(decideVersion.mock.calls[0]?.[2]).toMatchObject({ decision: "reject" }));
});

it("names the harm of a dangerous version, beside a button of its own", () => {
  show([], { class: "dangerous" });
  expect(screen.getByText("Runs can destroy or expose data permanently.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Approve dangerous version" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Approve version" })).toBeNull();
  expect(screen.getByText(/Needs 2 of: Ben, Mara\./)).toBeTruthy();
});
