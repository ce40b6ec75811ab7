"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Badge } from "@/components/ui/badge";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { IconButton } from "@/components/ui/icon-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { StateChip } from "@/components/ui/state-chip";
import { Switch } from "@/components/ui/switch";
import { TableCell, TableRow } from "@/components/ui/table";
import { useToast } from "@/components/ui/toast";
import { deleteSchedule, runSchedule, type Schedule, schedulesKey, updateSchedule } from "@/lib/client/schedules";
import { describeCron } from "./cron-presets";
import { overlapShort } from "./overlap-labels";
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

function ScheduleSwitch({ schedule }: { schedule: Schedule }) {
  const queries = useQueryClient();
  const { toast } = useToast();
  const change = useMutation({
    mutationFn: (enabled: boolean) => updateSchedule(schedule.id, { enabled }),
    onError: (error) =>
      toast({ tone: "danger", title: `${schedule.name} stays as it is.`, description: errorText(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: schedulesKey }),
  });
  const shown = change.isPending ? change.variables : schedule.enabled;
  const mayNot = schedule.enabled ? !schedule.you.mayStop : !schedule.you.mayChange;
  return (
    <span title={mayNot ? "Only its owner can switch it on" : undefined} className="inline-flex">
      <Switch
        aria-label={`${schedule.name} is ${shown ? "on" : "off"}`}
        checked={shown}
        disabled={mayNot || change.isPending}
        onCheckedChange={(enabled) => change.mutate(enabled)}
      />
    </span>
  );
}

type ScheduleMenuProps = { schedule: Schedule; onEdit: () => void };

/** What can be done about a schedule. */
function ScheduleMenu({ schedule, onEdit }: ScheduleMenuProps) {
  const { you, name, id } = schedule;
  const queries = useQueryClient();
  const router = useRouter();
  const { toast } = useToast();
  const [question, setQuestion] = useState<"delete" | "confirm" | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: schedulesKey });
  const run = useMutation({
    mutationFn: () => runSchedule(id),
    onSuccess: (started) => {
      toast({
        title: `${name} was started.`,
        tone: "success",
        action: { label: "Show the run", onClick: () => router.push(`/runs/${started.id}`) },
      });
      return refresh();
    },
    onError: (error) => toast({ tone: "danger", title: `${name} was not started.`, description: errorText(error) }),
  });
  const answer = async () => {
    if (question === "delete") await deleteSchedule(id);
    else await updateSchedule(id, { confirm: true });
    await refresh();
  };
  if (!you.mayStop) return null;
  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Actions for ${name}`} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          {you.mayChange && schedule.skill ? (
            <>
              {schedule.needsConfirmation ? (
                <DropdownMenuItem onSelect={() => setQuestion("confirm")}>Confirm its runs</DropdownMenuItem>
              ) : (
                <DropdownMenuItem onSelect={() => run.mutate()}>Run now</DropdownMenuItem>
              )}
              <DropdownMenuItem onSelect={onEdit}>Change</DropdownMenuItem>
              <DropdownMenuSeparator />
            </>
          ) : null}
          <DropdownMenuItem tone="danger" onSelect={() => setQuestion("delete")}>
            Delete
          </DropdownMenuItem>
        </DropdownMenuContent>
      </DropdownMenu>
      <ConfirmDialog
        open={question !== null}
        onOpenChange={(open) => !open && setQuestion(null)}
        title={question === "confirm" ? `Confirm the runs of ${name}?` : `Delete ${name}?`}
        description={
          question === "confirm"
            ? `${schedule.skill?.name} changes things. This covers its runs with these arguments, until its version changes.`
            : "It does not start again. Its runs and their results stay."
        }
        confirmLabel={question === "confirm" ? "Confirm runs" : "Delete schedule"}
        tone={question === "confirm" ? "primary" : "danger"}
        onConfirm={answer}
      />
    </>
  );
}
