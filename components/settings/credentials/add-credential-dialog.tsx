"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
import { Input } from "@/components/ui/input";
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
  return (
    <FormDialogContent
      title="Add credential"
      description="No run gets it before a review grants it to a version."
      action="Add credential"
      pending={add.isPending}
      onSubmit={() => add.mutate()}
      autoComplete="off"
    >
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
      <FormError error={add.error} />
    </FormDialogContent>
  );
}
