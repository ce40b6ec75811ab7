"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
import { QueryState } from "@/components/state/query-state";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { SkeletonRows } from "@/components/ui/skeleton-rows";
import { useToast } from "@/components/ui/toast";
import { ApiError } from "@/lib/client/api";
import { type QuotaUsage, quotasQuery, updateQuotas } from "@/lib/client/quotas";
import { quotaLabels } from "./quota-words";

type QuotaDialogProps = { person: { id: string; name: string }; open: boolean; onOpenChange: (open: boolean) => void };

/** What an admin lets one person have and do, apart from everybody else. */
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
  const { toast } = useToast();
  const [texts, setTexts] = useState<Partial<Record<QuotaUsage["key"], string>>>({});
  const save = useMutation({
    mutationFn: updateQuotas,
    onSuccess: (list) => {
      queries.setQueryData(quotasQuery(person.id).queryKey, list);
      toast({ tone: "success", title: `The quotas of ${person.name} are saved.` });
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
      description="Leave a field empty for what the settings say; 0 is no limit."
      action="Save quotas"
      pending={save.isPending}
      disabled={query.data === undefined || wrong}
      onSubmit={submit}
    >
      <QueryState query={query} loading={<SkeletonRows rows={6} />} errorTitle="The quotas could not be loaded.">
        {({ items }) => (
          <div className="grid gap-4 sm:grid-cols-2">
            {items.map((quota) => {
              const text = texts[quota.key] ?? ownText(quota);
              return (
                <Field
                  key={quota.key}
                  label={`${quotaLabels[quota.key]}${quota.unit === "MiB" ? ", MiB" : ""}`}
                  help={helpOf(quota)}
                  error={isAmount(text) ? error?.fieldError(quota.key) : "Must be a whole number, or empty."}
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
  const held = limit === null ? "no limit" : `${limit.toLocaleString("en")} ${unit}`;
  return `${used.toLocaleString("en")} used; ${own ? "set for this person" : "the settings say"}: ${held}.`;
}
