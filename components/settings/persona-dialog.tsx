"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Textarea } from "@/components/ui/textarea";
import { ApiError } from "@/lib/client/api";
import { addPersona, type PermissionMode, type Persona, personasQuery, updatePersona } from "@/lib/client/personas";
import { ModePicker } from "./persona-mode-picker";
import { PersonaPreview } from "./persona-preview";
import { globsOf } from "./persona-words";

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
