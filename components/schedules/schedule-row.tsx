"use client";

import Link from "next/link";
import { Badge } from "@/components/ui/badge";
import { RelativeTime } from "@/components/ui/relative-time";
import { StateChip } from "@/components/ui/state-chip";
import { TableCell, TableRow } from "@/components/ui/table";
import type { Schedule } from "@/lib/client/schedules";
import { describeCron } from "./cron-presets";
import { overlapShort } from "./overlap-words";
import { ScheduleMenu } from "./schedule-menu";
import { ScheduleSwitch } from "./schedule-switch";
import { formatInZone } from "./time-zones";

type ScheduleRowProps = { schedule: Schedule; onEdit: () => void };

export function ScheduleRow({ schedule, onEdit }: ScheduleRowProps) {
  const { name, skill, cron, timeZone, nextAt, overlap } = schedule;
  return (
    <TableRow>
      <TableCell className="w-12 py-2">
        <ScheduleSwitch schedule={schedule} />
      </TableCell>
      <TableCell className="max-w-56 py-2 max-md:max-w-40">
        <span className="block truncate font-medium" title={name}>
          {name}
        </span>
        {skill ? (
          <Link
            href={`/skills/${skill.id}`}
            className="block truncate text-muted-foreground text-xs hover:underline"
            title={skill.name}
          >
            {skill.label ?? skill.name}
          </Link>
        ) : (
          <span className="block text-muted-foreground text-xs">The skill was deleted</span>
        )}
        <span className="block text-muted-foreground text-xs md:hidden">{describeCron(cron)}</span>
        {schedule.needsConfirmation ? <Badge tone="warning">Needs your confirmation</Badge> : null}
      </TableCell>
      <TableCell className="max-md:hidden">
        <span className="block">{describeCron(cron)}</span>
        <span className="block text-muted-foreground text-xs">
          <code className="font-mono">{cron}</code> {timeZone}
        </span>
      </TableCell>
      <TableCell className="max-md:hidden">
        {nextAt === null ? (
          <span className="text-muted-foreground">–</span>
        ) : (
          <>
            <RelativeTime value={nextAt} className="block" />
            <span className="block text-muted-foreground text-xs">{formatInZone(nextAt, timeZone)}</span>
          </>
        )}
      </TableCell>
      <TableCell className="max-w-64">
        <LastOutcome schedule={schedule} />
      </TableCell>
      <TableCell muted className="max-lg:hidden">
        {overlapShort[overlap]}
      </TableCell>
      <TableCell align="right">
        <ScheduleMenu schedule={schedule} onEdit={onEdit} />
      </TableCell>
    </TableRow>
  );
}

function LastOutcome({ schedule: { lastRun, lastOutcome, id, name } }: { schedule: Schedule }) {
  return (
    <>
      {lastRun ? (
        <Link href={`/runs/${lastRun.id}`} aria-label={`Last run of ${name}`} className="inline-block rounded-sm">
          <StateChip state={lastRun.state} />
        </Link>
      ) : null}
      {lastOutcome ? (
        <span className="block text-muted-foreground text-xs">{lastOutcome}</span>
      ) : (
        <span className="text-muted-foreground">never</span>
      )}
      {lastRun ? (
        <Link
          href={`/runs?schedule=${id}`}
          aria-label={`All runs of ${name}`}
          className="text-muted-foreground text-xs underline underline-offset-2"
        >
          All runs
        </Link>
      ) : null}
    </>
  );
}
