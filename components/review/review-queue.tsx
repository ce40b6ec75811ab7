"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ClipboardCheck } from "lucide-react";
import Link from "next/link";
import { useMemo, useState } from "react";
import { WaitingOverlays } from "@/components/overlays/waiting-overlays";
import { Page } from "@/components/shell/page";
import { useShortcut } from "@/components/shell/use-shortcut";
import { QueryState } from "@/components/state/query-state";
import { useEndReached } from "@/components/state/use-end-reached";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Table, TableBody, TableHead, TableHeader } from "@/components/ui/table";
import { reviewsQuery } from "@/lib/client/reviews";
import type { ReviewItem } from "@/lib/review/schema";
import { ReviewRow } from "./review-row";

/** Versions that wait for this person's decision, the oldest first. */
export function ReviewQueue() {
  const query = useInfiniteQuery(reviewsQuery);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const end = useEndReached(() => void fetchNextPage(), hasNextPage && !isFetchingNextPage && !query.error);
  return (
    <Page title="Reviews" description="Versions that wait for your decision, the oldest first.">
      <WaitingOverlays />
      <QueryState
        query={query}
        errorTitle="The queue could not be loaded."
        isEmpty={() => items.length === 0}
        empty={<NothingWaits />}
      >
        {() => (
          <div className="-mx-4 md:mx-0">
            <Rows items={items} />
            <div ref={end} className="flex h-10 items-center justify-center text-13 text-muted-foreground">
              {isFetchingNextPage ? "Loading more" : null}
            </div>
          </div>
        )}
      </QueryState>
    </Page>
  );
}

function Rows({ items }: { items: readonly ReviewItem[] }) {
  const [active, setActive] = useState<string | null>(null);
  const index = items.findIndex((item) => item.digest === active);
  const move = (by: 1 | -1) => {
    const next = items[index === -1 ? 0 : index + by];
    if (!next) return;
    const link = document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(next.digest)}"]`);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: "nearest" });
  };
  useShortcut("j", "Next version", () => move(1), { group: "Reviews" });
  useShortcut("k", "Previous version", () => move(-1), { group: "Reviews" });
  return (
    <Table label="Versions that wait for review">
      <TableHead>
        <tr>
          <TableHeader>Skill</TableHeader>
          <TableHeader className="max-md:hidden">Version</TableHeader>
          <TableHeader>Class</TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Runs without asking
          </TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Size
          </TableHeader>
          <TableHeader className="max-xl:hidden">Noticed</TableHeader>
          <TableHeader className="max-md:hidden">Asked by</TableHeader>
          <TableHeader className="max-md:hidden">Approvals</TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {items.map((item) => (
          <ReviewRow
            key={`${item.skill.id}${item.digest}`}
            item={item}
            isActive={item.digest === active}
            onActivate={() => setActive(item.digest)}
          />
        ))}
      </TableBody>
    </Table>
  );
}

function NothingWaits() {
  return (
    <EmptyState
      icon={ClipboardCheck}
      title="Nothing waits for you"
      description="Each import and each edit becomes a version that a person approves before agents get it or it can run. Those you may decide on appear here."
      action={
        <Button asChild>
          <Link href="/skills?import=1">Import a skill</Link>
        </Button>
      }
    />
  );
}
