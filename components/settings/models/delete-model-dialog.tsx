"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { type ModelEndpoint, modelsKey, removeModelEndpoint } from "@/lib/client/models";

type DeleteModelDialogProps = { endpoint: ModelEndpoint; open: boolean; onOpenChange: (open: boolean) => void };

export function DeleteModelDialog({ endpoint, open, onOpenChange }: DeleteModelDialogProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => removeModelEndpoint(endpoint.id),
    onSettled: () => queries.invalidateQueries({ queryKey: modelsKey }),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete the endpoint ${endpoint.name}?`}
      description="Conversations with its models stay readable and cannot go on. Its key stays among the credentials."
      confirmLabel="Delete endpoint"
      tone="danger"
      onConfirm={() => remove.mutateAsync()}
    />
  );
}
