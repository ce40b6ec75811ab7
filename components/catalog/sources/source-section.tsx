"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Library } from "lucide-react";
import { useEffect, useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { catalogKey, sourcesQuery, updatesKey } from "@/lib/client/catalog";
import { SourceDialog } from "./source-dialog";
import { SourceTable } from "./source-table";
import { SyncDrawer } from "./sync-drawer";

/** The repositories that the catalog offers. */
export function SourceSection() {
  const query = useQuery(sourcesQuery);
  const [adding, setAdding] = useUrlState("add");
  const [opened, setOpened] = useUrlState("source");
  const [edited, setEdited] = useState<CatalogSource | null>(null);
  const isEmpty = query.data?.items.length === 0;
  useFreshCatalog(query.data?.items);
  const add = (
    <Button variant="primary" onClick={() => setAdding("1")}>
      Add source
    </Button>
  );
  return (
    <Section
      title="Skill catalog"
      description="GitHub repositories whose skills everybody can browse. What is installed waits for review, whatever its source."
      actions={isEmpty ? null : add}
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={3} label="Loading the sources" />}
        errorTitle="The sources could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={Library}
            title="No source yet"
            description="Add a repository that holds folders with a SKILL.md. You see what is in it before it is added."
            action={add}
          />
        }
      >
        {(page) => (
          <>
            <SourceTable sources={page.items} onOpen={setOpened} onEdit={setEdited} />
            <SyncDrawer source={page.items.find(({ id }) => id === opened) ?? null} onClose={() => setOpened("")} />
          </>
        )}
      </QueryState>
      <SourceDialog
        source={edited}
        open={adding === "1" || edited !== null}
        onClose={() => (edited ? setEdited(null) : setAdding(""))}
        onAdded={(source) => {
          setAdding("");
          setOpened(source.id);
        }}
      />
    </Section>
  );
}

/** After each sync, what the browser holds of the catalog is of before it. */
function useFreshCatalog(sources: readonly CatalogSource[] | undefined): void {
  const queryClient = useQueryClient();
  const synced = sources?.map(({ id, syncedAt }) => `${id} ${syncedAt}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new time of a sync is the reason
  useEffect(() => {
    for (const queryKey of [catalogKey, updatesKey]) void queryClient.invalidateQueries({ queryKey });
  }, [synced, queryClient]);
}
