"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { type ReactNode, useState } from "react";
import { RevealedText } from "@/components/code/hidden-notice";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { type UrlPatch, useUrlParams } from "@/components/state/use-url-params";
import { Checkbox } from "@/components/ui/checkbox";
import { CodeBlock } from "@/components/ui/code-block";
import { Field, Label } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Section } from "@/components/ui/section";
import { SegmentedControl } from "@/components/ui/segmented-control";
import { Select, type SelectOption } from "@/components/ui/select";
import type { AgentView as View } from "@/lib/agent/preamble/schema";
import { type AgentViewChoice, agentViewQuery } from "@/lib/client/agents";
import { personasQuery } from "@/lib/client/personas";
import { tokensQuery } from "@/lib/client/tokens";
import { BudgetMeter } from "./budget-meter";
import { OfferedTools } from "./offered-tools";

const formats = [
  { value: "xml", label: "XML" },
  { value: "markdown", label: "Markdown" },
  { value: "json", label: "JSON" },
] as const;

const modes = [
  { value: "summary", label: "All" },
  { value: "names", label: "Names" },
  { value: "off", label: "None" },
] as const;

type SettledFieldProps = { label: string; help: string; value: string; onChange: (value: string) => void };

export function AgentView() {
  const [params, setParams] = useUrlParams();
  const choice = readViewChoice(params);
  const query = useQuery(agentViewQuery(choice));
  return (
    <>
      <ViewChoices choice={choice} onChange={setParams} />
      <QueryState query={query} errorTitle="The agent view could not be loaded.">
        {(view) => (
          <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <Preamble view={view} isOff={choice.mode === "off"} />
            <div className="flex min-w-0 flex-col gap-6">
              <BudgetMeter budget={view.budget} />
              <HiddenSkills hidden={view.hidden} />
            </div>
            <OfferedTools view={view} className="lg:col-span-2" />
          </div>
        )}
      </QueryState>
    </>
  );
}

function Preamble({ view: { preamble, skills }, isOff }: { view: View; isOff: boolean }) {
  return (
    <Section
      title="Skill list"
      description={
        skills === 1
          ? "1 skill, exactly as the agent receives it at the start (its preamble)."
          : `${skills} skills, exactly as the agent receives them at the start (its preamble).`
      }
      className="min-w-0"
    >
      {preamble.trim() === "" ? (
        <p className="rounded-md border px-4 py-6 text-13 text-muted-foreground">
          {isOff ? (
            "The list is off. The agent finds skills with list_skills."
          ) : (
            <>
              No skill is offered. Skills appear here once they are approved and switched on in{" "}
              <Link href="/skills" className="text-primary hover:underline">
                My skills
              </Link>
              .
            </>
          )}
        </p>
      ) : (
        <CodeBlock code={preamble} label="Preamble" wrap className="max-h-[32rem]" />
      )}
    </Section>
  );
}

function readViewChoice(params: URLSearchParams): AgentViewChoice {
  const text = (key: "persona" | "capabilities" | "message") => {
    const value = params.get(key);
    return value ? { [key]: value } : {};
  };
  return {
    ...text("persona"),
    ...text("capabilities"),
    ...text("message"),
    ...(params.get("saves") === "true" ? { saves: "true" } : {}),
    format: formats.find(({ value }) => value === params.get("format"))?.value ?? "xml",
    mode: modes.find(({ value }) => value === params.get("mode"))?.value ?? "summary",
  };
}

function ViewChoices({ choice, onChange }: { choice: AgentViewChoice; onChange: (patch: UrlPatch) => void }) {
  const personas = usePersonaOptions(choice.persona);
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-3">
      <div className="w-38 max-md:w-full">
        <Field label="Persona">
          <Select
            value={choice.persona ?? ""}
            onChange={({ target }) => onChange({ persona: target.value })}
            options={personas}
          />
        </Field>
      </div>
      <div className="w-40 max-md:w-full">
        <SettledField
          label="Client capabilities"
          help="Such as shell.exec"
          value={choice.capabilities ?? ""}
          onChange={(capabilities) => onChange({ capabilities })}
        />
      </div>
      <div className="w-40 max-md:w-full">
        <SettledField
          label="Message"
          help="Its keywords offer skills"
          value={choice.message ?? ""}
          onChange={(message) => onChange({ message })}
        />
      </div>
      <Labelled text="Format">
        <SegmentedControl
          label="Format"
          value={choice.format}
          onValueChange={(format) => onChange({ format: format === "xml" ? null : format })}
          options={formats}
        />
      </Labelled>
      <Labelled text="Skills listed">
        <SegmentedControl
          label="Detail"
          value={choice.mode}
          onValueChange={(mode) => onChange({ mode: mode === "summary" ? null : mode })}
          options={modes}
        />
      </Labelled>
      <span className="flex min-h-8 items-center gap-2 md:mt-6.5">
        <Checkbox
          id="agent-saves"
          checked={choice.saves === "true"}
          onCheckedChange={(checked) => onChange({ saves: checked === true ? "true" : null })}
        />
        <Label htmlFor="agent-saves" className="font-normal">
          Can save skills
        </Label>
      </span>
    </div>
  );
}

