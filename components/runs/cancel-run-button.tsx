"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { cancelRun, type Run, runQuery } from "@/lib/client/runs";

export function CancelRunButton({ run }: { run: Run }) {
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelRun(run.id),
    onSuccess: (answer) => {
      queries.setQueryData(runQuery(run.id).queryKey, answer);
      return queries.invalidateQueries({ queryKey: ["runs"] });
    },
  });
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Cancel run
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Cancel this run of ${run.skill.name}?`}
        description={
          run.state === "awaiting_approval"
            ? "It has not started, and then never does. Nobody has to decide on it any more."
            : "Its process and everything it started are ended. What it has done already is not undone."
        }
        confirmLabel="Cancel run"
        cancelLabel={run.state === "awaiting_approval" ? "Keep waiting" : "Keep running"}
        tone="danger"
        onConfirm={() => cancel.mutateAsync()}
      />
    </>
  );
}
