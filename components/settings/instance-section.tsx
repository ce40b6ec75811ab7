"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { ZodError } from "zod";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { useAction } from "@/components/forms/use-action";
import { errorText } from "@/components/state/describe-error";
import { QueryState } from "@/components/state/query-state";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { Switch } from "@/components/ui/switch";
import { ApiError } from "@/lib/client/api";
import { meQuery } from "@/lib/client/me";
import { type Setting, settingsQuery, updateSettings } from "@/lib/client/settings";
import { PatchSettingsInput } from "@/lib/settings/schema";
import { settingLabel } from "./setting-label";

export function InstanceSection() {
  const query = useQuery(settingsQuery);
  return (
    <QueryState query={query} skeletonRows={6} errorTitle="The settings could not be loaded.">
      {({ values, settings }) => (
        <>
          <SoloMode isOn={values.soloMode} />
          <Section title="Server settings" description="Changes apply from the next request.">
            <ul className="divide-y rounded-md border">
              {settings
                .filter(({ key }) => key !== "soloMode")
                .map((setting) => (
                  <SettingRow key={setting.key} setting={setting} />
                ))}
            </ul>
          </Section>
        </>
      )}
    </QueryState>
  );
}

/** Whether one person alone may import, approve and run a skill. */
function SoloMode({ isOn }: { isOn: boolean }) {
  const queries = useQueryClient();
  return (
    <Section
      title={
        <span className="flex items-center gap-2">
          Solo mode <Badge tone={isOn ? "warning" : "success"}>{isOn ? "On" : "Off"}</Badge>
        </span>
      }
      actions={
        <ConfirmButton
          size="md"
          title={isOn ? "Switch solo mode off?" : "Switch solo mode on?"}
          description={isOn ? explainOff : explainOn}
          confirmLabel={isOn ? "Switch solo mode off" : "Switch solo mode on"}
          tone={isOn ? "primary" : "danger"}
          onConfirm={() => updateSettings({ soloMode: !isOn })}
          onDone={(answer) => queries.setQueryData(settingsQuery.queryKey, answer)}
          refresh={[meQuery.queryKey]}
        >
          {isOn ? "Switch off" : "Switch on"}
        </ConfirmButton>
      }
    >
      <div className="prose max-w-prose text-13">
        {isOn ? (
          <p>
            One person may import a skill, approve it and confirm its runs. Each of these approvals is marked. Switch
            solo mode off when a second reviewer has joined.
          </p>
        ) : (
          <p>
            Reviewers cannot approve versions that they wrote or imported. Dangerous skills need two other people, for
            each version and for each run.
          </p>
        )}
      </div>
    </Section>
  );
}

const explainOff =
  "From now on, a reviewer other than the author must approve each version, and two must approve a dangerous one. A single reviewer cannot approve their own versions. Existing approvals stay valid. The audit log records this change.";

const explainOn =
  "From now on, one person can approve and run the skills they imported, even dangerous ones. The audit log records this change, and a banner shows it.";

function SettingRow({ setting }: { setting: Setting }) {
  const id = useId();
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-2 px-4 py-3">
      <div className="min-w-48 flex-1 text-13">
        <label htmlFor={id} className="font-medium">
          {settingLabel(setting.key)}
        </label>
        <p id={`${id}-help`} className="text-muted-foreground text-xs leading-4">
          {setting.description} {setting.value === setting.default ? null : <>Default: {String(setting.default)}.</>}
        </p>
      </div>
      {setting.type === "boolean" ? (
        <SwitchSetting id={id} setting={setting} />
      ) : (
        <TextSetting key={String(setting.value)} id={id} setting={setting} />
      )}
    </li>
  );
}

function useSave(setting: Setting, failed?: string) {
  const queries = useQueryClient();
  return useAction((value: unknown) => updateSettings(PatchSettingsInput.parse({ [setting.key]: value })), {
    onDone: (answer) => queries.setQueryData(settingsQuery.queryKey, answer),
    done: `${settingLabel(setting.key)} saved.`,
    failed,
  });
}

type ControlProps = { id: string; setting: Setting };

function SwitchSetting({ id, setting }: ControlProps) {
  const save = useSave(setting, `${settingLabel(setting.key)} was not saved.`);
  return (
    <Switch
      id={id}
      aria-describedby={`${id}-help`}
      checked={setting.value === true}
      disabled={save.isPending}
      onCheckedChange={(value) => save.mutate(value)}
    />
  );
}

function TextSetting({ id, setting }: ControlProps) {
  const save = useSave(setting);
  const [text, setText] = useState(String(setting.value));
  const isNumber = setting.type === "integer" || setting.type === "number";
  const isChanged = text !== String(setting.value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) save.mutate(isNumber ? Number(text) : text);
  };
  const problem = save.error ? problemText(save.error) : null;
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <Input
          id={id}
          value={text}
          inputMode={isNumber ? "numeric" : "text"}
          aria-describedby={`${id}-help ${id}-error`}
          aria-invalid={problem ? true : undefined}
          onChange={({ target }) => setText(target.value)}
          className={isNumber ? "w-28 text-right tabular-nums" : "w-56"}
        />
        <Button type="submit" pending={save.isPending} disabled={!isChanged}>
          Save
        </Button>
      </div>
      <p id={`${id}-error`} role="alert" className="text-13 text-danger empty:hidden">
        {problem}
      </p>
    </form>
  );
}

function problemText(error: Error): string {
  if (error instanceof ApiError) return error.errors[0] ? sentenceOf(error.errors[0].message) : errorText(error);
  return error instanceof ZodError ? issueText(error) : errorText(error);
}

function issueText({ issues: [issue] }: ZodError): string {
  const unit = issue && "origin" in issue && issue.origin === "string" ? " characters" : "";
  if (issue?.code === "too_big") return `Enter at most ${issue.maximum}${unit}.`;
  if (issue?.code === "too_small") return `Enter at least ${issue.minimum}${unit}.`;
  return issue?.code === "invalid_type"
    ? "Enter a whole number."
    : sentenceOf(issue?.message ?? "must be another value");
}

/** Field messages of the server are fragments such as "must be names of groups, separated by commas". */
function sentenceOf(message: string): string {
  return /^\p{Ll}/u.test(message) ? `This setting ${message.replace(/\.$/, "")}.` : message;
}