/** The visible name of a control that has its own for screen readers. */
function Labelled({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span aria-hidden className="font-medium text-13">
        {text}
      </span>
      {children}
    </div>
  );
}

/** All personas for admins; for other people, those of their own tokens. */
function usePersonaOptions(current: string | undefined): SelectOption[] {
  const isAdmin = useMe()?.user.role === "admin";
  const all = useQuery({ ...personasQuery, enabled: isAdmin });
  const tokens = useQuery({ ...tokensQuery, enabled: !isAdmin });
  const named = isAdmin
    ? (all.data?.items ?? []).map(({ id, name }) => [id, name] as const)
    : (tokens.data?.items ?? []).flatMap(({ persona, personaName }) =>
        persona === null ? [] : [[persona, personaName ?? persona] as const],
      );
  const options = new Map<string, string>([["", "None (as you)"], ...named]);
  // Keeps a persona from the address selected while it is not among the options.
  if (current && !options.has(current)) options.set(current, current.slice(0, 8));
  return [...options].map(([value, label]) => ({ value, label }));
}

/** Updates the address on blur or Enter, not while typing. */
function SettledField({ label, help, value, onChange }: SettledFieldProps) {
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onChange(text.trim());
      }}
    >
      <Field label={label} help={help}>
        <Input value={text} onChange={({ target }) => setText(target.value)} onBlur={() => onChange(text.trim())} />
      </Field>
    </form>
  );
}

const hiddenReasonLabels: Record<View["hidden"][number]["reason"], string> = {
  unlisted: "Blocked by an admin",
  unapproved: "No approved version",
  persona: "Denied by the persona",
  mode: "Class refused by the persona’s permission mode",
  scope: "Token without the scope “run”",
  confirmation: "Needs a person’s confirmation",
  pipeline: "A pipeline step cannot be called",
  override: "Hidden from agents by an admin",
  requirements: "Unreadable requirements",
  runtime: "Missing requirements",
  schema: "Invalid arguments schema",
  name: "Another skill has precedence for its name",
  "model-invocation": "For people only",
  keyword: "No keyword in the message",
};

/** Enabled skills that are not offered, by reason. Each name links to the Access tab of the skill. */
export function HiddenSkills({ hidden }: { hidden: View["hidden"] }) {
  const total = hidden.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section
      title="Hidden"
      description={
        total === 0
          ? "All skills that are switched on are offered."
          : `${total} ${total === 1 ? "skill that is" : "skills that are"} switched on ${total === 1 ? "is" : "are"} not offered.`
      }
    >
      {total === 0 ? null : (
        <ul className="divide-y rounded-md border text-13">
          {hidden.map(({ reason, count, skills }) => (
            <li key={reason} className="px-3 py-2">
              <p className="flex justify-between gap-3">
                <span className="font-medium">{hiddenReasonLabels[reason]}</span>
                <span className="tabular-nums">{count}</span>
              </p>
              {skills.length > 0 ? (
                <p className="mt-0.5 flex flex-wrap gap-x-3 gap-y-1 text-xs">
                  {skills.map(({ id, name, why }) => (
                    <Link
                      key={id}
                      href={`/skills/${id}?tab=access`}
                      title={why}
                      className="inline-block min-h-6 break-all py-1 text-primary hover:underline"
                    >
                      <RevealedText text={name} />
                    </Link>
                  ))}
                  {count > skills.length ? (
                    <span className="py-1 text-muted-foreground">and {count - skills.length} more</span>
                  ) : null}
                </p>
              ) : null}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
