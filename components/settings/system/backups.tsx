"use client";

import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/forms/use-action";
import { type Column, DataTable } from "@/components/lists/data-table";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import type { Backup, BackupList } from "@/lib/backup/schema";
import { backupsQuery, makeBackup } from "@/lib/client/system";

const columns: readonly Column<Backup>[] = [
  {
    header: "Made",
    cellClassName: "py-2",
    cell: ({ at, path, name }) => (
      <>
        <RelativeTime value={at} />
        <code className="block break-all font-mono text-muted-foreground text-xs" title={path}>
          {name}
        </code>
      </>
    ),
  },
  {
    header: "State",
    cell: ({ verified, problem }) => (
      <>
        <Badge tone={verified ? "success" : "danger"}>{verified ? "verified" : "damaged"}</Badge>
        {problem ? <span className="block text-danger text-xs">{problem}</span> : null}
      </>
    ),
  },
  { header: "Size", numeric: true, muted: true, cell: ({ bytes }) => formatBytes(bytes) },
  { header: "Audit up to", numeric: true, muted: true, className: "max-md:hidden", cell: ({ auditSeq }) => auditSeq },
];

/** The backups that are there, whether they hold, and one more at the press of a button. */
export function Backups() {
  const query = useQuery(backupsQuery);
  const make = useAction(makeBackup, {
    refresh: [backupsQuery.queryKey],
    done: ({ name }) => `The backup ${name} is made and checked.`,
    failed: "No backup was made.",
  });
  return (
    <Section
      title="Backups"
      description="Whole copies of the instance with its keys: keep them as safe as these."
      actions={
        <Button pending={make.isPending || query.data?.running === true} onClick={() => make.mutate()}>
          Back up now
        </Button>
      }
    >
      <QueryState query={query} skeletonRows={3} errorTitle="The backups could not be loaded.">
        {(list) => (
          <>
            {list.lastFailure ? (
              <Notice tone="danger" title="The last backup failed.">
                {list.lastFailure.reason} <RelativeTime value={list.lastFailure.at} className="text-muted-foreground" />
              </Notice>
            ) : null}
            <p className="text-13">
              <Schedule schedule={list.schedule} />
            </p>
            {list.backups.length === 0 ? (
              <EmptyState title="No backups yet" description="The first one is made with “Back up now”." />
            ) : (
              <DataTable label="Backups" rows={list.backups} rowId={({ name }) => name} columns={columns} />
            )}
          </>
        )}
      </QueryState>
    </Section>
  );
}

function Schedule({ schedule: { everyHours, keep, folder, nextAt } }: { schedule: BackupList["schedule"] }) {
  const where = <code className="break-all font-mono text-xs">{folder}</code>;
  if (everyHours === 0) {
    return <>None are made by themselves: set “Backup every hours” under This server. They go to {where}.</>;
  }
  return (
    <>
      One every {everyHours} hours, the newest {keep} are kept, in {where}.{" "}
      {nextAt === null ? null : (
        <>
          The next: <RelativeTime value={nextAt} />.
        </>
      )}
    </>
  );
}
