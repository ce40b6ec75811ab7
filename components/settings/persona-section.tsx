"use client";
import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { useId } from "react";
import { type Control, type FieldPath, type FieldValues, useController } from "react-hook-form";
import { RevealedText } from "@/components/code/hidden-notice";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { FormDialog, TextareaField, TextField } from "@/components/forms/form";
import { useApiForm } from "@/components/forms/use-api-form";
import { ListSection } from "@/components/lists/list-section";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Persona } from "@/lib/auth/schema";
import {
  addPersona,
  deletePersona,
  type PermissionMode,
  personaSkillsQuery,
  personasQuery,
  updatePersona,
} from "@/lib/client/personas";
import { type SkillLists, whyListsExclude } from "@/lib/policy/match-skill-lists";
import type { Skill } from "@/lib/skills/schema";
import { globsOf, modeLabels, modes } from "./persona-labels";

export function PersonaSection() {
  return (
    <ListSection
      title="Personas"
      description="Profiles for agents: the skills they may use, and what they may do without a person. Changes apply from their next call."
      query={useQuery(personasQuery)}
      skeletonRows={3}
      errorTitle="The personas could not be loaded."
      empty={{
        icon: Bot,
        title: "No personas",
        description: "Each agent token acts under a persona. Add one, then choose it when you create the token.",
        withCreate: true,
      }}
      create="Add persona"
      dialog={(persona, close) => <PersonaForm persona={persona} onDone={close} />}
    >
      {(personas, edit) => (
        <ul className="divide-y rounded-md border">
          {personas.map((persona) => (
            <PersonaRow key={persona.id} persona={persona} onEdit={() => edit(persona)} />
          ))}
        </ul>
      )}
    </ListSection>
  );
}

function PersonaRow({ persona, onEdit }: { persona: Persona; onEdit: () => void }) {
  const { id, name, permissionMode, allow, deny, updatedAt } = persona;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 text-13">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{name}</p>
        <p>{modeLabels[permissionMode].label}</p>
        <p className="text-muted-foreground text-xs">{modeLabels[permissionMode].explanation}</p>
        <p className="mt-1 break-words text-muted-foreground text-xs">
          {allow.length === 0 ? "All skills" : <>Only {globList(allow)}</>}
          {deny.length > 0 ? <>, never {globList(deny)}</> : null}
          {" · changed "}
          <RelativeTime value={updatedAt} />
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
        <ConfirmButton
          aria-label={`Delete ${name}`}
          title={`Delete the persona “${name}”?`}
          description="You can delete a persona only while no token uses it. This cannot be undone."
          confirmLabel="Delete persona"
          onConfirm={() => deletePersona(id)}
          refresh={[personasQuery.queryKey]}
        >
          Delete
        </ConfirmButton>
      </div>
    </li>
  );
}

function globList(globs: readonly string[]) {
  return <code className="font-mono">{globs.join(", ")}</code>;
}

function PersonaForm({ persona, onDone }: { persona: Persona | null; onDone: () => void }) {
  const form = useApiForm({
    values: {
      name: persona?.name ?? "",
      permissionMode: persona?.permissionMode ?? ("mutating-with-confirm" as PermissionMode),
      allow: persona?.allow.join("\n") ?? "",
      deny: persona?.deny.join("\n") ?? "",
    },
    body: (values) => ({ ...values, ...listsOf(values) }),
    schema: async () => (await import("@/lib/auth/schema")).CreatePersonaInput,
    send: (input) => (persona ? updatePersona(persona.id, input) : addPersona(input)),
    refresh: [personasQuery.queryKey],
    onDone,
  });
  const values = form.watch();
  return (
    <FormDialog
      form={form}
      title={persona ? `Edit ${persona.name}` : "Add persona"}
      size="lg"
      action={persona ? "Save persona" : "Add persona"}
      className="grid items-start gap-x-8 gap-y-5 md:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <TextField form={form} name="name" label="Name" required maxLength={100} />
        <ModePicker form={form} />
        <TextareaField
          form={form}
          name="allow"
          label="Allowed skills"
          help="One name or glob per line, e.g. csv-*. Leave empty to allow all skills."
          rows={3}
          spellCheck={false}
        />
        <TextareaField
          form={form}
          name="deny"
          label="Denied skills"
          help="Denied skills override allowed skills."
          rows={2}
          spellCheck={false}
        />
      </div>
      <PersonaPreview mode={values.permissionMode} lists={listsOf(values)} />
    </FormDialog>
  );
}

