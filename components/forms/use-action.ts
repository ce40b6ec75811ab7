"use client";

import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { useToast } from "@/components/ui/toast";

type ActionOptions<Answer, Input> = {
  /** Queries to refetch afterwards, also after a failure. */
  refresh?: readonly QueryKey[] | undefined;
  onDone?: ((answer: Answer, input: Input) => unknown) | undefined;
  /** Toast on success: "Backup created." */
  done?: string | ((answer: Answer, input: Input) => string) | undefined;
  /** Toast title on failure: "nightly was not changed." Without it the caller shows `error`. */
  failed?: string | ((input: Input) => string) | undefined;
};

/** A mutation with toasts; it stays pending until the refetched queries have settled. */
export function useAction<Answer, Input = void>(
  run: (input: Input) => Promise<Answer>,
  { refresh = [], onDone, done, failed }: ActionOptions<Answer, Input> = {},
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  const { toast } = useToast();
  return useMutation({
    mutationFn: run,
    onSuccess: (answer, input) => {
      if (done) toast({ tone: "success", title: typeof done === "string" ? done : done(answer, input) });
      onDone?.(answer, input);
    },
    onError: (error, input) => {
      const title = typeof failed === "function" ? failed(input) : failed;
      if (title) toast({ tone: "danger", title, description: errorText(error) });
    },
    onSettled: () => Promise.all(refresh.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
