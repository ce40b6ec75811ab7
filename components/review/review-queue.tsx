"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CircleAlert, ClipboardCheck, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useMemo, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { type Column, DataTable } from "@/components/lists/data-table";
import { useLinkKeys } from "@/components/lists/use-list-keys";
import { Page } from "@/components/shell/page";
import { ToolChips } from "@/components/skills/permission-list";
import { countOf, displayName, kindLabels, reviewHref } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { useEndReached } from "@/components/state/use-end-reached";
import { useMe } from "@/components/state/use-me";
import { useUrlState } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ClassChip } from "@/components/ui/class-chip";
import { deferred } from "@/components/ui/deferred/deferred";
import { Digest } from "@/components/ui/digest";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { PartNav } from "@/components/ui/pane-nav";
import { RelativeTime } from "@/components/ui/relative-time";
import { SkeletonRows } from "@/components/ui/skeleton";
import { reviewsQuery } from "@/lib/client/reviews";
import type { ReviewItem } from "@/lib/review/schema";

const tabs = [
  { key: "pending", label: "Pending", href: "/reviews" },
  { key: "decided", label: "Decided", href: "/reviews?show=decided" },
] as const;

const PendingOverlays = deferred(async () => (await import("@/components/overlays/pending-overlays")).PendingOverlays);

const DecidedList = deferred(
  async () => (await import("./decided-list")).DecidedList,
  <SkeletonRows label="Loading the decisions" />,
);

export function ReviewQueue() {
  const [show] = useUrlState("show", "pending");
  const isDecided = show === "decided";
  const mayReview = ["reviewer", "admin"].includes(useMe()?.user.role ?? "user");
  return (
    <Page
      title="Reviews"
      description={
        isDecided ? "Decisions on versions, newest first." : "Versions that need your decision, oldest first."
      }
      actions={
        isDecided && mayReview ? (
          <Button asChild size="sm">
            <a href="/api/bill-of-materials" download="organisation.cdx.json">
              Download bill of materials
            </a>
          </Button>
        ) : null
      }
    >
      <PartNav label="Reviews" parts={tabs} current={isDecided ? "decided" : "pending"} />
      {isDecided ? <DecidedList /> : <PendingList />}
    </Page>
  );
}

function PendingList() {
  const query = useInfiniteQuery(reviewsQuery);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const items = useMemo(() => query.data?.pages.flatMap((page) => page.items) ?? [], [query.data]);
  const end = useEndReached(() => void fetchNextPage(), hasNextPage && !isFetchingNextPage && !query.error);
  return (
    <>
      <PendingOverlays />
      <QueryState
        query={query}
        errorTitle="The queue could not be loaded."
        isEmpty={() => items.length === 0}
        empty={<EmptyQueue />}
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
    </>
  );
}

function Rows({ items }: { items: readonly ReviewItem[] }) {
  const [active, setActive] = useState<string | null>(null);
  useLinkKeys({ ids: items.map(({ digest }) => digest), activeId: active, noun: "version", group: "Reviews" });
  return (
    <DataTable
      label="Versions pending review"
      rows={items}
      rowId={({ skill, digest }) => `${skill.id}${digest}`}
      rowProps={({ digest }) => ({
        active: digest === active,
        onFocus: () => setActive(digest),
        className: "h-12",
      })}
      columns={columns}
    />
  );
}

const columns: readonly Column<ReviewItem>[] = [
  { header: "Skill", cellClassName: "w-full max-w-0", cell: (item) => <SkillCell item={item} /> },
  {
    header: "Version",
    className: "max-md:hidden",
    cellClassName: "whitespace-nowrap",
    cell: (item) => (
      <>
        {item.number} <Digest value={item.digest} label="version digest" />
        <span className="block text-muted-foreground text-xs">{kindLabels[item.kind]}</span>
      </>
    ),
  },
  { header: "Class", cell: (item) => <ClassChip value={item.class} proposed={item.state === "pending"} /> },
  {
    header: "Tools without asking",
    className: "max-lg:hidden",
    headerClassName: "text-right",
    cell: (item) => <ToolChips tools={item.allowedTools} className="justify-end" />,
  },
  {
    header: "Size",
    numeric: true,
    muted: true,
    className: "max-lg:hidden",
    cell: (item) => <ChangeSize item={item} />,
  },
  { header: "Findings", className: "max-xl:hidden", cell: (item) => <FindingCounts item={item} /> },
  {
    header: "Submitted by",
    className: "max-md:hidden",
    cell: ({ submittedBy, submittedAt }) => (
      <>
        <span className="block max-w-40 truncate">{submittedBy.name}</span>
        <RelativeTime value={submittedAt} className="text-muted-foreground text-xs" />
      </>
    ),
  },
  {
    header: "Approvals",
    muted: true,
    className: "max-md:hidden",
    cellClassName: "tabular-nums",
    cell: ({ approvals }) => `${approvals.given} of ${approvals.needed}`,
  },
];

