"use client";

import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { useId, useReducer, useState } from "react";
import { EndOfList } from "@/components/lists/end-of-list";
import { changeDraft, startDraft } from "@/components/runs/args-draft";
import { ArgsPanel } from "@/components/runs/args-panel";
import { useEdgeChoices } from "@/components/runs/use-edge-choices";
import { argErrorsOf } from "@/components/schema-form/error-schema";
import { Page } from "@/components/shell/page";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { useDebounced } from "@/components/state/use-debounced";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { ActionsHeader, Table, TableBody, TableHead, TableHeader } from "@/components/ui/table";
import { ApiError } from "@/lib/client/api";
import {
  createSchedule,
  Overlap,
  type Schedule,
  schedulesKey,
  schedulesQuery,
  updateSchedule,
} from "@/lib/client/schedules";
import { skillQuery, skillsQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { CronField } from "./cron-field";
import { overlapWords } from "./overlap-labels";
import { ScheduleRow } from "./schedule-row";
import { localTimeZone } from "./time-zones";

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

type ScheduleDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What is changed; null for a new one. */
  schedule: Schedule | null;
};

function ScheduleDialog({ open, onOpenChange, schedule }: ScheduleDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <ScheduleForm schedule={schedule} onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function ScheduleForm({ schedule, onDone }: { schedule: Schedule | null; onDone: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(schedule?.name ?? "");
  const [skillName, setSkillName] = useState("");
  const [when, setWhen] = useState({
    cron: schedule?.cron ?? "0 9 * * *",
    timeZone: schedule?.timeZone ?? localTimeZone(),
  });
  const [overlap, setOverlap] = useState<Overlap>(schedule?.overlap ?? "skip");
  const [catchUp, setCatchUp] = useState(schedule?.catchUp ?? false);
  const [confirmed, setConfirmed] = useState(false);
  const [draft, dispatch] = useReducer(changeDraft, startDraft(schedule?.args ?? {}));
  const asked = useDebounced(schedule?.skill?.id ?? skillName.trim(), 250);
  const skill = useQuery({ ...skillQuery(asked), enabled: asked !== "", retry: false }).data;
  const save = useMutation({
    mutationFn: () => {
      const terms = {
        name,
        ...when,
        overlap,
        catchUp,
        args: draft.value,
        ...(confirmed ? { confirm: true as const } : {}),
      };
      return schedule === null
        ? createSchedule({ ...terms, skill: skill?.id ?? skillName })
        : updateSchedule(schedule.id, terms);
    },
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: schedulesKey });
    },
  });
  const error = save.error instanceof ApiError ? save.error : null;
  const argErrors = error ? argErrorsOf(error) : [];
  const fieldErrors = ["name", "skill", "cron", "timeZone"].map((field) => error?.fieldError(field)).filter(Boolean);
  return (
    <FormDialogContent
      size="lg"
      title={schedule === null ? "New schedule" : `Change ${schedule.name}`}
      description="It runs with your rights, as they are when it is due."
      action={schedule === null ? "Create schedule" : "Save schedule"}
      pending={save.isPending}
      disabled={draft.problem !== null}
      onSubmit={() => save.mutate()}
    >
      <Field label="Name" required error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      {schedule === null ? (
        <SkillField value={skillName} onChange={setSkillName} error={error?.fieldError("skill")} />
      ) : null}
      {skill ? <Args skill={skill} draft={draft} dispatch={dispatch} errors={argErrors} /> : null}
      <CronField {...when} onChange={(change) => setWhen({ ...when, ...change })} />
      <Field label="When the run before it has not ended">
        <Select
          value={overlap}
          onChange={({ target }) => setOverlap(Overlap.parse(target.value))}
          options={Overlap.options.map((value) => ({ value, label: overlapWords[value] }))}
        />
      </Field>
      <Choice checked={catchUp} onChange={setCatchUp}>
        Run once when times were missed while the server was down
      </Choice>
      {skill?.class === "mutating" ? (
        <Choice checked={confirmed} onChange={setConfirmed}>
          {skill.label ?? skill.name} changes things: I confirm its runs, until its version or the arguments change
        </Choice>
      ) : null}
      {skill?.class === "dangerous" ? (
        <Notice tone="warning">It is dangerous: each of its runs waits until it is signed.</Notice>
      ) : null}
      {save.error && fieldErrors.length === 0 ? (
        <Notice tone="danger" announce title="The schedule was not saved">
          {errorText(save.error)}
        </Notice>
      ) : null}
    </FormDialogContent>
  );
}

type ArgsProps = { skill: Skill } & Pick<Parameters<typeof ArgsPanel>[0], "draft" | "dispatch" | "errors">;

function Args({ skill, ...panel }: ArgsProps) {
  const schema = useEdgeChoices(skill, skill.callSchema ?? { type: "object" });
  return <ArgsPanel schema={schema} {...panel} />;
}

type ChoiceProps = { checked: boolean; onChange: (checked: boolean) => void; children: React.ReactNode };

function Choice({ checked, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <span className="flex items-start gap-2">
      <Checkbox id={id} checked={checked} onCheckedChange={(on) => onChange(on === true)} className="mt-0.5" />
      <Label htmlFor={id} className="font-normal">
        {children}
      </Label>
    </span>
  );
}

type SkillFieldProps = { value: string; onChange: (value: string) => void; error: string | undefined };

/** A skill by name, with those that can be run suggested while typing. */
function SkillField({ value, onChange, error }: SkillFieldProps) {
  const listId = useId();
  const q = useDebounced(value.trim(), 250);
  const found = useInfiniteQuery(skillsQuery({ enabled: true, ...(q === "" ? {} : { q }) }));
  const skills =
    found.data?.pages.flatMap((page) => page.items).filter((skill) => skill.runnable && skill.userInvocable) ?? [];
  return (
    <>
      <Field label="Skill" required error={error} help="Type to search the skills that can be run.">
        <Input
          list={listId}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
      <datalist id={listId}>
        {skills.map((skill) => (
          <option key={skill.id} value={skill.name}>
            {skill.label ?? skill.description}
          </option>
        ))}
      </datalist>
    </>
  );
}