function listsOf({ allow, deny }: { allow: string; deny: string }) {
  return { allow: globsOf(allow), deny: globsOf(deny) };
}

function ModePicker<Values extends FieldValues>({ form }: { form: { control: Control<Values> } }) {
  const id = useId();
  const { field } = useController({ control: form.control, name: "permissionMode" as FieldPath<Values> });
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">Permission mode</legend>
      {modes.map((mode) => (
        <div key={mode} className="flex items-start gap-2.5 text-13">
          <input
            type="radio"
            id={`${id}-${mode}`}
            name={id}
            className="mt-0.5 size-4 shrink-0 accent-primary"
            checked={mode === field.value}
            aria-describedby={`${id}-${mode}-help`}
            onChange={() => field.onChange(mode)}
          />
          <div>
            <label htmlFor={`${id}-${mode}`} className="font-medium">
              {modeLabels[mode].label}
            </label>
            <p id={`${id}-${mode}-help`} className="text-muted-foreground text-xs">
              {modeLabels[mode].explanation}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}

/** Applies the lists to the skills the admin sees, with the matcher that decides at each call. */
function PersonaPreview({ mode, lists }: { mode: PermissionMode; lists: SkillLists }) {
  const query = useQuery(personaSkillsQuery);
  return (
    <section aria-label="Preview of allowed skills" className="min-w-0 rounded-md border md:sticky md:top-0">
      <QueryState query={query} skeletonRows={5} errorTitle="The skills could not be loaded.">
        {({ items, nextCursor }) => {
          const tried = items.map((skill) => ({
            skill,
            reason: whyListsExclude(lists, skill)?.reason ?? refusal(skill, mode),
          }));
          const reached = tried.filter(({ reason }) => reason === null).length;
          return (
            <>
              <p role="status" className="border-b px-3 py-2 text-13">
                <span className="font-medium tabular-nums">
                  Allows {reached} of {tried.length}
                </span>{" "}
                {nextCursor === null ? "skills you can see" : "of the first skills you can see"}
              </p>
              <ul
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
                tabIndex={0}
                aria-label="Allowed and denied skills"
                className="max-h-72 overflow-y-auto py-1 text-13 focus-visible:-outline-offset-2"
              >
                {tried
                  .sort((a, b) => Number(a.reason !== null) - Number(b.reason !== null))
                  .map(({ skill, reason }) => (
                    <li key={skill.id} className="px-3 py-1">
                      <span className={reason === null ? "" : "text-muted-foreground line-through"}>
                        <RevealedText text={skill.name} />
                      </span>{" "}
                      <span className="text-muted-foreground text-xs">
                        {reason === null ? startLabel(skill, mode) : reason}
                      </span>
                    </li>
                  ))}
              </ul>
            </>
          );
        }}
      </QueryState>
    </section>
  );
}

function refusal(skill: Skill, mode: PermissionMode): string | null {
  if (skill.class === "mutating" && mode === "read-only") return "mutating skills are refused";
  if (skill.class === "dangerous" && mode !== "dual-sign-required") return "dangerous skills are refused";
  return null;
}

function startLabel(skill: Skill, mode: PermissionMode): string {
  if (!skill.runnable) return "instructions only";
  if (skill.class === "safe") return "runs immediately";
  return skill.class === "dangerous" && mode === "dual-sign-required"
    ? "waits for two approvals"
    : "waits for an approval";
}
