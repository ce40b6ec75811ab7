"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ZodError } from "zod";
import { useAction } from "@/components/forms/use-action";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { formatLimit } from "@/components/ui/format-time";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import { ApiError } from "@/lib/client/api";
import { type Setting, settingsQuery, updateSettings } from "@/lib/client/settings";
import { settingLabel } from "./setting-label";

type SettingGroupFormProps = { id: string; title: string; description: string; settings: readonly Setting[] };

/** What was typed or switched and not saved yet: text for fields, true or false for switches. */
type Draft = Readonly<Record<string, string | boolean>>;

/** Settings that belong together, saved with one request and one audit event. */
export function SettingGroupForm({ id, title, description, settings }: SettingGroupFormProps) {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<Draft>({});
  const changed = settings.filter(({ key, value }) => key in draft && String(draft[key]) !== String(value));
  const send = async () => {
    const { PatchSettingsInput } = await import("@/lib/settings/schema");
    return updateSettings(PatchSettingsInput.parse(patchOf(changed, draft)));
  };
  const save = useAction(send, {
    onDone: (answer) => {
      queries.setQueryData(settingsQuery.queryKey, answer);
      setDraft({});
    },
    done: `${title} saved.`,
  });
  const problems = save.error ? problemsOf(save.error) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (changed.length > 0) save.mutate();
  };
  const discard = () => {
    setDraft({});
    save.reset();
  };
  return (
    <div id={id} tabIndex={-1}>
      <Section title={title} description={description}>
        <form noValidate aria-label={title} onSubmit={submit} className="rounded-md border">
          <ul className="divide-y">
            {settings.map((setting) => (
              <SettingRow
                key={setting.key}
                setting={setting}
                value={
                  draft[setting.key] ?? (setting.type === "boolean" ? setting.value === true : String(setting.value))
                }
                problem={problems?.fields[setting.key]}
                onChange={(value) => setDraft((before) => ({ ...before, [setting.key]: value }))}
              />
            ))}
          </ul>
          {problems?.general ? (
            <Notice tone="danger" announce className="mx-4 mb-3">
              {problems.general}
            </Notice>
          ) : null}
          {changed.length > 0 ? (
            <div className="flex items-center justify-end gap-2 border-t bg-muted px-4 py-2.5">
              <span className="mr-auto text-13 text-muted-foreground">
                {changed.length} {changed.length === 1 ? "change" : "changes"} not saved
              </span>
              <Button variant="ghost" onClick={discard} disabled={save.isPending}>
                Discard
              </Button>
              <Button type="submit" variant="primary" pending={save.isPending}>
                Save
              </Button>
            </div>
          ) : null}
        </form>
      </Section>
    </div>
  );
}

type SettingRowProps = {
  setting: Setting;
  value: string | boolean;
  problem: string | undefined;
  onChange: (value: string | boolean) => void;
};

function SettingRow({ setting, value, problem, onChange }: SettingRowProps) {
  const { key, description } = setting;
  const isNumber = isNumeric(setting);
  const describedBy = problem ? `${key}-error ${key}-help` : `${key}-help`;
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-48 flex-1 text-13">
        <label htmlFor={key} className="font-medium">
          {settingLabel(key)}
        </label>
        <p id={`${key}-help`} className="text-muted-foreground text-xs leading-4">
          {description} Default: {defaultText(setting)}.
        </p>
      </div>
      <div className="flex max-w-full flex-col items-end gap-1">
        {typeof value === "boolean" ? (
          <Switch id={key} aria-describedby={describedBy} checked={value} onCheckedChange={onChange} />
        ) : (
          <Input
            id={key}
            value={value}
            inputMode={isNumber ? "numeric" : "text"}
            aria-describedby={describedBy}
            aria-invalid={problem ? true : undefined}
            onChange={({ target }) => onChange(target.value)}
            className={isNumber ? "w-28 text-right tabular-nums" : "w-64"}
          />
        )}
        <p id={`${key}-error`} role="alert" className="max-w-64 text-13 text-danger empty:hidden">
          {problem}
        </p>
      </div>
    </li>
  );
}

function isNumeric({ type }: Setting): boolean {
  return type === "integer" || type === "number";
}

function defaultText({ key, default: value }: Setting): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number" && key.endsWith("Seconds")) return formatLimit(value);
  return value === "" ? "empty" : String(value);
}

function patchOf(changed: readonly Setting[], draft: Draft): Record<string, unknown> {
  const typedValue = (setting: Setting) => {
    const value = draft[setting.key];
    if (!isNumeric(setting)) return value;
    // An empty field is no number, and Number would make it 0.
    return value === "" ? Number.NaN : Number(value);
  };
  return Object.fromEntries(changed.map((setting) => [setting.key, typedValue(setting)]));
}

/** Problems by setting, and what belongs to none. */
type Problems = { fields: Record<string, string>; general: string | null };

function problemsOf(error: Error): Problems {
  const found = isZodError(error)
    ? error.issues.map((issue) => [String(issue.path[0] ?? ""), issueText(issue)] as const)
    : error instanceof ApiError
      ? error.errors.map(({ path, message }) => [path, sentenceOf(message)] as const)
      : [];
  const fields: Record<string, string> = {};
  for (const [key, text] of found) if (key !== "") fields[key] ??= text;
  return { fields, general: Object.keys(fields).length > 0 ? null : errorText(error) };
}

function isZodError(error: Error): error is ZodError {
  return error.name === "ZodError";
}

function issueText(issue: ZodError["issues"][number]): string {
  const unit = "origin" in issue && issue.origin === "string" ? " characters" : "";
  if (issue.code === "too_big") return `Enter at most ${issue.maximum}${unit}.`;
  if (issue.code === "too_small") return `Enter at least ${issue.minimum}${unit}.`;
  return issue.code === "invalid_type" ? "Enter a whole number." : sentenceOf(issue.message);
}

/** Field messages of the server are fragments such as "must be names of groups, separated by commas". */
function sentenceOf(message: string): string {
  return /^\p{Ll}/u.test(message) ? `This setting ${message.replace(/\.$/, "")}.` : message;
}
