"use client";

import { useRouter } from "next/navigation";
import type { RefObject } from "react";
import { useShortcut } from "@/components/shell/use-shortcut";

type ApprovalKeys = {
  ids: readonly string[];
  current: string | null;
  onMove: (id: string) => void;
  approveRef: RefObject<HTMLButtonElement | null>;
  commentRef: RefObject<HTMLTextAreaElement | null>;
};

/** `j` and `k` move; `a` and `x` go to the decision, which another key then makes: no single key runs anything. */
export function useApprovalKeys({ ids, current, onMove, approveRef, commentRef }: ApprovalKeys): void {
  const router = useRouter();
  const group = { group: "Approvals", enabled: ids.length > 0 };
  const move = (by: 1 | -1) => {
    const at = current === null ? -1 : ids.indexOf(current);
    const next = ids[at === -1 ? 0 : at + by];
    if (next !== undefined) onMove(next);
  };
  useShortcut("j", "Next run that waits", () => move(1), group);
  useShortcut("k", "Previous run that waits", () => move(-1), group);
  useShortcut("a", "Go to “Approve run”", () => approveRef.current?.focus(), group);
  useShortcut("x", "Say why, then reject", () => commentRef.current?.focus(), group);
  useShortcut(
    "enter",
    "Open the run",
    (event) => {
      const control =
        event.target instanceof HTMLElement ? event.target.closest<HTMLElement>("a, button, summary") : null;
      if (control) control.click();
      else if (current !== null) router.push(`/runs/${current}`);
    },
    { ...group, enabled: current !== null },
  );
}
