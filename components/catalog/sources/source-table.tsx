"use client";

import { RevealedText } from "@/components/code/revealed-text";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import type { CatalogSource } from "@/lib/catalog/sources/schema";
import { SourceMenu } from "./source-menu";
import { SourceSwitch } from "./source-switch";
import { sourceAddress, sourceState } from "./source-words";

type SourceTableProps = {
  sources: readonly CatalogSource[];
  onOpen: (id: string) => void;
  onEdit: (source: CatalogSource) => void;
};

export function SourceTable({ sources, onOpen, onEdit }: SourceTableProps) {
  return (
    <Table label="Sources of the catalog">
      <TableHead>
        <tr>
          <TableHeader className="w-12 pr-1">Shown</TableHeader>
          <TableHeader>Source</TableHeader>
          <TableHeader>State</TableHeader>
          <TableHeader align="right" className="max-sm:hidden">
            Skills
          </TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Last sync
          </TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Requests
          </TableHeader>
          <TableHeader align="right" className="max-lg:hidden">
            Limit left
          </TableHeader>
          <ActionsHeader />
        </tr>
      </TableHead>
      <TableBody>
        {sources.map((source) => (
          <SourceRow key={source.id} source={source} onOpen={onOpen} onEdit={onEdit} />
        ))}
      </TableBody>
    </Table>
  );
}

type SourceRowProps = Pick<SourceTableProps, "onOpen" | "onEdit"> & { source: CatalogSource };

function SourceRow({ source, onOpen, onEdit }: SourceRowProps) {
  const state = sourceState(source);
  const { skippedCount, counts, rateLimit } = source;
  return (
    <TableRow className="h-12">
      <TableCell className="pr-1">
        <SourceSwitch source={source} />
      </TableCell>
      <TableCell className="w-full max-w-0 py-1">
        <button
          type="button"
          onClick={() => onOpen(source.id)}
          className="block max-w-full truncate rounded-sm text-left font-medium hover:underline"
          title={source.label}
        >
          <RevealedText text={source.label} />
        </button>
        <span className="block truncate text-muted-foreground text-xs" title={sourceAddress(source)}>
          <RevealedText text={sourceAddress(source)} />
        </span>
      </TableCell>
      <TableCell>
        <span className="flex flex-col items-start gap-0.5">
          <Badge tone={state.tone} title={source.error ?? undefined}>
            {state.label}
            {source.state === "running" && source.total > 0 ? ` ${source.done}/${source.total}` : ""}
          </Badge>
          {skippedCount > 0 ? (
            <span className="whitespace-nowrap text-muted-foreground text-xs">{skippedCount} skipped</span>
          ) : null}
        </span>
      </TableCell>
      <TableCell numeric className="max-sm:hidden">
        {counts.entries.toLocaleString("en-GB")}
      </TableCell>
      <TableCell numeric muted className="max-md:hidden">
        {source.syncedAt ? <RelativeTime value={source.syncedAt} /> : "Never"}
      </TableCell>
      <TableCell
        numeric
        muted
        className="max-lg:hidden"
        title={`${source.rawReads} reads of files, which cost no quota`}
      >
        {source.requests}
      </TableCell>
      <TableCell numeric muted className="max-lg:hidden">
        {rateLimit ? rateLimit.left.toLocaleString("en-GB") : "–"}
      </TableCell>
      <TableCell align="right">
        <SourceMenu source={source} onOpen={onOpen} onEdit={onEdit} />
      </TableCell>
    </TableRow>
  );
}
