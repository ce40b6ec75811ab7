import { CircleAlert, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { RevealedText } from "@/components/code/revealed-text";
import { countOf, displayName, reviewHref } from "@/components/skills/skill-words";
import { ToolChips } from "@/components/skills/tool-chips";
import { Badge } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { Digest } from "@/components/ui/digest";
import { formatBytes } from "@/components/ui/format-bytes";
import { RelativeTime } from "@/components/ui/relative-time";
import { TableCell, TableRow } from "@/components/ui/table";
import type { ReviewItem } from "@/lib/review/schema";

type ReviewRowProps = { item: ReviewItem; isActive: boolean; onActivate: () => void };

export function ReviewRow({ item, isActive, onActivate }: ReviewRowProps) {
  const { skill, approvals } = item;
  return (
    <TableRow active={isActive} onFocus={onActivate} className="h-12">
      <TableCell className="w-full max-w-0">
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
            <Badge tone="warning">{item.reason === "terms" ? "other terms" : "new findings"}</Badge>
          )}
        </span>
        <span className="block truncate text-muted-foreground text-xs" title={item.returnedReason ?? skill.description}>
          {item.returnedReason ?? <RevealedText text={skill.description} />}
        </span>
        <span className="block truncate text-muted-foreground text-xs md:hidden">
          {item.submittedBy.name}, <RelativeTime value={item.submittedAt} />, {approvals.given} of {approvals.needed}{" "}
          {approvals.needed === 1 ? "approval" : "approvals"}
        </span>
      </TableCell>
      <TableCell className="whitespace-nowrap max-md:hidden">
        {item.number} <Digest value={item.digest} label="digest of the version" />
        <span className="block text-muted-foreground text-xs">{item.kind}</span>
      </TableCell>
      <TableCell>
        <ClassChip value={item.class} />
      </TableCell>
      <TableCell className="max-lg:hidden">
        <ToolChips tools={item.allowedTools} className="justify-end" />
      </TableCell>
      <TableCell numeric muted className="max-lg:hidden">
        <ChangeSize item={item} />
      </TableCell>
      <TableCell className="max-xl:hidden">
        <Noticed item={item} />
      </TableCell>
      <TableCell className="max-md:hidden">
        <span className="block max-w-40 truncate">{item.submittedBy.name}</span>
        <RelativeTime value={item.submittedAt} className="text-muted-foreground text-xs" />
      </TableCell>
      <TableCell muted className="tabular-nums max-md:hidden">
        {approvals.given} of {approvals.needed}
      </TableCell>
    </TableRow>
  );
}

function DecisionBadge({ item: { isUpdate, returnedReason } }: { item: ReviewItem }) {
  if (returnedReason !== null) return <Badge tone="warning">returned</Badge>;
  return <Badge tone={isUpdate ? "accent" : "neutral"}>{isUpdate ? "update" : "new"}</Badge>;
}

/** How much there is to read: all of it, or what an update changes. */
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
      {countOf(touched, "file")} differ
      <span className="block text-xs">
        <span className="sr-only">lines </span>+{change.linesAdded} −{change.linesRemoved}
      </span>
    </>
  );
}

function Noticed({ item: { scan, severities, diagnostics } }: { item: ReviewItem }) {
  if (scan === "pending") return <span className="text-muted-foreground">scanning</span>;
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
        <span className="flex items-center gap-1 text-warning" title={countOf(other, "other finding or diagnostic")}>
          <TriangleAlert aria-hidden className="size-4" />
          {other}
          <span className="sr-only"> other findings or diagnostics</span>
        </span>
      ) : null}
      {grave + other === 0 ? <span className="text-muted-foreground">nothing</span> : null}
    </span>
  );
}
