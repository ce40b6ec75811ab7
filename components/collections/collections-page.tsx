"use client";

import { useQuery } from "@tanstack/react-query";
import { ListOrdered, Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { RevealedText } from "@/components/code/hidden-notice";
import { type Column, DataTable, timeColumn } from "@/components/lists/data-table";
import { ListSection } from "@/components/lists/list-section";
import { useCrumbs } from "@/components/shell/crumbs";
import { countOf } from "@/components/skills/skill-labels";
import { Badge } from "@/components/ui/badge";
import { deferred } from "@/components/ui/deferred/deferred";
import { collectionsQuery } from "@/lib/client/collections";
import type { CollectionSummary } from "@/lib/skills/community/schema";

const CollectionForm = deferred(async () => (await import("./collection-form")).CollectionForm);

const columns: readonly Column<CollectionSummary>[] = [
  {
    header: "Collection",
    cellClassName: "w-full max-w-0 py-1",
    cell: ({ slug, title, description }) => (
      <>
        <Link
          href={`/collections/${slug}`}
          className="block w-fit max-w-full truncate rounded-sm font-medium leading-4 hover:underline"
          title={title}
        >
          {title}
        </Link>
        <span className="block truncate text-muted-foreground text-xs" title={description}>
          <RevealedText text={description || "No description"} />
        </span>
      </>
    ),
  },
  { header: "Visibility", cell: ({ visibility }) => <Badge>{visibility === "public" ? "Public" : "Private"}</Badge> },
  {
    header: "Owner",
    muted: true,
    className: "max-md:hidden",
    cellClassName: "whitespace-nowrap",
    cell: ({ owner }) => owner.name,
  },
  {
    header: "Skills",
    numeric: true,
    muted: true,
    cell: ({ count }) => (
      <>
        <span className="sr-only">{countOf(count, "skill")}</span>
        <span aria-hidden>{count}</span>
      </>
    ),
  },
  timeColumn("Updated", ({ updatedAt }) => updatedAt, { numeric: true, className: "max-md:hidden" }),
];

export function CollectionsPage() {
  useCrumbs([{ label: "My skills", href: "/skills" }, { label: "Collections" }]);
  const router = useRouter();
  return (
    <ListSection
      as="page"
      title="Collections"
      description="Skills that belong together, with one URL to install each collection from."
      query={useQuery(collectionsQuery())}
      errorTitle="The collections could not be loaded."
      empty={{
        icon: ListOrdered,
        title: "No collections yet",
        description: "Group the skills that a task or a team needs, so that others install them with one command.",
        withCreate: true,
      }}
      create={
        <>
          <Plus aria-hidden />
          New collection
        </>
      }
      dialog={() => <CollectionForm onDone={({ slug }) => router.push(`/collections/${slug}`)} />}
    >
      {(collections) => (
        <DataTable
          label="Collections"
          rows={collections}
          rowId={({ id }) => id}
          columns={columns}
          rowProps={() => ({ className: "h-10" })}
        />
      )}
    </ListSection>
  );
}
