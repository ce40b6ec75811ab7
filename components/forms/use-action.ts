"use client";

import { type QueryKey, type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { errorText } from "@/components/state/describe-error";
import { useToast } from "@/components/ui/toast";

type ActionOptions<Answer, Input> = {
  /** What changes with it: these queries are asked again when it has ended, whether or not it succeeded. */
  refresh?: readonly QueryKey[] | undefined;
  onDone?: ((answer: Answer, input: Input) => unknown) | undefined;
  /** Said in a toast when it succeeded: "The backup is made." */
  done?: string | ((answer: Answer, input: Input) => string) | undefined;
  /** Said in a toast, with the reason, when it failed: "nightly was not changed." Without it the caller shows `error`. */
  failed?: string | ((input: Input) => string) | undefined;
};

/** A change on the server, and what is asked again after it. It is pending until that has come. */
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
