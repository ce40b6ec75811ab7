"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { PersonaChoice } from "@/components/settings/persona-choice";
import { expiresIn, expiries } from "@/components/settings/scope-words";
import { FormError } from "@/components/state/form-error";
import { useMe } from "@/components/state/use-me";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import { createToken, tokensQuery } from "@/lib/client/tokens";

const rights = [
  { value: "read", label: "Read skills" },
  { value: "run", label: "Read and run skills" },
  { value: "write", label: "Read, run and publish skills" },
] as const;
type Rights = (typeof rights)[number]["value"];

const scopesOf = { read: ["read"], run: ["read", "run"], write: ["read", "run", "write"] } as const;

/** A token for the client that is being connected. */
export function MakeTokenForm({ onMade }: { onMade: (token: string) => void }) {
  const queries = useQueryClient();
  const isAdmin = useMe()?.user.role === "admin";
  const [name, setName] = useState("");
  const [right, setRight] = useState<Rights>("run");
  const [persona, setPersona] = useState("");
  const [days, setDays] = useState("90");
  const make = useMutation({
    mutationFn: () =>
      createToken({
        name,
        scopes: [...scopesOf[right]],
        expiresAt: expiresIn(days, Date.now()),
        ...(persona === "" ? {} : { persona }),
      }),
    onSuccess: ({ token }) => {
      onMade(token);
      return queries.invalidateQueries({ queryKey: tokensQuery.queryKey });
    },
  });
  const error = make.error instanceof ApiError ? make.error : null;
  return (
    <FormDialogContent
      title="Make token"
      description="The client acts in your name. It can never do more than you can."
      action="Make token"
      pending={make.isPending}
      onSubmit={() => make.mutate()}
    >
      <Field label="Name" required help="What uses it: “Claude Code on my laptop”." error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      {isAdmin ? <PersonaChoice value={persona} onChange={setPersona} error={error?.fieldError("persona")} /> : null}
      <Field label="May" error={error?.fieldError("scopes")}>
        <Select
          options={rights}
          value={right}
          onChange={({ target }) => setRight(rights.find(({ value }) => value === target.value)?.value ?? "run")}
        />
      </Field>
      <Field label="Expires in" error={error?.fieldError("expiresAt")}>
        <Select options={expiries} value={days} onChange={({ target }) => setDays(target.value)} className="w-40" />
      </Field>
      <FormError error={make.error} />
    </FormDialogContent>
  );
}
