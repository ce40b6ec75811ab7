"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { useAction } from "@/components/forms/use-action";
import { QueryState } from "@/components/state/query-state";
import { useMe } from "@/components/state/use-me";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "@/components/ui/dropdown-menu";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { IconButton } from "@/components/ui/icon-button";
import { Input } from "@/components/ui/input";
import { ApiError } from "@/lib/client/api";
import { meQuery, type Role } from "@/lib/client/me";
import { type Person, peopleQuery, renewInvite, updatePerson } from "@/lib/client/people";
import { quotasQuery, updateQuotas } from "@/lib/client/settings";
import type { QuotaUsage } from "@/lib/settings/quotas/schema";
import { quotaLabels, roleDescriptions, roleLabels, roleOptions } from "./person-labels";
import { InviteLink } from "./secret-dialog";

type Question = { kind: "role"; role: Role } | { kind: "disable" };

export function PersonMenu({ person }: { person: Person }) {
  const isSelf = useMe()?.user.id === person.id;
  const [isSettingQuotas, setSettingQuotas] = useState(false);
  const [question, setQuestion] = useState<Question | null>(null);
  const refresh = [peopleQuery.queryKey, meQuery.queryKey];
  const update = useAction(updatePerson, { refresh });
  const enable = useAction(() => updatePerson({ id: person.id, patch: { state: "active" } }), {
    refresh,
    failed: `${person.name} was not enabled.`,
  });
  const renew = useAction(() => renewInvite(person.id), { refresh, failed: "The invitation link was not created." });
  const confirm = () => {
    const patch = question?.kind === "role" ? { role: question.role } : { state: "disabled" as const };
    return update.mutateAsync({ id: person.id, patch });
  };

  return (
    <>
      <DropdownMenu>
        <DropdownMenuTrigger asChild>
          <IconButton label={`Actions for ${person.name}`} size="sm">
            <Ellipsis aria-hidden />
          </IconButton>
        </DropdownMenuTrigger>
        <DropdownMenuContent>
          <DropdownMenuLabel>Role</DropdownMenuLabel>
          <DropdownMenuRadioGroup
            value={person.role}
            onValueChange={(value) => {
              const role = roleOptions.find((option) => option.value === value)?.value;
              if (role && role !== person.role) setQuestion({ kind: "role", role });
            }}
          >
            {roleOptions.map(({ value, label }) => (
              <DropdownMenuRadioItem key={value} value={value}>
                {label}
              </DropdownMenuRadioItem>
            ))}
          </DropdownMenuRadioGroup>
          <DropdownMenuSeparator />
          <DropdownMenuItem onSelect={() => setSettingQuotas(true)}>Set quotas…</DropdownMenuItem>
          {person.state === "invited" ? (
            <DropdownMenuItem onSelect={() => renew.mutate()}>New invitation link</DropdownMenuItem>
          ) : null}
          {person.state === "disabled" ? (
            <DropdownMenuItem onSelect={() => enable.mutate()}>Enable</DropdownMenuItem>
          ) : (
            <DropdownMenuItem tone="danger" onSelect={() => setQuestion({ kind: "disable" })}>
              Disable
            </DropdownMenuItem>
          )}
        </DropdownMenuContent>
      </DropdownMenu>
      <QuotaDialog person={person} open={isSettingQuotas} onOpenChange={setSettingQuotas} />
      <ConfirmDialog
        open={question !== null}
        onOpenChange={(open) => !open && setQuestion(null)}
        title={
          question?.kind === "role"
            ? `Change the role of ${person.name} to ${roleLabels[question.role].toLowerCase()}?`
            : `Disable ${person.name}?`
        }
        description={explain(question, isSelf)}
        confirmLabel={question?.kind === "role" ? "Change role" : "Disable person"}
        tone={question?.kind === "disable" ? "danger" : "primary"}
        onConfirm={confirm}
      />
      <Dialog open={renew.data !== undefined} onOpenChange={(open) => !open && renew.reset()}>
        {renew.data ? <InviteLink name={person.name} url={renew.data.inviteUrl} /> : null}
      </Dialog>
    </>
  );
}

function explain(question: Question | null, isSelf: boolean): string {
  const self = isSelf ? " This is your own account." : "";
  if (question?.kind === "role") {
    return `${roleDescriptions[question.role]} The change takes effect with their next request.${self}`;
  }
  return `Their sessions end now, and their tokens stop working until you enable them again.${self}`;
}

type QuotaDialogProps = { person: { id: string; name: string }; open: boolean; onOpenChange: (open: boolean) => void };

/** Lets an admin set quotas for one person that differ from the server's settings. */
export function QuotaDialog({ person, open, onOpenChange }: QuotaDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <Quotas person={person} onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function Quotas({ person, onDone }: { person: QuotaDialogProps["person"]; onDone: () => void }) {
  const query = useQuery(quotasQuery(person.id));
  const queries = useQueryClient();
  const [texts, setTexts] = useState<Partial<Record<QuotaUsage["key"], string>>>({});
  const save = useAction(updateQuotas, {
    done: `The quotas of ${person.name} are saved.`,
    onDone: (list) => {
      queries.setQueryData(quotasQuery(person.id).queryKey, list);
      onDone();
    },
  });
  const wrong = Object.values(texts).some((text) => !isAmount(text));
  const submit = () => {
    const changed = Object.entries(texts).map(([key, text]) => [key, text.trim() === "" ? null : Number(text)]);
    if (changed.length === 0) onDone();
    else if (!wrong) save.mutate({ userId: person.id, patch: Object.fromEntries(changed) });
  };
  const error = save.error instanceof ApiError ? save.error : null;
  return (
    <FormDialogContent
      title={`Quotas of ${person.name}`}
      description="Leave a field empty to use the server’s setting. 0 means no limit."
      action="Save quotas"
      pending={save.isPending}
      disabled={query.data === undefined || wrong}
      onSubmit={submit}
    >
      <QueryState query={query} skeletonRows={6} errorTitle="The quotas could not be loaded.">
        {({ items }) => (
          <div className="grid gap-4 sm:grid-cols-2">
            {items.map((quota) => {
              const text = texts[quota.key] ?? ownText(quota);
              return (
                <Field
                  key={quota.key}
                  label={`${quotaLabels[quota.key]}${quota.unit === "MiB" ? " (MiB)" : ""}`}
                  help={helpOf(quota)}
                  error={
                    isAmount(text) ? error?.fieldError(quota.key) : "Enter a whole number, or leave the field empty."
                  }
                >
                  <Input
                    value={text}
                    inputMode="numeric"
                    autoComplete="off"
                    onChange={({ target }) => setTexts({ ...texts, [quota.key]: target.value })}
                  />
                </Field>
              );
            })}
          </div>
        )}
      </QueryState>
      <FormError error={save.error} />
    </FormDialogContent>
  );
}

function isAmount(text: string): boolean {
  return /^\s*\d{0,9}\s*$/.test(text);
}

function ownText({ own, limit }: QuotaUsage): string {
  return own ? String(limit ?? 0) : "";
}

function helpOf({ used, unit, limit, own }: QuotaUsage): string {
  const shown = limit === null ? "no limit" : `${limit.toLocaleString("en")} ${unit}`;
  return `${used.toLocaleString("en")} used. ${own ? "Limit for this person" : "Server setting"}: ${shown}.`;
}
