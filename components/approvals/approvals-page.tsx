"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { UserRoundCheck } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type RefObject, useCallback, useMemo, useRef, useState } from "react";
import { Page } from "@/components/shell/page";
import { useShortcut } from "@/components/shell/use-shortcut";
import { QueryState } from "@/components/state/query-state";
import { useEndReached } from "@/components/state/use-end-reached";
import { useUrlParams } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { deferred, usePreload } from "@/components/ui/deferred/deferred";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { StateChip } from "@/components/ui/state-chip";
import { type ApprovalsShown, approvalsQuery } from "@/lib/client/approvals";
import { runQuery } from "@/lib/client/runs";
import type { ApprovalItem } from "@/lib/runner/schema";
import { approvalOutcomeText } from "./approval-labels";
import { ApprovalList, ApprovalTabs, readTab, tabHref } from "./approval-list";
import { BackLink } from "./back-link";
import type { DecisionOutcome } from "./decision-box";
import { ViewRun } from "./decision-outcome";

const ApprovalDetail = deferred(
  async () => (await import("./approval-detail")).ApprovalDetail,
  <Skeleton className="h-64" />,
);

const emptyTexts: Record<ApprovalsShown, { title: string; description: string }> = {
  mine: {
    title: "No runs need your approval",
    description: "Runs that need a person’s approval before they start appear here with their exact arguments.",
  },
  asked: {
    title: "No pending requests",
    description: "Runs that you or your agents requested appear here until they are approved, rejected or expired.",
  },
  all: {
    title: "No pending approvals",
    description: "Runs that need a person’s approval appear here with their exact arguments.",
  },
};

type DecidedItem = { item: ApprovalItem; outcome: DecisionOutcome };

type ApprovalKeys = {
  ids: readonly string[];
  current: string | null;
  onMove: (id: string) => void;
  approveRef: RefObject<HTMLButtonElement | null>;
  commentRef: RefObject<HTMLTextAreaElement | null>;
};

export function ApprovalsPage() {
  usePreload(ApprovalDetail);
  const [params] = useUrlParams();
  const show = readTab(params.get("show") ?? "");
  return (
    <Page
      width="full"
      title="Approvals"
      description="Runs that wait for a person’s approval, oldest first. Decided runs are under Runs."
    >
      <ApprovalTabs current={show} />
      <ApprovalInbox key={show} show={show} />
    </Page>
  );
}

function ApprovalInbox({ show }: { show: ApprovalsShown }) {
  const [params, setParams] = useUrlParams();
  const query = useInfiniteQuery(approvalsQuery(show));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const waiting = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const { items, outcomes, note } = useOutcomes(waiting);
  const end = useEndReached(() => void fetchNextPage(), hasNextPage && !isFetchingNextPage && !query.error);
  const approveRef = useRef<HTMLButtonElement>(null);
  const commentRef = useRef<HTMLTextAreaElement>(null);

  // The first run stays selected when another person decides it: the buttons under the pointer must not change runs.
  const [first, setFirst] = useState<string | null>(null);
  if (first === null && items[0]) setFirst(items[0].id);
  const chosen = params.get("run");
  const current = chosen ?? first;
  const item = items.find(({ id }) => id === current);
  const backHref = tabHref(show);

  const moveTo = (id: string) => {
    setParams({ run: id });
    document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)?.focus();
  };
  useApprovalKeys({ ids: items.map(({ id }) => id), current, onMove: moveTo, approveRef, commentRef });

  return (
    <QueryState
      query={query}
      loading={<ApprovalsSkeleton />}
      errorTitle="The approvals could not be loaded."
      isEmpty={() => current === null}
      empty={<NothingWaits show={show} />}
    >
      {() => (
        <div className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
          <div className={cn("min-w-0 lg:sticky lg:top-[calc(var(--topbar-height)+1rem)]", chosen && "max-lg:hidden")}>
            {items.length > 0 ? (
              <ApprovalList
                items={items}
                current={current}
                outcomes={outcomes}
                hrefOf={(id) => withRun(backHref, id)}
              />
            ) : (
              <p className="text-13 text-muted-foreground">No other pending approvals</p>
            )}
            <div ref={end} className="h-4 text-13 text-muted-foreground">
              {isFetchingNextPage ? "Loading more" : null}
            </div>
          </div>
          <div className={cn("min-w-0", !chosen && "max-lg:hidden")}>
            {item ? (
              <ApprovalDetail
                key={item.id}
                item={item}
                outcome={outcomes.get(item.id)}
                onOutcome={(outcome) => note(item, outcome)}
                approveRef={approveRef}
                commentRef={commentRef}
                backHref={backHref}
              />
            ) : current ? (
              <EndedApproval key={current} runId={current} backHref={backHref} />
            ) : null}
          </div>
        </div>
      )}
    </QueryState>
  );
}

