"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { useEndReached } from "@/components/state/use-end-reached";
import { useUrlParams } from "@/components/state/use-url-params";
import { cn } from "@/components/ui/cn";
import { type ApprovalsShown, approvalsQuery } from "@/lib/client/approvals";
import { ApprovalDetail } from "./approval-detail";
import { ApprovalList } from "./approval-list";
import { tabHref } from "./approval-tabs";
import { ApprovalsSkeleton } from "./approvals-skeleton";
import { GoneApproval } from "./gone-approval";
import { NothingWaits } from "./nothing-waits";
import { useApprovalKeys } from "./use-approval-keys";
import { useOutcomes } from "./use-outcomes";

/** The list, and beside it the run in hand; on a phone one of the two. */
export function ApprovalInbox({ show }: { show: ApprovalsShown }) {
  const [params, setParams] = useUrlParams();
  const query = useInfiniteQuery(approvalsQuery(show));
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const waiting = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const { items, outcomes, note } = useOutcomes(waiting);
  const end = useEndReached(() => void fetchNextPage(), hasNextPage && !isFetchingNextPage && !query.error);
  const approveRef = useRef<HTMLButtonElement>(null);
  const commentRef = useRef<HTMLTextAreaElement>(null);

  // What stands beside the list stays there when somebody else decides it: no other run may slide under the pointer.
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
      errorTitle="What waits could not be loaded."
      isEmpty={() => current === null}
      empty={<NothingWaits show={show} />}
    >
      {() => (
        <div className="grid items-start gap-x-8 gap-y-4 lg:grid-cols-[minmax(16rem,22rem)_minmax(0,1fr)]">
          <div className={cn("min-w-0 lg:sticky lg:top-[calc(var(--topbar-height)+1rem)]", chosen && "max-lg:hidden")}>
            {items.length > 0 ? (
              <ApprovalList
                items={items}
                current={current}
                outcomes={outcomes}
                hrefOf={(id) => withRun(backHref, id)}
              />
            ) : (
              <p className="text-13 text-muted-foreground">Nothing else waits.</p>
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
              <GoneApproval key={current} runId={current} backHref={backHref} />
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
