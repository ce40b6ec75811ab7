"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
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
  const formId = useId();
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <DialogContent
      title="Add key"
      description="The public half only. Whoever writes procedures keeps the private one."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={add.isPending}>
            Add key
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5">
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
        {add.error && (error?.errors.length ?? 0) === 0 ? (
          <Notice tone="danger" announce>
            {errorText(add.error)}
          </Notice>
        ) : null}
      </form>
    </DialogContent>
  );
}