function EmptyQueue() {
  return (
    <EmptyState
      icon={ClipboardCheck}
      title="No versions need your review"
      description="Every import and edit creates a version that a person approves before agents get it or it can run. Versions that you may decide on appear here."
      action={
        <Button asChild>
          <Link href="/skills?import=1">Import a skill</Link>
        </Button>
      }
    />
  );
}

function SkillCell({ item }: { item: ReviewItem }) {
  const { skill, approvals } = item;
  return (
    <>
      <span className="flex items-center gap-2">
        <Link
          href={reviewHref(skill.id, item.digest)}
          data-row-link={item.digest}
          className="min-w-0 truncate rounded-sm font-medium hover:underline"
          title={skill.name}
        >
          <RevealedText text={displayName(skill)} />
        </Link>
        {item.reason === "decision" ? (
          <DecisionBadge item={item} />
        ) : (
          <Badge tone="warning">{item.reason === "terms" ? "New permissions" : "New findings"}</Badge>
        )}
      </span>
      <span className="block truncate text-muted-foreground text-xs" title={item.returnedReason ?? skill.description}>
        {item.returnedReason ?? <RevealedText text={skill.description} />}
      </span>
      <span className="block truncate text-muted-foreground text-xs md:hidden">
        {item.submittedBy.name}, <RelativeTime value={item.submittedAt} />, {approvals.given} of {approvals.needed}{" "}
        {approvals.needed === 1 ? "approval" : "approvals"}
      </span>
    </>
  );
}

function DecisionBadge({ item: { isUpdate, returnedReason } }: { item: ReviewItem }) {
  if (returnedReason !== null) return <Badge tone="warning">Approval invalid</Badge>;
  return <Badge tone={isUpdate ? "accent" : "neutral"}>{isUpdate ? "Update" : "New"}</Badge>;
}

function ChangeSize({ item: { isUpdate, change, files, bytes } }: { item: ReviewItem }) {
  if (!isUpdate) {
    return (
      <>
        {countOf(files, "file")}
        <span className="block text-xs">{formatBytes(bytes)}</span>
      </>
    );
  }
  const touched = change.filesAdded + change.filesRemoved + change.filesChanged;
  return (
    <>
      {countOf(touched, "file")} changed
      <span className="block text-xs">
        <span className="sr-only">lines </span>+{change.linesAdded} −{change.linesRemoved}
      </span>
    </>
  );
}

function FindingCounts({ item: { scan, severities, diagnostics } }: { item: ReviewItem }) {
  if (scan === "pending") return <span className="text-muted-foreground">Scanning</span>;
  const grave = (severities.critical ?? 0) + (severities.high ?? 0);
  const other = (severities.medium ?? 0) + (severities.info ?? 0) + diagnostics;
  return (
    <span className="flex items-center gap-2 tabular-nums">
      {grave > 0 ? (
        <span className="flex items-center gap-1 text-danger" title={countOf(grave, "critical or high finding")}>
          <CircleAlert aria-hidden className="size-4" />
          {grave}
          <span className="sr-only"> critical or high findings</span>
        </span>
      ) : null}
      {other > 0 ? (
        <span className="flex items-center gap-1 text-warning" title={countOf(other, "other finding")}>
          <TriangleAlert aria-hidden className="size-4" />
          {other}
          <span className="sr-only"> other findings</span>
        </span>
      ) : null}
      {grave + other === 0 ? <span className="text-muted-foreground">None</span> : null}
    </span>
  );
}
