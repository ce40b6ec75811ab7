"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { expiresIn, expiries } from "@/components/settings/scope-words";
import { FormError } from "@/components/state/form-error";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import { capabilityUrlsQuery, createCapabilityUrl } from "@/lib/client/capability-urls";
import type { Connection } from "@/lib/client/connect";

type MakeAddressFormProps = { scope: Connection["scope"]; onMade: (address: string) => void };

/** A capability URL for what the page is about. */
export function MakeAddressForm({ scope, onMade }: MakeAddressFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const make = useMutation({
    mutationFn: () =>
      createCapabilityUrl({
        name,
        scope: scope.kind === "root" || scope.id === null ? { kind: "root" } : { kind: scope.kind, id: scope.id },
        expiresAt: expiresIn(days, Date.now()),
      }),
    onSuccess: ({ url }) => {
      onMade(url);
      return queries.invalidateQueries({ queryKey: capabilityUrlsQuery.queryKey });
    },
  });
  const error = make.error instanceof ApiError ? make.error : null;
  return (
    <FormDialogContent
      title="Make capability URL"
      description={
        scope.kind === "root" ? "It shows everything you can use, read-only." : `It shows “${scope.label}”, read-only.`
      }
      action="Make capability URL"
      pending={make.isPending}
      onSubmit={() => make.mutate()}
    >
      <Field label="Name" required help="Where it is used: “laptop”, “build server”." error={error?.fieldError("name")}>
        <Input value={name} maxLength={80} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label="Expires in" error={error?.fieldError("expiresAt")}>
        <Select options={expiries} value={days} onChange={({ target }) => setDays(target.value)} className="w-40" />
      </Field>
      <FormError error={make.error} />
    </FormDialogContent>
  );
}
