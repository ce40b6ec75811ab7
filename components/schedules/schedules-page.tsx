"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CalendarClock, Ellipsis } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useAction } from "@/components/forms/use-action";
import { actionsColumn, type Column, DataTable } from "@/components/lists/data-table";
import { ListSection } from "@/components/lists/list-section";
import { Badge } from "@/components/ui/badge";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { deferred } from "@/components/ui/deferred/deferred";
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
import { useToast } from "@/components/ui/toast";
import {
  deleteSchedule,
  type Overlap,
  runSchedule,
  type Schedule,
  schedulesKey,
  schedulesQuery,
  updateSchedule,
} from "@/lib/client/schedules";
import { describeCron } from "./cron-presets";
import { formatInZone } from "./time-zones";

const overlapShortLabels: Record<Overlap, string> = {
  skip: "Skip",
  queue: "Queue",
  cancel_previous: "Cancel previous",
};

const ScheduleForm = deferred(async () => (await import("./schedule-form")).ScheduleForm);

export function SchedulesPage() {
  return (
    <ListSection
      as="page"
      title="Schedules"
      description="Skills that run at set times, with the rights of the schedule’s owner."
      query={useInfiniteQuery(schedulesQuery)}
      errorTitle="The schedules could not be loaded."
      endText="End of list"
      empty={{
        icon: CalendarClock,
        title: "No schedules yet",
        description: "A schedule runs a skill automatically: every hour, every morning, or by a cron expression.",
        withCreate: true,
      }}
      create="New schedule"
      dialog={(schedule, close) => <ScheduleForm schedule={schedule} onDone={close} />}
    >
      {(schedules, edit) => (
        <DataTable label="Schedules" rows={schedules} rowId={({ id }) => id} columns={scheduleColumns(edit)} />
      )}
    </ListSection>
  );
}

function scheduleColumns(edit: (schedule: Schedule) => void): readonly Column<Schedule>[] {
  return [
    {
      id: "switch",
      header: <span className="sr-only">On or off</span>,
      cellClassName: "w-12 py-2",
      cell: (schedule) => <ScheduleSwitch schedule={schedule} />,
    },
    {
      header: "Schedule",
      cellClassName: "max-w-56 py-2 max-md:max-w-40",
      cell: (schedule) => <NameAndSkill schedule={schedule} />,
    },
    {
      header: "Times",
      className: "max-md:hidden",
      cell: ({ cron, timeZone }) => (
        <>
          <span className="block">{describeCron(cron)}</span>
          <span className="block text-muted-foreground text-xs">
            <code className="font-mono">{cron}</code> {timeZone}
          </span>
        </>
      ),
    },
    {
      header: "Next run",
      className: "max-md:hidden",
      cell: ({ nextAt, timeZone }) =>
        nextAt === null ? (
          <span className="text-muted-foreground">–</span>
        ) : (
          <>
            <RelativeTime value={nextAt} className="block" />
            <span className="block text-muted-foreground text-xs">{formatInZone(nextAt, timeZone)}</span>
          </>
        ),
    },
    { header: "Last run", cellClassName: "max-w-64", cell: (schedule) => <LastOutcome schedule={schedule} /> },
    { header: "Overlap", muted: true, className: "max-lg:hidden", cell: ({ overlap }) => overlapShortLabels[overlap] },
    actionsColumn((schedule) => <ScheduleMenu schedule={schedule} onEdit={() => edit(schedule)} />),
  ];
}

function NameAndSkill({ schedule: { name, skill, cron, needsConfirmation } }: { schedule: Schedule }) {
  return (
    <>
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
        <span className="block text-muted-foreground text-xs">Skill deleted</span>
      )}
      <span className="block text-muted-foreground text-xs md:hidden">{describeCron(cron)}</span>
      {needsConfirmation ? <Badge tone="warning">Needs your confirmation</Badge> : null}
    </>
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
        <span className="text-muted-foreground">Never</span>
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
  const change = useAction((enabled: boolean) => updateSchedule(schedule.id, { enabled }), {
    refresh: [schedulesKey],
    failed: `${schedule.name} was not changed.`,
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

function ScheduleMenu({ schedule, onEdit }: { schedule: Schedule; onEdit: () => void }) {
  const { you, name, id } = schedule;
  const router = useRouter();
  const { toast } = useToast();
  const [question, setQuestion] = useState<"delete" | "confirm" | null>(null);
  const refresh = [schedulesKey];
  const run = useAction(() => runSchedule(id), {
    refresh,
    onDone: (started) =>
      toast({
        title: `${name} was started.`,
        tone: "success",
        action: { label: "Open run", onClick: () => router.push(`/runs/${started.id}`) },
      }),
    failed: `${name} was not started.`,
  });
  const answer = useAction(
    async () => {
      if (question === "delete") await deleteSchedule(id);
      else await updateSchedule(id, { confirm: true });
    },
    { refresh },
  );
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
              <DropdownMenuItem onSelect={onEdit}>Edit</DropdownMenuItem>
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
            ? `${schedule.skill?.name} is mutating. You confirm all runs with these arguments, until the version of the skill changes.`
            : "It starts no more runs. Past runs and their results stay."
        }
        confirmLabel={question === "confirm" ? "Confirm runs" : "Delete schedule"}
        tone={question === "confirm" ? "primary" : "danger"}
        onConfirm={() => answer.mutateAsync()}
      />
    </>
  );
}
