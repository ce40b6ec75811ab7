"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { RevealedText } from "@/components/code/hidden-notice";
import { type Column, DataTable } from "@/components/lists/data-table";
import { FilterBar, FilterSelect, readFilters } from "@/components/lists/filter-bar";
import { itemsOf, List } from "@/components/lists/list-section";
import { displayName, reviewHref } from "@/components/skills/skill-labels";
import { useUrlParams } from "@/components/state/use-url-params";
import { Badge, type Tone } from "@/components/ui/badge";
import { ClassChip } from "@/components/ui/class-chip";
import { RelativeTime } from "@/components/ui/relative-time";
import { decidedQuery } from "@/lib/client/reviews";
import type { DecidedReview } from "@/lib/review/schema";

const decisions: Record<DecidedReview["decision"], { label: string; tone: Tone }> = {
  approve: { label: "Approved", tone: "success" },
  request_changes: { label: "Changes requested", tone: "warning" },
  reject: { label: "Rejected", tone: "danger" },
  revoke: { label: "Revoked", tone: "danger" },
  activate: { label: "Activated", tone: "neutral" },
};

const FILTERS = ["decision", "by"] as const;

/** The decisions of people on versions, newest first; the address holds the filter. */
export function DecidedList() {
  const [params] = useUrlParams();
  const filters = readFilters(params, FILTERS);
  const query = useInfiniteQuery(decidedQuery(filters));
  const people = query.data?.pages.at(-1)?.people ?? [];
  return (
    <div className="flex flex-col gap-3">
      <FilterBar keys={FILTERS}>
        <FilterSelect
          name="decision"
          label="Decision"
          className="w-48"
          options={Object.entries(decisions).map(([value, { label }]) => ({ value, label }))}
        />
        <FilterSelect
          name="by"
          label="Reviewer"
          className="w-48"
          options={people.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </FilterBar>
      <List
        query={query}
        errorTitle="The decisions could not be loaded."
        endText={itemsOf(query.data).length > 10 ? "End of list" : ""}
        empty={
          <p className="py-2 text-13 text-muted-foreground">
            {Object.keys(filters).length > 0
              ? "No decision matches the filter."
              : "No decisions yet. Approved and returned versions appear here, with the person who decided."}
          </p>
        }
      >
        {(items) => (
          <div className="-mx-4 md:mx-0">
            <DataTable
              label="Decisions on versions"
              rows={items}
              rowId={({ id }) => id}
              rowProps={() => ({ className: "h-12" })}
              columns={columns}
            />
          </div>
        )}
      </List>
    </div>
  );
}

const columns: readonly Column<DecidedReview>[] = [
  {
    header: "Skill",
    cellClassName: "w-full max-w-0",
    cell: ({ skill, digest, number, comment, by, at }) => (
      <>
        <Link
          href={reviewHref(skill.id, digest)}
          className="block truncate rounded-sm font-medium hover:underline"
          title={skill.name}
        >
          <RevealedText text={displayName(skill)} /> <span className="text-muted-foreground">version {number}</span>
        </Link>
        <span className="block truncate text-muted-foreground text-xs" title={comment}>
          <span className="md:hidden">
            {by.name}, <RelativeTime value={at} />
            {comment === "" ? "" : ": "}
          </span>
          <RevealedText text={comment} />
        </span>
      </>
    ),
  },
  {
    header: "Decision",
    cell: ({ decision, soloMode }) => (
      <>
        <Badge tone={decisions[decision].tone}>{decisions[decision].label}</Badge>
        {soloMode ? <span className="block text-muted-foreground text-xs">in solo mode</span> : null}
      </>
    ),
  },
  {
    header: "Class",
    className: "max-md:hidden",
    cell: (item) => (item.class ? <ClassChip value={item.class} /> : null),
  },
  {
    header: "Decided by",
    className: "max-md:hidden",
    cell: ({ by, at }) => (
      <>
        <span className="block max-w-40 truncate">{by.name}</span>
        <RelativeTime value={at} className="text-muted-foreground text-xs" />
      </>
    ),
  },
];