function withRun(href: string, id: string): string {
  return `${href}${href.includes("?") ? "&" : "?"}run=${id}`;
}

function ApprovalsSkeleton() {
  return (
    <div role="status" aria-busy="true" className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[17rem_minmax(0,1fr)]">
      <span className="sr-only">Loading approvals</span>
      <div className="flex flex-col gap-px">
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
        <Skeleton className="h-20" />
      </div>
      <div className="flex max-w-3xl flex-col gap-5 max-lg:hidden">
        <Skeleton className="h-12 w-72" />
        <Skeleton className="h-24" />
        <Skeleton className="h-48" />
      </div>
    </div>
  );
}

/** Keeps the runs that the user decided on this page in their place, so that the list does not jump. */
function useOutcomes(waiting: readonly ApprovalItem[]) {
  const [kept, setKept] = useState<ReadonlyMap<string, DecidedItem>>(new Map());
  const note = useCallback(
    (item: ApprovalItem, outcome: DecisionOutcome) =>
      setKept((before) => new Map(before).set(item.id, { item, outcome })),
    [],
  );
  const known = new Set(waiting.map(({ id }) => id));
  const gone = [...kept.values()].map(({ item }) => item).filter(({ id }) => !known.has(id));
  return {
    items: [...waiting, ...gone].sort((a, b) => (a.id < b.id ? -1 : 1)),
    outcomes: new Map([...kept].map(([id, { outcome }]) => [id, outcome])),
    note,
  };
}

function NothingWaits({ show }: { show: ApprovalsShown }) {
  return (
    <EmptyState
      icon={UserRoundCheck}
      {...emptyTexts[show]}
      action={
        <Button asChild>
          <Link href="/runs">View runs</Link>
        </Button>
      }
    />
  );
}

/** Shown for a run that no longer awaits approval. */
function EndedApproval({ runId, backHref }: { runId: string; backHref: string }) {
  const query = useQuery(runQuery(runId));
  return (
    <div className="flex min-w-0 flex-col gap-3 lg:max-w-3xl">
      <BackLink href={backHref} />
      <QueryState query={query} loading={<Skeleton className="h-14" />} errorTitle="The run could not be loaded.">
        {(run) =>
          run.state === "awaiting_approval" ? (
            <Notice action={<ViewRun runId={runId} />}>This run awaits approval, but it is not in this list.</Notice>
          ) : (
            <Notice announce title="This run no longer awaits approval" action={<ViewRun runId={runId} />}>
              <p className="break-words">
                {run.skill.label ?? run.skill.name}: {approvalOutcomeText(run)}
              </p>
              <p className="mt-1">
                <StateChip state={run.state} />
              </p>
            </Notice>
          )
        }
      </QueryState>
    </div>
  );
}

/** `a` and `x` only move the focus to the decision form: no single key approves a run. */
function useApprovalKeys({ ids, current, onMove, approveRef, commentRef }: ApprovalKeys): void {
  const router = useRouter();
  const group = { group: "Approvals", enabled: ids.length > 0 };
  const move = (by: 1 | -1) => {
    const at = current === null ? -1 : ids.indexOf(current);
    const next = ids[at === -1 ? 0 : at + by];
    if (next !== undefined) onMove(next);
  };
  useShortcut("j", "Next run", () => move(1), group);
  useShortcut("k", "Previous run", () => move(-1), group);
  useShortcut("a", "Go to “Approve run”", () => approveRef.current?.focus(), group);
  useShortcut("x", "Go to the comment, to reject", () => commentRef.current?.focus(), group);
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
