"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { RevealedText } from "@/components/code/revealed-text";
import { FormError } from "@/components/forms/form-error";
import { QueryState } from "@/components/state/query-state";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import {
  addPersona,
  type PermissionMode,
  type Persona,
  personaSkillsQuery,
  personasQuery,
  updatePersona,
} from "@/lib/client/personas";
import { type SkillLists, whyKeptAway } from "@/lib/policy/match-skill-lists";
import type { Skill } from "@/lib/skills/schema";
import { globsOf, modes, modeWords } from "./persona-labels";

type PersonaDialogProps = { edited: Persona | "new" | null; onClose: () => void };

export function PersonaDialog({ edited, onClose }: PersonaDialogProps) {
  return (
    <Dialog open={edited !== null} onOpenChange={(open) => !open && onClose()}>
      {edited === null ? null : <PersonaForm persona={edited === "new" ? null : edited} onDone={onClose} />}
    </Dialog>
  );
}

function PersonaForm({ persona, onDone }: { persona: Persona | null; onDone: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState(persona?.name ?? "");
  const [mode, setMode] = useState<PermissionMode>(persona?.permissionMode ?? "mutating-with-confirm");
  const [allow, setAllow] = useState(persona?.allow.join("\n") ?? "");
  const [deny, setDeny] = useState(persona?.deny.join("\n") ?? "");
  const lists = { allow: globsOf(allow), deny: globsOf(deny) };
  const save = useMutation({
    mutationFn: () => {
      const input = { name, permissionMode: mode, ...lists };
      return persona ? updatePersona(persona.id, input) : addPersona(input);
    },
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: personasQuery.queryKey });
    },
  });
  const error = save.error instanceof ApiError ? save.error : null;
  const verb = persona ? "Save persona" : "Add persona";
  return (
    <FormDialogContent
      title={persona ? `Edit ${persona.name}` : "Add persona"}
      size="lg"
      action={verb}
      pending={save.isPending}
      onSubmit={() => save.mutate()}
      className="grid items-start gap-x-8 gap-y-5 md:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]"
    >
      <div className="flex min-w-0 flex-col gap-5">
        <Field label="Name" required error={error?.fieldError("name")}>
          <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => setName(target.value)} />
        </Field>
        <ModePicker value={mode} onChange={setMode} />
        <Field
          label="Skills it may run"
          help="One name or glob on each line, such as csv-*. Empty means every skill."
          error={globError(error, "allow")}
        >
          <Textarea rows={3} spellCheck={false} value={allow} onChange={({ target }) => setAllow(target.value)} />
        </Field>
        <Field label="Skills it may never run" help="These win over the list above." error={globError(error, "deny")}>
          <Textarea rows={2} spellCheck={false} value={deny} onChange={({ target }) => setDeny(target.value)} />
        </Field>
        <FormError error={save.error} />
      </div>
      <PersonaPreview mode={mode} lists={lists} />
    </FormDialogContent>
  );
}

function globError(error: ApiError | null, list: "allow" | "deny"): string | undefined {
  return error?.errors.find(({ path }) => path === list || path.startsWith(`${list}.`))?.message;
}

type ModePickerProps = { value: PermissionMode; onChange: (mode: PermissionMode) => void };

function ModePicker({ value, onChange }: ModePickerProps) {
  const id = useId();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium text-13">What it may do</legend>
      {modes.map((mode) => (
        <div key={mode} className="flex items-start gap-2.5 text-13">
          <input
            type="radio"
            id={`${id}-${mode}`}
            name={id}
            className="mt-0.5 size-4 shrink-0 accent-primary"
            checked={mode === value}
            aria-describedby={`${id}-${mode}-help`}
            onChange={() => onChange(mode)}
          />
          <div>
            <label htmlFor={`${id}-${mode}`} className="font-medium">
              {modeWords[mode].label}
            </label>
            <p id={`${id}-${mode}-help`} className="text-muted-foreground text-xs">
              {modeWords[mode].explanation}
            </p>
          </div>
        </div>
      ))}
    </fieldset>
  );
}

type PersonaPreviewProps = { mode: PermissionMode; lists: SkillLists };

/** Tries the lists on the skills there are, with the same matcher that decides at a call. */
function PersonaPreview({ mode, lists }: PersonaPreviewProps) {
  const query = useQuery(personaSkillsQuery);
  return (
    <section aria-label="Skills this reaches" className="min-w-0 rounded-md border md:sticky md:top-0">
      <QueryState query={query} skeletonRows={5} errorTitle="The skills could not be loaded.">
        {({ items, nextCursor }) => {
          const tried = items.map((skill) => ({
            skill,
            away: whyKeptAway(lists, skill)?.reason ?? refusal(skill, mode),
          }));
          const reached = tried.filter(({ away }) => away === null).length;
          return (
            <>
              <p role="status" className="border-b px-3 py-2 text-13">
                <span className="font-medium tabular-nums">
                  Reaches {reached} of {tried.length}
                </span>{" "}
                {nextCursor === null ? "skills you see" : "of the first skills you see"}
              </p>
              <ul
                // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
                tabIndex={0}
                aria-label="Skills, reached or not"
                className="max-h-72 overflow-y-auto py-1 text-13 focus-visible:-outline-offset-2"
              >
                {tried
                  .sort((a, b) => Number(a.away !== null) - Number(b.away !== null))
                  .map(({ skill, away }) => (
                    <li key={skill.id} className="px-3 py-1">
                      <span className={away === null ? "" : "text-muted-foreground line-through"}>
                        <RevealedText text={skill.name} />
                      </span>{" "}
                      <span className="text-muted-foreground text-xs">
                        {away === null ? stepWords(skill, mode) : away}
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
  if (skill.class === "mutating" && mode === "read-only") return "it changes things";
  if (skill.class === "dangerous" && mode !== "dual-sign-required") return "it is dangerous";
  return null;
}

function stepWords(skill: Skill, mode: PermissionMode): string {
  if (!skill.runnable) return "read";
  if (skill.class === "safe") return "starts at once";
  return skill.class === "dangerous" && mode === "dual-sign-required" ? "waits for two people" : "waits for a person";
}
