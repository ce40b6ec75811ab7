"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { shellQuote } from "@/components/runs/curl-command";
import { FormError } from "@/components/state/form-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { ApiError } from "@/lib/client/api";
import { createToken, tokensQuery } from "@/lib/client/tokens";
import { PersonaChoice } from "./persona-choice";
import { ScopePicker } from "./scope-picker";
import { expiresIn, expiries, type TokenScope } from "./scope-words";
import { SecretOnce } from "./secret-once";

type CreateTokenDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function CreateTokenDialog({ open, onOpenChange }: CreateTokenDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <CreateToken /> : null}
    </Dialog>
  );
}

function CreateToken() {
  const queries = useQueryClient();
  const role = useMe()?.user.role ?? "user";
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<TokenScope[]>(["read", "run"]);
  const [days, setDays] = useState("90");
  const [persona, setPersona] = useState("");
  // A program under a persona never decides, whatever its owner may do.
  const allowed = persona === "" ? chosen : chosen.filter((scope) => scope !== "review" && scope !== "admin");
  const create = useMutation({
    mutationFn: createToken,
    onSuccess: () => queries.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  });
  const error = create.error instanceof ApiError ? create.error : null;
  const submit = () => {
    create.mutate({
      name,
      scopes: allowed,
      expiresAt: expiresIn(days, Date.now()),
      ...(persona === "" ? {} : { persona }),
    });
  };

  if (create.data) return <CreatedToken token={create.data.token} name={create.data.name} />;
  return (
    <FormDialogContent
      title="Create API token"
      description="For programs that act in your name. It can never do more than you can."
      action="Create token"
      pending={create.isPending}
      onSubmit={submit}
    >
      <Field label="Name" required help="What uses it: “laptop”, “nightly report”." error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} onChange={({ target }) => setName(target.value)} autoComplete="off" />
      </Field>
      {role === "admin" ? (
        <PersonaChoice value={persona} onChange={setPersona} error={error?.fieldError("persona")} />
      ) : null}
      <ScopePicker
        role={persona === "" ? role : "user"}
        chosen={allowed}
        onChange={setChosen}
        error={error?.fieldError("scopes")}
      />
      <Field label="Expires in" error={error?.fieldError("expiresAt")}>
        <Select options={expiries} value={days} onChange={({ target }) => setDays(target.value)} className="w-40" />
      </Field>
      <FormError error={create.error} />
    </FormDialogContent>
  );
}

function CreatedToken({ token, name }: { token: string; name: string }) {
  const url = shellQuote(`${window.location.origin}/api/skills`);
  return (
    <DialogContent
      title={`Token “${name}” is ready`}
      size="lg"
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <SecretOnce secret={token} label="Token" warning="Copy it now. It is stored as a hash and never shown again.">
        <CodeBlock
          code={`export SKILLGATE_TOKEN=${shellQuote(token)}\ncurl -sS -H "Authorization: Bearer $SKILLGATE_TOKEN" ${url}`}
          label="Try it"
        />
      </SecretOnce>
    </DialogContent>
  );
}
