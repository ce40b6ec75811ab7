"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { useState } from "react";
import { QueryState } from "@/components/state/query-state";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { Section } from "@/components/ui/section";
import { deletePersona, type Persona, personasQuery } from "@/lib/client/personas";
import { PersonaDialog } from "./persona-dialog";
import { modeWords } from "./persona-labels";

/** What agents may do: each token of an agent acts under one of these. */
export function PersonaSection() {
  const query = useQuery(personasQuery);
  const [edited, setEdited] = useState<Persona | "new" | null>(null);
  const [removed, setRemoved] = useState<Persona | null>(null);
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: deletePersona,
    onSuccess: () => queries.invalidateQueries({ queryKey: personasQuery.queryKey }),
  });
  const add = (
    <Button variant="primary" onClick={() => setEdited("new")}>
      Add persona
    </Button>
  );
  const isEmpty = query.data?.items.length === 0;
  return (
    <Section
      title="Personas"
      description="Profiles for agents: which skills they reach, and what they may do without a person. A change counts from their next call on."
      actions={isEmpty ? null : add}
    >
      <QueryState
        query={query}
        skeletonRows={3}
        errorTitle="The personas could not be loaded."
        isEmpty={(page) => page.items.length === 0}
        empty={
          <EmptyState
            icon={Bot}
            title="There is no persona"
            description="An agent’s token acts under a persona. Add one, then choose it when you create the token."
            action={add}
          />
        }
      >
        {(page) => (
          <ul className="divide-y rounded-md border">
            {page.items.map((persona) => (
              <PersonaRow
                key={persona.id}
                persona={persona}
                onEdit={() => setEdited(persona)}
                onRemove={() => setRemoved(persona)}
              />
            ))}
          </ul>
        )}
      </QueryState>
      <PersonaDialog edited={edited} onClose={() => setEdited(null)} />
      <ConfirmDialog
        open={removed !== null}
        onOpenChange={(open) => !open && setRemoved(null)}
        title={`Delete the persona “${removed?.name ?? ""}”?`}
        description="That is possible while no token acts under it. This cannot be undone."
        confirmLabel="Delete persona"
        tone="danger"
        onConfirm={() => (removed ? remove.mutateAsync(removed.id) : undefined)}
      />
    </Section>
  );
}

type PersonaRowProps = { persona: Persona; onEdit: () => void; onRemove: () => void };

function PersonaRow({ persona, onEdit, onRemove }: PersonaRowProps) {
  const { name, permissionMode, allow, deny, updatedAt } = persona;
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
        <Button size="sm" onClick={onRemove} aria-label={`Delete ${name}`}>
          Delete
        </Button>
      </div>
    </li>
  );
}

function globList(globs: readonly string[]) {
  return <code className="font-mono">{globs.join(", ")}</code>;
}
