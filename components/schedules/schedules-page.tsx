"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { DataTable } from "@/components/lists/data-table";
import { ListSection } from "@/components/lists/list-section";
import { deferred } from "@/components/ui/deferred/deferred";
import { schedulesQuery } from "@/lib/client/schedules";
import { scheduleColumns } from "./schedule-columns";

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
