"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { shellQuote } from "@/components/runs/curl-command";
import { errorText } from "@/components/state/describe-error";
import { useMe } from "@/components/state/use-me";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
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
  const formId = useId();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate({
      name,
      scopes: allowed,
      expiresAt: expiresIn(days, Date.now()),
      ...(persona === "" ? {} : { persona }),
    });
  };

  if (create.data) return <CreatedToken token={create.data.token} name={create.data.name} />;
  return (
    <DialogContent
      title="Create API token"
      description="For programs that act in your name. It can never do more than you can."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={create.isPending}>
            Create token
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
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
        {create.error && (error?.errors.length ?? 0) === 0 ? (
          <Notice tone="danger" announce>
            {errorText(create.error)}
          </Notice>
        ) : null}
      </form>
    </DialogContent>
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
