"use client";

import Link from "next/link";
import { useMe } from "@/components/state/use-me";
import { CountBadge } from "@/components/ui/count-badge";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import type { ApprovalsShown } from "@/lib/client/approvals";

const tabs: readonly { show: ApprovalsShown; label: string }[] = [
  { show: "mine", label: "Waits for me" },
  { show: "asked", label: "I asked" },
  { show: "all", label: "All" },
];

export function shownOf(value: string): ApprovalsShown {
  return tabs.find(({ show }) => show === value)?.show ?? "mine";
}

export function tabHref(show: ApprovalsShown): string {
  return show === "mine" ? "/approvals" : `/approvals?show=${show}`;
}

export function ApprovalTabs({ current }: { current: ApprovalsShown }) {
  const me = useMe();
  return (
    <nav aria-label="Approvals" className={tabListStyles}>
      {tabs.map(({ show, label }) => (
        <Link
          key={show}
          href={tabHref(show)}
          scroll={false}
          aria-current={show === current ? "page" : undefined}
          data-active={show === current}
          className={tabStyles}
        >
          {label}
          {show === "mine" && me ? (
            <CountBadge count={me.counts.approvals} label="waiting for your decision" tone="warning" />
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
