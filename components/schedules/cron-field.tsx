"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { useDebounced } from "@/components/state/use-debounced";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import { previewQuery } from "@/lib/client/schedules";
import { type CronChoice, type CronPreset, readCron, readTime, WEEKDAYS, writeCron, writeTime } from "./cron-presets";
import { formatInZone, localTimeZone, timeZones } from "./time-zones";

const presets: { value: CronPreset; label: string }[] = [
  { value: "hourly", label: "Hourly" },
  { value: "daily", label: "Daily" },
  { value: "weekdays", label: "Weekdays" },
  { value: "weekly", label: "Weekly" },
  { value: "monthly", label: "Monthly" },
  { value: "custom", label: "Custom" },
];
const weekdays = [1, 2, 3, 4, 5, 6, 0].map((day) => ({ value: String(day), label: WEEKDAYS[day] ?? "" }));
const monthDays = Array.from({ length: 31 }, (_, index) => ({ value: String(index + 1), label: String(index + 1) }));
const settleMs = 300;

type CronFieldProps = {
  cron: string;
  timeZone: string;
  onChange: (change: { cron?: string; timeZone?: string }) => void;
};

/** A preset or cron expression and a time zone, with a preview of the next runs. */
export function CronField({ cron, timeZone, onChange }: CronFieldProps) {
  const choice = readCron(cron);
  const [isCustom, setCustom] = useState(choice.preset === "custom");
  const preset = isCustom ? "custom" : choice.preset;
  const preview = useQuery(previewQuery(useDebounced(cron, settleMs), timeZone));
  const error = preview.error instanceof ApiError ? preview.error : null;
  const write = (change: Partial<CronChoice>) => onChange({ cron: writeCron({ ...choice, ...change }) });
  const choose = (value: CronPreset) => {
    setCustom(value === "custom");
    if (value !== "custom") write({ preset: value });
  };
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-medium text-sm">Times</legend>
      <div className="grid gap-4 md:grid-cols-2">
        <Field label="Repeats">
          <Select
            options={presets}
            value={preset}
            onChange={({ target }) => choose(presets.find(({ value }) => value === target.value)?.value ?? "custom")}
          />
        </Field>
        <PresetFields preset={preset} choice={choice} onChange={write} />
        {preset === "custom" ? (
          <Field
            label="Cron expression"
            required
            error={error?.fieldError("cron")}
            help="Minute, hour, day of month, month, day of week, e.g. 30 6 * * 1-5"
          >
            <Input
              className="font-mono"
              spellCheck={false}
              autoComplete="off"
              value={cron}
              onChange={({ target }) => onChange({ cron: target.value })}
            />
          </Field>
        ) : null}
        <Field label="Time zone" error={error?.fieldError("timeZone")}>
          <Select
            options={timeZones(timeZone).map((zone) => ({ value: zone, label: zone }))}
            value={timeZone}
            onChange={({ target }) => onChange({ timeZone: target.value })}
          />
        </Field>
      </div>
      <div aria-live="polite" className="min-h-28">
        {preview.error && (error?.errors.length ?? 0) === 0 ? (
          <Notice tone="danger">{errorText(preview.error)}</Notice>
        ) : null}
        {preview.data && !preview.error ? <NextRuns times={preview.data.next} timeZone={timeZone} /> : null}
        {preview.data?.next.length === 0 && !preview.error ? (
          <Notice tone="warning">This schedule has no future run. Change the times.</Notice>
        ) : null}
      </div>
    </fieldset>
  );
}

type PresetFieldsProps = { preset: CronPreset; choice: CronChoice; onChange: (change: Partial<CronChoice>) => void };

function PresetFields({ preset, choice, onChange }: PresetFieldsProps) {
  if (preset === "custom") return null;
  if (preset === "hourly") {
    return (
      <Field label="Minute">
        <Input
          type="number"
          min={0}
          max={59}
          value={choice.minute}
          onChange={({ target }) => onChange({ minute: Math.min(59, Math.max(0, Math.trunc(Number(target.value)))) })}
        />
      </Field>
    );
  }
  return (
    <>
      {preset === "weekly" ? (
        <Field label="Day">
          <Select
            options={weekdays}
            value={String(choice.weekday)}
            onChange={({ target }) => onChange({ weekday: Number(target.value) })}
          />
        </Field>
      ) : null}
      {preset === "monthly" ? (
        <Field label="Day of month" help={choice.day > 28 ? "Months without this day are skipped." : undefined}>
          <Select
            options={monthDays}
            value={String(choice.day)}
            onChange={({ target }) => onChange({ day: Number(target.value) })}
          />
        </Field>
      ) : null}
      <Field label="Time">
        <Input
          type="time"
          value={writeTime(choice)}
          onChange={({ target }) => {
            const time = readTime(target.value);
            if (time !== null) onChange(time);
          }}
        />
      </Field>
    </>
  );
}

/** The next runs in the schedule's time zone and, if different, in the reader's. */
function NextRuns({ times, timeZone }: { times: readonly string[]; timeZone: string }) {
  const local = localTimeZone();
  const isLocal = local === timeZone;
  return (
    <ol aria-label="Next runs" className="flex flex-col gap-1 text-13 tabular-nums">
      {times.map((time) => (
        <li key={time} className="flex flex-wrap gap-x-2">
          <time dateTime={time}>{formatInZone(time, timeZone)}</time>
          {isLocal ? null : <span className="text-muted-foreground">{formatInZone(time, local)} your time</span>}
        </li>
      ))}
    </ol>
  );
}
