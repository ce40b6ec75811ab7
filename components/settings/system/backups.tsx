"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatBytes } from "@/components/ui/format-bytes";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { useToast } from "@/components/ui/toast";
import { type Backup, type BackupList, backupsQuery, makeBackup } from "@/lib/client/backups";

/** The backups that are there, whether they hold, and one more at the press of a button. */
export function Backups() {
  const query = useQuery(backupsQuery);
  const queries = useQueryClient();
  const { toast } = useToast();
  const make = useMutation({
    mutationFn: makeBackup,
    onSuccess: ({ name }) => toast({ tone: "success", title: `The backup ${name} is made and checked.` }),
    onError: (error) => toast({ tone: "danger", title: "No backup was made.", description: errorText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: backupsQuery.queryKey }),
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
            <BackupTable backups={list.backups} />
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

function BackupTable({ backups }: { backups: readonly Backup[] }) {
  if (backups.length === 0) {
    return <EmptyState title="No backups yet" description="The first one is made with “Back up now”." />;
  }
  return (
    <Table label="Backups">
      <TableHead>
        <tr>
          <TableHeader>Made</TableHeader>
          <TableHeader>State</TableHeader>
          <TableHeader align="right">Size</TableHeader>
          <TableHeader align="right" className="max-md:hidden">
            Audit up to
          </TableHeader>
        </tr>
      </TableHead>
      <TableBody>
        {backups.map(({ name, at, verified, problem, bytes, auditSeq, path }) => (
          <TableRow key={name}>
            <TableCell className="py-2">
              <RelativeTime value={at} />
              <code className="block break-all font-mono text-muted-foreground text-xs" title={path}>
                {name}
              </code>
            </TableCell>
            <TableCell>
              <Badge tone={verified ? "success" : "danger"}>{verified ? "verified" : "damaged"}</Badge>
              {problem ? <span className="block text-danger text-xs">{problem}</span> : null}
            </TableCell>
            <TableCell numeric muted>
              {formatBytes(bytes)}
            </TableCell>
            <TableCell numeric muted className="max-md:hidden">
              {auditSeq}
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
