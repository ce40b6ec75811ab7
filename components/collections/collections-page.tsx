"use client";

import { useQuery } from "@tanstack/react-query";
import { ListOrdered, Plus } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { useCrumbs } from "@/components/shell/crumbs";
import { Page } from "@/components/shell/page";
import { countOf } from "@/components/skills/skill-labels";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { type CollectionSummary, collectionsQuery } from "@/lib/client/collections";
import { CollectionForm } from "./collection-form";

/** Collections of skills that one sees. */
export function CollectionsPage() {
  useCrumbs([{ label: "Collections" }]);
  const router = useRouter();
  const query = useQuery(collectionsQuery());
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      New collection
    </Button>
  );
  return (
    <Page
      title="Collections"
      description="Skills that belong together, each collection under an address to install from."
      actions={query.data?.items.length === 0 ? null : create}
    >
      <QueryState
        query={query}
        errorTitle="The collections could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={ListOrdered}
            title="No collection yet"
            description="Put skills together that one task or one team needs: others install all of them with one command."
            action={create}
          />
        }
      >
        {({ items }) => <CollectionTable collections={items} />}
      </QueryState>
      <Dialog open={isCreating} onOpenChange={setCreating}>
        {isCreating ? <CollectionForm onDone={({ slug }) => router.push(`/collections/${slug}`)} /> : null}
      </Dialog>
    </Page>
  );
}

function CollectionTable({ collections }: { collections: readonly CollectionSummary[] }) {
  return (
    <Table label="Collections">
      <TableHead>
        <tr>
          <TableHeader>Collection</TableHeader>
          <TableHeader>Seen by</TableHeader>
          <TableHeader className="max-md:hidden">Owner</TableHeader>
          <TableHeader align="right">Skills</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Updated
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {collections.map((collection) => (
          <TableRow key={collection.id} className="h-10">
            <TableCell className="w-full max-w-0 py-1">
              <Link
                href={`/collections/${collection.slug}`}
                className="block w-fit max-w-full truncate rounded-sm font-medium leading-4 hover:underline"
                title={collection.title}
              >
                {collection.title}
              </Link>
              <span className="block truncate text-muted-foreground text-xs" title={collection.description}>
                <RevealedText text={collection.description || "No description"} />
              </span>
            </TableCell>
            <TableCell>
              <Badge>{collection.visibility === "public" ? "everybody" : "owner"}</Badge>
            </TableCell>
            <TableCell muted className="whitespace-nowrap max-md:hidden">
              {collection.owner.name}
            </TableCell>
            <TableCell numeric muted>
              <span className="sr-only">{countOf(collection.count, "skill")}</span>
              <span aria-hidden>{collection.count}</span>
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              <RelativeTime value={collection.updatedAt} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
