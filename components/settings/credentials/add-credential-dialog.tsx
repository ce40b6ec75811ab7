"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";
import { addCredential, credentialsQuery } from "@/lib/client/credentials";
import { SecretField } from "./secret-field";

type AddCredentialDialogProps = { open: boolean; onOpenChange: (open: boolean) => void };

export function AddCredentialDialog({ open, onOpenChange }: AddCredentialDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      {open ? <CredentialForm onDone={() => onOpenChange(false)} /> : null}
    </Dialog>
  );
}

function CredentialForm({ onDone }: { onDone: () => void }) {
  const formId = useId();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [value, setValue] = useState("");
  const add = useMutation({
    mutationFn: () => addCredential({ name, description, value }),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
  });
  const error = add.error instanceof ApiError ? add.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <DialogContent
      title="Add credential"
      description="No run gets it before a review grants it to a version."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={add.isPending}>
            Add credential
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5" autoComplete="off">
        <Field
          label="Name"
          required
          help="What reviews call it: lower-case letters, digits, - and _."
          error={error?.fieldError("name")}
        >
          <Input
            value={name}
            maxLength={63}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field
          label="Description"
          optional
          help="What it opens, and what it may do there."
          error={error?.fieldError("description")}
        >
          <Input
            value={description}
            maxLength={500}
            autoComplete="off"
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        <SecretField value={value} onChange={setValue} error={error?.fieldError("value")} />
        {add.error && (error?.errors.length ?? 0) === 0 ? (
          <Notice tone="danger" announce>
            {errorText(add.error)}
          </Notice>
        ) : null}
      </form>
    </DialogContent>
  );
}
