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
import { addSopKey, sopKeysQuery } from "@/lib/client/sops";

type AddSopKeyDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function AddSopKeyDialog({ open, onOpenChange }: AddSopKeyDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <KeyForm onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function KeyForm({ onDone }: { onDone: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [publicKey, setPublicKey] = useState("");
  const add = useMutation({
    mutationFn: () => addSopKey({ name, publicKey }),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: sopKeysQuery.queryKey });
    },
  });
  const error = add.error instanceof ApiError ? add.error : null;
  return (
    <FormDialogContent
      title="Add key"
      description="The public half only. Whoever writes procedures keeps the private one."
      action="Add key"
      pending={add.isPending}
      onSubmit={() => add.mutate()}
    >
      <Field label="Name" required help="Whose key it is." error={error?.fieldError("name")}>
        <Input value={name} maxLength={100} autoComplete="off" onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field
        label="Public key"
        required
        help="In PEM form, RSA of 2048 bits or more: openssl rsa -in key.pem -pubout"
        error={error?.fieldError("publicKey")}
      >
        <Textarea
          rows={7}
          spellCheck={false}
          placeholder="-----BEGIN PUBLIC KEY-----"
          className="font-mono text-xs"
          value={publicKey}
          onChange={({ target }) => setPublicKey(target.value)}
        />
      </Field>
      <FormError error={add.error} />
    </FormDialogContent>
  );
}
