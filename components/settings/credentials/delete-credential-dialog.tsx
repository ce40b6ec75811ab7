"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { type Credential, credentialsQuery, deleteCredential } from "@/lib/client/credentials";

type DeleteCredentialDialogProps = { credential: Credential | null; onClose: () => void };

/** Names the skills that lose it; confirming then deletes it all the same. */
export function DeleteCredentialDialog({ credential, onClose }: DeleteCredentialDialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ id, usedBy }: Credential) => deleteCredential(id, { force: usedBy.length > 0 }),
    onSettled: () => queries.invalidateQueries({ queryKey: credentialsQuery.queryKey }),
  });
  const names = (credential?.usedBy ?? []).map(({ name }) => `“${name}”`);
  return (
    <ConfirmDialog
      open={credential !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Delete the credential ${credential?.name ?? ""}?`}
      description={
        names.length === 0
          ? "No approved skill is given it. Its value is gone for good."
          : `Runs of ${names.join(", ")} are refused from then on, until there is a credential of this name again. Its value is gone for good.`
      }
      confirmLabel={names.length === 0 ? "Delete credential" : "Delete it all the same"}
      tone="danger"
      onConfirm={() => (credential ? remove.mutateAsync(credential) : undefined)}
    />
  );
}
