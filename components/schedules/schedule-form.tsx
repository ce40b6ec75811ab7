import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useId, useReducer } from "react";
import { type Control, type FieldPath, type FieldValues, useWatch } from "react-hook-form";
import { CheckboxField, FormDialog, SelectField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { itemsOf } from "@/components/lists/list-section";
import { changeDraft, startDraft } from "@/components/runs/start/args-draft";
import { ArgsPanel } from "@/components/runs/start/args-panel";
import { useEdgeChoices } from "@/components/runs/start/use-edge-choices";
import { argErrorsOf } from "@/components/schema-form/error-schema";
import { useDebounced } from "@/components/state/use-debounced";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";
import { createSchedule, type Overlap, type Schedule, schedulesKey, updateSchedule } from "@/lib/client/schedules";
import { skillQuery, skillsQuery } from "@/lib/client/skills";
import type { Skill } from "@/lib/skills/schema";
import { CronField } from "./cron-field";
import { localTimeZone } from "./time-zones";

const overlapLabels: Record<Overlap, string> = {
  skip: "Skip the run",
  queue: "Wait for the previous run",
  cancel_previous: "Cancel the previous run",
};

/** Creates a schedule (null) or edits one. */
export function ScheduleForm({ schedule, onDone }: { schedule: Schedule | null; onDone: () => void }) {
  const [draft, dispatch] = useReducer(changeDraft, startDraft(schedule?.args ?? {}));
  const form = useApiForm({
    values: {
      name: schedule?.name ?? "",
      skill: "",
      cron: schedule?.cron ?? "0 9 * * *",
      timeZone: schedule?.timeZone ?? localTimeZone(),
      overlap: schedule?.overlap ?? ("skip" as Overlap),
      catchUp: schedule?.catchUp ?? false,
      confirm: false,
    },
    send: ({ skill: typed, confirm, ...values }) => {
      const terms = { ...values, args: draft.value, ...(confirm ? { confirm: true as const } : {}) };
      return schedule === null
        ? createSchedule({ ...terms, skill: skill?.id ?? typed })
        : updateSchedule(schedule.id, terms);
    },
    refresh: [schedulesKey],
    onDone,
  });
  const values = form.watch();
  const asked = useDebounced(schedule?.skill?.id ?? values.skill.trim(), 250);
  const skill: Skill | undefined = useQuery({ ...skillQuery(asked), enabled: asked !== "", retry: false }).data;
  return (
    <FormDialog
      form={form}
      size="lg"
      title={schedule === null ? "New schedule" : `Edit ${schedule.name}`}
      description="Each run uses the rights that you have at that time."
      action={schedule === null ? "Create schedule" : "Save schedule"}
      disabled={draft.problem !== null}
      failureTitle="The schedule was not saved"
    >
      <TextField form={form} name="name" label="Name" required maxLength={100} />
      {schedule === null ? <SkillField form={form} /> : null}
      {skill ? (
        <Args
          skill={skill}
          draft={draft}
          dispatch={dispatch}
          errors={form.error instanceof ApiError ? argErrorsOf(form.error) : []}
        />
      ) : null}
      <CronField
        cron={values.cron}
        timeZone={values.timeZone}
        onChange={({ cron, timeZone }) => {
          if (cron !== undefined) form.setValue("cron", cron);
          if (timeZone !== undefined) form.setValue("timeZone", timeZone);
        }}
      />
      <SelectField
        form={form}
        name="overlap"
        label="If the previous run is still active"
        options={Object.entries(overlapLabels).map(([value, label]) => ({ value, label }))}
      />
      <CheckboxField form={form} name="catchUp" label="Run once after the server missed scheduled times" />
      {skill?.class === "mutating" ? (
        <CheckboxField
          form={form}
          name="confirm"
          label={`${skill.label ?? skill.name} is mutating: I confirm its runs until its version or the arguments change`}
        />
      ) : null}
      {skill?.class === "dangerous" ? (
        <Notice tone="warning">This skill is dangerous: each run waits for approval.</Notice>
      ) : null}
    </FormDialog>
  );
}

type ArgsProps = { skill: Skill } & Pick<Parameters<typeof ArgsPanel>[0], "draft" | "dispatch" | "errors">;

function Args({ skill, ...panel }: ArgsProps) {
  const schema = useEdgeChoices(skill, skill.callSchema ?? { type: "object" });
  return <ArgsPanel schema={schema} {...panel} />;
}

/** A skill by name, with suggestions of runnable skills. */
function SkillField<Values extends FieldValues>({ form }: { form: { control: Control<Values> } }) {
  const name = "skill" as FieldPath<Values>;
  const value: string = useWatch({ control: form.control, name });
  const listId = useId();
  const q = useDebounced(value.trim(), 250);
  const found = useInfiniteQuery(skillsQuery({ enabled: true, ...(q === "" ? {} : { q }) }));
  const skills = itemsOf(found.data).filter((skill) => skill.runnable && skill.userInvocable);
  return (
    <>
      <TextField
        form={form}
        name={name}
        label="Skill"
        required
        help="Type to search runnable skills."
        list={listId}
        spellCheck={false}
      />
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
