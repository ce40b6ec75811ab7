"use client";

import { useQuery } from "@tanstack/react-query";
import { useAction } from "@/components/forms/use-action";
import { type Column, DataTable } from "@/components/lists/data-table";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { formatBytes } from "@/components/ui/format-bytes";
import { Notice } from "@/components/ui/notice";
import { ProgressBar } from "@/components/ui/progress-bar";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import type { Backup, BackupList } from "@/lib/backup/schema";
import { backupsQuery, makeBackup } from "@/lib/client/system";

const columns: readonly Column<Backup>[] = [
  {
    header: "Created",
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
        <Badge tone={verified ? "success" : "danger"}>{verified ? "Verified" : "Damaged"}</Badge>
        {problem ? <span className="block text-danger text-xs">{problem}</span> : null}
      </>
    ),
  },
  { header: "Size", numeric: true, muted: true, cell: ({ bytes }) => formatBytes(bytes) },
  {
    header: "Last audit event",
    numeric: true,
    muted: true,
    className: "max-md:hidden",
    cell: ({ auditSeq }) => auditSeq,
  },
];

export function Backups() {
  const make = useAction(makeBackup, {
    refresh: [backupsQuery.queryKey],
    done: ({ name }) => `Backup ${name} was created and verified.`,
    failed: "The backup failed.",
  });
  const query = useQuery({
    ...backupsQuery,
    refetchInterval: ({ state }) => (make.isPending || state.data?.running ? 1_000 : 10_000),
  });
  return (
    <Section
      title="Backups"
      description="Full copies of this instance, including its keys. Protect them as you protect the keys."
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
            {list.progress ? <Progress progress={list.progress} /> : null}
            <p className="text-13">
              <Schedule schedule={list.schedule} />
            </p>
            {list.backups.length === 0 ? (
              <p className="text-13 text-muted-foreground">No backups yet</p>
            ) : (
              <DataTable label="Backups" rows={list.backups} rowId={({ name }) => name} columns={columns} />
            )}
          </>
        )}
      </QueryState>
    </Section>
  );
}

/** The copy, and then its verification, which takes about as long. */
function Progress({ progress: { bytes, atMost } }: { progress: NonNullable<BackupList["progress"]> }) {
  return (
    <div className="flex flex-col gap-2 text-13">
      <ProgressBar label="Backup in progress" done={Math.min(bytes, atMost)} total={atMost} />
      <p className="text-muted-foreground">
        {formatBytes(bytes)} copied of at most {formatBytes(atMost)}. The copy is verified afterwards. You can leave
        this page.
      </p>
    </div>
  );
}

function Schedule({ schedule: { everyHours, keep, folder, nextAt } }: { schedule: BackupList["schedule"] }) {
  const where = <code className="font-mono text-xs [overflow-wrap:anywhere]">{folder}</code>;
  if (everyHours === 0) {
    return (
      <>
        Automatic backups are off. Set “Backup interval (hours)” under{" "}
        <a href="/settings/instance" className="text-primary underline underline-offset-2">
          This server
        </a>{" "}
        to switch them on. They are stored in {where}.
      </>
    );
  }
  return (
    <>
      A backup runs every {everyHours} {everyHours === 1 ? "hour" : "hours"}; the newest {keep} are kept in {where}.{" "}
      {nextAt === null ? null : (
        <>
          Next backup: <RelativeTime value={nextAt} />.
        </>
      )}
    </>
  );
}
