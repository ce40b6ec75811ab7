"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { Digest } from "@/components/ui/digest";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { StateChip } from "@/components/ui/state-chip";
import { ActionsHeader, Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { newestRunsQuery, type Run } from "@/lib/client/runs";
import { DurationChart } from "./duration-chart";
import { Took } from "./took";

type RunHistoryProps = { skillId: string; current: string | null; onUseArgs: (run: Run) => void };

const shown = 30;

/** The last runs of one skill. */
export function RunHistory({ skillId, current, onUseArgs }: RunHistoryProps) {
  const query = useQuery(newestRunsQuery({ skill: skillId }, shown));
  return (
    <Section
      title="History"
      actions={
        <Link href={`/runs?skill=${skillId}`} className="text-13 text-primary hover:underline">
          All runs of this skill
        </Link>
      }
    >
      <QueryState
        query={query}
        loading={<SkeletonRows rows={3} />}
        errorTitle="The history could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={<p className="py-3 text-13 text-muted-foreground">Nobody has run this skill yet.</p>}
      >
        {(page) => (
          <div className="flex flex-col gap-3">
            <DurationChart runs={page.items} />
            <HistoryTable runs={page.items} current={current} onUseArgs={onUseArgs} />
          </div>
        )}
      </QueryState>
    </Section>
  );
}

type HistoryTableProps = { runs: readonly Run[]; current: string | null; onUseArgs: (run: Run) => void };

function HistoryTable({ runs, current, onUseArgs }: HistoryTableProps) {
  return (
    <Table label="Last runs of this skill">
      <TableHead>
        <tr>
          <TableHeader>State</TableHeader>
          <TableHeader>When</TableHeader>
          <TableHeader align="right">Took</TableHeader>
          <TableHeader className="max-md:hidden">By</TableHeader>
          <TableHeader className="max-md:hidden">Version</TableHeader>
          <ActionsHeader />
        </tr>
      </TableHead>
      <TableBody>
        {runs.map((run) => (
          <TableRow key={run.id} selected={run.id === current}>
            <TableCell>
              <StateChip state={run.state} />
            </TableCell>
            <TableCell muted>
              <RelativeTime value={run.queuedAt} />
            </TableCell>
            <TableCell numeric>
              <Took run={run} />
            </TableCell>
            <TableCell className="max-md:hidden">{run.caller.name}</TableCell>
            <TableCell className="max-md:hidden">
              <Digest value={run.versionDigest} label="version digest" />
            </TableCell>
            <TableCell align="right" className="whitespace-nowrap">
              <Button size="sm" variant="ghost" className="max-md:hidden" onClick={() => onUseArgs(run)}>
                Use arguments
              </Button>
              {current === null || current === run.id ? null : (
                <Button size="sm" variant="ghost" className="max-md:hidden" asChild>
                  <Link href={`/runs/${current}?compare=${run.id}`}>Compare</Link>
                </Button>
              )}
              <Button size="sm" variant="ghost" asChild>
                <Link href={`/runs/${run.id}`}>Open</Link>
              </Button>
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}
