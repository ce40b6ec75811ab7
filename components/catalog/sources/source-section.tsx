"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis, Library, Pencil, RefreshCw, Trash2 } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { actionsColumn, type Column, DataTable } from "@/components/lists/data-table";
import { QueryState } from "@/components/state/query-state";
import { useUrlState } from "@/components/state/use-url-params";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { deferredUntil } from "@/components/ui/deferred/deferred";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { EmptyState } from "@/components/ui/empty-state";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { catalogKey, isWorking, sourcesQuery, updatesKey } from "@/lib/client/catalog";
import { countOf } from "../../skills/skill-labels";
import { sourceAddress, sourceState, useSourceActions } from "./source-actions";
import { SourceHealth } from "./source-health";

const SourceDialog = deferredUntil(
  async () => (await import("./source-dialog")).SourceDialog,
  ({ open }) => open,
);

const SyncDrawer = deferredUntil(
  async () => (await import("./sync-drawer")).SyncDrawer,
  ({ source }) => source !== null,
);

export function SourceSection() {
  const query = useQuery(sourcesQuery);
  const [adding, setAdding] = useUrlState("add");
  const [opened, setOpened] = useUrlState("source");
  const [edited, setEdited] = useState<CatalogSource | null>(null);
  const columns = useMemo(() => columnsFor({ onOpen: setOpened, onEdit: setEdited }), [setOpened]);
  const isEmpty = query.data?.items.length === 0;
  useCatalogRefresh(query.data?.items);
  const add = (
    <Button variant="primary" onClick={() => setAdding("1")}>
      Add source
    </Button>
  );
  return (
    <Section
      title="Skill catalog"
      description="Repositories on GitHub or any git host, whose skills everyone can browse. An installed skill is pending review until a reviewer approves it."
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
            title="No sources yet"
            description="Add a repository with folders that contain a SKILL.md. You can preview it before you add it."
            action={add}
          />
        }
      >
        {(page) => (
          <>
            <DataTable
              label="Sources of the catalog"
              rows={page.items}
              rowId={({ id }) => id}
              rowProps={() => ({ className: "h-12" })}
              columns={columns}
            />
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

function useCatalogRefresh(sources: readonly CatalogSource[] | undefined): void {
  const queryClient = useQueryClient();
  const synced = sources?.map(({ id, syncedAt }) => `${id} ${syncedAt}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each new sync time
  useEffect(() => {
    for (const queryKey of [catalogKey, updatesKey]) void queryClient.invalidateQueries({ queryKey });
  }, [synced, queryClient]);
}

type Opening = { onOpen: (id: string) => void; onEdit: (source: CatalogSource) => void };

const columnsFor = ({ onOpen, onEdit }: Opening): Column<CatalogSource>[] => [
  {
    header: "Shown",
    className: "pr-1",
    headerClassName: "w-12",
    cell: (source) => <SourceSwitch source={source} />,
  },
  {
    header: "Source",
    cellClassName: "w-full max-w-0 py-1",
    cell: (source) => (
      <>
        <button
          type="button"
          onClick={() => onOpen(source.id)}
          className="block max-w-full truncate rounded-sm text-left font-medium hover:underline"
          title={source.label}
        >
          <RevealedText text={source.label} />
        </button>
        <span className="block text-muted-foreground text-xs [overflow-wrap:anywhere]">
          <RevealedText text={sourceAddress(source)} />
        </span>
      </>
    ),
  },
  { header: "State", cell: (source) => <SourceState source={source} /> },
  { header: "Last 30 days", className: "max-xl:hidden", cell: (source) => <SourceHealth source={source} /> },
  {
    header: "Skills",
    numeric: true,
    className: "max-sm:hidden",
    cell: ({ counts }) => counts.entries.toLocaleString("en-GB"),
  },
  {
    header: "Last sync",
    numeric: true,
    muted: true,
    className: "max-md:hidden",
    cell: ({ syncedAt }) => (syncedAt ? <RelativeTime value={syncedAt} /> : "Never"),
  },
  actionsColumn((source) => <SourceMenu source={source} onOpen={onOpen} onEdit={onEdit} />),
];

function SourceState({ source }: { source: CatalogSource }) {
  const state = sourceState(source);
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Badge tone={state.tone} title={source.error ?? undefined}>
        {state.label}
        {source.state === "running" && source.total > 0 ? ` ${source.done}/${source.total}` : ""}
      </Badge>
      {source.skippedCount > 0 ? (
        <span className="whitespace-nowrap text-muted-foreground text-xs">{source.skippedCount} skipped</span>
      ) : null}
    </span>
  );
}

/** Shows or hides the skills of the source in the catalog. Installed skills stay. */
function SourceSwitch({ source }: { source: CatalogSource }) {
  const { show } = useSourceActions(source);
  const isOn = show.isPending ? show.variables : source.enabled;
  return (
    <Switch
      aria-label={`${source.label} is ${isOn ? "shown" : "hidden"}`}
      checked={isOn}
      onCheckedChange={(enabled) => show.mutate(enabled)}
    />
  );
}

function SourceMenu({ source, onOpen, onEdit }: Opening & { source: CatalogSource }) {
  const [isAsking, setAsking] = useState(false);
  const { sync, remove } = useSourceActions(source);
  const { entries, installed } = source.counts;
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Actions for ${source.label}`} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuItem
            disabled={isWorking(source)}
            onSelect={() => {
              sync.mutate();
              onOpen(source.id);
            }}
          >
            <RefreshCw aria-hidden />
            Sync now
          </DropdownMenuItem>
          <DropdownMenuItem onSelect={() => onEdit(source)}>
            <Pencil aria-hidden />
            Edit
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          <DropdownMenuItem tone="danger" onSelect={() => setAsking(true)}>
            <Trash2 aria-hidden />
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete the source ${source.label}?`}
        description={`${countOf(entries, "skill")} will leave the catalog. ${describeInstalled(installed)}`}
        confirmLabel="Delete source"
        tone="danger"
        onConfirm={() => remove.mutateAsync()}
      />
    </>
  );
}

function describeInstalled(installed: number): string {
  if (installed === 0) return "None of them is installed.";
  return installed === 1
    ? "The installed skill stays but gets no more updates."
    : `The ${installed} installed skills stay but get no more updates.`;
}
