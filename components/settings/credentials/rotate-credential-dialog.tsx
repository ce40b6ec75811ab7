"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { errorText } from "@/components/state/describe-error";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose, DialogContent } from "@/components/ui/dialog";
import { Notice } from "@/components/ui/notice";
import { ApiError } from "@/lib/client/api";
import { type Credential, changeCredential, credentialsQuery } from "@/lib/client/credentials";
import { SecretField } from "./secret-field";

type RotateCredentialDialogProps = { credential: Credential | null; onClose: () => void };

export function RotateCredentialDialog({ credential, onClose }: RotateCredentialDialogProps) {
  return (
    <Dialog open={credential !== null} onOpenChange={(open) => !open && onClose()}>
      {credential ? <ValueForm credential={credential} onDone={onClose} /> : null}
    </Dialog>
  );
}

function ValueForm({ credential, onDone }: { credential: Credential; onDone: () => void }) {
  const formId = useId();
  const queries = useQueryClient();
  const [value, setValue] = useState("");
  const change = useMutation({
    mutationFn: () => changeCredential(credential.id, { value }),
    onSuccess: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: credentialsQuery.queryKey });
    },
  });
  const error = change.error instanceof ApiError ? change.error : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <DialogContent
      title={`New value of ${credential.name}`}
      description="Runs that start from now on get it. The old value is gone."
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" pending={change.isPending}>
            Set value
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="flex flex-col gap-5" autoComplete="off">
        <SecretField value={value} onChange={setValue} error={error?.fieldError("value")} />
        {change.error && (error?.errors.length ?? 0) === 0 ? (
          <Notice tone="danger" announce>
            {errorText(change.error)}
          </Notice>
        ) : null}
      </form>
    </DialogContent>
  );
}
