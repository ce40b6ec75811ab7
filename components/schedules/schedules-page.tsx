"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { useState } from "react";
import { EndOfList } from "@/components/runs/end-of-list";
import { Page } from "@/components/shell/page";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ActionsHeader, Table, TableBody, TableHead, TableHeader } from "@/components/ui/table";
import { type Schedule, schedulesQuery } from "@/lib/client/schedules";
import { ScheduleDialog } from "./schedule-dialog";
import { ScheduleRow } from "./schedule-row";

/** Skills that run at times. */
export function SchedulesPage() {
  const query = useInfiniteQuery(schedulesQuery);
  const schedules = query.data?.pages.flatMap((page) => page.items) ?? [];
  const [edited, setEdited] = useState<Schedule | "new" | null>(null);
  const add = (
    <Button variant="primary" onClick={() => setEdited("new")}>
      New schedule
    </Button>
  );
  const isEmpty = query.data !== undefined && schedules.length === 0;
  return (
    <Page
      title="Schedules"
      description="Skills that run at set times, with the rights of whoever made the schedule."
      actions={isEmpty ? undefined : add}
    >
      <QueryState
        query={query}
        errorTitle="The schedules could not be loaded."
        isEmpty={() => schedules.length === 0}
        empty={
          <EmptyState
            icon={CalendarClock}
            title="Nothing is scheduled yet"
            description="A schedule runs a skill by itself: each hour, each morning, or whenever a cron expression says."
            action={add}
          />
        }
      >
        {() => (
          <div>
            <ScheduleTable schedules={schedules} onEdit={setEdited} />
            <EndOfList query={query} endText="That is every schedule." />
          </div>
        )}
      </QueryState>
      <ScheduleDialog
        open={edited !== null}
        onOpenChange={(open) => !open && setEdited(null)}
        schedule={edited === "new" ? null : edited}
      />
    </Page>
  );
}

function ScheduleTable({
  schedules,
  onEdit,
}: {
  schedules: readonly Schedule[];
  onEdit: (schedule: Schedule) => void;
}) {
  return (
    <Table label="Schedules">
      <TableHead>
        <tr>
          <TableHeader>
            <span className="sr-only">On or off</span>
          </TableHeader>
          <TableHeader>Schedule</TableHeader>
          <TableHeader className="max-md:hidden">When</TableHeader>
          <TableHeader className="max-md:hidden">Next</TableHeader>
          <TableHeader>Last</TableHeader>
          <TableHeader className="max-lg:hidden">Overlap</TableHeader>
          <ActionsHeader />
        </tr>
      </TableHead>
      <TableBody>
        {schedules.map((schedule) => (
          <ScheduleRow key={schedule.id} schedule={schedule} onEdit={() => onEdit(schedule)} />
        ))}
      </TableBody>
    </Table>
  );
}
