import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { InstallAnswer, InstallInput } from "@/lib/catalog/install/schema";
import { catalogKey, installFromCatalog, newProgressId, updatesKey } from "@/lib/client/catalog";
import { decisionKeys } from "@/lib/client/reviews";

/** An entry or a pack. */
export type InstallTarget = { id: string; name: string };

export type Install = {
  target: InstallTarget | null;
  progressId: string | null;
  isRunning: boolean;
  answer: InstallAnswer | undefined;
  error: Error | null;
  start: (target: InstallTarget, owner: InstallInput["owner"]) => void;
  retry: () => void;
  close: () => void;
};

export function useInstall(): Install {
  const queryClient = useQueryClient();
  const [target, setTarget] = useState<InstallTarget | null>(null);
  const { mutate, reset, data, error, isPending, variables } = useMutation({
    mutationFn: installFromCatalog,
    onSettled: () => {
      for (const queryKey of [catalogKey, updatesKey, ...decisionKeys])
        void queryClient.invalidateQueries({ queryKey });
    },
  });

  return {
    target,
    progressId: variables?.progressId ?? null,
    isRunning: isPending,
    answer: data,
    error,
    start: (next, owner) => {
      if (isPending) return;
      setTarget(next);
      mutate({ id: next.id, owner, progressId: newProgressId() });
    },
    retry: () => variables && mutate({ ...variables, progressId: newProgressId() }),
    close: () => {
      setTarget(null);
      if (!isPending) reset();
    },
  };
}
