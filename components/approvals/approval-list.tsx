"use client";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { displayName } from "@/components/skills/skill-labels";
import { useMe } from "@/components/state/use-me";
import { ClassChip } from "@/components/ui/class-chip";
import { cn } from "@/components/ui/cn";
import { CountBadge } from "@/components/ui/count-badge";
import { StateChip } from "@/components/ui/state-chip";
import { tabListStyles, tabStyles } from "@/components/ui/tab-styles";
import type { ApprovalsShown } from "@/lib/client/approvals";
import type { ApprovalItem } from "@/lib/runner/schema";
import { requesterLabel } from "./approval-labels";
import type { DecisionOutcome } from "./decision-box";
import { Expiry } from "./expiry";

const previewLength = 200;

type ApprovalListProps = {
  items: readonly ApprovalItem[];
  current: string | null;
  outcomes: ReadonlyMap<string, DecisionOutcome>;
  hrefOf: (id: string) => string;
};

export function ApprovalList({ items, current, outcomes, hrefOf }: ApprovalListProps) {
  return (
    <ul aria-label="Pending approvals" className="divide-y rounded-md border">
      {items.map((item) => (
        <li key={item.id}>
          <ApprovalRow
            item={item}
            isCurrent={item.id === current}
            outcome={outcomes.get(item.id)}
            href={hrefOf(item.id)}
          />
        </li>
      ))}
    </ul>
  );
}

type ApprovalRowProps = { item: ApprovalItem; isCurrent: boolean; outcome: DecisionOutcome | undefined; href: string };

function ApprovalRow({ item, isCurrent, outcome, href }: ApprovalRowProps) {
  const { approval } = item;
  const isDecided = outcome?.kind === "decided";
  return (
    <Link
      href={href}
      scroll={false}
      data-row-id={item.id}
      aria-current={isCurrent ? "true" : undefined}
      className={cn(
        "flex flex-col gap-0.5 px-4 py-2.5 text-13 hover:bg-accent/60 focus-visible:-outline-offset-2",
        "lg:aria-[current=true]:bg-accent lg:aria-[current=true]:shadow-[inset_2px_0_0_var(--primary)]",
        isDecided && "text-muted-foreground",
      )}
    >
      <span className="flex items-center gap-2">
        <span className="min-w-0 truncate font-medium" title={item.skill.name}>
          <RevealedText text={displayName(item.skill)} />
        </span>
        <span className="ml-auto shrink-0">
          {isDecided ? <StateChip state={outcome.run.state} /> : <ClassChip value={item.class} />}
        </span>
      </span>
      <span className="truncate text-muted-foreground text-xs" title={requesterLabel(item.asks)}>
        <RevealedText text={requesterLabel(item.asks)} />
      </span>
      <span className="line-clamp-3 text-muted-foreground text-xs [overflow-wrap:anywhere]">
        <RevealedText text={describeArgs(item.args)} />
      </span>
      {isDecided ? null : (
        <span className="flex justify-between gap-2 text-muted-foreground text-xs tabular-nums">
          <Expiry at={approval.expiresAt} />
          {approval.needed > 1 ? (
            <span>
              {approval.given} of {approval.needed} approved
            </span>
          ) : null}
        </span>
      )}
    </Link>
  );
}

/** "pattern: nightly-* · keep: 10" */
function describeArgs(args: ApprovalItem["args"]): string {
  const parts = Object.entries(args).map(
    ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return parts.join(" · ").slice(0, previewLength);
}

const tabs: readonly { show: ApprovalsShown; label: string }[] = [
  { show: "mine", label: "Needs my approval" },
  { show: "asked", label: "My requests" },
  { show: "all", label: "All" },
];

export function readTab(value: string): ApprovalsShown {
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
            <CountBadge count={me.counts.approvals} label="pending approvals" tone="warning" />
          ) : null}
        </Link>
      ))}
    </nav>
  );
}
