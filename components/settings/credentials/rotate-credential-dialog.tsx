"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "@/components/state/form-error";
import { Dialog } from "@/components/ui/dialog";
import { FormDialogContent } from "@/components/ui/form-dialog-content";
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
  return (
    <FormDialogContent
      title={`New value of ${credential.name}`}
      description="Runs that start from now on get it. The old value is gone."
      action="Set value"
      pending={change.isPending}
      onSubmit={() => change.mutate()}
      autoComplete="off"
    >
      <SecretField value={value} onChange={setValue} error={error?.fieldError("value")} />
      <FormError error={change.error} />
    </FormDialogContent>
  );
}
