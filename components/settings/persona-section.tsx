"use client";

import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { ConfirmButton } from "@/components/forms/confirm-button";
import { ListSection } from "@/components/lists/list-section";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { deletePersona, type Persona, personasQuery } from "@/lib/client/personas";
import { PersonaForm } from "./persona-form";
import { modeWords } from "./persona-labels";

/** What agents may do: each token of an agent acts under one of these. */
export function PersonaSection() {
  return (
    <ListSection
      title="Personas"
      description="Profiles for agents: which skills they reach, and what they may do without a person. A change counts from their next call on."
      query={useQuery(personasQuery)}
      skeletonRows={3}
      errorTitle="The personas could not be loaded."
      empty={{
        icon: Bot,
        title: "There is no persona",
        description: "An agent’s token acts under a persona. Add one, then choose it when you create the token.",
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

type PersonaRowProps = { persona: Persona; onEdit: () => void };

function PersonaRow({ persona, onEdit }: PersonaRowProps) {
  const { id, name, permissionMode, allow, deny, updatedAt } = persona;
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3 text-13">
      <div className="min-w-48 flex-1">
        <p className="font-medium">{name}</p>
        <p>{modeWords[permissionMode].label}</p>
        <p className="text-muted-foreground text-xs">{modeWords[permissionMode].explanation}</p>
        <p className="mt-1 break-words text-muted-foreground text-xs">
          {allow.length === 0 ? "Every skill" : <>Only {globList(allow)}</>}
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
          description="That is possible while no token acts under it. This cannot be undone."
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
